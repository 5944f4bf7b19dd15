/**
 * Runs the steps of one write and of one renewal of a lease in every possible order, also with hints, a join, the
 * end of a lease and a failover. Each order runs from the start, on the code of the real node, and ends early when
 * it reaches a state that an earlier order has reached.
 */
import { BEAT_MS, IDLE_BEAT_MS, LAPSE_MS, LEASE_MS } from '../../../src/store/cluster/timing.ts';
import type { Hint } from '../../../src/store/log/authority.ts';
import { SeededRandom } from '../../simulator/seeded-random.ts';
import { ClusterWitness } from './cluster-witness.ts';
import { ExploredTime, type IsExplored } from './explored-time.ts';
import { SimulatedClients } from './simulated-client.ts';
import { SimulatedDatabase } from './simulated-database.ts';
import { SimulatedNode, tagOf } from './simulated-node.ts';

const SHOP = 'shop_a';
/** The writer's clock runs fast, so that its waits are as short as they can be. */
const WRITER_CLOCK_RATE = 1.2;
/** More than the time between two beats while nothing happens, also by the slower clock. */
const BEAT_ADVANCE_MS = IDLE_BEAT_MS + 10;
/** The same after a beat that failed, or that compared all heads. */
const SOON_ADVANCE_MS = BEAT_MS + 10;

/** An event that each order has once, at any moment. Without `to` it affects all processes. */
type Happening = readonly [
  name: string,
  happen: (world: World) => void | Promise<void>,
  to?: 'writer' | 'reader',
];

export interface Scenario {
  readonly name: string;
  /**
   * By connection, a mark for each of its first statements: x may run at any later moment, - runs at once. Statements
   * without a mark run at once.
   */
  readonly explored: Readonly<Record<string, string>>;
  /** The reader has joined, with the shop in memory, before the exploration begins. */
  readonly isReaderThere: boolean;
  /** Hints are delivered. An order in which a hint has not arrived yet is also one in which it is lost. */
  readonly hasHints?: boolean;
  /** The events of a list keep their order; otherwise each may happen at any moment. */
  readonly happenings: readonly (readonly Happening[])[];
}

const write: Happening = ['a client writes', (world) => world.write('w1'), 'writer'];
const disconnect: Happening = [
  'a connection is lost',
  ({ reader }) => reader.authority.disconnect(),
  'reader',
];
const start: Happening = ['the reader starts', (world) => world.startReader(), 'reader'];
const advance = (ms: number): Happening => [`${ms} ms go by`, ({ time }) => time.advance(ms)];
/** How late an answer comes: less than the time-out of a statement. */
const LATE_MS = 1_080;
/** Time after the append: a full lease by the writer's clock, but not yet by the reader's. */
const ALMOST_LAPSED_MS = LEASE_MS / WRITER_CLOCK_RATE + 5;
/** Advances of the time: to a beat, a late answer, almost the end of a lease, and the end of the longest wait. */
const LAPSE_PLAN = [
  BEAT_ADVANCE_MS,
  LATE_MS,
  ALMOST_LAPSED_MS - LATE_MS - BEAT_ADVANCE_MS,
  LAPSE_MS / WRITER_CLOCK_RATE - ALMOST_LAPSED_MS + BEAT_ADVANCE_MS + 5,
];
const LAPSE = LAPSE_PLAN.map(advance);
/** Enough beats for the writer to see the second beat of the reader. */
const BEATS = [0, 1, 2, 3].map((more) => advance(BEAT_ADVANCE_MS + more));
const LATER_BEATS = [1, 2, 3, 4, 5].map((more) => advance(SOON_ADVANCE_MS + more));

/** The writer's hint about its append, and the reader's hint in reply. */
const HINTS = { 'hint to reader': 'x', 'hint to writer': 'x' };

/** A ghost is a commit that the primary made visible before any standby had it. */
const failover = (ghosts: 'no' | 'all'): Happening[] => [
  ['the primary is cut off', ({ database }) => database.isolate()],
  [
    `a standby with ${ghosts} ghosts is promoted`,
    ({ database }) => {
      const { copied, all } = database.last.commits;
      database.promote(ghosts === 'all' ? all.length - copied : 0);
    },
  ],
  ['the old primary dies', ({ database }) => database.kill(database.isolated)],
];

