/** One process of a simulated cluster: the real node on a simulated authority, with a mirror and shops in memory. */

import { conflict, FAILURE_STATUS, type Failure } from '../../../src/engine/domain/failure.ts';
import type { Attempt } from '../../../src/front/client/attempt.ts';
import type { Headers } from '../../../src/front/http/output.ts';
import { refusalHeaders } from '../../../src/front/http/refused-write.ts';
import { UNREACHABLE } from '../../../src/shop/reader/other-nodes.ts';
import { ClusterNode, type WriteOutcome } from '../../../src/store/cluster/cluster-node.ts';
import { CURRENT } from '../../../src/store/cluster/lease.ts';
import {
  type Mirror,
  type MirrorState,
  momentAt,
  newMeter,
  type ShopCopies,
} from '../../../src/store/cluster/node-ports.ts';
import {
  type AppendGroup,
  AuthorityUnavailableError,
  type HashedRecord,
  type Hint,
  type RecordHead,
  type StoredRecord,
} from '../../../src/store/log/authority.ts';
import { DamagedLogError, LOST_RACES_MAX } from '../../../src/store/log/event-log.ts';
import { hashRecord, NO_HEAD } from '../../../src/store/log/record-codec.ts';
import type { SeededRandom } from '../../simulator/seeded-random.ts';
import type { ClusterWitness } from './cluster-witness.ts';
import { SimulatedAuthority } from './simulated-authority.ts';
import type { SimulatedDatabase } from './simulated-database.ts';
import { type Owner, SimulatedClock, type SimulatedTime } from './simulated-time.ts';

/** The stored mirror, which outlives the process of the node. */
export type MirrorFile = Map<string, HashedRecord[]>;

export interface SimulatedNodeParts {
  readonly time: SimulatedTime;
  readonly random: SeededRandom;
  readonly database: SimulatedDatabase;
  readonly witness: ClusterWitness;
  readonly mirrorFile: MirrorFile;
  /** What an earlier process of the machine noted of its mirror. */
  readonly noted: MirrorState | null;
  /** Rate of its clock against true time. */
  readonly clockRate: number;
  /** Called with the hints for other nodes. */
  readonly onHint: (hint: Hint) => void;
  /** Called when the answer to an accepted write is sent. */
  readonly onAcknowledged: () => void;
}

/** A write as a client sends it; what is sent again has the same tag, which is its idempotency key. */
export interface ClientWrite {
  readonly tag: string;
  /**
   * The remainder by two of the number of records that the shop must have, otherwise the write is refused; null for any. A
   * write of another client changes what is refused.
   */
  readonly parity: number | null;
}

/** What became of a write in its turn. */
type Decided =
  | { readonly kind: 'appended'; readonly head: RecordHead; readonly seenEverywhere: Promise<void> }
  /** An earlier attempt is stored. */
  | { readonly kind: 'repeated'; readonly head: RecordHead }
  /** Decided on the records up to this one. */
  | { readonly kind: 'refused'; readonly upTo: number }
  /** The authority cannot be reached: nothing was stored. */
  | { readonly kind: 'unavailable' };

const UNAVAILABLE: Decided = { kind: 'unavailable' };
const REFUSAL = conflict('the shop has another number of records');

const RECORDS_MAX = 3;
const STALE_MS_MAX = 20_000;

export class SimulatedNode implements Owner {
  readonly name: string;
  isDead = false;
  stoppedUntilMs = 0;
  prefersOld = false;
  readonly clock: SimulatedClock;
  readonly authority: SimulatedAuthority;
  readonly node: ClusterNode;
  readonly #parts: SimulatedNodeParts;
  readonly #mirror: SimulatedMirror;
  /** Number of the last record that readers see of each shop in memory. */
  readonly #shown = new Map<string, number>();
  readonly #loads = new Map<string, Promise<void>>();
  readonly #turns = new Map<string, Promise<void>>();
  #runs = 0;
  #appends = 0;
  /** Number of writes whose clients wait. */
  waitingWrites = 0;
  wasCurrent = false;
  /** When it last was without a lease. */
  lapsedAtMs = Number.NEGATIVE_INFINITY;

