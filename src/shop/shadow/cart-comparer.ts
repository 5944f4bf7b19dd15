/**
 * Compares the rates that two configurations, live and the changeset, offer a cart. A configuration that refuses the cart,
 * because a total is too large, offers it nothing.
 */
import type { CompiledShop } from '../../engine/compile/compiled-shop.ts';
import type { CartItem, SimulateRequest } from '../../engine/domain/cart.ts';
import { beginningOf } from '../../engine/domain/text.ts';
import {
  datesOf,
  differentRates,
  type RatePair,
  ratesOf,
  sameRates,
} from '../../engine/evaluate/compared-rates.ts';
import {
  type CartEvaluation,
  evaluateCart,
  type Offered,
  offeredOf,
} from '../../engine/evaluate/evaluate.ts';
import type { MethodResult } from '../../engine/evaluate/method-evaluator.ts';
import type { Rate } from '../../engine/wire/answer.ts';
import {
  type RateDifference,
  SAMPLE_ENTRIES_MAX,
  SAMPLE_TEXT_MAX,
  type ShadowSample,
} from '../../engine/wire/shadow-results.ts';
import { type FieldsRead, fieldsRead, shownRequest } from './kept-request.ts';

/** How the price of one method differs for one cart, in cents; null where it is not offered. */
export interface MethodMove {
  readonly methodId: string;
  readonly before: number | null;
  readonly after: number | null;
}

/** One cart before and after. */
export interface CartComparison {
  /** Zone and product groups to which the changeset sends the cart, or live does where the changeset refuses it. */
  readonly zoneId: string | null;
  readonly groupIds: readonly string[];
  /** False when these are the live ones. */
  readonly isPlaced: boolean;
  /** The cheapest rate after minus the cheapest before; 0 when a side has none. */
  readonly differenceCents: number;
  readonly moves: readonly MethodMove[];
  /** Null when the rates of both sides are the same. */
  readonly difference: CartDifference | null;
}

export interface CartDifference {
  /** Without a rate in the changeset, or in live. */
  readonly isLost: boolean;
  readonly isGained: boolean;
  /** The cart with the rates of both sides. Most differences are only counted, so it is made when it is read. */
  readonly sample: () => ShadowSample;
}

export class CartComparer {
  readonly live: CompiledShop;
  readonly staged: CompiledShop;
  #fieldsRead: FieldsRead | null = null;

  constructor(live: CompiledShop, staged: CompiledShop) {
    this.live = live;
    this.staged = staged;
  }

  /** Null for a cart that live refuses: it is no simulation. `isReplay` marks the sample. */
  compare(request: SimulateRequest, nowMs: number, isReplay = false): CartComparison | null {
    const before = evaluateCart(this.live, request, nowMs, 'rates');
    if (before === null) return null;
    const after = evaluateCart(this.staged, request, nowMs, 'rates');
    const { zone, facts } = after ?? before;
    const difference = this.#differenceOf(request, nowMs, before, after, isReplay);
    const [from, to] = difference === null ? [null, null] : [cheapest(before), cheapest(after)];
    return {
      zoneId: (zone ?? before.zone)?.records.zone.id ?? null,
      groupIds: facts.groups.map(({ index }) => facts.shop.groupIds[index] ?? ''),
      isPlaced: after !== null && zone !== null,
      differenceCents: from === null || to === null ? 0 : to - from,
      moves: movesBetween(before.methods, after?.methods ?? []),
      difference,
    };
  }

  #differenceOf(
    request: SimulateRequest,
    nowMs: number,
    before: CartEvaluation,
    after: CartEvaluation | null,
    isReplay: boolean,
  ): CartDifference | null {
    const [left, right] = [availableOf(before), after === null ? [] : availableOf(after)];
    if (offersAreSame(left, right)) return null;
    if (pricesMayBeSame(left, right) && sameRates(ratesOf(before), ratesOf(after))) return null;
    this.#fieldsRead ??= fieldsRead([this.live.config, this.staged.config]);
    const read = this.#fieldsRead;
    let made: ShadowSample | null = null;
    return {
      isLost: right.length === 0,
      isGained: left.length === 0,
      // A lost cart is in two lists of the results.
      sample: () => {
        made ??= sampleOf(request, nowMs, before, after, read, isReplay);
        return made;
      },
    };
  }
}

