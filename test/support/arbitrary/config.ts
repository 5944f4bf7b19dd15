/** Random valid shop configurations: zones, groups, methods of every rate type, rules, blended rates. */
import fc, { type Arbitrary } from 'fast-check';
import type { BlendedRate, Preference } from '../../../src/domain/blended-rate.ts';
import type { ProductGroup } from '../../../src/domain/product-group.ts';
import type { RateConfig } from '../../../src/domain/rate-type.ts';
import type { Rule } from '../../../src/domain/rule.ts';
import type { ShippingMethod } from '../../../src/domain/shipping-method.ts';
import type { ShopConfig } from '../../../src/domain/shop-config.ts';
import type { Subzone, Zone } from '../../../src/domain/zone.ts';
import * as alphabet from './alphabets.ts';
import { condition } from './conditions.ts';

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

/** The lists by which items find their group; `*` is a wildcard in skus and a character elsewhere. */
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

/** Ascending bounds for tiers that may leave gaps, start above 0 and stay open at the end. */
const tierBounds = (pool: readonly number[]): Arbitrary<readonly [from: number, to: number | null][]> =>
  fc
    .tuple(
      fc.uniqueArray(pick(pool), { minLength: 2, maxLength: 6 }),
      fc.boolean(),
      fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }),
    )
    .map(([bounds, isOpen, gaps]) => {
      const sorted = [...bounds].sort((a, b) => a - b);
      return sorted.flatMap((from, index): [number, number | null][] => {
        const next = sorted[index + 1];
        if (next === undefined) return isOpen ? [[from, null]] : [];
        // The first tier always stays; a later one may be left out, which makes a gap.
        return index > 0 && gaps[index] === true && (gaps[index - 1] === true || isOpen)
          ? []
          : [[from, next]];
      });
    });

const tiersOf = <T>(
  pool: readonly number[],
  tier: (from: number, to: number | null, price: number) => T,
): Arbitrary<{ tiers: T[] }> =>
  fc.tuple(tierBounds(pool), fc.array(cents, { minLength: 6, maxLength: 6 })).map(([bounds, prices]) => ({
    tiers: bounds.map(([from, to], index) => tier(from, to, prices[index] ?? 0)),
  }));

const GRAM_BOUNDS = [0, 1, 100, 250, 500, 999, 1000, 1001, 2000, 5000, 10_000];
const CENT_BOUNDS = [0, 1, 100, 250, 999, 1000, 1001, 2000, 2500, 5000, 25_000];
const PIECE_BOUNDS = [0, 1, 2, 3, 4, 5, 6, 10, 30, 50];

export const rateConfig: Arbitrary<RateConfig> = fc.oneof(
  fc.record({ rateType: fc.constant('flat' as const), config: fc.record({ price: cents }, plain) }, plain),
  fc.constant({ rateType: 'free', config: {} } as const),
  fc.record(
    {
      rateType: fc.constant('by_weight_table' as const),
      config: tiersOf(GRAM_BOUNDS, (minWeight, maxWeight, price) => ({ minWeight, maxWeight, price })),
    },
    plain,
  ),
  fc.record(
    {
      rateType: fc.constant('by_price_table' as const),
      config: tiersOf(CENT_BOUNDS, (minPrice, maxPrice, price) => ({ minPrice, maxPrice, price })),
    },
    plain,
  ),
  fc.record(
    {
      rateType: fc.constant('by_items_table' as const),
      config: tiersOf(PIECE_BOUNDS, (minItems, maxItems, price) => ({ minItems, maxItems, price })),
    },
    plain,
  ),
  fc.record(
    {
      rateType: fc.constant('by_items' as const),
      config: fc.record({ firstItemPrice: cents, additionalItemPrice: cents }, plain),
    },
    plain,
  ),
  fc.record(
    {
      rateType: fc.constant('by_weight' as const),
      config: fc.record(
        {
          firstWeight: pick(GRAM_BOUNDS),
          firstPrice: cents,
          additionalWeight: pick([1, 2, 99, 100, 500, 1000, alphabet.CENTS_LIMIT]),
          additionalPrice: cents,
        },
        plain,
      ),
    },
    plain,
  ),
  fc.record({ rateType: fc.constant('percentage' as const), config: percentageConfig() }, plain),
);

function percentageConfig() {
  return fc
    .tuple(pick(alphabet.PERCENTAGES), fc.option(cents), fc.option(cents))
    .map(([percentage, first, second]) => {
      const both = first !== null && second !== null;
      const [min, max] = both && first > second ? [second, first] : [first, second];
      return {
        percentage,
        ...(min === null ? {} : { minPrice: min }),
        ...(max === null ? {} : { maxPrice: max }),
      };
    });
}

const conditions = weighted(
  [1, fc.array(condition, { maxLength: 0 })],
  [5, fc.array(condition, { minLength: 1, maxLength: 1 })],
  [3, fc.array(condition, { minLength: 2, maxLength: 4 })],
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
const rule: Arbitrary<RuleBody> = weighted<RuleBody>(
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
    rules: weighted<RuleBody[]>([1, fc.constant([])], [3, fc.array(rule, { minLength: 1, maxLength: 4 })]),
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
    enabled,
    /** Per group: not listed, listed without a method, or the n-th method that may be preferred. */
    preferred: fc.array(fc.nat(9), { minLength: alphabet.GROUPS_MAX, maxLength: alphabet.GROUPS_MAX }),
  },
  plain,
);

/** A zone or subzone; `zoneShare` times the zone itself, so that not all fall into its many subzones. */
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
 * Places bound to a blended rate's place such that its methods may be preferred: the same place, a subzone
 * of it, or the zone of its subzone (contract section 3, "blended rate").
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
      [1, fc.array(methodBody, { minLength: 1, maxLength: 3 })],
      [4, fc.array(methodBody, { minLength: 6, maxLength: 18 })],
    ),
    weighted(
      [1, fc.array(blendedBody, { maxLength: 0 })],
      [4, fc.array(blendedBody, { minLength: 1, maxLength: 5 })],
    ),
  )
  .map(([allZones, productGroups, methodBodies, blendedBodies]): ShopConfig => {
    const methods = methodBodies.map(
      ({ place, group, rate, rules, name: methodName, ...rest }, m): ShippingMethod => ({
        id: `method_${m}`,
        name: methodName,
        ...rest,
        zoneId: placeId(allZones, place, 2),
        productGroupId: at(productGroups, group).id,
        ...rate,
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
