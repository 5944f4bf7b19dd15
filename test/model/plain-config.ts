/**
 * A configuration as a plain object and its rules (contract section 3). It shares no code with the program: it imports
 * only other plain files.
 */

export interface PlainSubzone {
  id: string;
  name: string;
  postalCodes: string;
}
export interface PlainZone {
  id: string;
  name: string;
  countries: string[];
  subzones: PlainSubzone[];
}
export interface PlainGroup {
  id: string;
  name: string;
  isDefault: boolean;
  variantIds: string[];
  productIds: string[];
  skus: string[];
  tags: string[];
  vendors: string[];
}
export interface PlainRule {
  id: string;
  action: string;
  conditions: unknown[];
  enabled: boolean;
  name: string;
  adjustmentValue?: number;
  adjustmentType?: string;
}
export interface PlainMethod {
  id: string;
  name: string;
  subtitle: string;
  serviceCode: string;
  zoneId: string;
  productGroupId: string;
  rateType: string;
  config: { price?: number };
  enabled: boolean;
  freeShippingThreshold: number | null;
  thresholdBasis: string;
  delivery: { readonly minDays: number; readonly maxDays: number } | null;
  phoneRequired: boolean;
  rules: PlainRule[];
}
export interface PlainPreference {
  productGroupId: string;
  preferredMethodId: string | null;
}
export interface PlainBlended {
  id: string;
  name: string;
  subtitle: string;
  serviceCode: string;
  zoneId: string;
  freeShippingThreshold: number | null;
  thresholdBasis: string;
  preferences: PlainPreference[];
  enabled: boolean;
}
export interface PlainCheck {
  id: string;
  name: string;
  request: unknown;
  at: string | null;
  expectations: unknown[];
  enabled: boolean;
}
export interface PlainConfig {
  zones: PlainZone[];
  productGroups: PlainGroup[];
  methods: PlainMethod[];
  blendedRates: PlainBlended[];
  checks: PlainCheck[];
}

export interface PlainLimits {
  readonly zones: number;
  readonly groups: number;
  readonly methods: number;
  readonly blendedRates: number;
  readonly checks: number;
  readonly rulesPerMethod: number;
}

/** The zone with this id or with a subzone of this id, or undefined. */
export const zoneOf = (config: PlainConfig, id: string): PlainZone | undefined =>
  config.zones.find((zone) => zone.id === id || zone.subzones.some((subzone) => subzone.id === id));

/** The name in lower case with hyphens, with `-2`, `-3` when the zone has that code already. */
export function defaultCode(
  config: PlainConfig,
  records: readonly { readonly zoneId: string; readonly serviceCode: string }[],
  zoneId: string,
  name: string,
): string {
  const zone = zoneOf(config, zoneId);
  const taken = records.filter((one) => zoneOf(config, one.zoneId) === zone).map((one) => one.serviceCode);
  const slug = name.toLowerCase().replaceAll(' ', '-');
  let code = slug;
  for (let number = 2; taken.includes(code); number++) code = `${slug}-${number}`;
  return code;
}

/**
 * True when a blended rate may prefer a method: the method belongs to the group, and is bound to the zone of the
 * blended rate, to a subzone of it or, for a blended rate of a subzone, to its zone.
 */
export function mayPrefer(
  config: PlainConfig,
  zoneId: string,
  { productGroupId }: PlainPreference,
  method: { readonly zoneId: string; readonly productGroupId: string },
): boolean {
  if (method.productGroupId !== productGroupId) return false;
  if (method.zoneId === zoneId) return true;
  const zone = zoneOf(config, zoneId);
  if (zone === undefined || zoneOf(config, method.zoneId) !== zone) return false;
  return zoneId === zone.id || method.zoneId === zone.id;
}

/** True when every reference of a blended rate is valid and no group occurs twice. */
export function areReferencesGood(
  config: PlainConfig,
  { zoneId, preferences }: Pick<PlainBlended, 'zoneId' | 'preferences'>,
): boolean {
  const groups = preferences.map((preference) => preference.productGroupId);
  return (
    zoneOf(config, zoneId) !== undefined &&
    new Set(groups).size === groups.length &&
    preferences.every((preference) => {
      if (!config.productGroups.some(({ id }) => id === preference.productGroupId)) return false;
      if (preference.preferredMethodId === null) return true;
      const method = config.methods.find(({ id }) => id === preference.preferredMethodId);
      return method !== undefined && mayPrefer(config, zoneId, preference, method);
    })
  );
}

const grows = (limit: number, from: number, to: number): boolean => to > limit && to > from;

type Lists = { readonly [K in keyof PlainConfig]: readonly unknown[] };

/** A bulk write whose lists are too long is refused for that, whatever is in them. */
export const hasLongLists = (limits: PlainLimits, before: PlainConfig, after: Lists): boolean =>
  grows(limits.zones, before.zones.length, after.zones.length) ||
  grows(limits.groups, before.productGroups.length, after.productGroups.length) ||
  grows(limits.methods, before.methods.length, after.methods.length) ||
  grows(limits.blendedRates, before.blendedRates.length, after.blendedRates.length) ||
  grows(limits.checks, before.checks.length, after.checks.length);

/** True when a configuration exceeds the plan, and has more than `before`. */
export const isOverPlan = (limits: PlainLimits, before: PlainConfig, after: PlainConfig): boolean =>
  hasLongLists(limits, before, after) ||
  after.methods.some((method) => {
    const old = before.methods.find(({ id }) => id === method.id);
    return grows(limits.rulesPerMethod, old?.rules.length ?? 0, method.rules.length);
  });
