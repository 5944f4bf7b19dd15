import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { applyChange, applyEvent } from '../../../src/engine/change/apply.ts';
import { sameJson } from '../../../src/engine/change/diff.ts';
import type {
  ConfigChange,
  ListChange,
  PlacedConfig,
  ShopState,
} from '../../../src/engine/domain/shop-event.ts';
import { applied, appliedUnmarked, changeBetween, withoutLastChanges } from './changes-applied.ts';
import { placedConfig } from './placed-config-arbitraries.ts';
import { shopWithZones } from './trial-shop.ts';

const KINDS = ['zones', 'productGroups', 'methods', 'blendedRates'] as const;

const IDS = ['a', 'b', 'c', '7', '__proto__', 'constructor'];

/** One record of one list is taken from elsewhere, put in another place, or left out. */
const edit = fc.record({
  kind: fc.constantFrom(...KINDS),
  id: fc.constantFrom(...IDS),
  index: fc.nat(9),
  what: fc.constantFrom('replace' as const, 'place' as const, 'remove' as const),
});
type Edit = typeof edit extends fc.Arbitrary<infer T> ? T : never;

function editedList<T extends { readonly id: string }>(
  list: readonly T[],
  others: readonly T[],
  { id, index, what }: Edit,
): readonly T[] {
  const kept = list.filter((record) => record.id !== id);
  const come = others.find((record) => record.id === id);
  if (what === 'remove' || come === undefined) return kept;
  return what === 'place'
    ? kept.toSpliced(index, 0, come)
    : list.map((record) => (record.id === id ? come : record));
}

function edited(config: PlacedConfig, others: PlacedConfig, one: Edit): PlacedConfig {
  const { kind } = one;
  return { ...config, [kind]: editedList<{ readonly id: string }>(config[kind], others[kind], one) };
}

/** How many records a change names. */
function recordsNamed({ rules = {}, ...lists }: ConfigChange): number {
  const changes: ListChange<unknown>[] = [...Object.values(lists), ...Object.values(rules)];
  return changes.flatMap(({ removed = [], replaced = [], placed = [] }) => [
    ...removed,
    ...replaced,
    ...placed,
  ]).length;
}

const UNKNOWN = Array.from({ length: 20 }, (_, at) => `unknown_${at}`);

/** The same change, which also removes what is not there: too much to be applied as a small one. */
function padded(change: ConfigChange): ConfigChange {
  const padList = <T>(list: ListChange<T> = {}): ListChange<T> => ({
    ...list,
    removed: [...UNKNOWN, ...(list.removed ?? [])],
  });
  const rules = [...Object.entries(change.rules ?? {}), ...UNKNOWN.map((id) => [id, {}] as const)];
  return {
    zones: padList(change.zones),
    productGroups: padList(change.productGroups),
    methods: padList(change.methods),
    blendedRates: padList(change.blendedRates),
    rules: Object.fromEntries(rules.map(([id, list]) => [id, padList(list)])),
  };
}

/** With so many zones and methods in front that records are found by an index. */
function lengthened(config: PlacedConfig): PlacedConfig {
  const [zone] = config.zones;
  const [method] = config.methods;
  const ids = Array.from({ length: 300 }, (_, at) => `filler_${at}`);
  const zones = zone === undefined ? [] : ids.map((id) => ({ ...zone, id }));
  const methods = method === undefined ? [] : ids.map((id) => ({ ...method, id, rules: [] }));
  return { ...config, zones: [...zones, ...config.zones], methods: [...methods, ...config.methods] };
}

for (const { lists, prepare, numRuns } of [
  { lists: 'short', prepare: (config: PlacedConfig) => config, numRuns: 400 },
  { lists: 'long', prepare: lengthened, numRuns: 100 },
]) {
  test(`in ${lists} lists a change of few records gives what the same one gives among many`, () => {
    let [changes, few] = [0, 0];
    fc.assert(
      fc.property(placedConfig, placedConfig, fc.array(edit, { maxLength: 6 }), (first, others, edits) => {
        let from = prepare(first);
        for (const one of edits) {
          const to = edited(from, others, one);
          const change = changeBetween(from, to);
          const named = recordsNamed(change);
          changes++;
          if (named > 0 && named <= 8) few++;
          assert.deepEqual(appliedUnmarked(from, padded(change)), to);
          from = appliedUnmarked(from, change);
          assert.deepEqual(from, to);
        }
      }),
      { numRuns },
    );
    assert.ok(few > changes / 4, `${few} of ${changes}`);
  });
}

