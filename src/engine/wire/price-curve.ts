/** The price curve: the rates of a cart whose total, weight or quantity varies (contract section 10.4). */
import Type, { type Static } from '#typebox';
import { IsoTime, simulateRequestSchema } from '../domain/cart.ts';
import { Cents } from '../domain/money.ts';
import { oneOf, strict, untitled } from '../domain/schema.ts';
import { VersionReference } from '../domain/version-reference.ts';
import { DELIVERY_DATES } from './answer.ts';
import { View } from './staging.ts';

export const VARIED = ['cart_total', 'cart_weight', 'quantity'] as const;
export type Varied = (typeof VARIED)[number];

/** Maximum segments of one curve; if there are more, the answer says `limited`. */
export const SEGMENTS_MAX = 1_000;

const bound = (description: string) =>
  Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description,
    'x-accepts': 'a whole number, 0 to 9,007,199,254,740,991',
  });

/** `itemsMax` is the operator's limit on items of the request. */
export const sweepSchema = (itemsMax: number) =>
  strict('Sweep', {
    request: simulateRequestSchema(itemsMax),
    at: Type.Optional(IsoTime),
    vary: oneOf(VARIED, {
      description: 'cart_total in cents, cart_weight in grams, or the quantity of the item',
    }),
    itemIndex: Type.Optional(
      Type.Integer({
        minimum: 0,
        'x-accepts': 'the index of an item, 0 or more',
        description: 'The item that varies; the first shippable one when absent',
      }),
    ),
    from: bound('First value, included'),
    to: bound('Last value, included'),
    view: Type.Optional(View),
    version: Type.Optional(VersionReference),
  });
export type Sweep = Readonly<Static<ReturnType<typeof sweepSchema>>>;

export const CurveRate = untitled({
  serviceCode: Type.String(),
  serviceName: Type.String(),
  totalPrice: Cents,
  ...DELIVERY_DATES,
});
export type CurveRate = Readonly<Static<typeof CurveRate>>;

export const PriceCurve = strict('PriceCurve', {
  vary: Type.Enum(VARIED),
  segments: Type.Array(
    strict('CurveSegment', {
      from: bound('First value of the segment'),
      to: bound('Last value of the segment'),
      rates: Type.Array(CurveRate, { description: 'In the order of a simulation' }),
    }),
    { maxItems: SEGMENTS_MAX, description: 'Ascending and without gaps; the rates of neighbours differ' },
  ),
  limited: Type.Boolean({
    description: 'The curve ends before `to`: there are more segments, or prices beyond 2^53-1',
  }),
});
export type PriceCurve = Readonly<Static<typeof PriceCurve>>;
