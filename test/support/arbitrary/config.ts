/** Random valid shop configurations: zones, groups, methods, rules, blended rates. */
import fc, { type Arbitrary } from 'fast-check';
import type { BlendedRate, Preference } from '../../../src/engine/domain/blended-rate.ts';
import type { Condition } from '../../../src/engine/domain/condition.ts';
import type { ThresholdBasis } from '../../../src/engine/domain/money.ts';
import type { ProductGroup } from '../../../src/engine/domain/product-group.ts';
import type { Rule } from '../../../src/engine/domain/rule.ts';
import type { ShippingMethod } from '../../../src/engine/domain/shipping-method.ts';
import type { ShopConfig } from '../../../src/engine/domain/shop-config.ts';
import type { Subzone, Zone } from '../../../src/engine/domain/zone.ts';
import * as alphabet from './alphabets.ts';
import { condition } from './conditions.ts';
import { deliveryOrNone } from './delivery.ts';
import { rateConfig } from './rates.ts';

const { cents, pick, weighted } = alphabet;

const plain = { noNullPrototype: true } as const;
const name = pick(alphabet.PRINTABLE_NAMES);
const subtitle = weighted<string>([1, fc.constant('')], [2, name]);
const serviceCode = pick(['standard', 'express', 'über-"nacht"', 'code-2']);
const enabled = weighted<boolean>([7, fc.constant(true)], [1, fc.constant(false)]);
const threshold = weighted<number | null>(
  [3, fc.constant(null)],
  [2, pick([...alphabet.PRICES, 2000, 5000])],
);

const thresholdBasis = weighted<ThresholdBasis>(
  [2, fc.constant('cart_total')],
  [1, fc.constant('order_total')],
);

export const postalCodes: Arbitrary<string> = fc
  .tuple(fc.array(pick(alphabet.POSTAL_PATTERNS), { maxLength: 6 }), pick([',', ', ', ' ,,']))
  .map(([patterns, separator]) => patterns.join(separator));

const subzone = fc.record({ name, postalCodes }, plain);
const zoneOf = (countries: readonly (readonly string[])[]): Arbitrary<ZoneBody> =>
  fc.record(
    {
      name,
      countries: pick(countries),
      subzones: fc.array(subzone, { maxLength: alphabet.SUBZONES_MAX }),
    },
    plain,
  );
type ZoneBody = Omit<Zone, 'id' | 'subzones'> & { subzones: Omit<Subzone, 'id'>[] };
const zones: Arbitrary<readonly Zone[]> = fc
  .tuple(
    zoneOf(alphabet.FIRST_ZONE_COUNTRIES),
    weighted<ZoneBody[]>(
      [2, fc.constant([])],
      [3, fc.array(zoneOf(alphabet.ZONE_COUNTRIES), { maxLength: alphabet.ZONES_MAX - 1 })],
    ),
    fc.nat(1),
  )
  .map(([first, others, turn]) =>
    (turn === 0 ? [first, ...others] : [...others, first]).map(({ subzones, ...rest }, z) => ({
      id: alphabet.zoneId(z),
      ...rest,
      subzones: subzones.map((each, s): Subzone => ({ id: alphabet.subzoneId(z, s), ...each })),
    })),
  );

const entries = (pool: readonly string[]): Arbitrary<string[]> =>
  weighted<string[]>([2, fc.constant([])], [3, fc.array(pick(pool), { minLength: 1, maxLength: 3 })]);

/** The matchers of a group; `*` is a wildcard in skus and an ordinary character in the others. */
export const matchers = fc.record(
  {
    variantIds: entries([...alphabet.VARIANT_IDS, ' V1 ', 'v*']),
    productIds: entries([...alphabet.PRODUCT_IDS, 'P1', 'p*']),
    skus: entries([...alphabet.SKUS, 'HVY-*', 'hvy*', 'a*', '*', '**', 'ü*']),
    tags: entries([...alphabet.TAGS, ' FRAGILE', 'über']),
    vendors: entries([...alphabet.VENDORS, 'ACME CO ', 'a*']),
  },
  plain,
);

const groups: Arbitrary<readonly ProductGroup[]> = fc
  .tuple(
    fc.array(fc.record({ name, matchers }, plain), { minLength: 1, maxLength: alphabet.GROUPS_MAX }),
    fc.nat(alphabet.GROUPS_MAX - 1),
  )
  .map(([records, defaultIndex]) =>
    records.map((record, index) => ({
      id: alphabet.groupId(index),
      name: record.name,
      isDefault: index === defaultIndex % records.length,
      ...record.matchers,
    })),
  );

/** More conditions than a machine word has bits, of few kinds, so that all can match. */
const manyConditions = fc
  .tuple(condition, condition, fc.array(fc.nat(4), { minLength: 28, maxLength: 34 }))
  .map(([often, once, choices]) => choices.map((choice) => (choice === 0 ? once : often)));
const conditions = weighted<Condition[]>(
  [20, fc.constant([])],
  [100, fc.array(condition, { minLength: 1, maxLength: 1 })],
  [60, fc.array(condition, { minLength: 2, maxLength: 4 })],
  [1, manyConditions],
);

