/**
 * Checks: carts with an expected answer, as records of the configuration (contract section 10.1). A check changes no
 * rate; it is evaluated when it is run, in a preview and before a promotion.
 */
import Type from '#typebox';
import {
  CartItem,
  Customer,
  Destination,
  itemList,
  KEPT_REQUEST_FIELDS,
  OrderTotals,
  SimulateRequest,
} from './cart.ts';
import { Expectation } from './expectation.ts';
import { ISO_TIME_ACCEPTS, ISO_TIME_PATTERN } from './iso-time.ts';
import { type Fixed, Id, orNull, strict, untitled } from './schema.ts';
import { Name } from './text.ts';

export const EXPECTATIONS_MAX = 20;

/** An unknown field of an object of the request is refused: a misspelled field would make a check of another cart. */
const STRICT_PARTS = {
  destination: strict('CheckDestination', Destination.properties),
  customer: Type.Optional(orNull(strict('CheckCustomer', Customer.properties))),
  orderTotals: Type.Optional(orNull(strict('CheckOrderTotals', OrderTotals.properties))),
};
const CheckItem = strict('CheckItem', CartItem.properties);

/**
 * A simulate request, as `strict=true` accepts it in simulate. `itemsMax` is the operator's limit on items; a check that
 * was written under another limit stays and is run.
 */
export const checkRequestSchema = (itemsMax: number) =>
  strict('CheckRequest', {
    ...SimulateRequest.properties,
    ...STRICT_PARTS,
    items: itemList(CheckItem, itemsMax),
  });

export const Check = strict('Check', {
  id: Id,
  name: Name,
  request: untitled({
    ...KEPT_REQUEST_FIELDS,
    ...STRICT_PARTS,
    items: Type.Array(CheckItem, { minItems: 1 }),
  }),
  /** The clock of time conditions; null for the time at which the check is run. */
  at: orNull(Type.String({ pattern: ISO_TIME_PATTERN }), { 'x-accepts': `${ISO_TIME_ACCEPTS}, or null` }),
  expectations: Type.Array(Expectation, { minItems: 1, maxItems: EXPECTATIONS_MAX }),
  enabled: Type.Boolean(),
});
export type Check = Fixed<typeof Check>;