function sampleOf(
  request: SimulateRequest,
  nowMs: number,
  before: CartEvaluation,
  after: CartEvaluation | null,
  read: FieldsRead,
  isReplay: boolean,
): ShadowSample {
  const [live, staged] = [ratesOf(before), ratesOf(after)];
  return {
    ...reduced(request, nowMs),
    live: live.slice(0, SAMPLE_ENTRIES_MAX),
    staged: staged.slice(0, SAMPLE_ENTRIES_MAX),
    differences: differentRates(live, staged).slice(0, SAMPLE_ENTRIES_MAX).map(differenceOf),
    request: shownRequest(request, read),
    replayed: isReplay,
  };
}

/** The usual case: the same rates in the same order, names included. */
const offersAreSame = (a: readonly Offered[], b: readonly Offered[]): boolean =>
  a.length === b.length && a.every(({ rateJson }, at) => rateJson === b[at]?.rateJson);

/** The same number of rates with the same sum of prices: without it the rates differ, and need not be read to tell. */
const pricesMayBeSame = (a: readonly Offered[], b: readonly Offered[]): boolean =>
  a.length === b.length && sumOfPrices(a) === sumOfPrices(b);

const SUM_CENTS = 2 ** 52;

/** Without what is beyond `SUM_CENTS`, so that it is exact, and the same in each order. */
const sumOfPrices = (offered: readonly Offered[]): number =>
  offered.reduce((sum, { priceCents }) => (sum + (priceCents % SUM_CENTS)) % SUM_CENTS, 0);

const availableOf = (evaluation: CartEvaluation): readonly Offered[] =>
  offeredOf(evaluation).filter(({ reason }) => reason === null);

function differenceOf([before, after]: RatePair<Rate>): RateDifference {
  const { serviceCode, serviceName } = (before ?? after) as Rate;
  const [live, staged] = [before?.totalPrice ?? null, after?.totalPrice ?? null];
  const dates = {
    ...(before?.minDeliveryDate !== undefined && { liveDates: datesOf(before) }),
    ...(after?.minDeliveryDate !== undefined && { stagedDates: datesOf(after) }),
  };
  return { serviceCode, serviceName, live, staged, ...dates };
}

const offeredPrice = ({ reason, priceCents }: MethodResult): number | null =>
  reason === null ? priceCents : null;

/** The price of the cheapest rate; null when none is offered. */
function cheapest(evaluation: CartEvaluation | null): number | null {
  const prices = evaluation === null ? [] : availableOf(evaluation).map(({ priceCents }) => priceCents);
  return prices.length === 0 ? null : Math.min(...prices);
}

function movesBetween(live: readonly MethodResult[], staged: readonly MethodResult[]): readonly MethodMove[] {
  if (pricesAreSame(live, staged)) return NO_MOVES;
  const left = new Map(live.map((result) => [result.method.methodId, offeredPrice(result)]));
  const moves = staged.map((result): MethodMove => {
    const { methodId } = result.method;
    const before = left.get(methodId) ?? null;
    left.delete(methodId);
    return { methodId, before, after: offeredPrice(result) };
  });
  for (const [methodId, before] of left) moves.push({ methodId, before, after: null });
  return moves.filter(({ before, after }) => before !== after);
}

const NO_MOVES: readonly MethodMove[] = [];

/** The usual case: the same methods at the same prices in the same order. */
const pricesAreSame = (live: readonly MethodResult[], staged: readonly MethodResult[]): boolean =>
  live.length === staged.length &&
  live.every((a, at) => {
    const b = staged[at] as MethodResult;
    return a.method.methodId === b.method.methodId && offeredPrice(a) === offeredPrice(b);
  });

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
