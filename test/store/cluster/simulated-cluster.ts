/**
 * One simulated run of a seed: nodes write to the same shops and answer for them, while servers fail over and
 * leave ghosts, connections break, and nodes are stopped, frozen, killed and joined. `ClusterWitness` checks
 * the promises.
 */
import type { MirrorState } from '../../../src/store/cluster/node-ports.ts';
import { LAPSE_MS } from '../../../src/store/cluster/timing.ts';
import type { Hint } from '../../../src/store/log/authority.ts';
import { SeededRandom } from '../../simulator/seeded-random.ts';
import { ClusterWitness } from './cluster-witness.ts';
import { SimulatedClients } from './simulated-client.ts';
import { SimulatedDatabase } from './simulated-database.ts';
import { type MirrorFile, SimulatedNode, tagOf } from './simulated-node.ts';
import type { SimulatedServer } from './simulated-server.ts';
import { SeededTime } from './simulated-time.ts';

const SHOPS = ['shop_a', 'shop_b'] as const;
const NODES_MAX = 4;
const RUN_MS = 9_000;
/** Long enough for every lease, failover and retry. */
const REST_MS = 12_000;
const ACTION_MS_MAX = 60;

/** How often events happen in one run. */
interface Weather {
  /** Percentage of hints that arrive. */
  readonly hints: number;
  /** Percentage of steps that take long. */
  readonly slow: number;
  /** Percentage of actions without trouble that are writes. */
  readonly writes: number;
  /** Percentage of failovers before which commits pile up, because no standby follows any more. */
  readonly lags: number;
}

/** Each run has one of these. Where little is written, beats alone tell a node of a record. */
const WEATHERS: readonly Weather[] = [
  { hints: 50, slow: 2, writes: 85, lags: 30 },
  { hints: 50, slow: 10, writes: 85, lags: 50 },
  { hints: 0, slow: 10, writes: 15, lags: 100 },
];
const EVICT_PERCENT = 15;
/** Percentage of actions after which a process notes the state of its mirror. */
const NOTE_PERCENT = 5;
/** Percentage of writes that some states of their shop refuse. */
const CONDITIONAL_PERCENT = 30;
/** Percentage of writes whose client soon sends them again, to other nodes, when there is no answer. */
const REPEATED_PERCENT = 30;
const PATIENCE_MS_MAX = 400;
/** The fastest and the slowest clock differ by this much. */
const FASTEST_CLOCK = 1.2;
const PLAN_RATE = 7;
/** From a lapse until the others count a node again: each has a lease from after that. */
const SETTLED_MS = LAPSE_MS;
/** Long enough to put two freezes of a machine into different leases. */
const FREEZE_GAP_MS = 4_000;

export interface ClusterRunReport {
  readonly steps: number;
  readonly acknowledgements: number;
  readonly answers: ClusterWitness['answers'];
  readonly failovers: number;
}

/** Runs one seed to its end; throws `Violation` at the first step after which a promise is broken. */
export const runClusterSeed = (seed: number): Promise<ClusterRunReport> =>
  new SimulatedCluster(new SeededRandom(seed)).run();

/** A machine on which processes of a node run, one after the other. */
interface Machine {
  readonly name: string;
  readonly mirrorFile: MirrorFile;
  /** What the last process noted of the mirror, for the next one. */
  noted: MirrorState | null;
  readonly clockRate: number;
  process: SimulatedNode | null;
  processes: number;
  frozenAtMs: number;
}

class SimulatedCluster {
  readonly #random: SeededRandom;
  readonly #weather: Weather;
  readonly #time: SeededTime;
  readonly #database: SimulatedDatabase;
  readonly #witness = new ClusterWitness();
  readonly #machines: Machine[] = [];
  readonly #clients: SimulatedClients;
  /** Of 1,000 actions, the number of each kind of trouble. */
  readonly #troubles: number;
  #writes = 0;

  constructor(random: SeededRandom) {
    this.#random = random;
    this.#weather = random.pick(WEATHERS) as Weather;
    this.#time = new SeededTime(random, this.#weather.slow);
    this.#database = new SimulatedDatabase(this.#time);
    this.#clients = new SimulatedClients(this.#time, this.#witness);
    this.#troubles = random.pick([0, 10, 25]) ?? 0;
    for (let count = random.between(2, 3); count > 0; count--) this.#addMachine();
  }

