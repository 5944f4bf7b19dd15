/** Findings on tables, thresholds, places, groups, blended rates and service codes, by example. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Check } from '../../../src/engine/domain/check.ts';
import type { Condition } from '../../../src/engine/domain/condition.ts';
import { FINDINGS_PER_CODE_MAX } from '../../../src/engine/domain/finding.ts';
import type { ShippingMethod } from '../../../src/engine/domain/shipping-method.ts';
import type { ShopConfig } from '../../../src/engine/domain/shop-config.ts';
import { lintReport } from '../../../src/engine/lint/lint-config.ts';
import type { LintSettings } from '../../../src/engine/lint/shop-facts.ts';
import {
  blended,
  check,
  condition,
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

const messageOf = (config: ShopConfig): string => lintConfig(config, SETTINGS)[0]?.message ?? '';

type Tiers = readonly (readonly [from: number, to: number | null, price: number])[];
const byWeight = (...tiers: Tiers): Partial<ShippingMethod> => ({
  rateType: 'by_weight_table',
  config: { tiers: tiers.map(([minWeight, maxWeight, price]) => ({ minWeight, maxWeight, price })) },
});
const byPrice = (...tiers: Tiers): Partial<ShippingMethod> => ({
  rateType: 'by_price_table',
  config: { tiers: tiers.map(([minPrice, maxPrice, price]) => ({ minPrice, maxPrice, price })) },
});
const withMethod = (more: Partial<ShippingMethod>): ShopConfig => shop({ methods: [method('m', more)] });

it('a shop without a defect has no findings', () => {
  const productGroups = [group('rest', { isDefault: true }), group('heavy', { tags: ['heavy'] })];
  const methods = [
    method('a', {
      freeShippingThreshold: 10_000,
      rules: [rule('r', 'hide', condition('cart_total', 'less_than', 900))],
    }),
    method('b', { productGroupId: 'heavy', ...byWeight([0, 1_000, 500], [1_000, null, 900]) }),
    method('off', { enabled: false, rules: [rule('n', 'free', condition('cart_quantity', 'equals', 0))] }),
  ];
  const preferences = [{ productGroupId: 'heavy', preferredMethodId: 'b' }];
  assert.deepEqual(
    findingsOf(shop({ productGroups, methods, blendedRates: [blended('x', { preferences })] })),
    [],
  );
});

describe('rate tables', () => {
  it('have a gap where a tier begins after the end of the tier before', () => {
    const gap = withMethod(byWeight([0, 500, 100], [501, 900, 200], [1_000, null, 300]));
    assert.deepEqual(findingsOf(gap), ['tier_gap m']);
    assert.equal(
      messageOf(gap),
      'The rate table of "Method m" has no tier from 500 grams to below 501 grams (and 1 more gap).',
    );
    assert.deepEqual(findingsOf(withMethod(byWeight([10, 500, 100], [500, 900, 200]))), []);
    assert.equal(
      messageOf(withMethod(byPrice([0, 500, 100], [900, null, 200]))),
      'The rate table of "Method m" has no tier from 5.00 USD (500) to below 9.00 USD (900).',
    );
  });

  it('are reported where more weight costs less, but not where a greater total costs less', () => {
    assert.deepEqual(findingsOf(withMethod(byWeight([0, 500, 200], [500, null, 100]))), [
      'tier_price_falls m',
    ]);
    assert.deepEqual(findingsOf(withMethod(byPrice([0, 500, 200], [500, null, 100]))), []);
    const risesAgain = byPrice([0, 500, 200], [500, 900, 100], [900, null, 150]);
    assert.deepEqual(findingsOf(withMethod(risesAgain)), ['tier_price_falls m']);
  });

  it('have a witness of their gap that passes the rules of the method', () => {
    const rules = [
      rule(
        's',
        'show',
        condition('destination_state', 'equals', 'AK'),
        condition('cart_quantity', 'greater_than', 2),
      ),
      rule('h', 'hide', condition('product_tag', 'not_equals', 'red', 'any_product_in_group')),
    ];
    assert.deepEqual(findingsOf(withMethod({ ...byWeight([0, 500, 1], [501, null, 2]), rules })), [
      'tier_gap m',
    ]);
  });
});

describe('a free-shipping threshold is below every price', () => {
  it('of a table by price that begins there', () => {
    const at = (freeShippingThreshold: number) =>
      findingsOf(withMethod({ freeShippingThreshold, ...byPrice([0, 5_000, 0], [5_000, null, 300]) }));
    assert.deepEqual(at(5_000), ['threshold_below_prices m']);
    assert.deepEqual(at(5_001), []);
  });

  it('of a percentage that is less than half a cent', () => {
    const at = (freeShippingThreshold: number) =>
      findingsOf(withMethod({ freeShippingThreshold, rateType: 'percentage', config: { percentage: 0.5 } }));
    assert.deepEqual(at(100), ['threshold_below_prices m']);
    assert.deepEqual(at(101), []);
  });

  it('when it is 0', () => {
    assert.deepEqual(findingsOf(withMethod({ freeShippingThreshold: 0 })), ['threshold_below_prices m']);
    assert.deepEqual(findingsOf(withMethod({ freeShippingThreshold: 1 })), []);
    assert.deepEqual(findingsOf(withMethod({ freeShippingThreshold: 0, rateType: 'free', config: {} })), []);
  });
});

describe('zones, subzones and groups', () => {
  const de = method('de', { zoneId: 'de' });
  it('are reported when nothing can reach them', () => {
    const zones = [zone('us', ['US']), zone('us2', ['US']), zone('none', [])];
    assert.deepEqual(findingsOf(shop({ zones }), 1), ['zone_never_matches us2', 'zone_never_matches none']);
    const productGroups = [
      group('rest', { isDefault: true, skus: ['ab*', 'x'] }),
      group('later', { skus: ['ABC*', 'ab1', 'X'] }),
      group('empty'),
    ];
    assert.deepEqual(findingsOf(shop({ productGroups }), 2), [
      'group_never_filled later',
      'group_never_filled empty',
    ]);
  });

  it('a group of a tag with a comma is not said to list only what others list', () => {
    // Tags of an item are separated by commas.
    const productGroups = [group('rest', { isDefault: true }), group('odd', { tags: ['red, blue'] })];
    assert.equal(
      messageOf(shop({ productGroups })),
      'No item can belong to product group "Group odd" because it lists nothing that an item can have and that no group before it lists.',
    );
  });

  it('are reported when they have no method but others have one', () => {
    const zones = [zone('us', ['US'], { a: '1*', b: '2*' }), zone('de', ['DE'])];
    const productGroups = [group('rest', { isDefault: true }), group('vip', { tags: ['vip'] })];
    const vip = method('vip', { zoneId: 'a', productGroupId: 'vip' });
    assert.deepEqual(findingsOf(shop({ zones })), ['zone_without_method de']);
    assert.deepEqual(findingsOf(shop({ zones, productGroups, methods: [method('us'), de, vip] })), [
      'group_without_method vip',
      'subzone_without_method b',
      'zone_remainder_without_method us',
    ]);
  });

  it('keep the methods of their zone when they have none of their own', () => {
    const zones = [zone('us', ['US'], { a: '1*', b: '2*' })];
    assert.deepEqual(findingsOf(shop({ zones, methods: [method('us'), method('a', { zoneId: 'a' })] })), []);
  });
});

describe('postal patterns', () => {
  const withCodes = (a: string, b: string, countries = ['US']): ShopConfig =>
    shop({ zones: [zone('us', countries, { a, b })] });

  it('have a witness in a country whose codes they can match', () => {
    const found = (countries: readonly string[], a: string, b: string) =>
      lintConfig(shop({ zones: [zone('us', countries, { a, b })] }), SETTINGS).map(
        ({ code, record, witness }) => [code, record.id, witness?.request.destination],
      );
    assert.deepEqual(found(['GB', 'US'], '10000-19999', '10000-19999, 9*'), [
      ['postal_pattern_never_wins', 'b', { country: 'US', postalCode: '10000' }],
    ]);
    assert.deepEqual(found(['GB', 'US'], '10000-19999, 9*', '10000-19999'), [
      ['subzone_never_matches', 'b', { country: 'US', postalCode: '10000' }],
    ]);
  });

  it('that no code of the countries can match are not reported as decided by others', () => {
    const range = '10000-19999';
    const messages = (a: string, b: string) =>
      lintConfig(shop({ zones: [zone('us', ['GB', 'JE'], { a, b })] }), SETTINGS).map(
        ({ message }) => message,
      );
    assert.deepEqual(messages(range, range), [
      'No postal code falls into subzone "Subzone a" because no postal code of its countries can match its patterns.',
      'No postal code falls into subzone "Subzone b" because no postal code of its countries can match its patterns.',
    ]);
    const words = (pattern: string, letter: string) =>
      `Pattern "${pattern}" of subzone "Subzone ${letter}" has no effect because no postal code as the zone's countries write it can match it.`;
    assert.deepEqual(messages(`${range}, JE*`, 'GY1*'), [words(range, 'a')]);
    assert.deepEqual(messages('JE*', '9*'), [words('9*', 'b')]);
  });

  it('that no postal code as the countries write it can match are reported without a cart', () => {
    /** The patterns that are reported, each alone in a zone of these countries. */
    const impossible = (countries: readonly string[], ...patterns: readonly string[]) =>
      patterns.filter((pattern) => {
        const findings = lintConfig(shop({ zones: [zone('z', countries, { a: pattern })] }), SETTINGS);
        const [found] = findings.filter(({ code }) => code === 'postal_pattern_impossible');
        if (found === undefined) return false;
        assert.deepEqual([found.severity, found.record.id, found.witness], ['warning', 'a', null]);
        return true;
      });
    const british = ['IV1-XX9', 'IV1-KW9', 'IV1 XX9', '1*', '12345', 'IV1AAAA'];
    assert.deepEqual(
      impossible(['GB'], ...british, 'IV1-IV28', 'IV*', 'IV1 *', 'BN1', 'E1 6AN', 'GIR 0AA', '*'),
      british,
    );
    const german = ['123456', '1234', 'D-10115', 'ABC*', '1000-1099', '123456*'];
    assert.deepEqual(impossible(['DE'], ...german, '10115', '１０１１５', '1*', '10000-10999'), german);
    assert.deepEqual(impossible(['US'], '9021', '902101', '90210', '90210-1234', '902*'), ['9021', '902101']);
    assert.deepEqual(
      impossible(['NL'], '1000-1099', '1012 AB', '1012', '1012*', '12345', '10000-10999', 'A*'),
      ['12345', '10000-10999', 'A*'],
    );
    assert.deepEqual(impossible(['PR'], '00901-1234', '009*', '90210'), ['90210']);
    assert.deepEqual(impossible(['JE'], 'JE2*', 'GY1*', 'JE1-JE4', 'GY1-GY9'), ['GY1*', 'GY1-GY9']);
    assert.deepEqual(impossible(['CA'], 'K1A', 'K1A 0B6', 'K1A*', 'K*', '1A*', 'KA*'), ['1A*', 'KA*']);
    assert.deepEqual(impossible(['JP'], '〒900-0001', '900*', '900'), ['900']);
    assert.deepEqual(impossible(['MC'], '98000', '98000-98099', '75001', '75000-75999'), [
      '75001',
      '75000-75999',
    ]);
  });

  it('may match where the form of the codes of a country is not known, or those of another country do', () => {
    for (const countries of [['AE'], ['*'], ['DE', 'AE'], ['DE', 'NL'], ['DE', 'AT']])
      assert.deepEqual(findingsOf(shop({ zones: [zone('z', countries, { a: '1234' })] })), []);
  });

  it('are not reported under a wider pattern of their own subzone', () => {
    assert.deepEqual(findingsOf(withCodes('99*, 995*, 99501, 99600-99699', '10*')), []);
    assert.deepEqual(findingsOf(withCodes('10000-20000, 9*, 10000 - 20000', '5*')), []);
  });

  it('never win against an equal pattern of an earlier subzone', () => {
    assert.deepEqual(findingsOf(withCodes('99*', '99*, 5*')), ['postal_pattern_never_wins b']);
    assert.deepEqual(findingsOf(withCodes('10000-12000, 12001-15000', '10000-15000, 5*')), [
      'postal_pattern_never_wins b',
    ]);
    assert.deepEqual(findingsOf(withCodes('99*', '99*')), ['subzone_never_matches b']);
    assert.deepEqual(findingsOf(withCodes('10*', ''), 1), ['subzone_never_matches b']);
  });

  it('never match if no code of the country has their form', () => {
    assert.deepEqual(findingsOf(withCodes('1*, 500000000-500000009', '2*'), 1), [
      'postal_pattern_impossible a',
    ]);
    assert.deepEqual(findingsOf(withCodes('1*, 500000000-500000009', '2*', ['US', 'AE'])), []);
    const zones = [zone('uk', ['GB'], { a: 'PA6 7*, P A67*', b: 'PA67*' })];
    const methods = [method('uk', { zoneId: 'uk' })];
    assert.deepEqual(findingsOf(shop({ zones, methods }), 1), ['postal_pattern_impossible a']);
  });
});

