/** One difference planted in a configuration: in a rule, a condition, a tier, a threshold or a postal pattern. */
import { CONDITION_TYPES } from '../../src/engine/domain/condition.ts';
import { type TableRateType, TIER_BOUNDS } from '../../src/engine/domain/rate-type.ts';
import type { Rule } from '../../src/engine/domain/rule.ts';
import type { ShippingMethod } from '../../src/engine/domain/shipping-method.ts';
import type { ShopConfig } from '../../src/engine/domain/shop-config.ts';

export type DifferenceKind = 'rule' | 'condition' | 'price' | 'tier' | 'threshold' | 'pattern';

export interface PlantedDifference {
  readonly kind: DifferenceKind;
  /** What was changed, for messages. */
  readonly what: string;
  readonly config: ShopConfig;
}

const replaced = <T>(list: readonly T[], old: T, next: T): T[] =>
  list.map((each) => (each === old ? next : each));

const withMethod = (
  config: ShopConfig,
  old: ShippingMethod,
  fields: Partial<ShippingMethod>,
): ShopConfig => ({
  ...config,
  methods: replaced(config.methods, old, { ...old, ...fields } as ShippingMethod),
});

const withRule = (config: ShopConfig, method: ShippingMethod, old: Rule, fields: Partial<Rule>): ShopConfig =>
  withMethod(config, method, { rules: replaced(method.rules, old, { ...old, ...fields }) });

/** All single differences of a configuration that this file knows, of enabled records. */
export function plantedDifferences(config: ShopConfig): PlantedDifference[] {
  const list: PlantedDifference[] = [];
  const plant = (kind: DifferenceKind, what: string, next: ShopConfig) =>
    list.push({ kind, what, config: next });
  for (const method of config.methods.filter(({ enabled }) => enabled)) {
    const { id, freeShippingThreshold: threshold } = method;
    if (threshold !== null) {
      plant(
        'threshold',
        `${id} ${threshold}`,
        withMethod(config, method, { freeShippingThreshold: threshold + 1 }),
      );
    }
    if (method.rateType === 'flat') {
      plant('price', id, withMethod(config, method, { config: { price: method.config.price + 1 } } as never));
    }
    if (method.rateType in TIER_BOUNDS) plantTiers(config, method, plant);
    for (const rule of method.rules.filter(({ enabled }) => enabled)) {
      plant('rule', `${id} ${rule.id} off`, withRule(config, method, rule, { enabled: false }));
      if (rule.adjustmentValue !== undefined) {
        const adjustmentValue = rule.adjustmentValue === 0 ? 7 : rule.adjustmentValue - 1;
        plant(
          'rule',
          `${id} ${rule.id} amount`,
          withRule(config, method, rule, { adjustmentValue } as never),
        );
      }
      for (const condition of rule.conditions) {
        if (CONDITION_TYPES[condition.conditionType].kind !== 'number') continue;
        const [first = '', ...rest] = condition.value.split(',');
        const value = [String(Number(first) + 1), ...rest].join(',');
        const conditions = replaced(rule.conditions, condition, { ...condition, value });
        plant(
          'condition',
          `${id} ${rule.id} ${condition.conditionType} ${condition.operator} ${condition.value} ${condition.scope}`,
          withRule(config, method, rule, { conditions }),
        );
      }
    }
  }
  for (const zone of config.zones) {
    for (const subzone of zone.subzones) {
      const patterns = subzone.postalCodes.split(',').filter((text) => text.trim() !== '');
      for (const [index, pattern] of patterns.entries()) {
        const postalCodes = patterns.filter((_, at) => at !== index).join(',');
        const subzones = replaced(zone.subzones, subzone, { ...subzone, postalCodes });
        const zones = replaced(config.zones, zone, { ...zone, subzones });
        plant('pattern', `${subzone.id} ${pattern}`, { ...config, zones });
      }
    }
  }
  return list;
}

function plantTiers(
  config: ShopConfig,
  method: ShippingMethod,
  plant: (kind: DifferenceKind, what: string, next: ShopConfig) => void,
): void {
  const [lower] = TIER_BOUNDS[method.rateType as TableRateType];
  const { tiers } = method.config as { readonly tiers: readonly Readonly<Record<string, number>>[] };
  for (const [index, tier] of tiers.entries()) {
    const priced = tiers.map((each, at) =>
      at === index ? { ...each, price: (each['price'] ?? 0) + 1 } : each,
    );
    plant(
      'tier',
      `${method.id} price ${index}`,
      withMethod(config, method, { config: { tiers: priced } } as never),
    );
    const from = tier[lower] ?? 0;
    const moved = tiers.map((each, at) => (at === index ? { ...each, [lower]: from + 1 } : each));
    const end =
      Object.values(tier).length === 3 ? tier[TIER_BOUNDS[method.rateType as TableRateType][1]] : null;
    if (end === null || end === undefined || from + 1 < end) {
      plant(
        'tier',
        `${method.id} bound ${index}`,
        withMethod(config, method, { config: { tiers: moved } } as never),
      );
    }
  }
}
