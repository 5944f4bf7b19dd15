/**
 * Random placed configurations over few ids, so that two of them share records in every order and with
 * every kind of difference. They keep ids unique and nothing else: diff and comparison need no more.
 */
import fc from 'fast-check';
import type {
  PlacedBlendedRate,
  PlacedCheck,
  PlacedConfig,
  PlacedGroup,
  PlacedMethod,
  PlacedRule,
  PlacedZone,
} from '../../../src/engine/domain/shop-event.ts';

/** Ids that are also names of what every object has. */
const IDS = ['a', 'b', 'c', 'd', 'e', 'f', '7', '__proto__', 'constructor'];

const text = fc.constantFrom('x', 'y');
const placement = fc.integer({ min: 1, max: 3 });

/** Records with unique ids in random order. */
function listOf<T>(recordOf: (id: string) => fc.Arbitrary<T>): fc.Arbitrary<T[]> {
  return fc
    .shuffledSubarray(IDS)
    .chain((ids) => fc.tuple(...ids.map(recordOf)))
    .map((records) => [...records]);
}

const zone = (id: string): fc.Arbitrary<PlacedZone> =>
  fc.record({
    id: fc.constant(id),
    name: text,
    countries: fc.constantFrom(['US'], ['US', 'CA'], ['CA', 'US']),
    subzones: fc
      .shuffledSubarray(['s1', 's2', 's3'])
      .map((ids) => ids.map((subId) => ({ id: `${id}-${subId}`, name: subId, postalCodes: '*' }))),
    placement,
  });

const group = (id: string): fc.Arbitrary<PlacedGroup> =>
  fc.record({
    id: fc.constant(id),
    name: text,
    isDefault: fc.boolean(),
    variantIds: fc.constant([]),
    productIds: fc.constant([]),
    skus: fc.constantFrom([], ['HVY-*']),
    tags: fc.constant([]),
    vendors: fc.constant([]),
    placement,
  });

/** A rule's id names the method that it belongs to, but for one that wanders. */
const rules = (methodId: string): fc.Arbitrary<PlacedRule[]> =>
  fc
    .shuffledSubarray(['r1', 'r2', 'r3', 'r4'])
    .chain((ids) =>
      fc.tuple(
        ...ids.map((id) =>
          fc.record({
            id: fc.constant(`${methodId}-${id}`),
            action: fc.constantFrom('hide' as const, 'show' as const),
            conditions: fc.constant([]),
            enabled: fc.boolean(),
            placement,
          }),
        ),
      ),
    )
    .map((list) => [...list]);

const method = (id: string): fc.Arbitrary<PlacedMethod> =>
  fc.record({
    id: fc.constant(id),
    name: text,
    subtitle: fc.constant(''),
    serviceCode: text,
    zoneId: text,
    productGroupId: text,
    rateType: fc.constant('flat' as const),
    config: fc.record({ price: fc.nat(1) }),
    enabled: fc.constant(true),
    freeShippingThreshold: fc.constantFrom(null, 100),
    rules: rules(id),
    placement,
  });

const blendedRate = (id: string): fc.Arbitrary<PlacedBlendedRate> =>
  fc.record({
    id: fc.constant(id),
    name: text,
    subtitle: fc.constant(''),
    serviceCode: text,
    zoneId: text,
    freeShippingThreshold: fc.constant(null),
    preferences: fc.constantFrom([], [{ productGroupId: 'a', preferredMethodId: null }]),
    enabled: fc.boolean(),
    placement,
  });

const check = (id: string): fc.Arbitrary<PlacedCheck> =>
  fc.record({
    id: fc.constant(id),
    name: text,
    request: fc.constantFrom(
      { destination: { country: 'US' }, items: [{ quantity: 1, grams: 1, price: 1 }] },
      { destination: { country: 'FR' }, items: [{ quantity: 2, grams: 1, price: 1 }] },
    ),
    at: fc.constantFrom(null, '2026-01-07T17:00:00Z'),
    expectations: fc.constantFrom(
      [{ kind: 'some_rate' as const }],
      [{ kind: 'rate' as const, serviceCode: 'a', totalPrice: 1 }],
    ),
    enabled: fc.boolean(),
    placement,
  });

/** One rule id stands under the first or the last method, so that rules change their method too. */
const withWanderer = ([config, first]: [PlacedConfig, boolean]): PlacedConfig => {
  const index = first ? 0 : config.methods.length - 1;
  const host = config.methods[index];
  if (host === undefined) return config;
  const wanderer: PlacedRule = {
    id: 'wanderer',
    action: 'free',
    conditions: [],
    enabled: true,
    placement: 1,
  };
  return { ...config, methods: config.methods.with(index, { ...host, rules: [wanderer, ...host.rules] }) };
};

/** As plain as if it had come from the log. */
export const placedConfig: fc.Arbitrary<PlacedConfig> = fc
  .tuple(
    fc.record({
      zones: listOf(zone),
      productGroups: listOf(group),
      methods: listOf(method),
      blendedRates: listOf(blendedRate),
      checks: listOf(check),
    }),
    fc.boolean(),
  )
  .map(withWanderer)
  .map((config) => JSON.parse(JSON.stringify(config)) as PlacedConfig);
