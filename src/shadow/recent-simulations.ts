/**
 * The last live simulations of each shop, in memory, for a replay against a changeset. Answering a request only
 * stores its text. Personal data is stripped a moment later, a few texts at a time; in a busy shop newer requests
 * replace most texts before that.
 *
 * Bounds: `RECENT_SIMULATIONS_MAX` per shop and `bytesMax` over all shops (the texts of the longest idle shop are
 * dropped first), plus the requests of one tick.
 */
import { performance } from 'node:perf_hooks';
import { textOf } from '../bytes/answer-text.ts';
import type { SimulateRequest } from '../domain/cart.ts';
import type { ShopState } from '../domain/shop-event.ts';
import type { WatchedText } from '../shop/simulation-watch.ts';
import { RECENT_SIMULATIONS_MAX } from '../wire/shadow-results.ts';
import { keptRequest } from './kept-request.ts';
import { PersonalFieldSearch } from './personal-fields.ts';

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

/** Merges both lists in order of time and keeps the newest, up to the limit of one shop. */
export const mergeRecent = (
  here: readonly RecentSimulation[],
  otherProcesses: readonly RecentSimulation[],
): readonly RecentSimulation[] =>
  [...here, ...otherProcesses]
    .sort((a, b) => (a.answeredMs ?? 0) - (b.answeredMs ?? 0))
    .slice(-RECENT_SIMULATIONS_MAX);

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
      if (shop.isEmpty) this.forget(shop);
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
/** Number of rules that are searched for personal fields in one turn. Measured after a start: a millisecond. */
const RULES_PER_TURN = 2_000;
/** Time of such a search, as a number of texts to strip. */
const TEXTS_PER_SEARCH = 100;
/** After this many turns the search finishes without yielding, because frequent writes could restart it forever. */
const SEARCH_TURNS_MAX = 500;
/** Approximate size of an entry without its text. */
const ENTRY_BYTES = 48;

/** The simulations of one shop: a ring buffer of parallel lists. When it is full, `#next` is the oldest. */
export class ShopRecent {
  readonly #owner: RecentSimulations;
  #state: ShopState;
  readonly #texts: (WatchedText | null)[] = [];
  readonly #times: number[] = [];
  /** Empty when stamps are disabled. */
  readonly #stamps: number[] = [];
  readonly #bytes: number[] = [];
  /** True for a text from which personal data was not stripped yet. */
  readonly #isUnstripped: boolean[] = [];
  #next = 0;
  #unstripped = 0;
  /** Personal fields that stripped texts may still contain. */
  #keptFields = 0;
  /** The search for fields that the current rules read; null when it has not started. */
  #search: PersonalFieldSearch | null = null;
  #isSearched = false;
  #isClosed = false;

  constructor(owner: RecentSimulations, state: ShopState) {
    this.#owner = owner;
    this.#state = state;
  }

  get isEmpty(): boolean {
    return this.#texts.every((text) => text === null);
  }

  get hasUnstripped(): boolean {
    return this.#unstripped > 0 || this.#mayHoldTooMuch();
  }