describe('blended rates', () => {
  const productGroups = [
    group('rest', { isDefault: true }),
    group('vip', { tags: ['vip'] }),
    group('big', { tags: ['big'] }),
  ];
  const zones = [zone('us', ['US'], { a: '1*' })];
  const three = [
    method('rest'),
    method('vip', { productGroupId: 'vip' }),
    method('big', { productGroupId: 'big' }),
  ];
  const preferring = (methods: readonly ShippingMethod[], zoneId = 'us'): ShopConfig => {
    const preferences = [{ productGroupId: 'vip', preferredMethodId: 'vip' }];
    return shop({ zones, productGroups, methods, blendedRates: [blended('x', { zoneId, preferences })] });
  };

  it('may prefer a method that can be visible', () => assert.deepEqual(findingsOf(preferring(three)), []));

  it('are unavailable to a group whose preferred method is disabled, hidden or replaced', () => {
    const changed = (more: Partial<ShippingMethod>) =>
      three.map((each) => (each.id === 'vip' ? ({ ...each, ...more } as ShippingMethod) : each));
    const other = method('other', { productGroupId: 'vip' });
    assert.deepEqual(findingsOf(preferring([...changed({ enabled: false }), other])), [
      'cart_without_rates us',
    ]);
    assert.deepEqual(findingsOf(preferring([...changed({ rules: [rule('h', 'hide')] }), other])), [
      'method_never_visible vip',
      'cart_without_rates us',
    ]);
    const own = method('own', { zoneId: 'a', productGroupId: 'vip' });
    assert.deepEqual(findingsOf(preferring([...three, own], 'a')), ['cart_without_rates a']);
    assert.deepEqual(findingsOf(preferring([...three, own], 'us')), ['cart_without_rates a']);
  });
});

