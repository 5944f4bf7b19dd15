/** Answers of megabytes equal the text of `JSON.stringify`. */
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { ShopConfig } from '../../../src/engine/domain/shop-config.ts';
import {
  blendedRateView,
  groupView,
  methodView,
  methodWithRulesView,
  ruleView,
  snapshotOf,
  zoneView,
} from '../../../src/engine/wire/record-view.ts';
import { sampleConfig } from '../../support/sample-config.ts';
import { startServerOfFile } from '../../support/server-of-file.ts';

const server = await startServerOfFile();

const RECORDS = 4_000;
const numbered = <T>(make: (at: number) => T): T[] => Array.from({ length: RECORDS }, (_, at) => make(at));
const PATTERNS = numbered((at) => String(10_000 + at)).join(',');

/** Each kind has thousands of records, or one record of that size. */
function largeConfig(): ShopConfig {
  const { zones, productGroups, methods, blendedRates } = sampleConfig() as ShopConfig;
  const [zone, group, method, blended] = [zones[0], productGroups[0], methods[0], blendedRates[0]];
  assert.ok(zone && group && method && blended);
  const subzones = Array.from({ length: 40 }, (_, at) => ({
    id: `sub_${at}`,
    name: `S${at}`,
    postalCodes: PATTERNS,
  }));
  const rules = numbered((at) => ({
    id: `rule_${at}`,
    action: 'hide' as const,
    enabled: true,
    conditions: [
      {
        conditionType: 'product_sku' as const,
        operator: 'equals' as const,
        value: `sku-${at},é`.repeat(9),
        scope: 'any_product_in_order' as const,
      },
    ],
  }));
  const one = rules.slice(0, 1).map((rule) => ({ ...rule, id: 'rule_of_other' }));
  return {
    zones: [{ ...zone, subzones }, ...numbered((at) => ({ ...zone, id: `zone_${at}`, subzones: [] }))],
    productGroups: [{ ...group, skus: numbered((at) => `SKU-${at}`.repeat(9)) }],
    methods: [
      { ...method, rules },
      ...numbered((at) => ({ ...method, id: `method_${at}`, rules: at === RECORDS - 1 ? one : [] })),
    ],
    blendedRates: [
      {
        ...blended,
        preferences: numbered((at) => ({
          productGroupId: `group_${at}`,
          preferredMethodId: `method_${at}`,
        })).slice(0, 2_000),
      },
    ],
  };
}

const config = largeConfig();

beforeEach(() => {
  server.shop.state = { ...server.shop.state, config: config as unknown as typeof server.shop.state.config };
});

const { zones, productGroups, methods, blendedRates } = config;
const [zone, group, method, blended] = [zones[0], productGroups[0], methods[0], blendedRates[0]];
assert.ok(zone && group && method && blended);
const rulesOf = (one: (typeof methods)[number]) =>
  one.rules.map((rule, position) => ruleView(rule, one.id, position));

const EXPECTED: Readonly<Record<string, unknown>> = {
  '/api/zones': { zones: zones.map(zoneView) },
  [`/api/zones/${zone.id}`]: { zone: zoneView(zone) },
  '/api/groups': { groups: productGroups.map(groupView) },
  [`/api/groups/${group.id}`]: { group: groupView(group, 0) },
  '/api/methods': { methods: methods.map(methodView) },
  [`/api/methods/${method.id}`]: { method: methodWithRulesView(method, 0) },
  '/api/rules': { rules: methods.flatMap(rulesOf) },
  [`/api/rules?methodId=${method.id}`]: { rules: rulesOf(method) },
  '/api/blended': { blendedRates: blendedRates.map(blendedRateView) },
  [`/api/blended/${blended.id}`]: { blendedRate: blendedRateView(blended, 0) },
  '/api/config': snapshotOf(config, server.shop.state.version.id),
};

for (const [path, expected] of Object.entries(EXPECTED)) {
  test(`GET ${path}`, async () => {
    const { status, text } = await server.call(path);
    assert.equal(status, 200);
    assert.ok(text === JSON.stringify(expected), `another text: ${text.slice(0, 200)}`);
    assert.ok(text.length > 100_000, `${text.length} characters are not many`);
  });
}

test('the last of many rules is found; an unknown rule, or a rule of an unknown method, is not', async () => {
  const home = methods.at(-1);
  assert.ok(home !== undefined);
  const { text } = await server.call('/api/rules/rule_of_other');
  assert.equal(text, JSON.stringify({ rule: rulesOf(home)[0] }));
  for (const path of ['/api/rules/rule_none', '/api/rules?methodId=method_none']) {
    assert.equal((await server.call(path)).status, 404, path);
  }
});
