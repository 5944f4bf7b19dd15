/**
 * Shadow results: how a changeset would have changed live simulations (contract section 7), as totals, pairs of zone
 * and product group seen, price moves of methods, and samples. They hold no personal data: a destination has only
 * country, province and postal code, an item only its description, weight and price.
 */
import Type, { type Static } from '#typebox';
import { KEPT_REQUEST_FIELDS } from '../domain/cart.ts';
import { Cents } from '../domain/money.ts';
import { count, countOf, Id, orNull, strict, untitled } from '../domain/schema.ts';
import { DELIVERY_DATES, Rate } from './answer.ts';

/** Newest samples that are kept of one changeset. */
export const SAMPLES_MAX = 100;
/** First items, rates of each side and differences that a sample holds. */
export const SAMPLE_ENTRIES_MAX = 20;
/** Characters that a sample holds of a text of the request. */
export const SAMPLE_TEXT_MAX = 64;
/** Pairs of zone and product group that are listed as missing: the first in list order. */
export const MISSING_PAIRS_MAX = 1_000;
/** Live simulations of a shop that are kept for a replay against a changeset. */
export const KEPT_CARTS_MAX = 200;
/** Samples of the last replay. */
export const REPLAY_SAMPLES_MAX = 20;

const textOrNull = orNull(Type.String());

/** A rate that only one side offers, or that differs in price or delivery dates. */
export const RateDifference = untitled({
  serviceCode: Type.String(),
  serviceName: Type.String(),
  live: orNull(Cents, { description: 'null = live does not offer it' }),
  staged: orNull(Cents, { description: 'null = the changeset does not offer it' }),
  liveDates: Type.Optional(untitled(DELIVERY_DATES)),
  stagedDates: Type.Optional(untitled(DELIVERY_DATES)),
});
export type RateDifference = Readonly<Static<typeof RateDifference>>;

/** A zone and a product group of the changeset that no cart touched. */
export const MissingPair = untitled({
  zoneId: Id,
  zoneName: Type.String(),
  productGroupId: Id,
  productGroupName: Type.String(),
});

const CartImpact = untitled({
  name: Type.String(),
  evaluated: count,
  different: count,
  differenceCents: Type.Integer({
    description:
      'Sum of the cheapest staged rate minus the cheapest live one, over carts that both offer a rate',
  }),
});

export const ShadowSample = untitled({
  /** ISO time of the simulation. */
  at: Type.String(),
  destination: untitled({ country: Type.String(), province: textOrNull, postalCode: textOrNull }),
  items: Type.Array(
    untitled({
      sku: Type.String(),
      quantity: count,
      grams: count,
      price: Cents,
      requiresShipping: Type.Boolean(),
    }),
    { maxItems: SAMPLE_ENTRIES_MAX },
  ),
  /** Items of the request; `items` holds the first of them. */
  itemCount: count,
  cartTotal: Cents,
  live: Type.Array(Rate, { maxItems: SAMPLE_ENTRIES_MAX }),
  staged: Type.Array(Rate, { maxItems: SAMPLE_ENTRIES_MAX }),
  differences: Type.Array(RateDifference, { minItems: 1, maxItems: SAMPLE_ENTRIES_MAX }),
  /** The request without what is personal, for a simulation; null when it is too large to keep. */
  request: orNull(Type.Object(KEPT_REQUEST_FIELDS)),
  /** True when the sample comes from a replay and not from live traffic. */
  replayed: Type.Boolean(),
});
export type ShadowSample = Readonly<Static<typeof ShadowSample>>;

export const ShadowResults = strict('ShadowResults', {
  simulations: countOf('Live simulations while the changeset was active: `evaluated` + `dropped`'),
  evaluated: countOf('Those of which the numbers below tell: `identical` + `different`'),
  identical: count,
  different: count,
  dropped: countOf('Live simulations that were not evaluated, as there were too many in one second'),
  /** Carts that had a rate live and have none staged. */
  lost: count,
  /** Carts that had no rate live and have one staged. */
  gained: count,
  replayed: untitled({
    runs: countOf('Replays; their carts are in no other number here and in no criterion of the gate'),
    evaluated: countOf('Carts of all of them together'),
    different: count,
    lost: count,
    gained: count,
  }),
  /** Of the changeset's zones x product groups. */
  coverage: untitled({
    seen: count,
    possible: count,
    /** Rounded down to one decimal. */
    percent: Type.Number({ minimum: 0, maximum: 100 }),
    missing: Type.Array(MissingPair, { maxItems: MISSING_PAIRS_MAX }),
  }),
  /** Method id -> in how many carts its price moved, and by how many cents in total. */
  byMethod: Type.Record(
    Type.String(),
    untitled({
      name: Type.String(),
      priceUp: count,
      priceDown: count,
      appeared: count,
      disappeared: count,
      differenceCents: Type.Integer(),
    }),
  ),
  /** Zone id -> the carts sent there. */
  byZone: Type.Record(Type.String(), CartImpact),
  /** Product group id -> the carts with an item of it. */
  byGroup: Type.Record(Type.String(), CartImpact),
  samples: Type.Array(ShadowSample, {
    maxItems: SAMPLES_MAX,
    description: `Newest first: of the last replay at most ${REPLAY_SAMPLES_MAX}, then of live simulations`,
  }),
});
export type ShadowResults = Static<typeof ShadowResults>;

/** The part of the results that is about the changeset as it is now, since its last staged write; `dropped` is of all. */
export interface EditShadowResults
  extends Pick<ShadowResults, 'evaluated' | 'different' | 'lost' | 'dropped' | 'coverage' | 'samples'> {
  /** Number of staged writes of the changeset that was evaluated. */
  readonly writes: number;
  /** Of the last lost carts, newest first. */
  readonly lostSamples: readonly ShadowSample[];
}