describe('service codes', () => {
  const std = { serviceCode: 'std' };
  const state = (operator: 'equals' | 'not_equals') => condition('destination_state', operator, 'CA');

  it('are reported when an answer can have one twice', () => {
    assert.deepEqual(findingsOf(shop({ methods: [method('a', std), method('b', std)] })), [
      'duplicate_service_code b',
    ]);
    const shown = [rule('s', 'show', state('equals'), condition('cart_total', 'greater_than', 77_000))];
    const methods = [
      method('a', { ...std, rules: shown }),
      method('b', { ...std, rules: [rule('h', 'hide', condition('product_sku', 'not_equals', 'q'))] }),
    ];
    assert.deepEqual(findingsOf(shop({ methods })), ['duplicate_service_code b']);
  });

  it('may be shared by methods that are never visible together', () => {
    const methods = [
      method('a', { ...std, rules: [rule('s', 'show', state('equals'))] }),
      method('b', { ...std, rules: [rule('h', 'hide', state('equals'))] }),
    ];
    assert.deepEqual(findingsOf(shop({ methods })), []);
    const zones = [zone('us', ['US'], { a: '1*' })];
    assert.deepEqual(
      findingsOf(shop({ zones, methods: [method('x', std), method('y', { ...std, zoneId: 'a' })] })),
      [],
    );
  });

  it('may be shared by methods of two groups that blended rates replace, but not by the blended rates', () => {
    const productGroups = [group('rest', { isDefault: true }), group('vip', { tags: ['vip'] })];
    const methods = [method('a', std), method('b', { ...std, productGroupId: 'vip' })];
    const one = blended('x', std);
    assert.deepEqual(findingsOf(shop({ productGroups, methods })), ['duplicate_service_code b']);
    assert.deepEqual(findingsOf(shop({ productGroups, methods, blendedRates: [one] })), []);
    assert.deepEqual(findingsOf(shop({ productGroups, methods, blendedRates: [one, blended('y', std)] })), [
      'duplicate_service_code y',
    ]);
  });
});

