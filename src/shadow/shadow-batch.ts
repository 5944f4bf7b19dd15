/**
 * Evaluates a batch of live simulations against the live configuration and the changeset, and counts the differences.
 * If one side refuses a request because a total is too large, it counts as a cart without rates on that side.
 */
import type { CompiledShop } from '../compile/compiled-shop.ts';
import type { CartItem, SimulateRequest } from '../domain/cart.ts';
import type { ShopConfig } from '../domain/shop-config.ts';
import { beginningOf } from '../domain/text.ts';
import type { CartEvaluation } from '../evaluate/evaluate.ts';
import { evaluateCart, offeredOf, ratesJson } from '../evaluate/evaluate.ts';
import type { MethodResult } from '../evaluate/method-evaluator.ts';
import { groupedBy, valueAt } from '../runtime/map-entries.ts';
import { EVIDENCE_MAX } from '../wire/gate-report.ts';
import {
  type RateDifference,
  SAMPLE_ENTRIES_MAX,
  SAMPLE_TEXT_MAX,
  type ShadowSample,
} from '../wire/shadow-results.ts';
import { type FieldsRead, fieldsRead, shownRequest } from './kept-request.ts';

/** Live simulations to evaluate against the live configuration and the changeset, both at one record. */
export interface ShadowBatch {
  readonly kind: 'shadowBatch';
  readonly shopId: string;
  /** The last record that the answers included; a changeset is active there. */
  readonly sequenceNumber: number;
  /** Bodies of the answered requests, as JSON texts. */
  readonly texts: readonly string[];
  /** The time of each request, ms since the epoch. */
  readonly times: readonly number[];
  /** True when the simulations are older than the changeset or were evaluated before. */
  readonly isReplay: boolean;
}

/** A zone and a product group of the changeset that occurred in one cart. */
export type SeenPair = readonly [zoneId: string, groupId: string];

/** The results of one batch. */
export interface ShadowFindings {
  readonly evaluated: number;
  readonly identical: number;
  readonly different: number;
  /** Carts with rates only in the live configuration, and only in the changeset. */
  readonly lost: number;
  readonly gained: number;
  /** Samples of the last lost carts as JSON texts, oldest first, at most `EVIDENCE_MAX`. */
  readonly lostSamples: readonly string[];
  /** Without duplicates. */
  readonly pairs: readonly SeenPair[];
  /** By method id. */
  readonly methods: Readonly<Record<string, MethodShift>>;
  /** By zone id, and by product group id. */
  readonly zones: Readonly<Record<string, CartImpact>>;
  readonly groups: Readonly<Record<string, CartImpact>>;
}

export interface ShadowBatchResult {
  /** `ShadowFindings` as JSON text. */
  readonly findings: string;
  /**
   * The samples of the last simulations with a difference, oldest first, as JSON texts separated by line feeds. Bytes,
   * because they are transferred between threads without a copy.
   */
  readonly samples: Uint8Array<ArrayBuffer>;
}

/** Evaluates every request of the batch; `pause` is called between them. Throws when a text is not a valid request. */
export function evaluateShadowBatch(
  live: CompiledShop,
  staged: CompiledShop,
  batch: Pick<ShadowBatch, 'texts' | 'times' | 'isReplay'>,
  pause: () => void = () => {},
): ShadowBatchResult {
  const tally = new BatchTally(batch.isReplay, [live.config, staged.config]);
  for (const [index, text] of batch.texts.entries()) {
    const request = JSON.parse(text) as SimulateRequest;
    const nowMs = batch.times[index] ?? 0;
    const [before, after] = [live, staged].map((shop) => evaluateCart(shop, request, nowMs, 'rates'));
    tally.add(request, nowMs, before ?? null, after ?? null);
    pause();
  }
  return {
    findings: JSON.stringify(tally.findings()),
    // A separate buffer, because a buffer from Node's pool cannot be transferred.
    samples: new TextEncoder().encode(tally.samples.join('\n')),
  };
}

type Rate = ShadowSample['live'][number];

class BatchTally {
  /** One for each simulation with a difference. */
  readonly samples: string[] = [];
  readonly #lostSamples: string[] = [];
  readonly #isReplay: boolean;
  readonly #groupsSeen = new Map<string, Set<string>>();
  readonly #methods = new Map<string, MethodShift>();
  readonly #zones = new Map<string, CartImpact>();
  readonly #groups = new Map<string, CartImpact>();
  readonly #configs: readonly ShopConfig[];
  #fieldsRead: FieldsRead | undefined;
  #evaluated = 0;
  #gained = 0;

  constructor(isReplay: boolean, configs: readonly ShopConfig[]) {
    this.#isReplay = isReplay;
    this.#configs = configs;
  }

