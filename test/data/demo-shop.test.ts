/**
 * The demo shop is a valid configuration and a broad example: it has every rate type, scope, action and expectation, and
 * conditions on every subject and every kind of value. Coverage is derived from the tables of the domain.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileShop } from '../../src/engine/compile/compiled-shop.ts';
import {
  CONDITION_TYPE_NAMES,
  CONDITION_TYPES,
  type Condition,
  type ConditionType,
  DEFAULT_SCOPE,
  findConditionDefect,
  SCOPE_NAMES,
  splitAlternatives,
} from '../../src/engine/domain/condition.ts';
import { isCurrency } from '../../src/engine/domain/currency.ts';
import { EXPECTATION_KINDS } from '../../src/engine/domain/expectation.ts';
import { ID_PREFIXES, type IdKind } from '../../src/engine/domain/id.ts';
import {
  canonicalPattern,
  parsePostalPattern,
  postalFormOf,
  splitPostalPatterns,
} from '../../src/engine/domain/postal-code.ts';
import { GROUP_MATCHER_FIELDS } from '../../src/engine/domain/product-group.ts';
import {
  findRateConfigDefect,
  RATE_TYPE_NAMES,
  RATE_TYPES,
  type RateConfig,
} from '../../src/engine/domain/rate-type.ts';
import {
  ADJUSTMENT_PERCENTAGE_MAX,
  ADJUSTMENT_TYPES,
  isAdjusting,
  RULE_ACTIONS,
} from '../../src/engine/domain/rule.ts';
import { isTimeZone, ShopSettings } from '../../src/engine/domain/shop.ts';
import type { ShopConfig } from '../../src/engine/domain/shop-config.ts';
import { compileSchema } from '../../src/engine/wire/schema-check.ts';
import { type ConditionInput, ConfigData } from '../../src/engine/wire/write-bodies.ts';
import { runChecks } from '../../src/shop/reader/check-run.ts';
import { TrialShop } from '../engine/change/trial-shop.ts';
import { readDemoShop } from './demo-files.ts';

const file = readDemoShop() as { readonly shop: unknown; readonly config: unknown };
const config = file.config as ConfigData;
const { fulfilment: demoFulfilment } = file.shop as Pick<ShopSettings, 'fulfilment'>;
const groups = config.productGroups ?? [];
const zones = config.zones ?? [];
const subzones = zones.flatMap((zone) => zone.subzones ?? []);
const methods = config.methods ?? [];
const rules = methods.flatMap((method) => method.rules ?? []);
const blendedRates = config.blendedRates ?? [];

const complete = (condition: ConditionInput): Condition => ({
  conditionType: condition.conditionType,
  operator: condition.operator,
  value: String(condition.value ?? ''),
  scope: condition.scope ?? DEFAULT_SCOPE,
});
const conditions = rules.flatMap((rule) => (rule.conditions ?? []).map(complete));
const patternsOf = (subzone: (typeof subzones)[number]) => splitPostalPatterns(subzone.postalCodes);

/** Zone or subzone id -> the zone it is or lies in. */
const zoneOf = new Map(
  zones.flatMap((zone) => [zone, ...(zone.subzones ?? [])].map((place) => [place.id, zone.id] as const)),
);

const assertUsesAll = (used: Iterable<unknown>, all: readonly string[], what: string) => {
  const names = new Set(used);
  assert.deepEqual(
    all.filter((name) => !names.has(name)),
    [],
    `no example of these ${what}`,
  );
};

test('the demo shop has a name, a currency and a time zone that the system knows', () => {
  const settings = { ...(file.shop as object), id: 'shop_demo', plan: 'enterprise' };
  const check = compileSchema(ShopSettings);
  assert.ok(check.check(settings), check.defects(settings).join());
  assert.ok(isCurrency(settings.currency));
  assert.ok(isTimeZone(settings.timezone));
});

test('the configuration passes the schema of a bulk write', () => {
  assert.deepEqual(Object.keys(file).sort(), ['config', 'shop']);
  assert.deepEqual(compileSchema(ConfigData).defects(config, 20), []);
});

