/**
 * Expectations of a check: what the rates that are offered for a cart must be (contract section 10.1). This table is
 * the only place that names the kinds: schema, documents and evaluation derive from it.
 */
import Type, { type Static, type TSchema } from '#typebox';
import { dayOfText, isDate } from './calendar-day.ts';
import { Cents } from './money.ts';
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

/** Kind -> schema. A further kind is a row here and one in `MEETS`. */
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

type Meet<E> = (expected: E, offered: readonly OfferedRate[], today: number) => boolean;
type Meets = { readonly [K in ExpectationKind]: Meet<ExpectationOf<K>> };

/** Rates may share a service code: an expectation about a rate holds when it holds for one with its code. */
const MEETS: Meets = {
  rate: ({ serviceCode, totalPrice }, offered) =>
    offered.some((rate) => rate.serviceCode === serviceCode && rate.totalPrice === totalPrice),
  rate_between: ({ serviceCode, minPrice, maxPrice }, offered) =>
    offered.some(
      (rate) =>
        rate.serviceCode === serviceCode && rate.totalPrice >= minPrice && rate.totalPrice <= maxPrice,
    ),
  no_rate: ({ serviceCode }, offered) => offered.every((rate) => rate.serviceCode !== serviceCode),
  some_rate: (_, offered) => offered.length > 0,
  rates: ({ rates }, offered) => {
    const [wanted, given] = [rates, offered].map((list) => list.map(rateText).sort());
    return wanted?.length === given?.length && wanted?.every((text, at) => text === given?.[at]) === true;
  },
  delivery: ({ serviceCode, minDate, maxDate }, offered, today) =>
    offered.some(
      ({ serviceCode: code, minDeliveryDate: min, maxDeliveryDate: max }) =>
        code === serviceCode &&
        min !== undefined &&
        max !== undefined &&
        (minDate === undefined || dayOfText(min) >= expectedDay(minDate, today)) &&
        (maxDate === undefined || dayOfText(max) <= expectedDay(maxDate, today)),
    ),
};

/** The day of an expected date; `today` is the local day of the check's time. Days since 1970. */
export function expectedDay(date: string, today: number): number {
  const relative = RELATIVE_DATE.exec(date);
  return relative === null ? dayOfText(date) : today + Number(relative[1]);
}

const rateText = ({ serviceCode, totalPrice }: OfferedRate): string => `${totalPrice} ${serviceCode}`;

/** True when the offered rates are as expected. `today`: the local day of the check's time, in days since 1970. */
export const isMet = (expectation: Expectation, offered: readonly OfferedRate[], today: number): boolean =>
  // Sound: the row belongs to the kind of the expectation, which TypeScript cannot relate in an index.
  (MEETS[expectation.kind] as Meet<Expectation>)(expectation, offered, today);

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
