/**
 * Views: the records as clients see them. A view is built field by field, so that no internal field can leave the
 * service, and adds the position in the list. `snapshotOf` has the shape that execute accepts.
 */
import type { Static } from '#typebox';
import { extended } from '../../base/runtime/extended.ts';
import { type ApiKey, keyLabelOf, type LabelledKeys } from '../domain/api-key.ts';
import type { BlendedRate } from '../domain/blended-rate.ts';
import type { Check } from '../domain/check.ts';
import type { Condition } from '../domain/condition.ts';
import { FULFILMENT_DEFAULT } from '../domain/delivery.ts';
import { THRESHOLD_BASIS_DEFAULT } from '../domain/money.ts';
import type { ProductGroup } from '../domain/product-group.ts';
import type { Rule } from '../domain/rule.ts';
import type { ShippingMethod } from '../domain/shipping-method.ts';
import type { ShopSettings } from '../domain/shop.ts';
import type { ShopConfig } from '../domain/shop-config.ts';
import { type PlacedConfig, shopConfigOf } from '../domain/shop-event.ts';
import type { Comparison, Version } from '../domain/version.ts';
import type { Zone } from '../domain/zone.ts';
import type { RuleInConfig, RuleRecord } from './answer-schemas.ts';

export const zoneView = (zone: Zone) => ({
  id: zone.id,
  name: zone.name,
  countries: zone.countries,
  subzones: zone.subzones.map(({ id, name, postalCodes }) => ({ id, name, postalCodes })),
});

const groupFields = (group: ProductGroup) => ({
  id: group.id,
  name: group.name,
  isDefault: group.isDefault,
  variantIds: group.variantIds,
  productIds: group.productIds,
  skus: group.skus,
  tags: group.tags,
  vendors: group.vendors,
});
export const groupView = (group: ProductGroup, position: number) =>
  extended(groupFields(group), { position });

const methodFields = (method: Omit<ShippingMethod, 'rules'>) => ({
  id: method.id,
  name: method.name,
  subtitle: method.subtitle,
  serviceCode: method.serviceCode,
  zoneId: method.zoneId,
  productGroupId: method.productGroupId,
  rateType: method.rateType,
  config: method.config,
  enabled: method.enabled,
  freeShippingThreshold: method.freeShippingThreshold,
  thresholdBasis: method.thresholdBasis ?? THRESHOLD_BASIS_DEFAULT,
  delivery: method.delivery ?? null,
  phoneRequired: method.phoneRequired ?? false,
});
export const methodView = (method: Omit<ShippingMethod, 'rules'>, position: number) =>
  extended(methodFields(method), { position });

const conditionView = ({ conditionType, operator, value, scope }: Condition): Condition => ({
  conditionType,
  operator,
  value,
  scope,
});

/**
 * A rule has both fields of its adjustment or none. Literals instead of spreads, here and below: Node 20 makes a
 * new hidden class for each spread with added fields.
 */
function ruleFields(rule: Rule): Static<typeof RuleInConfig> {
  const { id, name = '', action, enabled, adjustmentValue, adjustmentType } = rule;
  const conditions = rule.conditions.map(conditionView);
  return adjustmentValue === undefined || adjustmentType === undefined
    ? { id, name, action, conditions, enabled }
    : { id, name, action, conditions, enabled, adjustmentValue, adjustmentType };
}

export type RuleView = Readonly<Static<typeof RuleRecord>>;

export function ruleView(rule: Rule, methodId: string, position: number): RuleView {
  const { id, name, action, conditions, enabled, adjustmentValue, adjustmentType } = ruleFields(rule);
  return adjustmentValue === undefined || adjustmentType === undefined
    ? { id, name, action, conditions, enabled, methodId, position }
    : { id, name, action, conditions, enabled, adjustmentValue, adjustmentType, methodId, position };
}

/** A method that is read by id: with its rules. */
export const methodWithRulesView = (method: ShippingMethod, position: number) =>
  extended(methodView(method, position), {
    rules: method.rules.map((rule, index) => ruleView(rule, method.id, index)),
  });