type RuleBody = Omit<Rule, 'id'>;
const adjustment = weighted<Pick<Rule, 'adjustmentType' | 'adjustmentValue'>>(
  [1, cents.map((adjustmentValue) => ({ adjustmentType: 'flat' as const, adjustmentValue }))],
  [
    1,
    pick(alphabet.POINTS).map((adjustmentValue) => ({
      adjustmentType: 'percentage' as const,
      adjustmentValue,
    })),
  ],
);
const ruleName = weighted<{ readonly name?: string }>(
  [3, fc.constant({})],
  [1, name.map((each) => ({ name: each }))],
);
const unnamedRule: Arbitrary<RuleBody> = weighted<RuleBody>(
  [
    5,
    fc.record(
      { action: pick(['hide', 'show', 'free', 'free', 'free'] as const), conditions, enabled },
      plain,
    ),
  ],
  [
    6,
    fc
      .tuple(pick(['adjust_add', 'adjust_subtract'] as const), conditions, enabled, adjustment)
      .map(([action, each, isEnabled, values]) => ({
        action,
        conditions: each,
        enabled: isEnabled,
        ...values,
      })),
  ],
);

const rule: Arbitrary<RuleBody> = fc
  .tuple(unnamedRule, ruleName)
  .map(([body, named]) => ({ ...body, ...named }));

const methodBody = fc.record(
  {
    name,
    subtitle,
    serviceCode,
    place: fc.nat(11),
    group: fc.nat(11),
    rate: rateConfig,
    enabled,
    freeShippingThreshold: threshold,
    thresholdBasis,
    delivery: deliveryOrNone,
    phoneRequired: fc.boolean(),
    rules: weighted<RuleBody[]>(
      [20, fc.constant([])],
      [60, fc.array(rule, { minLength: 1, maxLength: 4 })],
      [1, fc.array(rule, { minLength: 12, maxLength: 34 })],
    ),
  },
  plain,
);

const blendedBody = fc.record(
  {
    name,
    subtitle,
    serviceCode,
    place: fc.nat(11),
    freeShippingThreshold: threshold,
    thresholdBasis,
    enabled,
    /** For each group: not listed, listed without a method, or the n-th method that may be preferred. */
    preferred: fc.array(fc.nat(9), { minLength: alphabet.GROUPS_MAX, maxLength: alphabet.GROUPS_MAX }),
  },
  plain,
);

/** A zone or subzone; the zone has the weight `zoneShare`, so that not all records are in its many subzones. */
function placeId(allZones: readonly Zone[], index: number, zoneShare: 1 | 2): string {
  const places = allZones.flatMap(({ id, subzones }) => [
    ...Array<string>(zoneShare).fill(id),
    ...subzones.map((subzone) => subzone.id),
  ]);
  return places[index % places.length] ?? alphabet.zoneId(0);
}

const at = <T>(list: readonly T[], index: number): T => {
  const found = list[index % list.length];
  if (found === undefined) throw new Error('the list is empty');
  return found;
};

/**
 * The places whose methods a blended rate of this place may prefer: the same place, a subzone of it, or the zone of its
 * subzone (contract section 3).
 */
function preferablePlaces(allZones: readonly Zone[], place: string): readonly string[] {
  const zone = allZones.find(
    ({ id, subzones }) => id === place || subzones.some((subzone) => subzone.id === place),
  );
  if (zone === undefined) return [];
  return zone.id === place ? [place, ...zone.subzones.map((subzone) => subzone.id)] : [place, zone.id];
}

export const shopConfig: Arbitrary<ShopConfig> = fc
  .tuple(
    zones,
    groups,
    weighted(
      [3, fc.array(methodBody, { minLength: 1, maxLength: 3 })],
      [12, fc.array(methodBody, { minLength: 6, maxLength: 18 })],
      [1, fc.array(methodBody, { minLength: 40, maxLength: 60 })],
    ),
    weighted(
      [1, fc.array(blendedBody, { maxLength: 0 })],
      [4, fc.array(blendedBody, { minLength: 1, maxLength: 5 })],
    ),
  )
  .map(([allZones, productGroups, methodBodies, blendedBodies]): ShopConfig => {
    const methods = methodBodies.map(
      ({ place, group, rate, rules, name: methodName, delivery, ...rest }, m): ShippingMethod => ({
        id: `method_${m}`,
        name: methodName,
        ...rest,
        zoneId: placeId(allZones, place, 2),
        productGroupId: at(productGroups, group).id,
        ...rate,
        ...(delivery === null ? {} : { delivery }),
        rules: rules.map((body, r) => ({ id: `rule_${m}_${r}`, ...body })),
      }),
    );
    const blendedRates = blendedBodies.map(({ place, preferred, ...rest }, b): BlendedRate => {
      const zoneId = placeId(allZones, place, 1);
      const places = preferablePlaces(allZones, zoneId);
      const preferences = productGroups.flatMap(({ id }, g): Preference[] => {
        const choice = preferred[g] ?? 0;
        if (choice < 2) return [];
        const candidates = methods.filter(
          (each) => each.productGroupId === id && places.includes(each.zoneId),
        );
        const method = choice < 4 ? undefined : candidates[choice % Math.max(1, candidates.length)];
        return [{ productGroupId: id, preferredMethodId: method?.id ?? null }];
      });
      return { id: `blended_${b}`, ...rest, zoneId, preferences };
    });
    return { zones: allZones, productGroups, methods, blendedRates };
  });
