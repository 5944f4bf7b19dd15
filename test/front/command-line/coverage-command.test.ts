/** The table of what live simulations did not use. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Coverage } from '../../../src/engine/wire/coverage.ts';
import { coverageLines } from '../../../src/front/command-line/coverage-command.ts';

const LATELY = '2026-11-20T10:00:00.000Z';
const LONG_AGO = '2026-09-01T10:00:00.000Z';
const unusedSinceMs = Date.parse('2026-10-25T00:00:00Z');

const coverage: Coverage = {
  since: LONG_AGO,
  simulations: 9,
  days: Array.from({ length: 9 }, (_, day) => ({
    date: `2026-11-0${day + 1}`,
    simulations: day,
    withoutRate: day === 8 ? 1 : 0,
    cheapestMedian: day === 0 ? null : 795,
  })),
  zones: [
    { zoneId: 'zone_us', subzoneId: null, count: 9 },
    { zoneId: 'zone_us', subzoneId: 'sub_alaska', count: 0 },
  ],
  methods: [
    { methodId: 'method_post', considered: 9, visible: 8, offered: 8, lastOfferedAt: LATELY },
    { methodId: 'method_old', considered: 5, visible: 3, offered: 3, lastOfferedAt: LONG_AGO },
  ],
  rules: [
    { ruleId: 'rule_cold', evaluated: 9, matched: 0, lastMatchedAt: null },
    { ruleId: 'rule_big', evaluated: 9, matched: 2, lastMatchedAt: LATELY },
  ],
  tiers: [{ methodId: 'method_post', index: 1, count: 0 }],
  groups: [{ productGroupId: 'group_all', count: 9 }],
};

const noLists = { variantIds: [], productIds: [], skus: [], tags: [], vendors: [] };
const methodOf = (id: string, name: string, rules: readonly { id: string; name?: string }[]) => ({
  id,
  name,
  subtitle: '',
  serviceCode: id,
  zoneId: 'zone_us',
  productGroupId: 'group_all',
  rateType: 'free' as const,
  config: {},
  enabled: true,
  freeShippingThreshold: null,
  rules: rules.map((rule) => ({ ...rule, action: 'hide' as const, conditions: [], enabled: true })),
});
const records = {
  zones: [
    {
      id: 'zone_us',
      name: 'US',
      countries: ['US'],
      subzones: [{ id: 'sub_alaska', name: 'Alaska', postalCodes: '995' }],
    },
  ],
  productGroups: [{ id: 'group_all', name: 'All', isDefault: true, ...noLists }],
  methods: [
    methodOf('method_post', 'Post', [{ id: 'rule_cold', name: 'No cold goods' }, { id: 'rule_big' }]),
  ],
};

const HEAD = [
  `9 live simulations since ${LONG_AGO}`,
  'Not used: 1 of 2 methods, 1 of 2 rules, 1 of 1 tiers, 0 of 1 zones, 1 of 1 subzones, 0 of 1 groups',
  '',
];
const DAYS = [
  'DAY         SIMULATIONS  WITHOUT A RATE  CHEAPEST RATE (MEDIAN, CENTS)',
  '2026-11-01  0            0',
  ...[1, 2, 3, 4, 5, 6, 7].map((day) => `2026-11-0${day + 1}  ${day}            0               795`),
  '2026-11-09  8            1               795',
];

test('records that were never used come first, then those not used for long, with counts and last use', () => {
  assert.deepEqual(coverageLines(coverage, records, { unusedSinceMs, showsAll: false }), [
    ...HEAD,
    DAYS[0],
    ...DAYS.slice(-7),
    '',
    'KIND     USED  OF  LAST USED                 RECORD',
    'rule     0     9   never                     No cold goods (rule_cold) of Post',
    'tier     0     9   never                     tier 1 of Post (method_post)',
    'subzone  0     9   never                     Alaska (sub_alaska)',
    // A record that the configuration has no name for is shown by its id.
    `method   3     5   ${LONG_AGO}  method_old`,
  ]);
});

test('used records are shown, too, on request', () => {
  const lines = coverageLines(coverage, records, { unusedSinceMs, showsAll: true });
  assert.deepEqual(lines.slice(3, 14), [...DAYS, '']);
  assert.equal(lines.length, 23);
  assert.deepEqual(lines.slice(18, 21), [
    `rule     2     9   ${LATELY}  rule_big of Post`,
    `method   3     5   ${LONG_AGO}  method_old`,
    `method   8     9   ${LATELY}  Post (method_post)`,
  ]);
  assert.match(lines.at(-1) ?? '', /^group +9 +9 +not kept +All \(group_all\)$/);
});

test('a shop in which everything was used has no table', () => {
  const used = { ...coverage, days: [], zones: [], methods: [], rules: [], tiers: [] };
  assert.deepEqual(coverageLines(used, records, { unusedSinceMs, showsAll: false }), [
    HEAD[0],
    'Not used: 0 of 1 groups',
  ]);
});
