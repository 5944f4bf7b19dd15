import assert from 'node:assert/strict';
import { test } from 'node:test';
import { traceText } from '../../src/command-line/trace-text.ts';
import type { SimulateAnswer } from '../../src/domain/answer.ts';
import type { PlacedConfig } from '../../src/domain/shop-event.ts';

const group = { variantIds: [], productIds: [], skus: [], tags: [], vendors: [], placement: 1 };
const config: PlacedConfig = {
  zones: [],
  methods: [],
  blendedRates: [],
  productGroups: [{ ...group, id: 'group_a', name: 'Standard goods', isDefault: true }],
};

const rate = {
  serviceName: 'Ground',
  serviceCode: 'ground',
  description: '',
  totalPrice: 1250,
  currency: 'USD',
};

const answer: SimulateAnswer = {
  rates: [rate],
  zone: { id: 'zone_us', name: 'US', subzone: { id: 'sub_ak', name: 'Alaska' } },
  methodEvaluations: [
    {
      methodId: 'method_ground',
      methodName: 'Ground',
      productGroupId: 'group_a',
      visible: true,
      reason: null,
      rate,
      ruleTraces: [
        {
          ruleId: 'rule_1',
          action: 'adjust_add',
          matched: true,
          conditions: [
            {
              conditionType: 'product_tag',
              operator: 'equals',
              value: 'fragile',
              scope: 'any_product_in_order',
              matched: true,
            },
          ],
          matchedItems: [{ index: 0, name: 'Vase', sku: 'V1' }],
        },
        {
          ruleId: 'rule_2',
          action: 'hide',
          matched: false,
          conditions: [
            {
              conditionType: 'cart_total',
              operator: 'less_than',
              value: '100',
              scope: 'any_product_in_order',
              matched: false,
            },
          ],
        },
      ],
    },
    {
      methodId: 'method_air',
      methodName: 'Air',
      productGroupId: 'group_a',
      visible: false,
      reason: 'hidden_by_rule',
      rate: null,
      ruleTraces: [],
    },
  ],
  blendedRates: [
    {
      blendedRateId: 'blended_1',
      name: 'All in one',
      visible: false,
      reason: 'group_without_rate',
      rate: null,
      components: [
        { productGroupId: 'group_a', methodId: 'method_ground', price: 1250 },
        { productGroupId: 'group_gone', methodId: null, price: null },
      ],
    },
  ],
};

test('a trace names zone, rates, methods with price or reason, rules and conditions', () => {
  assert.deepEqual(traceText(answer, config).split('\n'), [
    'Zone: US (zone_us), subzone Alaska (sub_ak)',
    'Groups: Standard goods',
    '',
    'Rates',
    '     12.50 USD  Ground [ground]',
    '',
    'Methods',
    '  Ground (method_ground), Standard goods: 12.50 USD',
    '      rule rule_1 adjust_add: matched',
    '        yes  product_tag equals "fragile", any_product_in_order',
    '          items: 0 Vase',
    '      rule rule_2 hide: not matched',
    '        no   cart_total less_than "100"',
    '  Air (method_air), Standard goods: hidden_by_rule',
    '',
    'Blended rates',
    '  All in one (blended_1): group_without_rate',
    '        Standard goods: 12.50 by method_ground',
    '        group_gone: no rate',
    '',
  ]);
});

test('a destination without a zone has no rates and says so', () => {
  const text = traceText({ rates: [], methodEvaluations: [], blendedRates: [], zone: null }, config);
  assert.equal(
    text,
    'Zone: none lists this country\nGroups: none has a method here\n\nRates\n  none\n\nMethods\n  none\n',
  );
});