test('records and lists that a change does not touch are shared by identity', () => {
  fc.assert(
    fc.property(placedConfig, placedConfig, (from, to) => {
      const result = applied(from, changeBetween(from, to));
      for (const kind of KINDS) {
        if (sameJson(from[kind], to[kind])) assert.equal(result[kind], from[kind]);
        for (const record of result[kind]) {
          const old = from[kind].find(({ id }) => id === record.id);
          const isKept = old !== undefined && sameJson(old, record);
          const isOnlyOrder = changeBetween(from, to)[kind]?.placed?.some(
            (placed) => placed.record.id === record.id,
          );
          if (isKept && !isOnlyOrder) assert.equal(record, old);
        }
      }
    }),
    { numRuns: 500 },
  );
});

test('a write into one method shares all other methods, zones, groups and blended rates', () => {
  const shop = shopWithZones();
  const methods = ['A', 'B', 'C'].map((name) => shop.createMethod({ name }));
  const before = shop.config;
  shop.createRule(methods[1]?.id ?? '');
  assert.equal(shop.config.zones, before.zones);
  assert.equal(shop.config.productGroups, before.productGroups);
  assert.equal(shop.config.blendedRates, before.blendedRates);
  assert.equal(shop.config.methods[0], before.methods[0]);
  assert.notEqual(shop.config.methods[1], before.methods[1]);
  assert.equal(shop.config.methods[2], before.methods[2]);
});

test('a method that is changed or moved keeps its rules by identity', () => {
  const shop = shopWithZones();
  const [first] = ['A', 'B'].map((name) => shop.createMethod({ name }));
  assert.ok(first);
  shop.createRule(first.id);
  const rules = shop.config.methods[0]?.rules;
  shop.accept({ kind: 'updateMethod', id: first.id, body: { name: 'A2', position: 1 } });
  assert.equal(shop.config.methods[1]?.id, first.id);
  assert.equal(shop.config.methods[1]?.rules, rules);
});

test('a change of hundreds of methods is applied, and marks those that differ', () => {
  const shop = shopWithZones();
  const methods = Array.from({ length: 700 }, (_, i) => ({
    ...{ id: `method-${i}`, name: `Method ${i}`, zoneId: 'zone_us', rateType: 'free' as const },
    rules: [{ id: `rule-${i}`, action: 'hide' as const }],
  }));
  shop.execute({ methods });
  const from = shop.config;
  const [first, second, ...others] = from.methods;
  assert.ok(first && second);
  const renamed = others.slice(0, -2).map((method) => ({ ...method, name: `${method.name}, new` }));
  const to = { ...from, methods: [...renamed, ...others.slice(-2, -1), second, first] };
  const change = changeBetween(from, to);
  const after = applyChange(from, change, 9);
  assert.deepEqual(withoutLastChanges(after), withoutLastChanges(to));
  const marks = new Map(after.methods.map(({ id, changedIn }) => [id, changedIn]));
  const unchanged = others.at(-2);
  assert.equal(marks.get(renamed[0]?.id ?? ''), 9);
  assert.equal(marks.get(unchanged?.id ?? ''), unchanged?.changedIn);
});

test('a method id that every object has as a name gets its rules', () => {
  const shop = shopWithZones();
  const methods = ['__proto__', 'constructor', 'toString'].map((id) => ({
    id,
    name: id,
    zoneId: 'zone_us',
    rateType: 'free' as const,
    rules: [{ id: `rule-${id}`, action: 'hide' as const }],
  }));
  shop.execute({ methods });
  shop.accept({ kind: 'updateRule', id: 'rule-__proto__', body: { action: 'show' } });
  assert.deepEqual(
    shop.config.methods.map(({ id, rules }) => [id, rules[0]?.action]),
    [
      ['__proto__', 'show'],
      ['constructor', 'hide'],
      ['toString', 'hide'],
    ],
  );
  const replayed = JSON.parse(JSON.stringify(shop.events)).reduce(applyEvent, null) as ShopState;
  assert.deepEqual(replayed, shop.state);
});

test('a state is never changed in place', () => {
  const shop = shopWithZones();
  const before: PlacedConfig = structuredClone(shop.config);
  const { config } = shop;
  shop.createMethod();
  shop.execute({ zones: [], methods: [], blendedRates: [] });
  assert.deepEqual(config, before);
});

test('a shop begins with its creation, once', () => {
  const [created, changed] = shopWithZones().events;
  assert.ok(created && changed);
  assert.throws(() => applyEvent(null, changed), /first event/);
  const state = applyEvent(null, created);
  assert.throws(() => applyEvent(state, created), /second time/);
});