test('every rate configuration fits its rate type', () => {
  for (const method of methods) {
    const schema = compileSchema(RATE_TYPES[method.rateType]);
    assert.deepEqual(schema.defects(method.config ?? {}), [], method.id);
    const { rateType } = method;
    assert.equal(
      findRateConfigDefect({ rateType, config: method.config ?? {} } as RateConfig),
      null,
      method.id,
    );
  }
});

test('every condition fits together, and the ids it names exist', () => {
  const existing: Partial<Record<Condition['conditionType'], ReadonlySet<string | undefined>>> = {
    product_group: new Set(groups.map((group) => group.id)),
    destination_subzone: new Set(subzones.map((subzone) => subzone.id)),
  };
  for (const rule of rules) {
    for (const condition of (rule.conditions ?? []).map(complete)) {
      assert.equal(findConditionDefect(condition), null, rule.id);
      const known = existing[condition.conditionType];
      if (known === undefined) continue;
      for (const id of splitAlternatives(condition.value)) assert.ok(known.has(id), `${rule.id}: ${id}`);
    }
  }
});

test('a rule has an adjustment exactly when its action adjusts', () => {
  for (const rule of rules) {
    assert.equal(rule.adjustmentValue !== undefined, isAdjusting(rule.action), rule.id);
    assert.equal(rule.adjustmentType !== undefined, isAdjusting(rule.action), rule.id);
    if (rule.adjustmentType === 'percentage') {
      assert.ok((rule.adjustmentValue ?? 0) <= ADJUSTMENT_PERCENTAGE_MAX, rule.id);
    }
  }
});

test('every postal pattern can be read, and none is written twice in a zone', () => {
  for (const zone of zones) {
    const form = postalFormOf(zone.countries[0] ?? '');
    const seen = new Set<string>();
    for (const text of (zone.subzones ?? []).flatMap(patternsOf)) {
      const pattern = parsePostalPattern(text);
      assert.ok(typeof pattern !== 'string', `${zone.id}: ${pattern}`);
      const canonical = JSON.stringify(canonicalPattern(form, pattern));
      assert.ok(!seen.has(canonical), `${zone.id}: ${text}`);
      seen.add(canonical);
    }
  }
});

test('a country is in one zone, and one zone takes the countries that no other lists', () => {
  const countries = zones.flatMap((zone) => zone.countries);
  assert.equal(new Set(countries).size, countries.length);
  assert.ok(countries.includes('*'));
});

test('every reference names a record that exists', () => {
  const groupIds = new Set(groups.map((group) => group.id));
  for (const method of methods) {
    assert.ok(zoneOf.has(method.zoneId), method.id);
    assert.ok(groupIds.has(method.productGroupId), method.id);
  }
  const methodById = new Map(methods.map((method) => [method.id, method]));
  for (const blended of blendedRates) {
    const zoneId = zoneOf.get(blended.zoneId);
    assert.ok(zoneId !== undefined, blended.id);
    const preferences = blended.preferences ?? [];
    assert.equal(new Set(preferences.map((each) => each.productGroupId)).size, preferences.length);
    for (const { productGroupId, preferredMethodId } of preferences) {
      assert.ok(groupIds.has(productGroupId), blended.id);
      if (typeof preferredMethodId !== 'string') continue;
      const method = methodById.get(preferredMethodId);
      assert.ok(method !== undefined, `${blended.id}: ${preferredMethodId}`);
      assert.equal(method.productGroupId, productGroupId, `${blended.id}: ${preferredMethodId}`);
      const places: readonly unknown[] = [blended.zoneId, zoneId];
      assert.ok(blended.zoneId === zoneId || places.includes(method.zoneId), `${blended.id}: ${method.id}`);
      assert.equal(zoneOf.get(method.zoneId), zoneId, `${blended.id}: ${preferredMethodId}`);
    }
  }
});

test('every record has an id of its own with the prefix of its kind', () => {
  const ids: readonly (readonly [IdKind, readonly { readonly id?: string }[]])[] = [
    ['productGroup', groups],
    ['zone', zones],
    ['subzone', subzones],
    ['method', methods],
    ['rule', rules],
    ['blendedRate', blendedRates],
    ['check', config.checks ?? []],
  ];
  const seen = new Set<string>();
  for (const [kind, records] of ids) {
    for (const { id } of records) {
      assert.ok(id !== undefined, `a ${kind} without id`);
      assert.ok(id.startsWith(ID_PREFIXES[kind]), `${kind} ${id}`);
      assert.ok(!seen.has(id), id);
      seen.add(id);
    }
  }
});

