/**
 * Checks: carts with an expected answer, as records of the configuration (contract section 10.1). A check changes no
 * rate; it is evaluated when it is run, in a preview and before a promotion.
 */
import Type, { type Static } from 'typebox';
import { CartItem, Destination, ITEMS_MAX_DEFAULT, SimulateRequest } from './cart.ts';
import { Expectation } from './expectation.ts';
import { Id } from './id.ts';
import { ISO_TIME_ACCEPTS, ISO_TIME_PATTERN } from './iso-time.ts';
import { strict } from './strict.ts';
import { Name } from './text.ts';

export const EXPECTATIONS_MAX = 20;

/**
 * A simulate request. An unknown field of the body, its destination or an item is refused, as `strict=true` refuses it
 * in simulate: a misspelled field would make a check of another cart.
 */
export const CheckRequest = strict('CheckRequest', {
  ...SimulateRequest.properties,
  destination: strict('CheckDestination', Destination.properties),
  items: Type.Array(strict('CheckItem', CartItem.properties), { minItems: 1, maxItems: ITEMS_MAX_DEFAULT }),
});

export const Check = strict('Check', {
  id: Id,
  name: Name,
  request: CheckRequest,
  /** The clock of time conditions; null for the time at which the check is run. */
  at: Type.Union([Type.String({ pattern: ISO_TIME_PATTERN }), Type.Null()], {
    'x-accepts': `${ISO_TIME_ACCEPTS}, or null`,
  }),
  expectations: Type.Array(Expectation, { minItems: 1, maxItems: EXPECTATIONS_MAX }),
  enabled: Type.Boolean(),
});
export interface Check extends Readonly<Omit<Static<typeof Check>, 'expectations'>> {
  readonly expectations: readonly Expectation[];
}