const blendedRateFields = (blended: BlendedRate) => ({
  id: blended.id,
  name: blended.name,
  subtitle: blended.subtitle,
  serviceCode: blended.serviceCode,
  zoneId: blended.zoneId,
  freeShippingThreshold: blended.freeShippingThreshold,
  thresholdBasis: blended.thresholdBasis ?? THRESHOLD_BASIS_DEFAULT,
  preferences: blended.preferences.map(({ productGroupId, preferredMethodId }) => ({
    productGroupId,
    preferredMethodId,
  })),
  enabled: blended.enabled,
});
export const blendedRateView = (blended: BlendedRate, position: number) =>
  extended(blendedRateFields(blended), { position });

const checkFields = ({ id, name, request, at, expectations, enabled }: Check) => ({
  id,
  name,
  request,
  at,
  expectations,
  enabled,
});
export const checkView = (check: Check, position: number) => extended(checkFields(check), { position });

/** A key. It has no secret: none is stored. */
export const currentKeyView = ({ id, label, permission, prefix, createdAt, expiresAt }: ApiKey) => ({
  id,
  label,
  permission,
  prefix,
  createdAt,
  expiresAt: expiresAt ?? null,
});

/** The same in a list; `lastUsedAtMs` null = never used. */
export const keyView = (key: ApiKey, lastUsedAtMs: number | null) => ({
  ...currentKeyView(key),
  lastUsedAt: lastUsedAtMs === null ? null : new Date(lastUsedAtMs).toISOString(),
});

/** The settings of a shop, with the defaults of those that are absent. */
export const settingsView = (settings: ShopSettings) => ({
  id: settings.id,
  name: settings.name,
  currency: settings.currency,
  timezone: settings.timezone,
  plan: settings.plan,
  promotionGate: settings.promotionGate ?? null,
  fulfilment: settings.fulfilment ?? FULFILMENT_DEFAULT,
  directWrites: settings.directWrites ?? true,
});

const methodWithRuleFields = (method: ShippingMethod) => ({
  ...methodFields(method),
  rules: method.rules.map(ruleFields),
});

/** The whole configuration: the order of each array is the position (contract section 8). */
export function snapshotOf(config: ShopConfig, versionId: string) {
  return {
    versionId,
    productGroups: config.productGroups.map(groupFields),
    zones: config.zones.map(zoneView),
    methods: config.methods.map(methodWithRuleFields),
    blendedRates: config.blendedRates.map(blendedRateFields),
    checks: (config.checks ?? []).map(checkFields),
  };
}

/** A version with the label of its key; `keys` are those of the shop. */
export const versionView = (version: Version, keys: LabelledKeys) => ({
  id: version.id,
  number: version.number,
  createdAt: version.createdAt,
  createdBy: version.createdBy,
  keyId: version.keyId,
  keyLabel: keyLabelOf(version.keyId, keys),
  description: version.description,
  batchId: version.batchId,
  changes: version.changes,
  ...(version.changeset !== undefined && {
    changeset: { name: version.changeset.name, note: version.changeset.note },
  }),
});

/** A row of a list of versions; it may stand for a batch. */
export const versionRowView = <B>(row: Version & { readonly batch?: B }, keys: LabelledKeys) =>
  row.batch === undefined ? versionView(row, keys) : { ...versionView(row, keys), batch: row.batch };

/** A version read by id: with its changes and its configuration. */
export const versionDetailView = (
  {
    version,
    diff,
    config,
  }: { readonly version: Version; readonly diff: Comparison; readonly config: PlacedConfig },
  keys: LabelledKeys,
) => ({
  // Type-safe: the write that stored a method checked that its config fits its rate type.
  version: { ...versionView(version, keys), diff, config: snapshotOf(shopConfigOf(config), version.id) },
});

export type ZoneView = ReturnType<typeof zoneView>;
export type GroupView = ReturnType<typeof groupView>;
export type MethodWithRulesView = ReturnType<typeof methodWithRulesView>;
export type BlendedRateView = ReturnType<typeof blendedRateView>;
export type CheckView = ReturnType<typeof checkView>;
export type ConfigSnapshot = ReturnType<typeof snapshotOf>;
