/**
 * One shop whose live simulations are watched: the work that is done when a simulation is answered. Its text joins the
 * next batch for the active changeset, and is kept for a replay.
 *
 * The last simulations of each shop are kept in memory. Personal data is stripped a moment later, a few texts at a time;
 * in a busy shop newer requests replace most texts before that. Bounds: `RECENT_SIMULATIONS_MAX` per shop and `bytesMax`
 * over all shops (the texts of the longest idle shop are dropped first), plus the requests of one tick.
 */
import { textOf } from '../bytes/answer-text.ts';
import type { SimulateRequest } from '../domain/cart.ts';
import type { PlacedConfig, ShopState, StagingState } from '../domain/shop-event.ts';
import { meterOfLoop } from '../pace/idle-moment.ts';
import { finishSteps, NEVER, type ShouldYield, type WorkSteps } from '../pace/work-steps.ts';
import type { ShopWatch, WatchedRequest, WatchedText } from '../shop/simulation-watch.ts';
import { RECENT_SIMULATIONS_MAX } from '../wire/shadow-results.ts';
import { keptRequest, personalFieldsSteps } from './kept-request.ts';
import type { ShadowBatch } from './shadow-batch.ts';
import type { ShadowTally } from './shadow-tally.ts';

const TICK_MS = 20;
/** How long one turn of the event loop strips texts; one text takes about 10 us. */
const TURN_MS = 0.1;
/** Turns of one tick while the event loop works for more than half of the time, and else. */
const TURNS_PER_TICK = { busy: 1, free: 10 } as const;

export interface RecentSimulation {
  /** The request as JSON text. */
  readonly text: string;
  /** The time for its time conditions, ms since the epoch. */
  readonly nowMs: number;
}

