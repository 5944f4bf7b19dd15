/** What a change would change for carts, in previews, changesets and comparisons (contract section 12.7). */
import Type, { type Static } from '#typebox';
import { Destination, KEPT_REQUEST_FIELDS } from '../domain/cart.ts';
import { countOf } from '../domain/schema.ts';

export const ProbedRate = Type.Object(
  {
    serviceCode: Type.String(),
    totalPrice: Type.Integer(),
    minDeliveryDate: Type.Optional(Type.String()),
    maxDeliveryDate: Type.Optional(Type.String()),
  },
  { title: 'ProbedRate' },
);
export type ProbedRate = Readonly<Static<typeof ProbedRate>>;

export const Effects = Type.Object(
  {
    probes: countOf('Carts that were evaluated before and after'),
    changed: countOf('Carts of which the rates differ'),
    lost: countOf('Carts that had a rate and have none'),
    gained: countOf('Carts that had no rate and have one'),
    samples: Type.Array(
      Type.Object({
        request: Type.Object({ ...KEPT_REQUEST_FIELDS, destination: Destination }),
        at: Type.String({ description: 'ISO time that time conditions saw' }),
        before: Type.Array(ProbedRate),
        after: Type.Array(ProbedRate),
      }),
      { description: 'One cart for each distinct change of rates, at most 20, the smallest first' },
    ),
    limited: Type.Boolean({ description: 'True when there are more probe carts than were evaluated' }),
  },
  { title: 'Effects' },
);
export type Effects = Readonly<Static<typeof Effects>>;
