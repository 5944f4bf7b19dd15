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
import type { ShopState, StagingState } from '../domain/shop-event.ts';
import type { WorkSteps } from '../pace/work-steps.ts';
import type { ShopWatch, WatchedRequest, WatchedText } from '../shop/simulation-watch.ts';
import { RECENT_SIMULATIONS_MAX } from '../wire/shadow-results.ts';
import { keptRequest, personalFieldsSteps } from './kept-request.ts';
import type { ShadowBatch } from './shadow-batch.ts';
import type { ShadowQueue, ShadowTrial } from './shadow-queue.ts';

const TICK_MS = 20;
/** Number of texts that are stripped in one tick, by the load of the event loop; one takes about 10 us. */
const STRIPPED_PER_TICK = { busy: 10, free: 100, idle: 200 } as const;
/**
 * Number of texts that are stripped in one turn of the event loop: a hundred would delay answers by a millisecond. Also
 * the number per shop before the next shop's turn, so that a busy shop does not delay the others.
 */
const STRIPPED_PER_TURN = 5;

export interface RecentSimulation {
  /** The request as JSON text. */
  readonly text: string;
  /** The time for its time conditions, ms since the epoch. */
  readonly nowMs: number;
  /** When it was answered, ms since the epoch; absent unless stamps are enabled. */
  readonly answeredMs?: number;
}

/** The recent simulations of all shops. */
export class RecentSimulations {
  readonly stampMs: (() => number) | null;
  readonly #bytesMax: number;
  /** Shops with unstripped texts, in the order of their next turns. */
  readonly #waiting = new Set<ShopRecent>();
  /** Shops with texts, the longest idle first. */
  readonly #holders = new Set<ShopRecent>();
  #bytes = 0;
  #timer: NodeJS.Timeout | null = null;
  #utilization = performance.eventLoopUtilization();

  /** `stampMs` is the clock for `answeredMs`, which `mergeRecent` needs; null without other threads. */
  constructor(bytesMax: number, stampMs: (() => number) | null = null) {
    this.#bytesMax = bytesMax;
    this.stampMs = stampMs;
  }

  /** Approximate size of all texts. */
  get bytes(): number {
    return this.#bytes;
  }

  open(state: ShopState): ShopRecent {
    return new ShopRecent(this, state);
  }