test('service codes are unique within a zone and its subzones', () => {
  for (const records of [methods, blendedRates]) {
    const codes = records.map((record) => `${zoneOf.get(record.zoneId)} ${record.serviceCode}`);
    assert.equal(new Set(codes).size, codes.length);
  }
});

test('exactly one group is the default', () => {
  assert.equal(groups.filter((group) => group.isDefault === true).length, 1);
});

test('there is an example of every rate type, subject, kind of value, scope, action and adjustment', () => {
  assertUsesAll(new Set(methods.map((method) => method.rateType)), RATE_TYPE_NAMES, 'rate types');
  const rowsOf = (types: readonly ConditionType[]) => types.map((type) => CONDITION_TYPES[type]);
  const used = rowsOf(conditions.map((each) => each.conditionType));
  const all = rowsOf(CONDITION_TYPE_NAMES);
  assertUsesAll(
    used.map(({ subject }) => subject),
    all.map(({ subject }) => subject),
    'subjects',
  );
  assertUsesAll(
    used.map(({ kind }) => kind),
    all.map(({ kind }) => kind),
    'kinds of values',
  );
  assertUsesAll(new Set(conditions.map((each) => each.scope)), SCOPE_NAMES, 'scopes');
  assertUsesAll(new Set(rules.map((rule) => rule.action)), RULE_ACTIONS, 'actions');
  assertUsesAll(new Set(rules.map((rule) => rule.adjustmentType)), ADJUSTMENT_TYPES, 'adjustment types');
});

test('there is an example of every group matcher, kind of postal pattern and form of preference', () => {
  const matchers = GROUP_MATCHER_FIELDS.filter((field) => groups.some((group) => group[field]?.length));
  assertUsesAll(matchers, GROUP_MATCHER_FIELDS, 'group matchers');
  assert.ok(groups.some((group) => group.skus?.some((sku) => sku.endsWith('*'))));
  const kinds = subzones.flatMap(patternsOf).map((text) => {
    const pattern = parsePostalPattern(text);
    return typeof pattern === 'string' ? pattern : pattern.kind;
  });
  assertUsesAll(kinds, ['exact', 'range', 'prefix'], 'kinds of postal pattern');
  const preferences = blendedRates.flatMap((blended) => blended.preferences ?? []);
  assert.ok(preferences.some((each) => each.preferredMethodId === null));
  assert.ok(preferences.some((each) => typeof each.preferredMethodId === 'string'));
  assert.ok(blendedRates.some((blended) => typeof blended.freeShippingThreshold === 'number'));
  assert.ok(blendedRates.some((blended) => blended.zoneId.startsWith(ID_PREFIXES.subzone)));
});

test('the shop is large enough to be realistic', () => {
  assert.ok(zones.filter((zone) => (zone.subzones ?? []).length > 0).length >= 3);
  assert.ok(groups.length >= 4);
  assert.ok(methods.length >= 15);
  assert.ok(rules.length >= 40);
});

test('twelve checks pass at any time, with an expectation of every kind', () => {
  const checks = config.checks ?? [];
  assert.equal(checks.length, 12);
  assertUsesAll(
    checks.flatMap(({ expectations }) => expectations.map(({ kind }) => kind)),
    EXPECTATION_KINDS,
    'kinds of expectations',
  );
  const made = new TrialShop();
  made.execute(config);
  const shop = compileShop(made.config as unknown as ShopConfig, {
    currency: 'USD',
    timezone: 'America/Los_Angeles',
    ...(demoFulfilment === undefined ? {} : { fulfilment: demoFulfilment }),
  });
  for (let day = 0; day < 366; day += 61) {
    const nowMs = Date.UTC(2026, 0, 1, 5 * (day % 5)) + day * 86_400_000;
    const { results } = runChecks({ shop, versionId: null, nowMs }, made.config.checks);
    const reasons = results.flatMap(({ name, failures }) =>
      failures.map(({ reason }) => `${name}: ${reason}`),
    );
    assert.deepEqual(reasons, [], new Date(nowMs).toISOString());
  }
});
