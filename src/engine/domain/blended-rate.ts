/** Blended rates: one price for a cart of several product groups (contract sections 5.6 and 5.7). */
import Type, { type Static } from '#typebox';
import { FREE_SHIPPING_FIELDS } from './money.ts';
import { type Fixed, Id, orNull, strict } from './schema.ts';
import { Name, ServiceCode, Subtitle } from './text.ts';

export const PREFERENCES_MAX = 2_000;

export const Preference = strict('Preference', {
  productGroupId: Id,
  /** null = the lowest visible rate of that group. */
  preferredMethodId: orNull(Id, { 'x-accepts': 'the id of a method, or null for the lowest rate' }),
});
export type Preference = Readonly<Static<typeof Preference>>;

export const BlendedRate = strict('BlendedRate', {
  id: Id,
  name: Name,
  subtitle: Subtitle,
  serviceCode: ServiceCode,
  /** A zone or a subzone. */
  zoneId: Id,
  ...FREE_SHIPPING_FIELDS,
  preferences: Type.Array(Preference, { maxItems: PREFERENCES_MAX }),
  enabled: Type.Boolean(),
});
export type BlendedRate = Fixed<typeof BlendedRate>;