/** The recent simulations of all shops. */
export class RecentSimulations {
  /** Approximate size of all texts. */
  bytes = 0;
  readonly #bytesMax: number;
  /** Shops with unstripped texts, in the order of their next turns. */
  readonly #waiting = new Set<ShopRecent>();
  /** Shops with texts, the longest idle first. */
  readonly #holders = new Set<ShopRecent>();
  #timer: NodeJS.Timeout | null = null;
  readonly #busyShare = meterOfLoop();
  #isOver: ShouldYield = NEVER;
  /** For the steps of the shops: true when the current turn is used up. */
  readonly shouldYield: ShouldYield = () => this.#isOver();

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Strips texts until `isOver`, shop by shop, then drops the oldest texts while the size is above the bound. */
  tidy(isOver: ShouldYield = NEVER): void {
    this.#isOver = isOver;
    for (const shop of this.#waiting) {
      this.#waiting.delete(shop);
      if (!shop.strip()) this.#waiting.add(shop);
      if (isOver()) break;
    }
    for (const shop of this.#holders) {
      if (this.bytes <= this.#bytesMax) break;
      while (this.bytes > this.#bytesMax && shop.dropOldest());
      if (this.bytes > this.#bytesMax) this.forget(shop);
    }
  }

  /** A shop calls this when it has a new text to strip. */
  expectTidying(shop: ShopRecent): void {
    this.#waiting.add(shop);
    this.#holders.delete(shop);
    this.#holders.add(shop);
    this.#timer ??= setTimeout(() => this.#tick(), TICK_MS).unref();
  }

  #tick(): void {
    this.#tidyIn(this.#busyShare() > 0.5 ? TURNS_PER_TICK.busy : TURNS_PER_TICK.free);
  }

  /** Strips texts in this many turns, then waits for the next tick if any are left. */
  #tidyIn(turns: number): void {
    const endMs = performance.now() + TURN_MS;
    this.tidy(() => performance.now() >= endMs);
    if (this.#waiting.size === 0) this.#timer = null;
    else if (turns > 1) setImmediate(() => this.#tidyIn(turns - 1)).unref();
    else this.#timer = setTimeout(() => this.#tick(), TICK_MS).unref();
  }

  forget(shop: ShopRecent): void {
    this.#waiting.delete(shop);
    this.#holders.delete(shop);
  }
}

/** Approximate size of an entry without its text. */
const ENTRY_BYTES = 48;

/** A simulation in the ring buffer of its shop, which the next one in its place overwrites. */
interface Entry {
  /** Null when it was dropped. */
  text: WatchedText | null;
  nowMs: number;
  bytes: number;
  /** True for a text from which personal data was not stripped yet. */
  isUnstripped: boolean;
}

const emptyEntry = (): Entry => ({ text: null, nowMs: 0, bytes: 0, isUnstripped: false });

/** The configurations whose rules decide what is kept: the live one, and that of the changeset if there is one. */
const configsOf = ({ config, staging }: ShopState): readonly PlacedConfig[] =>
  staging === null ? [config] : [config, staging.config];

/** The simulations of one shop: a ring buffer. When it is full, `#next` is the oldest. */
export class ShopRecent {
  readonly #owner: RecentSimulations;
  #configs: readonly PlacedConfig[];
  readonly #entries: Entry[] = [];
  #next = 0;
  #unstripped = 0;
  /** Personal fields that stripped texts may still contain. */
  #keptFields = 0;
  /** The personal fields that the current rules read; null until they are found. */
  #fields: number | null = null;
  /** The pass over the texts that `strip` continues. */
  #stripping: WorkSteps<void> | null = null;
  #isClosed = false;

  constructor(owner: RecentSimulations, state: ShopState) {
    this.#owner = owner;
    this.#configs = configsOf(state);
  }

  /** True also while stripped texts may contain a field that no rule reads any more. */
  get hasUnstripped(): boolean {
    return this.#unstripped > 0 || (this.#keptFields !== 0 && this.#fields === null);
  }

  /** `isKept` is true when the text was stripped already, by the current rules. */
  add(text: WatchedText, nowMs: number, isKept = false): void {
    if (this.#isClosed) return;
    const entry = this.#entries[this.#next] ?? emptyEntry();
    this.#entries[this.#next] = entry;
    this.#next = this.#next + 1 === RECENT_SIMULATIONS_MAX ? 0 : this.#next + 1;
    entry.nowMs = nowMs;
    // The fields of a stripped text are those that the current rules read. If they are unknown, it is stripped again.
    const isStripped = isKept && this.#fields !== null;
    const isExpected = this.#unstripped > 0;
    this.#put(entry, text, !isStripped);
    if (isStripped) this.#keptFields |= this.#fields ?? 0;
    if (isStripped || !isExpected) this.#owner.expectTidying(this);
  }

  /** The rules may read other fields now. Fields that no rule reads any more are removed from stripped texts too. */
  changed(state: ShopState): void {
    const [live, staged] = this.#configs;
    if (state.config === live && state.staging?.config === staged) return;
    this.#configs = configsOf(state);
    this.#fields = null;
    this.#stripping = null;
    // Usually no personal field was kept; then the rules need not be searched.
    if (this.#keptFields !== 0) this.#owner.expectTidying(this);
  }

  /** Continues to strip texts until the turn is used up; returns true when nothing is left to do. */
  strip(): boolean {
    this.#stripping ??= this.#stripSteps(this.#owner.shouldYield);
    if (this.#stripping.next().done === true) this.#stripping = null;
    return !this.hasUnstripped;
  }

  /** One pass over the texts, newest first, because they stay longest; ends early when the rules change. */
  *#stripSteps(shouldYield: ShouldYield): WorkSteps<void> {
    const fields = yield* this.#fieldsSteps(shouldYield);
    const entries = this.#entries;
    for (let back = 1; back <= entries.length && this.#unstripped > 0 && this.#fields === fields; back++) {
      const entry = entries[(this.#next - back + entries.length) % entries.length] as Entry;
      if (entry.text === null || !entry.isUnstripped) continue;
      this.#keptFields |= fields;
      const request = JSON.parse(textOf(entry.text)) as SimulateRequest;
      this.#put(entry, JSON.stringify(keptRequest(request, fields)), false);
      if (shouldYield()) yield;
    }
  }

  /** Finds the personal fields that the rules read; they are not remembered when the rules change meanwhile. */
  *#fieldsSteps(shouldYield: ShouldYield): WorkSteps<number> {
    if (this.#fields !== null) return this.#fields;
    const configs = this.#configs;
    const fields = yield* personalFieldsSteps(configs, shouldYield);
    if (configs !== this.#configs) return fields;
    this.#fields = fields;
    if ((this.#keptFields & ~fields) !== 0) this.#stripAgain();
    return fields;
  }

  #stripAgain(): void {
    this.#keptFields = 0;
    for (const entry of this.#entries) if (entry.text !== null) this.#put(entry, entry.text, true);
  }

  /** All texts, oldest first and stripped. */
  *listSteps(shouldYield: ShouldYield): WorkSteps<readonly RecentSimulation[]> {
    yield* this.#stripSteps(shouldYield);
    // Texts that came meanwhile, at once. When the rules changed, only their changed methods are searched again.
    finishSteps(this.#stripSteps(NEVER));
    const entries = [...this.#entries.slice(this.#next), ...this.#entries.slice(0, this.#next)];
    return entries.flatMap(({ text, nowMs }) => (text === null ? [] : [{ text: textOf(text), nowMs }]));
  }

  /** Returns false when there is no text. */
  dropOldest(): boolean {
    const { length } = this.#entries;
    for (let i = 0; i < length; i++) {
      const entry = this.#entries[(this.#next + i) % length] as Entry;
      if (entry.text === null) continue;
      this.#put(entry, null, false);
      return true;
    }
    return false;
  }

  close(): void {
    this.#isClosed = true;
    while (this.dropOldest());
    this.#owner.forget(this);
  }

  #put(entry: Entry, text: WatchedText | null, isUnstripped: boolean): void {
    const bytes = text === null ? 0 : text.length + ENTRY_BYTES;
    this.#owner.bytes += bytes - entry.bytes;
    this.#unstripped += Number(isUnstripped) - Number(entry.isUnstripped);
    entry.text = text;
    entry.bytes = bytes;
    entry.isUnstripped = isUnstripped;
  }
}

/** The results of one changeset and the state of its evaluation. */
export interface ShadowTrial {
  readonly tally: ShadowTally;
  /** The changeset has not changed since this record. */
  editedAt: number;
  /** Number of requests that wait or are being evaluated. */
  requests: number;
  /** Number of writes of the results that are under way: a slow write may overlap the next. */
  writes: number;
  isDirty: boolean;
  isReplaying: boolean;
  /** True while the shop is in memory. */
  isWatched: boolean;
}

/** The queue of batches and the trials, which the watched shops of a process share. */
export interface ShadowQueue {
  /** The trial of a changeset, from memory or from the log. */
  trialOf(shopId: string, stagingId: string): ShadowTrial;
  /** Counts a request that will wait; returns false when the queue is full. */
  admit(trial: ShadowTrial, bytes: number): boolean;
  /** Call with the first request of a batch: the queue calls `sendBatch` of each shop after `BATCH_MS`. */
  expectBatch(): void;
  /** Sends counted requests to the pool. */
  send(trial: ShadowTrial, batch: ShadowBatch): void;
  /** Call when the changeset has ended: removes its results. */
  end(trial: ShadowTrial): void;
  /** Call when the shop was evicted; its results stay in memory until they are written. */
  leave(shop: { readonly shopId: string; readonly trial: ShadowTrial | null }): void;
}

/** Number of requests of a full batch. */
export const BATCH_REQUESTS = 64;

/** Requests that wait for a batch. */
type WaitingBatch = Omit<ShadowBatch, 'texts' | 'times'> & {
  readonly texts: string[];
  readonly times: number[];
};

export class WatchedShop implements ShopWatch {
  readonly shopId: string;
  readonly recent: ShopRecent;
  readonly #shadow: ShadowQueue;
  /** Null while no changeset is active. */
  #trial: ShadowTrial | null = null;
  #sequenceNumber: number;
  /** The last changeset that was watched. */
  #staging: StagingState | null = null;
  #waiting: WaitingBatch;
  #isFullBatchSent = false;

  constructor(
    shadow: ShadowQueue & { readonly recent: RecentSimulations },
    state: ShopState,
    sequenceNumber: number,
  ) {
    this.shopId = state.settings.id;
    this.#shadow = shadow;
    this.recent = new ShopRecent(shadow.recent, state);
    this.#sequenceNumber = sequenceNumber;
    this.#waiting = this.#newBatch();
    this.#watch(state);
  }

  get trial(): ShadowTrial | null {
    return this.#trial;
  }

  get sequenceNumber(): number {
    return this.#sequenceNumber;
  }

  simulated(request: WatchedRequest, nowMs: number, isStripped = false): void {
    const isText = typeof request === 'string' || request instanceof Uint8Array;
    const watched = isText ? request : JSON.stringify(request);
    this.recent.add(watched, nowMs, isStripped);
    if (this.#trial !== null) this.#gather(this.#trial, textOf(watched), nowMs);
  }

  #gather(trial: ShadowTrial, text: string, nowMs: number): void {
    if (!this.#shadow.admit(trial, Buffer.byteLength(text))) return;
    const { texts, times } = this.#waiting;
    texts.push(text);
    times.push(nowMs);
    if (texts.length === 1) this.#shadow.expectBatch();
    if (texts.length < BATCH_REQUESTS || this.#isFullBatchSent) return;
    // After the answers of this turn, because sending a batch takes longer than an answer.
    this.#isFullBatchSent = true;
    setImmediate(() => this.sendBatch());
  }

  /** Sends the waiting requests, if any. */
  sendBatch(): void {
    this.#isFullBatchSent = false;
    const waiting = this.#waiting;
    if (this.#trial === null || waiting.texts.length === 0) return;
    this.#waiting = this.#newBatch();
    this.#shadow.send(this.#trial, waiting);
  }

  published(state: ShopState, sequenceNumber: number): void {
    // Waiting requests were answered before this write, so they are evaluated at the earlier record.
    this.sendBatch();
    this.#sequenceNumber = sequenceNumber;
    this.#waiting = this.#newBatch();
    this.recent.changed(state);
    const ended = this.#trial;
    if (ended !== null && ended.tally.stagingId !== state.staging?.id) {
      this.#trial = null;
      this.#shadow.end(ended);
    }
    this.#watch(state);
  }

  closed(): void {
    this.sendBatch();
    this.recent.close();
    if (this.#trial !== null) this.#trial.isWatched = false;
    this.#shadow.leave(this);
  }

  #watch({ config, staging }: ShopState): void {
    if (staging === null) return;
    this.#trial ??= this.#shadow.trialOf(this.shopId, staging.id);
    this.#trial.isWatched = true;
    if (this.#staging !== staging) {
      this.#staging = staging;
      this.#trial.editedAt = this.#sequenceNumber;
      this.#trial.tally.edited(staging.writes.length);
    }
    this.#trial.tally.prune(config, staging.config);
  }

  #newBatch(): WaitingBatch {
    const { shopId, sequenceNumber } = this;
    return { kind: 'shadowBatch', shopId, sequenceNumber, isReplay: false, texts: [], times: [] };
  }
}
