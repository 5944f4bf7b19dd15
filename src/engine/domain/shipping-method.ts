/** Shipping methods: a rate type prices a method, and its rules change the price (contract section 3). */
import Type, { type Static } from '#typebox';
import { DeliveryOrNull } from './delivery.ts';
import { FREE_SHIPPING_FIELDS } from './money.ts';
import { AnyRateConfig, RATE_TYPE_NAMES, type RateConfig } from './rate-type.ts';
import { Rule } from './rule.ts';
import { Id, oneOf, strict } from './schema.ts';
import { Name, ServiceCode, Subtitle } from './text.ts';

/** The fields of a method without its rules; `config` is checked against the schema of `rateType`. */
export const METHOD_FIELDS = {
  id: Id,
  name: Name,
  subtitle: Subtitle,
  serviceCode: ServiceCode,
  /** A zone or a subzone. */
  zoneId: Id,
  productGroupId: Id,
  rateType: oneOf(RATE_TYPE_NAMES),
  config: Type.Object(
    {},
    { 'x-accepts': 'the config object of the rate type', 'x-published': AnyRateConfig },
  ),
  enabled: Type.Boolean(),
  ...FREE_SHIPPING_FIELDS,
  /** Absent for a method without delivery dates; clients see null. */
  delivery: Type.Optional(DeliveryOrNull),
  /** Absent for false. */
  phoneRequired: Type.Optional(
    Type.Boolean({ description: 'The checkout of a shop system is told to ask for a phone number' }),
  ),
};

export const ShippingMethod = strict('ShippingMethod', { ...METHOD_FIELDS, rules: Type.Array(Rule) });

export type ShippingMethod = Readonly<Omit<Static<typeof ShippingMethod>, 'rateType' | 'config' | 'rules'>> &
  RateConfig & { readonly rules: readonly Rule[] };
