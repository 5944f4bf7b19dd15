/**
 * Expectations of a check: what the rates that are offered for a cart must be (contract section 10.1). This table is
 * the only place that names the kinds: schema, documents and evaluation derive from it.
 */
import Type, { type Static, type TSchema } from 'typebox';
import { Cents } from './money.ts';
import { strict } from './strict.ts';
import { ServiceCode } from './text.ts';

/** Rates that an expectation of the kind `rates` can list. */
export const EXPECTED_RATES_MAX = 1_000;

export const ExpectedRate = strict('ExpectedRate', { serviceCode: ServiceCode, totalPrice: Cents });

/** The part of an offered rate that expectations look at. */
export type OfferedRate = Readonly<Static<typeof ExpectedRate>>;

const kindOf = <K extends string, P extends Record<string, TSchema>>(kind: K, title: string, fields: P) =>
  strict(title, { kind: Type.Literal(kind), ...fields });

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
};

export type ExpectationKind = keyof typeof EXPECTATION_SCHEMAS;
type ExpectationOf<K extends ExpectationKind> = Static<(typeof EXPECTATION_SCHEMAS)[K]>;

export const EXPECTATION_KINDS = Object.keys(EXPECTATION_SCHEMAS) as readonly ExpectationKind[];

export type Expectation = { [K in ExpectationKind]: ExpectationOf<K> }[ExpectationKind];
/** A union of a list has no static type of its own. */
export const Expectation = Type.Unsafe<Expectation>(
  Type.Union(Object.values(EXPECTATION_SCHEMAS), { title: 'Expectation' }),
);

type Meets = {
  readonly [K in ExpectationKind]: (expected: ExpectationOf<K>, offered: readonly OfferedRate[]) => boolean;
};

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
};

const rateText = ({ serviceCode, totalPrice }: OfferedRate): string => `${totalPrice} ${serviceCode}`;

/** True when the offered rates are as expected. */
export const isMet = (expectation: Expectation, offered: readonly OfferedRate[]): boolean =>
  // Sound: the row belongs to the kind of the expectation, which TypeScript cannot relate in an index.
  (MEETS[expectation.kind] as (expected: Expectation, offered: readonly OfferedRate[]) => boolean)(
    expectation,
    offered,
  );

/** The defect that the schema cannot express, with its path below the expectation, or null. */
export function findExpectationDefect(
  expectation: Expectation,
): { readonly path: string; readonly message: string } | null {
  if (expectation.kind !== 'rate_between' || expectation.minPrice <= expectation.maxPrice) return null;
  return { path: '/maxPrice', message: `must be at least minPrice, ${expectation.minPrice}` };
}