export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'a write, a renewal and a lapse',
    // The append and the list of nodes; the three statements of a beat, and the first of the next beat.
    explored: { 'writer append': 'xx', 'reader beat': 'xxxx' },
    isReaderThere: true,
    happenings: [[write], LAPSE],
  },
  {
    name: 'a write, a renewal and a lost connection',
    // The append and the list of nodes; the first two statements of a beat (raise the number, read the changes), and
    // the first of the next beat.
    explored: { 'writer append': 'xx', 'reader beat': 'xx-x' },
    isReaderThere: true,
    happenings: [[write], [disconnect], BEATS],
  },
  {
    name: 'a write and a beat that comes late',
    // The raise of the beat whose connection is lost, and the changes of the second beat after it.
    explored: { 'reader beat': 'x------x' },
    isReaderThere: true,
    happenings: [[write], [advance(BEAT_ADVANCE_MS), disconnect, ...LATER_BEATS]],
  },
  {
    name: 'a write and a join',
    // The first two statements of the first beat, after the join; the read that loads the shop, and its write to the
    // mirror.
    explored: { 'writer append': 'xx', 'reader beat': '-xx', 'reader read': 'x', 'reader disk': 'x' },
    isReaderThere: false,
    happenings: [[write], [start], [advance(BEAT_ADVANCE_MS)]],
  },
  {
    name: 'a write, its hints and a renewal',
    explored: {
      'writer append': 'xx',
      ...HINTS,
      'reader read': 'x',
      'reader disk': 'x',
      'reader beat': '-x',
    },
    isReaderThere: true,
    hasHints: true,
    happenings: [[write], [advance(BEAT_ADVANCE_MS)]],
  },
  {
    name: 'a write, its hints and a load',
    explored: { 'writer append': 'xx', ...HINTS, 'reader read': 'xx', 'reader disk': 'x' },
    isReaderThere: false,
    hasHints: true,
    happenings: [[write], [start]],
  },
  {
    name: 'a failover that uses a transaction number again, and a write',
    // A beat reads the changes after a ghost has got its transaction number; after the failover the write gets that
    // number again.
    explored: { 'reader beat': '-x' },
    isReaderThere: true,
    happenings: [
      [
        advance(BEAT_ADVANCE_MS),
        ['the standbys are lost', ({ database }) => database.loseStandbys()],
        advance(BEAT_ADVANCE_MS + 1),
        ['the waiting commits become ghosts', ({ database }) => void database.primary?.cutWaits()],
        ...failover('no'),
        write,
        ...[2, 3, 4, 5, 6, 7, 8].map((more) => advance(BEAT_ADVANCE_MS + more)),
      ],
    ],
  },
  ...(['no', 'all'] as const).map((ghosts) => ({
    name: `a write, a renewal and a failover that keeps ${ghosts} ghosts`,
    explored: { 'writer append': 'xx', 'reader beat': 'xx', 'reader read': 'x' },
    isReaderThere: true,
    happenings: [[write], failover(ghosts), [BEAT_ADVANCE_MS, LAPSE_MS].map(advance)],
  })),
];

/** Selects the steps that the scenario marks. */
function firstSteps({ explored }: Scenario): IsExplored {
  const left = new Map(Object.entries(explored));
  return (kind, of) => {
    if (kind !== 'execute' && kind !== 'disk' && !(of in HINTS)) return false;
    const marks = left.get(of) ?? '';
    left.set(of, marks.slice(1));
    return marks.startsWith('x');
  };
}

class World {
  readonly time = new ExploredTime();
  readonly database = new SimulatedDatabase(this.time);
  readonly witness = new ClusterWitness();
  readonly #clients = new SimulatedClients(this.time, this.witness);
  readonly writer = this.#node('writer', WRITER_CLOCK_RATE);
  readonly reader = this.#node('reader', 1);
  readonly #left: Happening[][];
  readonly #hasHints: boolean;