describe('a check', () => {
  const methods = [method('a', { serviceCode: 'std' })];
  const of = (checks: readonly Check[], without: number) => findingsOf(shop({ methods, checks }), without);

  it('is reported when it names a service code that no method or blended rate has', () => {
    const unknown = { serviceCode: 'st', totalPrice: 1 };
    for (const expectation of [
      { kind: 'rate' as const, ...unknown },
      { kind: 'no_rate' as const, serviceCode: 'st' },
      { kind: 'rates' as const, rates: [unknown] },
    ]) {
      assert.deepEqual(of([check('c', { kind: 'some_rate' }, expectation)], 1), [
        'check_of_unknown_service c',
      ]);
    }
  });

  it('is not reported when it names codes of methods or blended rates, also disabled ones, or is disabled', () => {
    const known = check('c', { kind: 'no_rate', serviceCode: 'std' }, { kind: 'some_rate' });
    assert.deepEqual(
      of([known, { ...check('d', { kind: 'no_rate', serviceCode: 'x' }), enabled: false }], 0),
      [],
    );
    const off = [method('a', { serviceCode: 'std', enabled: false })];
    const codes = lintConfig(shop({ methods: off, checks: [known] }), SETTINGS).map(({ code }) => code);
    assert.ok(!codes.includes('check_of_unknown_service'));
  });
});

