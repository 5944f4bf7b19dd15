/**
 * Expectations of a check: what the rates that are offered for a cart must be (contract section 10.1). This table is
 * the only place that names the kinds: schema, documents and evaluation derive from it.
 */
import Type, { type Static, type TSchema } from '#typebox';
import { dayOfText, dayText, isDate } from './calendar-day.ts';
import { Cents } from './money.ts';
import { moneyText } from './money-text.ts';
import { strict } from './schema.ts';
import { ServiceCode } from './text.ts';

/** Rates that an expectation of the kind `rates` can list. */
const EXPECTED_RATES_MAX = 1_000;

export const ExpectedRate = strict('ExpectedRate', { serviceCode: ServiceCode, totalPrice: Cents });

/** The part of an offered rate that expectations look at. */
export interface OfferedRate extends Readonly<Static<typeof ExpectedRate>> {
  readonly minDeliveryDate?: string;
  readonly maxDeliveryDate?: string;
}

const kindOf = <K extends string, P extends Record<string, TSchema>>(kind: K, title: string, fields: P) =>
  strict(title, { kind: Type.Literal(kind), ...fields });

/** Days after the local day of the check's time, written as `+5`. */
const RELATIVE_DATE = /^[+]([0-9]{1,4})$/;

export const DELIVERY_BOUND_PATTERN = '^(?:[0-9]{4}-[0-9]{2}-[0-9]{2}|[+][0-9]{1,4})$';

/** A date, or a number of calendar days after the day of the check's time in the shop's time zone. */
const ExpectedDate = Type.String({
  pattern: DELIVERY_BOUND_PATTERN,
  'x-accepts': 'a date as YYYY-MM-DD, or days after the day of the check as +5',
});

/** Kind -> schema. A further kind is a row here and one in `DIFFERENCES`. */
export const EXPECTATION_SCHEMAS = {
  rate: kindOf('rate', 'RateExpectation', { serviceCode: ServiceCode, totalPrice: Cents }),
  rate_between: kindOf('rate_between', 'RateBetweenExpectation', {
    serviceCode: ServiceCode,
    minPrice: Cents,
    maxPrice: Cents,
  }),
  no_rate: kindOf('no_rate', 'NoRateExpectation', { serviceCode: ServiceCode }),
  some_rate: kindOf('some_rate', 'SomeRateExpectation', {}),
  rates: kindOf('rates', 'RatesExpectation', {
    rates: Type.Array(ExpectedRate, { maxItems: EXPECTED_RATES_MAX }),
  }),
  delivery: kindOf('delivery', 'DeliveryExpectation', {
    serviceCode: ServiceCode,
    minDate: Type.Optional(ExpectedDate),
    maxDate: Type.Optional(ExpectedDate),
  }),
};

type ExpectationKind = keyof typeof EXPECTATION_SCHEMAS;
type ExpectationOf<K extends ExpectationKind> = Static<(typeof EXPECTATION_SCHEMAS)[K]>;

export const EXPECTATION_KINDS = Object.keys(EXPECTATION_SCHEMAS) as readonly ExpectationKind[];

export type Expectation = { [K in ExpectationKind]: ExpectationOf<K> }[ExpectationKind];
/** TypeBox derives no static type from a union of a list. */
export const Expectation = Type.Unsafe<Expectation>(
  Type.Union(Object.values(EXPECTATION_SCHEMAS), { title: 'Expectation' }),
);

/** What expectations are compared with. */
export interface Offer {
  readonly rates: readonly OfferedRate[];
  readonly currency: string;
  /** The local day of the check's time, in days since 1970. */
  readonly today: number;
}

/** What differs from an expectation: a sentence, or the service that is not offered; null stands for any. */
type Difference = string | { readonly missing: string | null };
type Differ<E> = (expected: E, offer: Offer) => Difference | null;

/**
 * Null when the offered rates are as expected. Rates may share a service code: an expectation about a rate holds when it
 * holds for one with its code.
 */
