import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ExplainedAnswer } from '../../../src/engine/wire/explained-answer.ts';
import { paintAnsi, paintNothing } from '../../../src/front/command-line/terminal.ts';
import { type TraceContext, traceText } from '../../../src/front/command-line/trace-text.ts';

const rate = {
  serviceName: 'Ground',
  serviceCode: 'ground',
  description: '',
  totalPrice: 1250,
  currency: 'USD',
};

const answer: ExplainedAnswer = {
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
      steps: [
        {
          kind: 'base',
          before: 0,
          after: 1000,
          rateType: 'by_weight_table',
          tier: { index: 1, from: 500, to: 1000, total: 750 },
          lastChanged: {
            versionId: 'version_7',
            number: 7,
            at: '2026-11-24T09:30:00.000Z',
            keyId: 'key_ann',
            keyLabel: 'Ann',
            createdBy: 'user',
          },
        },
        {
          kind: 'rule',
          before: 1000,
          after: 1250,
          ruleId: 'rule_1',
          action: 'adjust_add',
          lastChanged: null,
        },
      ],
      ruleTraces: [
        {
          ruleId: 'rule_1',
          name: 'Fragile goods',
          action: 'adjust_add',
          matched: true,
          conditions: [
            {
              conditionType: 'product_tag',
              operator: 'equals',
              value: 'fragile',
              scope: 'any_product_in_order',
              matched: true,
              actual: [['fragile', 'gift'], []],
            },
          ],
          matchedItems: [{ index: 0, name: 'Vase', sku: 'V1' }],
        },
        {
          ruleId: 'rule_2',
          name: '',
          action: 'free',
          matched: false,
          whyNot: {
            change: { kind: 'item_dropped', itemIndex: 0, text: 'Drop /items/0 from the cart.' },
            totalPrice: 0,
          },
          conditions: [
            {
              conditionType: 'cart_total',
              operator: 'less_than',
              value: '100',
              scope: 'any_product_in_order',
              matched: false,
              actual: 5000,
            },
            {
              conditionType: 'destination_state',
              operator: 'equals',
              value: 'AK,HI',
              scope: 'any_product_in_order',
              matched: true,
              actual: 'ak',
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
      steps: [],
      whyNot: null,
    },
  ],
  at: { iso: '2026-03-04T05:06:07.000Z', date: '2026-03-04', time: '00:06', day: 'wednesday' },
  unread: ['/destination/zip'],
  notConsidered: [{ methodId: 'method_night', methodName: 'Night', reason: 'disabled' }],
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

const context: TraceContext = {
  currency: 'USD',
  productGroups: [{ id: 'group_a', name: 'Standard goods' }],
};

test('a trace is a tree of zone, rates, groups, methods, steps, rules and conditions', () => {
  assert.deepEqual(traceText(answer, context, paintNothing).split('\n'), [
    'Zone US (zone_us)',
    '└─ Subzone Alaska (sub_ak)',
    '',
    'Time wednesday 2026-03-04 00:06 (2026-03-04T05:06:07.000Z)',
    '',
    'Rates',
    '└─ 12.50 USD (1250)  Ground [ground]',
    '',
    'Group Standard goods (group_a)',
    '├─ ✔ Ground (method_ground): 12.50 USD (1250)',
    '│  ├─ base by_weight_table, tier 1 (500 to below 1000) holds 750: 10.00 USD (1000)',
    '│  │  └─ last changed in version 7 (user) by Ann, 2026-11-24T09:30:00.000Z',
    '│  ├─ rule rule_1 adjust_add: 10.00 USD (1000) -> 12.50 USD (1250)',
    '│  ├─ rule "Fragile goods" (rule_1) adjust_add: matched',
    '│  │  ├─ yes product_tag equals "fragile", any_product_in_order - is [["fragile", "gift"], []]',
    '│  │  └─ items: 0 Vase',
    '│  └─ rule rule_2 free: not matched',
    '│     ├─ no  cart_total less_than 1.00 USD (100) - is 50.00 USD (5000)',
    '│     ├─ yes destination_state equals "AK,HI" - is "ak"',
    '│     └─ Drop /items/0 from the cart. It would match, and the method would cost 0.00 USD (0).',
    '└─ ✘ Air (method_air): hidden by rule',
    '   └─ no single change makes it visible',
    '',
    'Blended rates',
    '└─ ✘ All in one (blended_1): group without rate',
    '   ├─ Standard goods: 12.50 USD (1250) by method_ground',
    '   └─ group_gone: no rate',
    '',
    'Not considered',
    '└─ Night (method_night): disabled',
    '',
    'Fields that are not known',
    '└─ /destination/zip',
    '',
  ]);
});

test('colours do not change the text of a trace', () => {
  const coloured = traceText(answer, context, paintAnsi);
  assert.ok(coloured.includes(paintAnsi('green', '12.50 USD (1250)')));
  const escapes = new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, 'g');
  assert.equal(coloured.replace(escapes, ''), traceText(answer, context, paintNothing));
});

test('a destination without a zone has no rates and says so', () => {
  const text = traceText(
    {
      ...answer,
      rates: [],
      methodEvaluations: [],
      blendedRates: [],
      zone: null,
      notConsidered: [],
      unread: [],
    },
    context,
    paintNothing,
  );
  assert.equal(
    text,
    'Zone none lists this country\n\nTime wednesday 2026-03-04 00:06 (2026-03-04T05:06:07.000Z)\n\nRates none\n',
  );
});

test('the change that shows a method is a sentence, and tiers of a price table are amounts of money', () => {
  const raised = {
    ...answer,
    methodEvaluations: answer.methodEvaluations.map((method) => ({
      ...method,
      steps: method.steps.map((step) =>
        step.kind === 'base' ? { ...step, rateType: 'by_price_table' as const } : step,
      ),
      whyNot: {
        change: {
          kind: 'order_total' as const,
          by: 1241,
          to: 3241,
          text: 'Raise the order total by 12.41 USD (1241).',
        },
        totalPrice: 1250,
      },
    })),
  };
  const lines = traceText(raised, context, paintNothing).split('\n');
  assert.ok(
    lines.includes(
      `   └─ Raise the order total by 12.41 USD (1241). It would be offered at 12.50 USD (1250).`,
    ),
  );
  const tier = 'tier 1 (5.00 USD (500) to below 10.00 USD (1000)) holds 7.50 USD (750)';
  assert.ok(lines.includes(`│  ├─ base by_price_table, ${tier}: 10.00 USD (1000)`));
});

test('amounts of a currency without a subunit are whole units', () => {
  const inYen = JSON.parse(JSON.stringify(answer).replaceAll('USD', 'JPY')) as ExplainedAnswer;
  const lines = traceText(inYen, { ...context, currency: 'JPY' }, paintNothing).split('\n');
  for (const line of ['└─ 1250 JPY  Ground [ground]', '│  ├─ rule rule_1 adjust_add: 1000 JPY -> 1250 JPY'])
    assert.ok(lines.includes(line), line);
});