  constructor(name: string, parts: SimulatedNodeParts) {
    const { time, random, database, witness, mirrorFile, noted, clockRate, onHint } = parts;
    this.name = name;
    this.#parts = parts;
    this.clock = new SimulatedClock(time, this, clockRate, random.below(100_000));
    this.authority = new SimulatedAuthority({
      database,
      client: this,
      clock: this.clock,
      newRun: () => `${name} run ${++this.#runs}`,
      prefersOld: () => this.prefersOld,
      onHint,
      onTurn: (shopId, isStale) => witness.turnEnded(name, shopId, isStale),
    });
    this.#mirror = new SimulatedMirror(this, mirrorFile, time, witness);
    this.node = new ClusterNode({
      meter: newMeter(),
      authority: this.authority,
      mirror: this.#mirror,
      copies: this.#copies(),
      clock: this.clock,
      self: { node: name, readsFormat: 1 },
      staleMsMax: STALE_MS_MAX,
      lastRun: this.#lastRun(noted),
      onReach: () => {},
      onFatal: (cause) => witness.hold(false, `nothing throws: ${String(cause)}`),
    });
  }

  /** As `readLastRun`. */
  #lastRun(noted: MirrorState | null): MirrorState | null {
    const currentAt = noted === null ? null : momentAt(noted.currentAt.wallMs, this.clock);
    return noted === null || currentAt === null ? null : { currentAt, heads: noted.heads };
  }

  #copies(): ShopCopies {
    return {
      shownUpTo: (shopId) => this.#shown.get(shopId) ?? 0,
      refresh: async (shopId) => {
        await this.#loads.get(shopId);
        await this.#parts.time.step(this, 'disk', `${this.name} disk`);
        this.#show(shopId, this.#mirror.head(shopId).sequenceNumber);
      },
      forget: () => {},
      drop: async (shopId, cause) =>
        this.#parts.witness.hold(false, `${shopId} can be used: ${String(cause)}`),
    };
  }

  #show(shopId: string, upTo: number): void {
    const shown = this.#shown.get(shopId);
    if (shown !== undefined) this.#shown.set(shopId, Math.max(shown, upTo));
  }

  /** Loads the shop; resolves with true when it is in memory afterwards. */
  async load(shopId: string): Promise<boolean> {
    if (this.#shown.has(shopId)) return true;
    const load = this.#loads.get(shopId) ?? this.#loadNow(shopId);
    this.#loads.set(shopId, load);
    await load;
    return this.#shown.has(shopId);
  }

  async #loadNow(shopId: string): Promise<void> {
    try {
      await this.node.follower.load(shopId);
      const { sequenceNumber } = this.#mirror.head(shopId);
      await this.#parts.time.step(this, 'disk', `${this.name} disk`);
      this.#shown.set(shopId, sequenceNumber);
    } catch (error) {
      this.#expectUnavailable(error);
      this.node.follower.unload(shopId);
    }
    this.#loads.delete(shopId);
  }

  /** The shop leaves memory, unless it is being written. */
  evict(shopId: string): void {
    if (this.#turns.has(shopId) || !this.#shown.has(shopId)) return;
    this.#shown.delete(shopId);
    this.node.follower.unload(shopId);
  }

  /** A request for a simulation: it is answered in the same turn. */
  ask(shopId: string): void {
    const upTo = this.#shown.get(shopId);
    if (upTo === undefined) {
      void this.load(shopId);
      return;
    }
    const shown = { node: this.name, shopId, upTo };
    this.#parts.witness.answered(shown, this.node.freshness(shopId), this.#parts.time.nowMs);
  }

  /** A write of a client; the writes of a shop take turns. Resolves with the answer, if there is one. */
  async write(shopId: string, write: ClientWrite): Promise<Attempt> {
    const { time, witness } = this.#parts;
    await time.step(this, 'travel');
    this.waitingWrites++;
    const arrivedAtMs = time.nowMs;
    const decided = (await this.#upToDate(shopId)) ? await this.#inTurn(shopId, write) : UNAVAILABLE;
    const answer = await this.#answerTo(shopId, write.tag, decided);
    this.waitingWrites--;
    if (decided.kind === 'refused')
      witness.answered({ node: this.name, shopId, upTo: decided.upTo }, CURRENT, arrivedAtMs);
    return answer;
  }

  async #upToDate(shopId: string): Promise<boolean> {
    try {
      if (!(await this.load(shopId))) return false;
      await this.node.upToDate(shopId);
      return true;
    } catch (error) {
      this.#expectUnavailable(error);
      return false;
    }
  }

  #inTurn(shopId: string, write: ClientWrite): Promise<Decided> {
    const before = this.#turns.get(shopId) ?? Promise.resolve();
    const turn = before.then(() => this.#append(shopId, write));
    const over = turn.then((decided) => {
      if (decided.kind === 'appended') this.#show(shopId, decided.head.sequenceNumber);
      if (this.#turns.get(shopId) === over) this.#turns.delete(shopId);
    });
    this.#turns.set(shopId, over);
    return turn;
  }

  async #answerTo(shopId: string, tag: string, decided: Decided): Promise<Attempt> {
    if (decided.kind === 'refused') return answerOf(REFUSAL, refusalHeaders(REFUSAL, tag, true));
    if (decided.kind === 'unavailable') return answerOf(UNREACHABLE);
    try {
      await (decided.kind === 'appended' ? decided.seenEverywhere : this.node.seenEverywhere());
    } catch (error) {
      this.#expectUnavailable(error);
      return answerOf(UNREACHABLE);
    }
    this.#parts.witness.acknowledged(shopId, tag, decided.head, this.#parts.time.nowMs);
    this.#parts.onAcknowledged();
    return answerOf(null);
  }

  async #append(shopId: string, write: ClientWrite): Promise<Decided> {
    const { random, time, witness } = this.#parts;
    const { tag } = write;
    if (!(await this.load(shopId))) return UNAVAILABLE;
    const count = random.between(1, RECORDS_MAX);
    let head = NO_HEAD;
    let unchanged: Decided = UNAVAILABLE;
    const decide = async (): Promise<AppendGroup | null> => {
      const known = this.#decideUnchanged(shopId, write);
      if (known !== null) {
        unchanged = known;
        return null;
      }
      const expected = this.#mirror.head(shopId);
      await time.step(this, 'execute');
      const records = newRecords(expected, tag, count, this.#newAppendId());
      head = records.at(-1) ?? NO_HEAD;
      return { shopId, expected, records, keysMade: [], keysRevoked: [], endsChangeset: false };
    };
    witness.turnsBegin(this.name, shopId);
    try {
      for (let lost = 0; ; lost++) {
        let outcome: WriteOutcome;
        if (lost < LOST_RACES_MAX) {
          const group = await decide();
          outcome = group === null ? { kind: 'nothingToAppend' } : await this.node.append(group);
        } else outcome = await this.node.appendAlone(shopId, decide);
        if (outcome.kind === 'staleWriter') continue;
        if (outcome.kind === 'nothingToAppend') return unchanged;
        const isSettled = outcome.kind === 'appended' || outcome.kind === 'unavailable';
        witness.hold(isSettled, `${tag}: every write is settled (${outcome.kind})`);
        if (outcome.kind !== 'appended') return UNAVAILABLE;
        return { kind: 'appended', head, seenEverywhere: outcome.seenEverywhere };
      }
    } catch (error) {
      this.#expectUnavailable(error);
      return UNAVAILABLE;
    }
  }

  #newAppendId(): string {
    return `append-${++this.#appends}-of-${this.name}`;
  }

  /** Shows what the mirror has, and decides a write that appends nothing; null for one that does. */
  #decideUnchanged(shopId: string, { tag, parity }: ClientWrite): Decided | null {
    const records = this.#mirror.records(shopId);
    this.#show(shopId, records.length);
    const stored = records.findLast((record) => tagOf(record.stored).split('.')[0] === tag);
    if (stored !== undefined) return { kind: 'repeated', head: stored };
    const isRefused = parity !== null && records.length % 2 !== parity;
    return isRefused ? { kind: 'refused', upTo: records.length } : null;
  }

  #expectUnavailable(error: unknown): void {
    const isExpected = error instanceof AuthorityUnavailableError;
    this.#parts.witness.hold(isExpected, `nothing throws: ${(error as Error).stack}`);
  }

  /** kill -9. */
  kill(): void {
    this.isDead = true;
    void this.authority.disconnect();
  }
}