  add(request: SimulateRequest, nowMs: number, live: CartEvaluation | null, staged: CartEvaluation | null) {
    this.#evaluated++;
    if (staged !== null) this.#addPairs(staged);
    this.#addShifts(live?.methods ?? [], staged?.methods ?? []);
    const isDifferent = this.#compare(request, nowMs, live, staged);
    this.#addImpact(live, staged, isDifferent);
  }

  /** Compares the offered rates; counts a difference and keeps a sample. Returns true when there is a difference. */
  #compare(
    request: SimulateRequest,
    nowMs: number,
    live: CartEvaluation | null,
    staged: CartEvaluation | null,
  ): boolean {
    const liveJson = live === null ? '' : ratesJson(offeredOf(live));
    const stagedJson = staged === null ? '' : ratesJson(offeredOf(staged));
    if (liveJson === stagedJson) return false;
    const rates = [liveJson, stagedJson].map((json) => JSON.parse(`[${json}]`) as Rate[]);
    const [liveRates = [], stagedRates = []] = rates;
    const differences = rateDifferences(liveRates, stagedRates);
    if (differences.length === 0) return false;
    if (liveRates.length === 0) this.#gained++;
    this.#fieldsRead ??= fieldsRead(this.#configs);
    const sample: ShadowSample = {
      ...reduced(request, nowMs),
      live: liveRates.slice(0, SAMPLE_ENTRIES_MAX),
      staged: stagedRates.slice(0, SAMPLE_ENTRIES_MAX),
      differences: differences.slice(0, SAMPLE_ENTRIES_MAX),
      request: shownRequest(request, this.#fieldsRead),
      replayed: this.#isReplay,
    };
    const text = JSON.stringify(sample);
    this.samples.push(text);
    if (stagedRates.length === 0) this.#lostSamples.push(text);
    return true;
  }

  findings(): ShadowFindings {
    const pairs = [...this.#groupsSeen].flatMap(([zoneId, groupIds]) =>
      Array.from(groupIds, (groupId): SeenPair => [zoneId, groupId]),
    );
    return {
      evaluated: this.#evaluated,
      identical: this.#evaluated - this.samples.length,
      different: this.samples.length,
      lost: this.#lostSamples.length,
      gained: this.#gained,
      lostSamples: this.#lostSamples.slice(-EVIDENCE_MAX),
      pairs,
      methods: Object.fromEntries(this.#methods),
      zones: Object.fromEntries(this.#zones),
      groups: Object.fromEntries(this.#groups),
    };
  }

  #addPairs({ zone, facts }: CartEvaluation): void {
    if (zone === null) return;
    const seen = valueAt(this.#groupsSeen, zone.records.zone.id, () => new Set<string>());
    for (const { index } of facts.groups) seen.add(facts.shop.groupIds[index] ?? '');
  }

  /** Uses the zone and the groups of the changeset, or the live ones if it has none. */
  #addImpact(live: CartEvaluation | null, staged: CartEvaluation | null, isDifferent: boolean): void {
    const [from, to] = isDifferent ? [cheapest(live), cheapest(staged)] : [null, null];
    const differenceCents = from === null || to === null ? 0 : to - from;
    const impact = { evaluated: 1, different: isDifferent ? 1 : 0, differenceCents };
    const zone = staged?.zone ?? live?.zone ?? null;
    if (zone !== null) addTo(this.#zones, zone.records.zone.id, impact);
    const facts = (staged ?? live)?.facts;
    for (const { index } of facts?.groups ?? []) {
      addTo(this.#groups, facts?.shop.groupIds[index] ?? '', impact);
    }
  }

  #addShifts(live: readonly MethodResult[], staged: readonly MethodResult[]): void {
    if (areSame(live, staged)) return;
    const before = new Map(live.map((result) => [result.method.methodId, offeredPrice(result)]));
    for (const result of staged) {
      const { methodId } = result.method;
      this.#addShift(methodId, shiftOf(before.get(methodId) ?? null, offeredPrice(result)));
      before.delete(methodId);
    }
    for (const [methodId, price] of before) this.#addShift(methodId, shiftOf(price, null));
  }

  #addShift(methodId: string, shift: MethodShift | null): void {
    if (shift !== null) addTo(this.#methods, methodId, shift);
  }
}

const offeredPrice = ({ reason, priceCents }: MethodResult): number | null =>
  reason === null ? priceCents : null;

/** The price of the cheapest rate; null when none is offered. */
function cheapest(evaluation: CartEvaluation | null): number | null {
  let least: number | null = null;
  for (const { reason, priceCents } of evaluation === null ? [] : offeredOf(evaluation)) {
    if (reason === null && (least === null || priceCents < least)) least = priceCents;
  }
  return least;
}

/** The usual case: the same methods at the same prices in the same order. */
function areSame(live: readonly MethodResult[], staged: readonly MethodResult[]): boolean {
  if (live.length !== staged.length) return false;
  for (let i = 0; i < live.length; i++) {
    const a = live[i] as MethodResult;
    const b = staged[i] as MethodResult;
    if (a.method.methodId !== b.method.methodId || offeredPrice(a) !== offeredPrice(b)) return false;
  }
  return true;
}

const cut = (text: string): string => beginningOf(text, SAMPLE_TEXT_MAX);
const cutOrNull = (text: string | null | undefined): string | null =>
  text === undefined || text === null ? null : cut(text);

/** The part of a request that a sample keeps: no personal data. */
function reduced({ destination, items }: SimulateRequest, nowMs: number) {
  const { country, province, postalCode } = destination;
  return {
    at: new Date(nowMs).toISOString(),
    destination: { country, province: cutOrNull(province), postalCode: cutOrNull(postalCode) },
    items: items.slice(0, SAMPLE_ENTRIES_MAX).map(reducedItem),
    itemCount: items.length,
    cartTotal: items.reduce((sum, item) => sum + item.price * item.quantity, 0),
  };
}

const reducedItem = ({ sku, quantity, grams, price, requiresShipping }: CartItem) => ({
  sku: cut(String(sku ?? '')),
  quantity,
  grams,
  price,
  requiresShipping: requiresShipping !== false,
});

/**
 * Returns every rate that is not on both sides at the same price. Names and order are ignored. Rates with the same code
 * are paired: first those with equal prices, then the others in order of price. Both lists must be sorted by price.
 */
function rateDifferences(live: readonly Rate[], staged: readonly Rate[]): readonly RateDifference[] {
  const stagedByCode = groupedBy(staged, ({ serviceCode }) => serviceCode);
  const unmatched = live.filter((rate) => {
    const same = stagedByCode.get(rate.serviceCode) ?? [];
    const at = same.findIndex((other) => other.totalPrice === rate.totalPrice);
    if (at >= 0) same.splice(at, 1);
    return at < 0;
  });
  const differences = unmatched.map((rate) => {
    const other = stagedByCode.get(rate.serviceCode)?.shift();
    return differenceOf(rate, rate.totalPrice, other?.totalPrice ?? null);
  });
  for (const rest of stagedByCode.values()) {
    for (const rate of rest) differences.push(differenceOf(rate, null, rate.totalPrice));
  }
  return differences;
}

const differenceOf = (
  { serviceCode, serviceName }: Rate,
  live: number | null,
  staged: number | null,
): RateDifference => ({ serviceCode, serviceName, live, staged });

/** Effect on the carts of one zone or product group (contract section 10.6). */
export interface CartImpact {
  /** Carts that were evaluated against both configurations. */
  readonly evaluated: number;
  /** Carts with different rates. */
  readonly different: number;
  /** Sum of the cheapest staged rate minus the cheapest live rate, over carts with both; rounded as a double. */
  readonly differenceCents: number;
}

/** How the price of one method differs between the two configurations. */
export interface MethodShift {
  /** Carts for which both configurations offer the method, the second at a higher or at a lower price. */
  readonly priceUp: number;
  readonly priceDown: number;
  /** Carts for which only the second configuration offers it, or only the first. */
  readonly appeared: number;
  readonly disappeared: number;
  /** Sum of the second price minus the first, over carts with both; rounded as a double. */
  readonly differenceCents: number;
}

const NO_SHIFT: MethodShift = { priceUp: 0, priceDown: 0, appeared: 0, disappeared: 0, differenceCents: 0 };

/** The shift for one cart; null without a difference. Prices in cents; null where the method is not offered. */
function shiftOf(before: number | null, after: number | null): MethodShift | null {
  if (before === after) return null;
  if (before === null) return { ...NO_SHIFT, appeared: 1 };
  if (after === null) return { ...NO_SHIFT, disappeared: 1 };
  const differenceCents = after - before;
  return { ...NO_SHIFT, [differenceCents > 0 ? 'priceUp' : 'priceDown']: 1, differenceCents };
}

/** Adds two records of numbers, field by field. */
export function sumOf<T extends Record<keyof T, number>>(a: T, b: Record<keyof T, number>): T {
  const sum: Record<keyof T, number> = { ...a };
  for (const name of Object.keys(a) as (keyof T)[]) sum[name] += b[name];
  return sum as T;
}

/** Adds `more` to the sum of a key. */
export function addTo<T extends Record<keyof T, number>>(sums: Map<string, T>, key: string, more: T): void {
  const sum = sums.get(key);
  sums.set(key, sum === undefined ? more : sumOf(sum, more));
}
