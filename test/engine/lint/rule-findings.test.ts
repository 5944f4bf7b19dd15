/** Rules that never match, methods that are never visible, and rules that only look like these. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Condition } from '../../../src/engine/domain/condition.ts';
import type { ShopConfig } from '../../../src/engine/domain/shop-config.ts';
import {
  condition as c,
  findingsOf,
  group,
  lintConfig,
  method,
  rule,
  SETTINGS,
  shop,
  shopWithRules,
  zone,
} from './config-builder.ts';

type Case = readonly [what: string, ...conditions: Condition[]];

const NEVER: readonly Case[] = [
  ['bounds of one total', c('cart_total', 'greater_than_or_equal', 5000), c('cart_total', 'less_than', 2000)],
  ['between with its ends turned', c('cart_weight', 'between', '500,100')],
  ['a quantity of 0', c('cart_quantity', 'equals', 0)],
  ['a quantity below 1', c('product_quantity', 'less_than', 1)],
  ['more pieces than a request may hold', c('product_quantity', 'greater_than', 1_000_000)],
  ['disjoint states', c('destination_state', 'equals', 'CA,NY'), c('destination_state', 'equals', 'AK,HI')],
  [
    'a prefix against a state',
    c('destination_state', 'equals', 'N*'),
    c('destination_state', 'equals', 'CA'),
  ],
  [
    'a text that is empty and has a part',
    c('destination_city', 'is_empty', ''),
    c('destination_city', 'contains', 'york'),
  ],
  [
    'every item and some item',
    c('product_sku', 'equals', 'a', 'all_products_in_order'),
    c('product_sku', 'equals', 'b'),
  ],
  [
    'no item and some item',
    c('product_tag', 'equals', 'red', 'no_product_in_order'),
    c('product_tag', 'equals', 'red'),
  ],
  [
    'no item and every item of the group',
    c('product_price', 'less_than', 900, 'no_product_in_order'),
    c('product_price', 'less_than', 500, 'all_products_in_group'),
  ],
  [
    'a part and its negation',
    c('destination_city', 'contains', 'york'),
    c('destination_city', 'not_contains', 'york'),
  ],
  ['some tag and none', c('customer_tag', 'is_empty', ''), c('customer_tag', 'equals', 'vip')],
  [
    'a tag and a part of it that is forbidden',
    c('customer_tag', 'equals', 'vip'),
    c('customer_tag', 'not_contains', 'i'),
  ],
  ['two weekdays', c('day_of_week', 'equals', 'monday'), c('day_of_week', 'equals', 'tuesday')],
  ['times', c('time_of_day', 'less_than', '08:00'), c('time_of_day', 'greater_than', '18:00')],
];

/** Only the evaluator tells that no cart matches: by other records, by what a request may hold, by several fields. */
const UNMATCHED: readonly Case[] = [
  [
    'a beginning that is forbidden',
    c('destination_city', 'starts_with', 'new york'),
    c('destination_city', 'not_contains', 'york'),
  ],
  ['a country outside the zone', c('destination_country', 'equals', 'CA,MX')],
  ['a subzone of another zone', c('destination_subzone', 'equals', 'berlin')],
  ['a group that does not exist', c('product_group', 'equals', 'nope')],
  ['another group where the group is looked at', c('product_group', 'equals', 'vip', 'any_product_in_group')],
  ['a tag by which another group takes the item', c('product_tag', 'equals', 'vip', 'any_product_in_group')],
  ['a tag with a comma', c('product_tag', 'equals', 'a\\,b')],
  ['a currency of two letters', c('cart_currency', 'equals', 'US')],
  ['no currency, where the shop has one', c('cart_currency', 'is_empty', '')],
  ['a day of the year before the year 0', c('date', 'less_than', '0000-01-01')],
  ['a weekday that a date is not', c('date', 'equals', '2026-03-01'), c('day_of_week', 'equals', 'monday')],
  ['no day between two dates', c('date', 'greater_than', '2026-02-28'), c('date', 'less_than', '2026-03-01')],
  [
    'two items in an order of one piece',
    c('cart_quantity', 'equals', 1),
    c('product_sku', 'equals', 'a'),
    c('product_sku', 'equals', 'b'),
  ],
  ['more items than pieces', c('cart_quantity', 'less_than', 3), c('cart_unique_items', 'greater_than', 2)],
  [
    'an item dearer than the order',
    c('product_price', 'greater_than', 5000),
    c('cart_total', 'less_than', 5000),
  ],
  [
    'cheap items that cannot add up',
    c('product_price', 'less_than', 100, 'all_products_in_order'),
    c('cart_quantity', 'less_than', 3),
    c('cart_total', 'greater_than', 198),
  ],
  [
    'a group heavier than the order',
    c('product_weight', 'greater_than', 900, 'sum_of_group'),
    c('cart_weight', 'less_than', 900),
  ],
  [
    'postal codes that begin otherwise',
    c('destination_postal_code', 'equals', '99*'),
    c('destination_postal_code', 'equals', '10000-20000'),
  ],
  [
    'postal codes that are excluded',
    c('destination_postal_code', 'starts_with', '99'),
    c('destination_postal_code', 'not_equals', '9*'),
  ],
  ['the postal codes of a subzone with its own method', c('destination_postal_code', 'equals', '10115,101*')],
];