class SimulatedMirror implements Mirror {
  readonly #owner: Owner;
  readonly #file: MirrorFile;
  readonly #time: SimulatedTime;
  readonly #witness: ClusterWitness;

  constructor(owner: Owner, file: MirrorFile, time: SimulatedTime, witness: ClusterWitness) {
    this.#owner = owner;
    this.#file = file;
    this.#time = time;
    this.#witness = witness;
  }

  head(shopId: string): RecordHead {
    return this.#file.get(shopId)?.at(-1) ?? NO_HEAD;
  }

  records(shopId: string): readonly HashedRecord[] {
    return this.#file.get(shopId) ?? [];
  }

  async store(shopId: string, records: readonly StoredRecord[]): Promise<void> {
    await this.#time.step(this.#owner, 'disk', `${this.#owner.name} disk`);
    const kept = this.#file.get(shopId) ?? [];
    for (const { sequenceNumber, stored } of records) {
      if (sequenceNumber <= kept.length) continue;
      const head = kept.at(-1) ?? NO_HEAD;
      const isNext =
        sequenceNumber === head.sequenceNumber + 1 && previousOf(stored) === head.hash.toString('hex');
      if (!isNext) throw new DamagedLogError(shopId, sequenceNumber, 'it does not follow the one before');
      const record = { sequenceNumber, stored, hash: hashRecord(stored) };
      kept.push(record);
      this.#witness.mirrored(this.#owner.name, shopId, record);
    }
    this.#file.set(shopId, kept);
  }