  /** `isKept` is true when the text was stripped already, by the current rules. */
  add(text: WatchedText, nowMs: number, isKept = false): void {
    if (this.#isClosed) return;
    const at = this.#next;
    this.#next = at + 1 === RECENT_SIMULATIONS_MAX ? 0 : at + 1;
    const bytes = text.length + ENTRY_BYTES;
    this.#owner.countBytes(bytes - (this.#bytes[at] ?? 0));
    this.#texts[at] = text;
    this.#times[at] = nowMs;
    const { stampMs } = this.#owner;
    if (stampMs !== null) this.#stamps[at] = stampMs();
    this.#bytes[at] = bytes;
    const wasUnstripped = this.#isUnstripped[at] === true;
    // The fields of a stripped text are those that the current rules read. If they are unknown, it is stripped again.
    const isStripped = isKept && this.#isSearched;
    this.#isUnstripped[at] = !isStripped;
    if (isStripped) {
      this.#keptFields |= this.#search?.fields ?? 0;
      if (wasUnstripped) this.#unstripped--;
      this.#owner.expectTidying(this);
    } else if (!wasUnstripped && this.#unstripped++ === 0) this.#owner.expectTidying(this);
  }

  /** The rules may read other fields now. Fields that no rule reads any more are removed from stripped texts too. */
  changed(state: ShopState): void {
    const { config, staging } = this.#state;
    this.#state = state;
    if (state.config === config && state.staging?.config === staging?.config) return;
    this.#search = null;
    this.#isSearched = false;
    // Usually no personal field was kept; then the rules need not be searched.
    if (this.#keptFields !== 0) this.#owner.expectTidying(this);
  }

  /** True while stripped texts may contain a field that no rule reads any more. */
  #mayHoldTooMuch(): boolean {
    return this.#keptFields !== 0 && !this.#isSearched;
  }

  /** Searches about `rulesMax` rules; returns true when the search is complete. */
  #searchOn(rulesMax: number): boolean {
    if (this.#isSearched) return true;
    const { config, staging } = this.#state;
    this.#search ??= new PersonalFieldSearch(staging === null ? [config] : [config, staging.config]);
    if (!this.#search.advance(rulesMax)) return false;
    this.#isSearched = true;
    if ((this.#keptFields & ~this.#search.fields) !== 0) this.#stripAgain();
    return true;
  }

  #stripAgain(): void {
    this.#keptFields = 0;
    for (const [at, text] of this.#texts.entries()) {
      if (text === null || this.#isUnstripped[at] === true) continue;
      this.#isUnstripped[at] = true;
      this.#unstripped++;
    }
  }

  /** Prepares `list`, which would otherwise search all rules at once. Null when the search is complete. */
  search(): Promise<void> | null {
    return this.#searchOn(RULES_PER_TURN) ? null : this.#searchInTurns();
  }

  async #searchInTurns(): Promise<void> {
    for (let turns = 0; turns < SEARCH_TURNS_MAX; turns++) {
      await new Promise((resolve) => setImmediate(resolve));
      if (this.#searchOn(RULES_PER_TURN)) return;
    }
  }

  /** All texts, oldest first and stripped. */
  list(): readonly RecentSimulation[] {
    this.strip(Number.POSITIVE_INFINITY);
    const order = [...this.#texts.keys()];
    const found: RecentSimulation[] = [];
    for (const at of [...order.slice(this.#next), ...order.slice(0, this.#next)]) {
      const watched = this.#texts[at] ?? null;
      if (watched === null) continue;
      const text = textOf(watched);
      const answeredMs = this.#stamps[at];
      const nowMs = this.#times[at] ?? 0;
      found.push(answeredMs === undefined ? { text, nowMs } : { text, nowMs, answeredMs });
    }
    return found;
  }

  /**
   * Strips up to `count` texts, newest first, because they stay longest. A long text counts as several, as does a
   * part of the search, which comes first. Returns the count.
   */
  strip(count: number): number {
    // A search of all rules of the largest shop would take tens of milliseconds.
    if (!this.#searchOn(count === Number.POSITIVE_INFINITY ? count : RULES_PER_TURN)) return TEXTS_PER_SEARCH;
    const fields = this.#search?.fields ?? 0;
    const { length } = this.#texts;
    let stripped = 0;
    for (let back = 1; back <= length && stripped < count && this.#unstripped > 0; back++) {
      const at = (this.#next - back + length) % length;
      const text = this.#texts[at] ?? null;
      if (text === null || this.#isUnstripped[at] !== true) continue;
      this.#keptFields |= fields;
      this.#put(at, JSON.stringify(keptRequest(JSON.parse(textOf(text)) as SimulateRequest, fields)));
      stripped += Math.max(1, text.length / USUAL_CHARACTERS);
    }
    return stripped;
  }

  /** Returns false when there is no text. */
  dropOldest(): boolean {
    const { length } = this.#texts;
    for (let i = 0; i < length; i++) {
      const at = (this.#next + i) % length;
      if (this.#texts[at] === null) continue;
      this.#put(at, null);
      return true;
    }
    return false;
  }

  close(): void {
    this.#isClosed = true;
    while (this.dropOldest());
    this.#owner.forget(this);
  }

  /** Replaces an entry with a stripped text, or removes it (null). */
  #put(at: number, text: string | null): void {
    const bytes = text === null ? 0 : text.length + ENTRY_BYTES;
    this.#owner.countBytes(bytes - (this.#bytes[at] ?? 0));
    this.#texts[at] = text;
    this.#bytes[at] = bytes;
    if (this.#isUnstripped[at] === true) this.#unstripped--;
    this.#isUnstripped[at] = false;
  }
}