  constructor({ happenings, hasHints = false }: Scenario) {
    this.#left = happenings.map((each) => [...each]);
    this.#hasHints = hasHints;
  }

  #node(name: string, clockRate: number): SimulatedNode {
    const { time, database, witness } = this;
    const onHint = (hint: Hint) => this.#hint(name, hint);
    const ports = { time, database, witness, clockRate, onHint, onAcknowledged: () => {} };
    return new SimulatedNode(name, {
      ...ports,
      random: new SeededRandom(1),
      mirrorFile: new Map(),
      noted: null,
    });
  }

  #hint(from: string, hint: Hint): void {
    if (!this.#hasHints) return;
    const to = from === 'writer' ? this.reader : this.writer;
    void this.time.step(to, 'travel', `hint to ${to.name}`).then(() => to.authority.hint(hint));
  }

  write(tag: string): void {
    void this.#clients.write([this.writer], SHOP, { tag, parity: null });
  }

  startReader(): void {
    this.reader.node.start();
    this.reader.ask(SHOP);
  }

  async prepare(scenario: Scenario): Promise<void> {
    this.writer.node.start();
    await this.time.settle();
    this.write('w0');
    await this.time.settle();
    if (scenario.isReaderThere) this.startReader();
    await this.time.advance(BEAT_ADVANCE_MS);
    this.witness.hold(this.witness.acknowledgements === 1, 'the shop is there before the exploration begins');
    this.time.isExplored = firstSteps(scenario);
  }

  choices(): string[] {
    return [...this.time.choices(), ...this.#left.flatMap(([next]) => next?.[0] ?? [])];
  }

  async take(choice: string): Promise<void> {
    const list = this.#left.find(([next]) => next?.[0] === choice);
    const happening = list?.shift();
    if (happening === undefined) {
      await this.time.take(choice);
    } else {
      const [, happen, to] = happening;
      this.time.happened(choice, to === undefined ? undefined : [to]);
      await happen(this);
      await this.time.settle();
    }
    this.reader.ask(SHOP);
    await this.time.settle();
    const { tables } = this.database.last;
    this.witness.lookAtHistory((shopId) => tables.shops.get(shopId)?.records ?? [], tagOf);
  }
}

export interface Exploration {
  readonly scenario: string;
  readonly states: number;
  /** Orders that ran to their end or to a known state. */
  readonly orders: number;
  /** States in which the write was acknowledged and the reader answered without a mark. */
  readonly told: number;
  readonly failed: { readonly promise: string; readonly order: readonly string[] } | null;
}

/** Takes a random one of the orders to run, so that the first few of them differ in their first steps already. */
function takeAny<T>(open: T[], random: SeededRandom): T | undefined {
  const at = random.below(Math.max(1, open.length));
  const [taken, last] = [open[at], open.pop()];
  if (last !== undefined && at < open.length) open[at] = last;
  return taken;
}

/** Runs every order, or `ordersMax` of them; ends at the first that breaks a promise. */
export async function explore(
  scenario: Scenario,
  ordersMax = Number.POSITIVE_INFINITY,
  random = new SeededRandom(1),
): Promise<Exploration> {
  const seen = new Set<string>();
  const open: string[][] = [[]];
  let [orders, told] = [0, 0];
  while (orders < ordersMax) {
    let order = takeAny(open, random);
    if (order === undefined) break;
    orders++;
    const world = new World(scenario);
    await world.prepare(scenario);
    for (const choice of order) await world.take(choice);
    while (world.witness.broken === null && !seen.has(world.time.state)) {
      seen.add(world.time.state);
      if (world.witness.acknowledgements > 1 && world.reader.node.freshness(SHOP).kind === 'current') told++;
      const [next, ...others] = world.choices();
      for (const other of others) open.push([...order, other]);
      if (next === undefined) break;
      order = [...order, next];
      await world.take(next);
    }
    const { broken } = world.witness;
    if (broken !== null) {
      const failed = { promise: String(broken), order };
      return { scenario: scenario.name, states: seen.size, orders, told, failed };
    }
  }
  return { scenario: scenario.name, states: seen.size, orders, told, failed: null };
}