const MAYBE: readonly Case[] = [
  ['different items', c('product_sku', 'equals', 'a'), c('product_sku', 'equals', 'b')],
  [
    'one item of the group, another that is not',
    c('product_price', 'less_than', 100, 'all_products_in_group'),
    c('product_price', 'greater_than', 100),
  ],
  ['an item of another group', c('product_tag', 'equals', 'vip')],
  ['any text but one', c('customer_id', 'equals', '*,7'), c('customer_id', 'not_equals', '7')],
  [
    "a customer's tag with a comma",
    c('customer_tag', 'equals', 'a\\,b'),
    c('customer_tag', 'not_equals', 'a'),
  ],
  [
    'tags that one item has together',
    c('product_tag', 'equals', 'red', 'all_products_in_order'),
    c('product_tag', 'equals', 'big', 'all_products_in_order'),
  ],
  [
    'two items that are the same',
    c('cart_quantity', 'equals', 2),
    c('product_quantity', 'equals', 2),
    c('product_sku', 'starts_with', 'a'),
    c('product_quantity', 'equals', 2, 'any_product_in_group'),
  ],
  [
    'two dear conditions met by one item',
    c('cart_total', 'less_than', 700),
    c('product_price', 'greater_than', 400),
    c('product_price', 'between', '500,600', 'any_product_in_group'),
  ],
  [
    'cheap items that add up',
    c('product_price', 'less_than', 100, 'all_products_in_order'),
    c('cart_quantity', 'less_than', 3),
    c('cart_total', 'equals', 198),
  ],
  [
    'totals that touch',
    c('cart_total', 'greater_than_or_equal', 5000),
    c('cart_total', 'less_than_or_equal', 5000),
  ],
  ['a weekday that a date is', c('date', 'equals', '2026-03-01'), c('day_of_week', 'equals', 'sunday')],
  ['a day of the year 0', c('date', 'less_than', '0001-01-01')],
  ['a leap day', c('date', 'greater_than', '2028-02-28'), c('date', 'less_than', '2028-03-01')],
  ['a state that no country of the zone has', c('destination_state', 'equals', 'Bayern')],
  [
    'a text that ends as it begins',
    c('destination_city', 'starts_with', 'ab'),
    c('destination_city', 'ends_with', 'ba'),
    c('destination_city', 'not_equals', 'aba,abba'),
  ],
  ['postal codes outside the subzone', c('destination_postal_code', 'equals', '10*')],
];

/** US with a subzone that has a method of its own, and a group that takes items tagged vip. */
const withRule = (conditions: readonly Condition[]): ShopConfig =>
  shop({
    zones: [zone('us', ['US'], { capital: '101*' }), zone('de', ['DE'], { berlin: '10*' })],
    productGroups: [group('rest', { isDefault: true }), group('vip', { tags: ['vip'] })],
    methods: [
      method('plain', { rules: [rule('r', 'free', ...conditions)] }),
      method('capital', { zoneId: 'capital' }),
      method('vip', { productGroupId: 'vip' }),
      method('de', { zoneId: 'de' }),
      method('de-vip', { zoneId: 'de', productGroupId: 'vip' }),
    ],
  });

