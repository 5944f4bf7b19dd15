/** Bisect: the versions at which the answer to a cart changed (contract section 10.3). */
import Type, { type Static } from '#typebox';
import { IsoTime, simulateRequestSchema } from '../domain/cart.ts';
import { Cents } from '../domain/money.ts';
import { strict, untitled } from '../domain/schema.ts';
import { VersionReference } from '../domain/version-reference.ts';
import { DELIVERY_DATES } from './answer.ts';

/** Maximum flips of one answer; if there are more, it says `limited`. */
export const FLIPS_MAX = 100;

/** `itemsMax` is the operator's limit on items of the request. */
export const bisectSchema = (itemsMax: number) =>
  strict('BisectVersions', {
    action: Type.Literal('bisect'),
    request: simulateRequestSchema(itemsMax),
    at: Type.Optional(IsoTime),
    from: Type.Optional(VersionReference),
    to: Type.Optional(VersionReference),
    /** Only the rates with this code are compared. */
    serviceCode: Type.Optional(Type.String()),
  });
export type BisectVersions = Readonly<Static<ReturnType<typeof bisectSchema>>>;

export const BisectedRates = Type.Array(
  untitled({ serviceCode: Type.String(), totalPrice: Cents, ...DELIVERY_DATES }),
);
export type BisectedRates = Readonly<Static<typeof BisectedRates>>;