  /** Strips up to `count` texts, then drops the oldest texts while the size is above the bound. */
  tidy(count = Number.POSITIVE_INFINITY): void {
    for (const shop of this.#waiting) {
      if (count <= 0) break;
      count -= shop.strip(Math.min(count, STRIPPED_PER_TURN));
      this.#waiting.delete(shop);
      if (shop.hasUnstripped) this.#waiting.add(shop);
    }
    for (const shop of this.#holders) {
      if (this.#bytes <= this.#bytesMax) break;
      while (this.#bytes > this.#bytesMax && shop.dropOldest());
      if (this.#bytes > this.#bytesMax) this.forget(shop);
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
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, this.#utilization);
    this.#utilization = now;
    const { busy, free, idle } = STRIPPED_PER_TICK;
    this.#tidyOn(utilization > 0.5 ? busy : utilization > 0.1 ? free : idle);
  }

  /** Strips `count` texts, a few per turn, then waits for the next tick if any are left. */
  #tidyOn(count: number): void {
    this.tidy(Math.min(count, STRIPPED_PER_TURN));
    if (this.#waiting.size === 0) this.#timer = null;
    else if (count > STRIPPED_PER_TURN) setImmediate(() => this.#tidyOn(count - STRIPPED_PER_TURN)).unref();
    else this.#timer = setTimeout(() => this.#tick(), TICK_MS).unref();
  }

  countBytes(bytes: number): void {
    this.#bytes += bytes;
  }

  forget(shop: ShopRecent): void {
    this.#waiting.delete(shop);
    this.#holders.delete(shop);
  }
}

/** Length of a text that takes about 10 us to strip. */
const USUAL_CHARACTERS = 1_500;
/** Number of methods that are searched for personal fields in one turn: about a millisecond after a start. */
const METHODS_PER_TURN = 500;
/** Time of such a search, as a number of texts to strip. */
const TEXTS_PER_SEARCH = 100;
/** After this many turns the search finishes without yielding, because frequent writes could restart it forever. */
const SEARCH_TURNS_MAX = 500;
/** Approximate size of an entry without its text. */
const ENTRY_BYTES = 48;

/** A simulation in the ring buffer of its shop, which the next one in its place overwrites. */
interface Entry {
  /** Null when it was dropped. */
  text: WatchedText | null;
  nowMs: number;
  answeredMs: number;
  bytes: number;
  /** True for a text from which personal data was not stripped yet. */
  isUnstripped: boolean;
}

const emptyEntry = (): Entry => ({ text: null, nowMs: 0, answeredMs: 0, bytes: 0, isUnstripped: false });

/** The simulations of one shop: a ring buffer. When it is full, `#next` is the oldest. */
export class ShopRecent {
  readonly #owner: RecentSimulations;
  #state: ShopState;
  readonly #entries: Entry[] = [];
  #next = 0;
  #unstripped = 0;
  /** Personal fields that stripped texts may still contain. */
  #keptFields = 0;
  /** The search for fields that the current rules read; null when it has not started. */
  #search: WorkSteps<number> | null = null;
  /** What the search found; null until it has ended. */
  #fields: number | null = null;
  #isClosed = false;

  constructor(owner: RecentSimulations, state: ShopState) {
    this.#owner = owner;
    this.#state = state;
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
    if (this.#owner.stampMs !== null) entry.answeredMs = this.#owner.stampMs();
    // The fields of a stripped text are those that the current rules read. If they are unknown, it is stripped again.
    const isStripped = isKept && this.#fields !== null;
    const isExpected = this.#unstripped > 0;
    this.#put(entry, text, !isStripped);
    if (isStripped) this.#keptFields |= this.#fields ?? 0;
    if (isStripped || !isExpected) this.#owner.expectTidying(this);
  }

  /** The rules may read other fields now. Fields that no rule reads any more are removed from stripped texts too. */
  changed(state: ShopState): void {
    const { config, staging } = this.#state;
    this.#state = state;
    if (state.config === config && state.staging?.config === staging?.config) return;
    this.#search = null;
    this.#fields = null;
    // Usually no personal field was kept; then the rules need not be searched.
    if (this.#keptFields !== 0) this.#owner.expectTidying(this);
  }

  /** Searches a part of the rules; returns true when the search is complete. */
  #searchOn(): boolean {
    if (this.#fields !== null) return true;
    this.#search ??= this.#newSearch();
    const step = this.#search.next();
    if (step.done !== true) return false;
    this.#fields = step.value;
    if ((this.#keptFields & ~step.value) !== 0) this.#stripAgain();
    return true;
  }

  #newSearch(): WorkSteps<number> {
    const { config, staging } = this.#state;
    let methods = 0;
    return personalFieldsSteps(
      staging === null ? [config] : [config, staging.config],
      () => ++methods % METHODS_PER_TURN === 0,
    );
  }

  #stripAgain(): void {
    this.#keptFields = 0;
    for (const entry of this.#entries) if (entry.text !== null) this.#put(entry, entry.text, true);
  }

  /** Prepares `list`, which would otherwise search all rules at once. Null when the search is complete. */
  search(): Promise<void> | null {
    return this.#searchOn() ? null : this.#searchInTurns();
  }

  async #searchInTurns(): Promise<void> {
    for (let turns = 0; turns < SEARCH_TURNS_MAX; turns++) {
      await new Promise((resolve) => setImmediate(resolve));
      if (this.#searchOn()) return;
    }
  }

  /** All texts, oldest first and stripped. */
  list(): readonly RecentSimulation[] {
    while (!this.#searchOn());
    this.strip(Number.POSITIVE_INFINITY);
    const isStamped = this.#owner.stampMs !== null;
    const entries = [...this.#entries.slice(this.#next), ...this.#entries.slice(0, this.#next)];
    return entries.flatMap(({ text, nowMs, answeredMs }) => {
      if (text === null) return [];
      return [{ text: textOf(text), nowMs, ...(isStamped && { answeredMs }) }];
    });
  }

  /**
   * Strips up to `count` texts, newest first, because they stay longest. A long text counts as several, as does a
   * part of the search, which comes first. Returns the count.
   */
  strip(count: number): number {
    if (!this.#searchOn()) return TEXTS_PER_SEARCH;
    const fields = this.#fields ?? 0;
    const { length } = this.#entries;
    let stripped = 0;
    for (let back = 1; back <= length && stripped < count && this.#unstripped > 0; back++) {
      const entry = this.#entries[(this.#next - back + length) % length] as Entry;
      if (entry.text === null || !entry.isUnstripped) continue;
      this.#keptFields |= fields;
      const { length: characters } = entry.text;
      const request = JSON.parse(textOf(entry.text)) as SimulateRequest;
      this.#put(entry, JSON.stringify(keptRequest(request, fields)), false);
      stripped += Math.max(1, characters / USUAL_CHARACTERS);
    }
    return stripped;
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
    this.#owner.countBytes(bytes - entry.bytes);
    this.#unstripped += Number(isUnstripped) - Number(entry.isUnstripped);
    entry.text = text;
    entry.bytes = bytes;
    entry.isUnstripped = isUnstripped;
  }
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
  /** The last changeset that was watched. */
  #staging: StagingState | null = null;
  #sequenceNumber: number;
  #waiting: WaitingBatch;
  #isFullBatchSent = false;

  constructor(
    shadow: ShadowQueue & { readonly recent: RecentSimulations },
    state: ShopState,
    sequenceNumber: number,
  ) {
    this.shopId = state.settings.id;
    this.#shadow = shadow;
    this.recent = shadow.recent.open(state);
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
    const [{ shopId }, sequenceNumber] = [this, this.#sequenceNumber];
    return { kind: 'shadowBatch', shopId, sequenceNumber, isReplay: false, texts: [], times: [] };
  }
}