describe('a rule never matches for', () => {
  for (const [what, ...conditions] of NEVER) {
    it(what, () => assert.deepEqual(findingsOf(withRule(conditions)), ['rule_never_matches r']));
  }
});

describe('a rule is said to match no probe cart for', () => {
  for (const [what, ...conditions] of UNMATCHED) {
    it(what, () => assert.deepEqual(findingsOf(withRule(conditions)), ['rule_unmatched r']));
  }
});

describe('a rule may match for', () => {
  for (const [what, ...conditions] of MAYBE) {
    it(what, () => assert.deepEqual(findingsOf(withRule(conditions)), []));
  }
});

describe('the message of a rule that never matches', () => {
  it('names the conditions that contradict each other and no other', () => {
    const conditions = [
      c('destination_state', 'equals', 'CA'),
      c('cart_total', 'greater_than_or_equal', 5000),
      c('day_of_week', 'equals', 'monday'),
      c('cart_total', 'less_than', 2000),
    ];
    const [finding] = lintConfig(shopWithRules(rule('r', 'free', ...conditions)), SETTINGS);
    assert.equal(
      finding?.message,
      'The rule of "Method plain" never matches because cart_total greater_than_or_equal "5000" contradicts cart_total less_than "2000".',
    );
    assert.deepEqual(finding?.record, { kind: 'rule', id: 'r', name: 'free rule', parentId: 'plain' });
  });
});

const big = c('cart_total', 'greater_than', 5000);
const bigger = c('cart_total', 'greater_than', 9000);

describe('a method is never visible', () => {
  it('when a hide rule always matches', () => {
    assert.deepEqual(findingsOf(shopWithRules(rule('h', 'hide'))), ['method_never_visible plain']);
    const always = [c('cart_quantity', 'greater_than', 0), c('product_price', 'less_than', 2_000_000_000)];
    assert.deepEqual(findingsOf(shopWithRules(rule('h', 'hide', ...always))), ['method_never_visible plain']);
  });

  it('is only said of probe carts when its hide rules together, or other records, leave no cart', () => {
    const here = c('destination_country', 'equals', 'US');
    assert.deepEqual(findingsOf(shopWithRules(rule('h', 'hide', here))), ['method_unseen plain']);
    const small = c('cart_total', 'less_than_or_equal', 5000);
    const [finding] = lintConfig(shopWithRules(rule('a', 'hide', big), rule('b', 'hide', small)), SETTINGS);
    assert.match(finding?.message ?? '', /^"Method plain" was offered to none of [0-9]+ probe carts\.$/);
    assert.equal(finding?.severity, 'warning');
  });

  it('when no show rule can make it so', () => {
    const never = c('cart_quantity', 'less_than', 1);
    assert.deepEqual(findingsOf(shopWithRules(rule('s', 'show', never))), [
      'rule_never_matches s',
      'method_never_visible plain',
    ]);
    // The rule alone is reported where only the evaluator tells.
    const elsewhere = c('destination_country', 'equals', 'DE');
    assert.deepEqual(findingsOf(shopWithRules(rule('s', 'show', elsewhere))), ['rule_unmatched s']);
    assert.deepEqual(findingsOf(shopWithRules(rule('h', 'hide', big), rule('s', 'show', bigger))), [
      'method_unseen plain',
    ]);
  });

  it('when its table has only the tier of 0 pieces', () => {
    const config = { tiers: [{ minItems: 0, maxItems: 1, price: 100 }] };
    const methods = [method('plain', { rateType: 'by_items_table', config })];
    assert.deepEqual(findingsOf(shop({ methods })), ['method_never_visible plain']);
  });

  it('not when a hide rule lists every date that can be written: a clock may show a date before the year 0', () => {
    const hide = rule('h', 'hide', c('date', 'greater_than_or_equal', '0000-01-01'));
    assert.deepEqual(findingsOf(shopWithRules(hide)), []);
  });

  it('not when it is disabled, which makes it a draft', () => {
    const methods = [method('plain'), method('draft', { enabled: false, rules: [rule('h', 'hide')] })];
    assert.deepEqual(findingsOf(shop({ methods })), []);
  });
});
