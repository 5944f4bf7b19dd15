/** Which rates a change of the configuration changes, by service code. */
import { datesText } from '../../../engine/domain/calendar-day.ts';
import type { Schemas } from '../../client/call-table.ts';

type Sample = Schemas['Effects']['samples'][number];
type Rate = Sample['before'][number];

export interface RateChange {
  readonly serviceCode: string;
  /** Null where it is not offered. */
  readonly before: Rate | null;
  readonly after: Rate | null;
}

/** The rates of a cart that differ, in the order of before; those that are new come last. */
export function rateChanges({ before, after }: Pick<Sample, 'before' | 'after'>): readonly RateChange[] {
  const rest = [...after];
  const changes: RateChange[] = [];
  for (const rate of before) {
    const at = rest.findIndex(({ serviceCode }) => serviceCode === rate.serviceCode);
    const [now = null] = at < 0 ? [] : rest.splice(at, 1);
    if (now?.totalPrice !== rate.totalPrice || datesText(now) !== datesText(rate))
      changes.push({ serviceCode: rate.serviceCode, before: rate, after: now });
  }
  return [...changes, ...rest.map((rate) => ({ serviceCode: rate.serviceCode, before: null, after: rate }))];
}

/** What becomes of the rate of a service in all samples; the services of most samples first. */
export interface ServiceChange {
  readonly serviceCode: string;
  /** Distinct prices in cents, the lowest first; null among them where it is not offered. */
  readonly before: readonly (number | null)[];
  readonly after: readonly (number | null)[];
  /** Else only its delivery dates differ. */
  readonly hasOtherPrices: boolean;
}

export function serviceChanges(samples: readonly Sample[]): readonly ServiceChange[] {
  const changes = new Map<string, RateChange[]>();
  for (const change of samples.flatMap(rateChanges))
    changes.set(change.serviceCode, [...(changes.get(change.serviceCode) ?? []), change]);
  const prices = (rates: readonly (Rate | null)[]) =>
    [...new Set(rates.map((rate) => rate?.totalPrice ?? null))].sort((a, b) => (a ?? -1) - (b ?? -1));
  return [...changes]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([serviceCode, own]) => ({
      serviceCode,
      before: prices(own.map(({ before }) => before)),
      after: prices(own.map(({ after }) => after)),
      hasOtherPrices: own.some(({ before, after }) => before?.totalPrice !== after?.totalPrice),
    }));
}