  restart(): Promise<void> {
    return Promise.reject(new Error('no record is ever removed here'));
  }

  drop(): Promise<void> {
    return Promise.reject(new Error('no shop is ever deleted here'));
  }

  hashAt(shopId: string, sequenceNumber: number): Buffer | null {
    return this.#file.get(shopId)?.[sequenceNumber - 1]?.hash ?? null;
  }

  setAside(): Promise<void> {
    return Promise.reject(new Error('no confirmed record is ever lost here'));
  }
}

function answerOf(refused: Failure | null, headers: Headers = []): Attempt {
  return {
    kind: 'answered',
    status: refused === null ? 200 : FAILURE_STATUS[refused.code],
    headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])),
    text: refused === null ? '{}' : JSON.stringify({ error: refused }),
  };
}

/** A record consists of the hash of the one before it, the tag of its write with its place there, and the append. */
const newRecord = ({ sequenceNumber, hash }: RecordHead, text: string): HashedRecord => {
  const stored = Buffer.from(`${hash.toString('hex')} ${text}`);
  return { sequenceNumber: sequenceNumber + 1, stored, hash: hashRecord(stored) };
};

/** `appendId` is that of `encodeGroupSteps`: no other append has it. */
function newRecords(expected: RecordHead, tag: string, count: number, appendId: string): HashedRecord[] {
  const records: HashedRecord[] = [];
  for (let part = 0; part < count; part++)
    records.push(newRecord(records.at(-1) ?? expected, `${tag}.${part} ${appendId}`));
  return records;
}

const wordsOf = (stored: Buffer): readonly string[] => stored.toString().split(' ');
const previousOf = (stored: Buffer): string => wordsOf(stored)[0] ?? '';
/** The tag of a write, and the place of the record in it. */
export const tagOf = (stored: Buffer): string => wordsOf(stored)[1] ?? '';