  async run(): Promise<ClusterRunReport> {
    this.#scheduleAction();
    await this.#runUntil(RUN_MS);
    this.#calmDown();
    await this.#runUntil(RUN_MS + REST_MS);
    this.#checkRest();
    const { acknowledgements, answers } = this.#witness;
    return { steps: this.#time.steps, acknowledgements, answers, failovers: this.#database.failovers };
  }

  async #runUntil(endMs: number): Promise<void> {
    while (this.#time.nowMs < endMs && (await this.#time.runNext())) this.#witness.check();
  }

  #addMachine(): void {
    const clockRate = this.#random.pick([1, 1 + this.#random.below(200) / 1_000, FASTEST_CLOCK]) ?? 1;
    const name = `node ${this.#machines.length + 1}`;
    const frozenAtMs = Number.NEGATIVE_INFINITY;
    const machine: Machine = {
      ...{ name, mirrorFile: new Map(), noted: null, clockRate },
      ...{ process: null, processes: 0, frozenAtMs },
    };
    this.#machines.push(machine);
    this.#start(machine);
  }

  #start(machine: Machine): void {
    const { mirrorFile, noted, clockRate } = machine;
    const process = new SimulatedNode(`${machine.name}.${++machine.processes}`, {
      time: this.#time,
      random: this.#random,
      database: this.#database,
      witness: this.#witness,
      mirrorFile,
      noted,
      clockRate,
      onHint: (hint) => this.#hintOthers(process, hint),
      onAcknowledged: () => this.#askAll(),
    });
    machine.process = process;
    process.node.start();
  }

  #processes(): SimulatedNode[] {
    return this.#machines.flatMap(({ process }) => process ?? []);
  }

  /** A hint may get lost, be late, or overtake an earlier one. */
  #hintOthers(sender: SimulatedNode, hint: Hint): void {
    for (const process of this.#processes()) {
      if (process === sender || !this.#random.chance(this.#weather.hints)) continue;
      void this.#time.step(process, 'travel').then(() => process.authority.hint(hint));
    }
  }

  /** Data that arrives while a process is stopped waits in its sockets. */
  #askAll(): void {
    for (const process of this.#processes()) {
      this.#time.after(process, 0, () => {
        for (const shopId of SHOPS) process.ask(shopId);
      });
    }
  }

  /** How the nodes share a plan that have held their lease for a while. */
  #sharesOfPlan(): readonly number[] {
    const { nowMs } = this.#time;
    const shares: number[] = [];
    for (const process of this.#processes()) {
      const isCurrent = process.node.freshness('').kind === 'current';
      if (isCurrent) process.wasCurrent = true;
      else if (process.wasCurrent) process.lapsedAtMs = nowMs;
      const isSharing =
        process.wasCurrent && process.stoppedUntilMs <= nowMs && nowMs - process.lapsedAtMs > SETTLED_MS;
      if (isSharing) shares.push(process.node.planShare(PLAN_RATE));
    }
    return shares;
  }

  #scheduleAction(): void {
    this.#time.after(this.#clients, this.#random.below(ACTION_MS_MAX), () => {
      if (this.#time.nowMs >= RUN_MS) return;
      this.#act();
      this.#askAll();
      const shares = this.#sharesOfPlan();
      // The k-th node to join knows at least k nodes.
      const most = shares.reduce((sum, _, index) => sum + Math.ceil(PLAN_RATE / (index + 1)), 0);
      this.#witness.hold(sumOf(shares) <= most, 'a node divides the rate of a plan by the nodes it knows');
      this.#scheduleAction();
    });
  }

  #act(): void {
    const random = this.#random;
    const machine = random.pick(this.#machines);
    const process = machine?.process;
    if (random.below(1_000) < this.#troubles * 8) this.#trouble(machine);
    else if (process && random.chance(this.#weather.writes)) this.#write(process);
    else if (random.chance(EVICT_PERCENT)) process?.evict(random.pick(SHOPS) ?? SHOPS[0]);
    if (machine && process && random.chance(NOTE_PERCENT)) {
      machine.noted = process.node.mirrorState ?? machine.noted;
    }
  }

  #write(process: SimulatedNode): void {
    const random = this.#random;
    const shopId = random.pick(SHOPS) ?? SHOPS[0];
    const parity = random.chance(CONDITIONAL_PERCENT) ? random.below(2) : null;
    const write = { tag: `w${++this.#writes}`, parity };
    if (random.chance(REPEATED_PERCENT)) {
      const others = this.#processes().filter((other) => other !== process);
      const nodes = [process, random.pick(others) ?? process, process];
      void this.#clients.write(nodes, shopId, write, random.between(1, PATIENCE_MS_MAX));
    } else void this.#clients.write([process], shopId, write);
  }

  #trouble(machine: Machine | undefined): void {
    const random = this.#random;
    const process = machine?.process ?? null;
    switch (random.below(8)) {
      case 0:
        this.#failOver();
        break;
      case 1:
        this.#database.primary?.cutWaits();
        break;
      case 2:
        this.#database.crashInPlace();
        break;
      case 3:
        void process?.authority.disconnect();
        break;
      case 4:
        if (process !== null) process.stoppedUntilMs = this.#time.nowMs + random.between(50, 5_000);
        break;
      case 5:
        if (machine !== undefined) this.#freeze(machine);
        break;
      case 6:
        if (machine !== undefined) this.#restart(machine);
        break;
      default:
        if (this.#machines.length < NODES_MAX) this.#addMachine();
    }
  }

  #failOver(): void {
    const database = this.#database;
    const { primary } = database;
    if (primary === null) return;
    if (this.#random.chance(this.#weather.lags)) database.loseStandbys();
    this.#time.after(this.#clients, primary.hasStandby ? 0 : this.#random.between(1, 150), () => {
      if (database.primary === primary) this.#replace(primary);
    });
  }

  #replace(old: SimulatedServer): void {
    const database = this.#database;
    // Like a primary after an immediate shutdown.
    if (this.#random.chance(70)) old.cutWaits();
    database.isolate();
    for (const process of this.#processes()) process.prefersOld = this.#random.chance(50);
    if (this.#random.chance(30)) database.kill(old);
    this.#time.after(this.#clients, this.#random.between(1, 1_500), () => {
      const { copied, all } = database.last.commits;
      database.promote(this.#random.chance(30) ? 0 : this.#random.between(0, all.length - copied));
    });
    this.#time.after(this.#clients, this.#random.between(1, 5_000), () => database.kill(old));
  }

  #freeze(machine: Machine): void {
    const { nowMs } = this.#time;
    if (machine.process === null || machine.process.stoppedUntilMs > nowMs) return;
    if (nowMs < machine.frozenAtMs + FREEZE_GAP_MS) return;
    machine.frozenAtMs = nowMs;
    // Where only the monotonic clock stands still, the wall clock shows for how long.
    const isWallFrozen = this.#random.chance(50);
    machine.process.clock.freeze(this.#random.between(50, isWallFrozen ? 1_000 : 5_000), isWallFrozen);
  }

  /** Ends the process, by kill or by an orderly stop, and later starts another one on the same mirror. */
  #restart(machine: Machine): void {
    const { process } = machine;
    if (process === null) return;
    machine.process = null;
    if (this.#random.chance(50)) process.kill();
    else void process.node.stop().catch(() => {});
    this.#time.after(this.#clients, this.#random.below(1_500), () => {
      process.kill();
      this.#start(machine);
    });
  }

  #calmDown(): void {
    this.#time.slowPercent = 0;
    this.#time.after(this.#clients, REST_MS - 50, () => this.#askAll());
  }

  /** No more trouble: every node must become current, and the history must have every acknowledged write. */
  #checkRest(): void {
    const { tables } = this.#database.last;
    const recordsOf = (shopId: string) => tables.shops.get(shopId)?.records ?? [];
    this.#witness.lookAtHistory(recordsOf, tagOf);
    for (const process of this.#processes()) {
      this.#witness.hold(process.waitingWrites === 0, `${process.name}: every write is answered`);
      for (const shopId of SHOPS) {
        this.#witness.hold(
          process.node.freshness(shopId).kind === 'current',
          `${process.name} is current at last`,
        );
      }
    }
    this.#witness.hold(sumOf(this.#sharesOfPlan()) === PLAN_RATE, 'shares of a plan are its rate at last');
    this.#witness.check();
  }
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);