const DIFFERENCES: { readonly [K in ExpectationKind]: Differ<ExpectationOf<K>> } = {
  rate: (expected, offer) =>
    offer.rates.some((rate) => isSameRate(rate, expected)) ? null : notThisRate(expected, offer),
  rate_between: ({ serviceCode, minPrice, maxPrice }, offer) =>
    offeredAs(serviceCode, offer).some((rate) => rate.totalPrice >= minPrice && rate.totalPrice <= maxPrice)
      ? null
      : otherPrice(
          serviceCode,
          offer,
          `which is not between ${money(minPrice, offer)} and ${money(maxPrice, offer)}`,
        ),
  no_rate: ({ serviceCode }, offer) =>
    offeredAs(serviceCode, offer).length === 0
      ? null
      : `${pricesOf(serviceCode, offer)}, but no rate of that service is expected.`,
  some_rate: (_, { rates }) => (rates.length > 0 ? null : { missing: null }),
  rates: ({ rates }, offer) => {
    const rest = [...offer.rates];
    for (const expected of rates) {
      const at = rest.findIndex((rate) => isSameRate(rate, expected));
      if (at < 0) return otherCount(expected, rates, offer) ?? notThisRate(expected, offer);
      rest.splice(at, 1);
    }
    const [first] = rest;
    if (first === undefined) return null;
    const unexpected = pricesOf(first.serviceCode, { ...offer, rates: rest });
    return otherCount(first, rates, offer) ?? `${unexpected}, but is not among the expected rates.`;
  },
  delivery: ({ serviceCode, minDate, maxDate }, offer) => {
    const from = minDate === undefined ? null : expectedDay(minDate, offer.today);
    const to = maxDate === undefined ? null : expectedDay(maxDate, offer.today);
    const offered = offeredAs(serviceCode, offer);
    const isInTime = ({ minDeliveryDate: min, maxDeliveryDate: max }: OfferedRate) =>
      min !== undefined &&
      max !== undefined &&
      (from === null || dayOfText(min) >= from) &&
      (to === null || dayOfText(max) <= to);
    if (offered.some(isInTime)) return null;
    const [rate] = offered;
    if (rate === undefined) return { missing: serviceCode };
    const { minDeliveryDate: min, maxDeliveryDate: max } = rate;
    if (min === undefined || max === undefined) return `${serviceCode} has no delivery dates.`;
    const first = from === null ? '' : ` from ${dayText(from)}`;
    const last = to === null ? ' on' : `${first === '' ? ' by' : ' to'} ${dayText(to)}`;
    return `${serviceCode} is delivered from ${min} to ${max}, instead of${first}${last}.`;
  },
};

type ExpectedRate = Static<typeof ExpectedRate>;

const isSameRate = (a: ExpectedRate, b: ExpectedRate): boolean =>
  a.serviceCode === b.serviceCode && a.totalPrice === b.totalPrice;

const money = (cents: number, { currency }: Offer): string => moneyText(cents, currency);

const offeredAs = (serviceCode: string, { rates }: Offer) =>
  rates.filter((rate) => rate.serviceCode === serviceCode);

/** The offered prices of a service that is offered. */
function pricesOf(serviceCode: string, offer: Offer): string {
  const prices = offeredAs(serviceCode, offer).map(({ totalPrice }) => money(totalPrice, offer));
  return `${serviceCode} costs ${prices.join(' and ')}`;
}

const otherPrice = (serviceCode: string, offer: Offer, difference: string): Difference =>
  offeredAs(serviceCode, offer).length > 0
    ? `${pricesOf(serviceCode, offer)}, ${difference}.`
    : { missing: serviceCode };

const notThisRate = ({ serviceCode, totalPrice }: ExpectedRate, offer: Offer): Difference =>
  otherPrice(serviceCode, offer, `instead of ${money(totalPrice, offer)}`);

/** Rates with one code and price, offered and expected, but not equally often; null when they are not both. */
function otherCount(rate: ExpectedRate, expected: readonly ExpectedRate[], offer: Offer): string | null {
  const count = (rates: readonly ExpectedRate[]) => rates.filter((each) => isSameRate(each, rate)).length;
  const [offered, wanted] = [count(offer.rates), count(expected)];
  if (offered === 0 || wanted === 0) return null;
  const price = money(rate.totalPrice, offer);
  return `${rate.serviceCode} for ${price} is offered ${timesText(offered)}, and expected ${timesText(wanted)}.`;
}

const timesText = (count: number): string => (count === 1 ? 'once' : `${count} times`);

/** The day of an expected date; `today` is the local day of the check's time. Days since 1970. */
function expectedDay(date: string, today: number): number {
  const relative = RELATIVE_DATE.exec(date);
  return relative === null ? dayOfText(date) : today + Number(relative[1]);
}

/** Null when the offered rates are as expected. */
export const differenceFrom = (expectation: Expectation, offer: Offer): Difference | null =>
  // Sound: the row belongs to the kind of the expectation, which TypeScript cannot relate in an index.
  (DIFFERENCES[expectation.kind] as Differ<Expectation>)(expectation, offer);

/** The defect that the schema cannot express, or null. It begins with the path below the expectation. */
export function findExpectationDefect(expectation: Expectation): string | null {
  if (expectation.kind === 'delivery') return deliveryDefect(expectation);
  if (expectation.kind !== 'rate_between' || expectation.minPrice <= expectation.maxPrice) return null;
  return `/maxPrice must be at least minPrice, ${expectation.minPrice}`;
}

function deliveryDefect({ minDate, maxDate }: ExpectationOf<'delivery'>): string | null {
  for (const [field, date] of Object.entries({ minDate, maxDate })) {
    if (date !== undefined && !RELATIVE_DATE.test(date) && !isDate(date))
      return `/${field} must be a date: ${date} is not one`;
  }
  if (minDate === undefined || maxDate === undefined) return null;
  const isComparable = RELATIVE_DATE.test(minDate) === RELATIVE_DATE.test(maxDate);
  return !isComparable || expectedDay(minDate, 0) <= expectedDay(maxDate, 0)
    ? null
    : `/maxDate must not be before minDate, ${minDate}`;
}