it('a message ends a long text with three dots, never with half of a character', () => {
  const messageWith = (name: string) =>
    messageOf(shop({ methods: [method('m', { name, freeShippingThreshold: 0 })] }));
  const free = 'never charges a price of its rate because every order reaches its free-shipping threshold of';
  const cases = [
    ['x'.repeat(60), 'x'.repeat(60)],
    ['x'.repeat(61), `${'x'.repeat(57)}...`],
    ['\u{1f69a}'.repeat(31), `${'\u{1f69a}'.repeat(28)}...`],
  ] as const;
  for (const [name, shown] of cases) assert.equal(messageWith(name), `"${shown}" ${free} 0.00 USD (0).`);
});

describe('a report', () => {
  const never = condition('cart_quantity', 'equals', 0);
  const rules = Array.from({ length: 250 }, (_, i) => rule(`r${i}`, 'free', never));
  const large = shop({
    methods: [method('m', { rules }), method('s', { freeShippingThreshold: 0 })],
  });

  it('holds the first findings of each code and counts the others', () => {
    const { findings, omitted } = lintReport(large, SETTINGS);
    assert.equal(findings.length, FINDINGS_PER_CODE_MAX + 1);
    assert.deepEqual(omitted, [{ code: 'rule_never_matches', count: 250 - FINDINGS_PER_CODE_MAX }]);
    assert.deepEqual(
      findings.map(({ severity }) => severity),
      [...Array(FINDINGS_PER_CODE_MAX).fill('error'), 'warning'],
    );
  });

  it('is the same for the same configuration', () => {
    assert.deepEqual(lintReport(large, SETTINGS), lintReport(large, SETTINGS));
  });

  it('has no witness with more items than an operator allows in a request', () => {
    const atLeast = (count: number) => condition('cart_unique_items', 'greater_than_or_equal', count);
    const unmatched = (...conditions: readonly Condition[]) =>
      shopWithRules(rule('s', 'show', atLeast(2)), rule('r', 'free', ...conditions));
    const itemsWithin = (itemsMax: number, config: ShopConfig) =>
      lintConfig(config, { ...SETTINGS, itemsMax }).map(({ code, witness }) => [
        code,
        witness?.request.items.length ?? null,
      ]);
    const other = condition('destination_country', 'equals', 'DE');
    assert.deepEqual(itemsWithin(2, unmatched(other)), [['rule_unmatched', 2]]);
    assert.deepEqual(itemsWithin(1, unmatched(other)), [['rule_unmatched', null]]);
    const two = shop({
      productGroups: [group('rest', { isDefault: true }), group('vip', { tags: ['vip'] })],
      methods: [method('rest'), method('vip', { productGroupId: 'vip' })],
      blendedRates: [blended('x', { preferences: [{ productGroupId: 'vip', preferredMethodId: 'gone' }] })],
    });
    assert.deepEqual(itemsWithin(2, two), [['cart_without_rates', 2]]);
    // No cart of two groups is possible then.
    assert.deepEqual(itemsWithin(1, two), []);
  });

  it('of 20,000 methods in one place comes with witnesses for some of the findings', () => {
    const methods = Array.from({ length: 20_000 }, (_, i) =>
      method(`m${i}`, {
        rules: [rule(`r${i}`, 'free', condition('cart_total', 'between', `${i + 2},${i + 1}`))],
      }),
    );
    const { findings, omitted } = lintReport(shop({ methods }), SETTINGS);
    assert.deepEqual(omitted[0], { code: 'rule_never_matches', count: 20_000 - FINDINGS_PER_CODE_MAX });
    assert.ok(findings.some(({ witness }) => witness !== null));
  });
});

