/** Settings of a shop: name, currency, time zone and plan (contract section 2). */
import Type, { type Static } from '#typebox';
import { Currency } from './currency.ts';
import { Fulfilment } from './delivery.ts';
import { PLAN_NAME_PATTERN } from './plan.ts';
import { PromotionGate } from './promotion-gate.ts';
import { Id, strict } from './schema.ts';
import { Name } from './text.ts';

/**
 * An IANA time zone; `isTimeZone` checks that the runtime knows it. A name begins with a letter: Node 22 accepts an
 * offset such as `+0530`, but Node 20 does not and could not load the shop.
 */
export const TimeZone = Type.String({
  pattern: '^[A-Za-z][A-Za-z0-9_+/-]{0,63}$',
  'x-accepts': 'an IANA time zone',
  examples: ['America/New_York'],
});

export const ShopSettings = strict('ShopSettings', {
  id: Id,
  name: Name,
  currency: Currency,
  timezone: TimeZone,
  plan: Type.String({ pattern: PLAN_NAME_PATTERN, 'x-accepts': 'the name of a plan' }),
  /** Absent without a gate; clients see null. */
  promotionGate: Type.Optional(PromotionGate),
  /** Absent for the defaults; clients see them. */
  fulfilment: Type.Optional(Fulfilment),
  /** False: the configuration changes in a changeset only. Absent when true; clients see it. */
  directWrites: Type.Optional(Type.Boolean()),
});
export type ShopSettings = Readonly<Static<typeof ShopSettings>>;

/** True when the runtime knows this time zone. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
