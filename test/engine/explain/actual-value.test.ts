/** Further fields of an explanation: compared values, names of rules, the simulated time, unknown fields. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileShop } from '../../../src/engine/compile/compiled-shop.ts';
import type { SimulateRequest } from '../../../src/engine/domain/cart.ts';
import type { Condition } from '../../../src/engine/domain/condition.ts';
import { explain } from '../../../src/engine/explain/explain.ts';
import {
  ACTUAL_ENTRIES_MAX,
  ACTUAL_TEXT_MAX,
  type ExplainedAnswer,
} from '../../../src/engine/wire/explained-answer.ts';
import { cart, FLAT, item, method, NOW_MS, rule, shop } from '../../support/small-shop.ts';

const SETTINGS = { currency: 'EUR', timezone: 'America/New_York' };

function explained(
  request: SimulateRequest,
  conditions: readonly Partial<Condition>[],
  name?: string,
): ExplainedAnswer {
  const complete = conditions.map((condition) => ({
    conditionType: 'cart_total' as const,
    operator: 'is_empty' as const,
    value: '',
    scope: 'any_product_in_order' as const,
    ...condition,
  }));
  const rules = [rule('rule_a', 'free', { conditions: complete, ...(name === undefined ? {} : { name }) })];
  const answer = explain(
    compileShop(shop([method('method_a', FLAT(1), { rules })]), SETTINGS),
    request,
    NOW_MS,
  );
  assert.ok(answer.ok);
  return JSON.parse(answer.value) as ExplainedAnswer;
}

const ruleOf = ({ methodEvaluations }: ExplainedAnswer) => methodEvaluations[0]?.ruleTraces[0];
const actualsOf = (request: SimulateRequest, ...conditions: readonly Partial<Condition>[]) =>
  ruleOf(explained(request, conditions))?.conditions.map(({ actual }) => actual);

test('a trace has the name of its rule, or an empty name', () => {
  assert.equal(ruleOf(explained(cart(item()), [], 'Islands'))?.name, 'Islands');
  assert.equal(ruleOf(explained(cart(item()), []))?.name, '');
});

test('unknown fields of the request are listed', () => {
  const request = { ...cart({ ...item(), qty: 2 } as never), note: 'x' };
  assert.deepEqual(explained(request, []).unread, ['/note', '/items/0/qty']);
});

test('the time is reported in UTC and in the time zone of the shop, also without offered rates', () => {
  const at = { iso: '2026-11-18T17:00:00.000Z', date: '2026-11-18', time: '12:00', day: 'wednesday' };
  assert.deepEqual(explained(cart(item()), []).at, at);
  assert.deepEqual(explained(cart(item({ requiresShipping: false })), []).at, at);
});

test('texts are reported in compared form, numbers as numbers, sums as sums', () => {
  const request: SimulateRequest = {
    destination: { country: 'gb', province: ' Argyll ', postalCode: 'pa67ln', address1: 'A ', address3: 'B' },
    items: [item({ price: 100, quantity: 3 }), item({ price: 7, requiresShipping: false })],
  };
  const types = [
    ...['destination_country', 'destination_state', 'destination_postal_code', 'destination_address'],
    ...['destination_city', 'cart_currency', 'cart_total', 'cart_unique_items'],
  ] as Condition['conditionType'][];
  const expected = ['gb', 'argyll', 'PA6 7LN', 'a b', '', 'eur', 307, 2];
  const operators = types.map((type) =>
    type.startsWith('cart_') && type !== 'cart_currency' ? 'equals' : 'is_empty',
  );
  const conditions = types.map((conditionType, at) => ({
    conditionType,
    operator: operators[at] as Condition['operator'],
    value: '1',
  }));
  assert.deepEqual(actualsOf(request, ...conditions), expected);
  const price = { conditionType: 'product_price', operator: 'equals', value: '1' } as const;
  const scopes = ['any_product_in_order', 'all_products_in_group', 'sum_of_order', 'sum_of_group'] as const;
  assert.deepEqual(actualsOf(request, ...scopes.map((scope) => ({ ...price, scope }))), [
    [100, 7],
    [100],
    307,
    300,
  ]);
});

test('cart_currency compares the currency of the answer', () => {
  const condition = { conditionType: 'cart_currency', operator: 'equals', value: 'eur' } as const;
  const outcome = (currency: string | null) => {
    const trace = ruleOf(explained({ ...cart(item()), currency }, [condition]));
    return [trace?.matched, trace?.conditions[0]?.actual];
  };
  assert.deepEqual([null, 'EUR', 'usd'].map(outcome), [
    [true, 'eur'],
    [true, 'eur'],
    [false, 'usd'],
  ]);
});

test('a compared value is cut to its first entries, and long texts to their beginning', () => {
  const tags = Array.from({ length: ACTUAL_ENTRIES_MAX + 1 }, (_, at) => `t${at}`);
  const items = tags.map((_, at) =>
    item({ price: at, properties: { tag: at === 0 ? tags.join(',') : null } }),
  );
  const request = { ...cart(...items), locale: `${'A'.repeat(ACTUAL_TEXT_MAX)}B` };
  const actuals = actualsOf(
    request,
    { conditionType: 'product_price', operator: 'equals', value: '1' },
    { conditionType: 'product_tag' },
    { conditionType: 'cart_locale' },
  );
  assert.deepEqual(actuals, [
    items.slice(0, ACTUAL_ENTRIES_MAX).map(({ price }) => price),
    [tags.slice(0, ACTUAL_ENTRIES_MAX), ...Array.from({ length: ACTUAL_ENTRIES_MAX - 1 }, () => [])],
    `${'a'.repeat(ACTUAL_TEXT_MAX)}...`,
  ]);
  const whole = 'a'.repeat(ACTUAL_TEXT_MAX - 1);
  const emoji = { ...request, locale: `${whole}\u{1f69a}` };
  assert.deepEqual(actualsOf(emoji, { conditionType: 'cart_locale' }), [`${whole}...`]);
});