describe('delivery dates', () => {
  const delivery = { minDays: 1, maxDays: 2 };
  const fulfilment = {
    cutoff: '12:00',
    handlingDays: 0,
    workingDays: ['monday' as const],
    holidays: ['2026-01-01'],
  };
  const of = (methods: readonly ShippingMethod[], settings: Partial<LintSettings>) =>
    lintConfig(shop({ methods }), { ...SETTINGS, ...settings })
      .filter(({ code }) => code.startsWith('delivery') || code.startsWith('holidays'))
      .map(({ code, record }) => `${code} ${record.id}`);
  const dated = method('a', { delivery });

  it('are reported when the shop has no working day', () => {
    const without = { fulfilment: { ...fulfilment, workingDays: [] } };
    assert.deepEqual(of([dated], without), ['delivery_without_working_days a']);
    assert.deepEqual(of([method('a')], without), []);
    assert.deepEqual(of([dated], { fulfilment }), []);
  });

  it('are reported when every holiday is past', () => {
    assert.deepEqual(of([dated], { fulfilment, today: '2026-01-02' }), ['holidays_past a']);
    assert.deepEqual(of([dated], { fulfilment, today: '2026-01-01' }), []);
    assert.deepEqual(of([dated], { fulfilment: { ...fulfilment, holidays: [] }, today: '2026-01-02' }), []);
  });

  it('are reported when only some enabled methods of a zone have them', () => {
    const other = method('b', { serviceCode: 'b' });
    assert.deepEqual(of([dated, other], { fulfilment }), ['delivery_on_some_methods us']);
    assert.deepEqual(of([dated, { ...other, enabled: false }], { fulfilment }), []);
    assert.deepEqual(of([dated, { ...other, delivery }], { fulfilment }), []);
  });
});
