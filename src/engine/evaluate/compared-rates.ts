/**
 * What is compared of the rates of two answers to a cart (contract section 12.8): service code, price and delivery dates.
 * Names, subtitles and the order of equal prices are no difference.
 */
import { groupedBy } from '../../base/runtime/map-entries.ts';
import type { Rate } from '../wire/answer.ts';
import { type CartEvaluation, offeredOf, ratesJson } from './evaluate.ts';

export type ComparedRate = Pick<Rate, 'serviceCode' | 'totalPrice' | 'minDeliveryDate' | 'maxDeliveryDate'>;

/** The offered rates in the order of the answer; none for a request that is refused. */
export const ratesOf = (evaluation: CartEvaluation | null): readonly Rate[] =>
  evaluation === null ? [] : JSON.parse(`[${ratesJson(offeredOf(evaluation))}]`);

/** The dates of a rate, if it has any. */
export const datesOf = ({ minDeliveryDate, maxDeliveryDate }: ComparedRate) =>
  minDeliveryDate === undefined || maxDeliveryDate === undefined ? {} : { minDeliveryDate, maxDeliveryDate };

/** A rate without what is not compared. */
export const comparedRate = (rate: ComparedRate): ComparedRate => ({
  serviceCode: rate.serviceCode,
  totalPrice: rate.totalPrice,
  ...datesOf(rate),
});

const isSame = (a: ComparedRate, b: ComparedRate): boolean =>
  a.totalPrice === b.totalPrice &&
  a.minDeliveryDate === b.minDeliveryDate &&
  a.maxDeliveryDate === b.maxDeliveryDate;

/** A rate that only one side has, or two rates of one service that differ. */
export type RatePair<T> = readonly [before: T, after: T | null] | readonly [before: null, after: T];

/** The rates that are not on both sides. Those of one service are paired in order: give both lists sorted by price. */
export function differentRates<T extends ComparedRate>(
  before: readonly T[],
  after: readonly T[],
): readonly RatePair<T>[] {
  const left = groupedBy(after, ({ serviceCode }) => serviceCode);
  const unmatched = before.filter((rate) => {
    const others = left.get(rate.serviceCode) ?? [];
    const at = others.findIndex((other) => isSame(rate, other));
    if (at >= 0) others.splice(at, 1);
    return at < 0;
  });
  const pairs = unmatched.map((rate): RatePair<T> => [rate, left.get(rate.serviceCode)?.shift() ?? null]);
  return [...pairs, ...[...left.values()].flat().map((rate): RatePair<T> => [null, rate])];
}

export const sameRates = (before: readonly ComparedRate[], after: readonly ComparedRate[]): boolean =>
  differentRates(before, after).length === 0;
