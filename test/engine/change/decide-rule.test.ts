/** Writes of rules and their conditions (contract section 3). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { findConditionDefect } from '../../../src/engine/domain/condition.ts';
import type { ConditionInput, RuleCreate, RuleUpdate } from '../../../src/engine/wire/write-bodies.ts';
import { anyCondition } from '../../support/record-arbitraries.ts';
import { shopWithZones } from './trial-shop.ts';

function shopWithMethod() {
  const shop = shopWithZones();
  const methodId = shop.createMethod({ name: 'Express' }).id;
  const create = (body: Partial<RuleCreate>) => shop.createRule(methodId, body);
  const refuseCreate = (body: Partial<RuleCreate>, ...words: string[]) =>
    shop.refuse(
      { kind: 'createRule', methodId, body: { action: 'hide', ...body } },
      'VALIDATION_ERROR',
      ...words,
    );
  const update = (id: string, body: RuleUpdate) =>
    shop.resultOf('rule', { kind: 'updateRule', id, body }).rule;
  const refuseUpdate = (id: string, body: RuleUpdate, ...words: string[]) =>
    shop.refuse({ kind: 'updateRule', id, body }, 'VALIDATION_ERROR', ...words);
  return { shop, methodId, create, refuseCreate, update, refuseUpdate };
}

test('a created rule has its defaults and stands last in its method', () => {
  const { shop, methodId, create } = shopWithMethod();
  create({ action: 'show' });
  const rule = create({});
  assert.match(rule.id, /^rule_/);
  assert.deepEqual(rule, {
    id: rule.id,
    name: '',
    action: 'hide',
    conditions: [],
    enabled: true,
    methodId,
    position: 1,
  });
  assert.equal(shop.state.version.description, 'Method "Express": hide rule created');
});

test('a rule has the name that it is given; an empty one is stored as in a log without names', () => {
  const { shop, create, update } = shopWithMethod();
  const stored = () => shop.state.config.methods[0]?.rules[0];
  const { id } = create({ name: 'Islands' });
  assert.equal(stored()?.name, 'Islands');
  assert.equal(update(id, { enabled: false }).name, 'Islands');
  assert.equal(update(id, { name: '' }).name, '');
  assert.ok(!Object.hasOwn(stored() ?? {}, 'name'));
  assert.deepEqual(shop.state.version.changes, { added: 0, modified: 1, removed: 0 });
  update(id, { name: '' });
  assert.deepEqual(shop.state.version.changes, { added: 0, modified: 0, removed: 0 });
});

test('a rule of an unknown method is not found, whatever its body holds', () => {
  const { shop } = shopWithMethod();
  const command = {
    kind: 'createRule' as const,
    methodId: 'method_x',
    body: { action: 'adjust_add' as const },
  };
  shop.refuse(command, 'NOT_FOUND', 'Method not found: method_x');
});

test('adjusting actions need a value, flat cents unless said otherwise', () => {
  const { create, refuseCreate } = shopWithMethod();
  for (const action of ['adjust_add', 'adjust_subtract'] as const) {
    refuseCreate({ action }, '/adjustmentValue is required', action);
    const { adjustmentValue, adjustmentType } = create({ action, adjustmentValue: 0 });
    assert.deepEqual([adjustmentValue, adjustmentType], [0, 'flat']);
  }
});

test('a percentage is whole points up to 1,000, cents are not bounded by that', () => {
  const { create, refuseCreate } = shopWithMethod();
  const add = (adjustmentType: 'flat' | 'percentage', adjustmentValue: number) =>
    ({ action: 'adjust_add', adjustmentType, adjustmentValue }) as const;
  create(add('percentage', 1_000));
  refuseCreate(add('percentage', 1_001), '/adjustmentValue must be whole points, 0 to 1,000');
  create(add('flat', 1_001));
});

test('other actions take neither adjustment field', () => {
  const { refuseCreate } = shopWithMethod();
  for (const action of ['hide', 'show', 'free'] as const) {
    refuseCreate({ action, adjustmentValue: 0 }, '/adjustmentValue is accepted only', action);
    refuseCreate({ action, adjustmentType: 'flat' }, '/adjustmentType is accepted only', action);
  }
});

test('an action that adjusts nothing drops the adjustment, unless the body sets one', () => {
  const { create, update, refuseUpdate } = shopWithMethod();
  const { id } = create({ action: 'adjust_add', adjustmentValue: 5, adjustmentType: 'percentage' });
  refuseUpdate(id, { action: 'hide', adjustmentValue: 5 }, '/adjustmentValue');
  refuseUpdate(id, { action: 'hide', adjustmentType: 'flat' }, '/adjustmentType');
  const hidden = update(id, { action: 'hide' });
  assert.ok(!('adjustmentValue' in hidden) && !('adjustmentType' in hidden));
  refuseUpdate(id, { action: 'adjust_add' }, '/adjustmentValue is required');
  refuseUpdate(id, { adjustmentValue: 5 }, '/adjustmentValue is accepted only');
  assert.equal(update(id, { action: 'adjust_subtract', adjustmentValue: 7 }).adjustmentType, 'flat');
});

test('a PUT is partial: value and type of an adjustment stay or change one by one', () => {
  const { create, update, refuseUpdate } = shopWithMethod();
  const { id } = create({ action: 'adjust_add', adjustmentValue: 5_000 });
  refuseUpdate(id, { adjustmentType: 'percentage' }, '/adjustmentValue must be whole points');
  const asPercentage = update(id, { adjustmentType: 'percentage', adjustmentValue: 10 });
  assert.deepEqual([asPercentage.adjustmentType, asPercentage.adjustmentValue], ['percentage', 10]);
  const subtracted = update(id, { action: 'adjust_subtract' });
  assert.deepEqual([subtracted.adjustmentType, subtracted.adjustmentValue], ['percentage', 10]);
  assert.equal(update(id, { enabled: false }).enabled, false);
});

test('a rule that was read can be sent back unchanged', () => {
  const { shop, create, update } = shopWithMethod();
  const conditions: ConditionInput[] = [
    { conditionType: 'cart_total', operator: 'greater_than', value: '5' },
  ];
  const rule = create({ action: 'adjust_add', adjustmentValue: 5, conditions });
  const before = shop.config;
  assert.deepEqual(update(rule.id, rule), rule);
  assert.deepEqual(shop.config, before);
});

test('a rule stays with its method: its own id is accepted, another one refused', () => {
  const { shop, methodId, create, update, refuseUpdate } = shopWithMethod();
  const other = shop.createMethod({ name: 'Other' });
  const { id } = create({});
  update(id, { methodId });
  refuseUpdate(id, { methodId: other.id }, '/methodId must be', methodId);
  refuseUpdate(id, { methodId: 'method_x' }, '/methodId must be', methodId);
});

test('position moves a rule within its method', () => {
  const { shop, create, update } = shopWithMethod();
  const [a, , c] = (['hide', 'show', 'free'] as const).map((action) => create({ action }).id);
  assert.equal(update(c ?? '', { position: 0 }).position, 0);
  assert.equal(update(a ?? '', { position: 9 }).position, 2);
  assert.deepEqual(
    shop.config.methods[0]?.rules.map(({ action }) => action),
    ['free', 'show', 'hide'],
  );
  assert.equal(create({ action: 'adjust_add', adjustmentValue: 1, position: 1 }).position, 1);
});

test('a deleted rule is removed, its neighbours stay', () => {
  const { shop, create } = shopWithMethod();
  const [first, second] = [create({}), create({ action: 'free' })];
  assert.deepEqual(shop.accept({ kind: 'deleteRule', id: first.id }).result, {
    kind: 'deleted',
    id: first.id,
  });
  assert.deepEqual(
    shop.config.methods[0]?.rules.map(({ id }) => id),
    [second.id],
  );
  assert.deepEqual(shop.state.version.changes, { added: 0, modified: 0, removed: 1 });
  assert.equal(shop.state.version.description, 'Method "Express": hide rule deleted');
  shop.refuse({ kind: 'deleteRule', id: first.id }, 'NOT_FOUND', `Rule not found: ${first.id}`);
  shop.refuse({ kind: 'updateRule', id: first.id, body: {} }, 'NOT_FOUND', `Rule not found: ${first.id}`);
});

test('the rules of a deleted method are not found', () => {
  const { shop, methodId, create } = shopWithMethod();
  const { id } = create({});
  shop.accept({ kind: 'updateRule', id, body: {} });
  shop.accept({ kind: 'deleteMethod', id: methodId });
  shop.refuse({ kind: 'updateRule', id, body: {} }, 'NOT_FOUND');
});

test('a condition has an empty value and the scope of any product in the order unless it says otherwise', () => {
  const { create } = shopWithMethod();
  const { conditions } = create({
    conditions: [{ conditionType: 'destination_city', operator: 'is_empty' }],
  });
  assert.deepEqual(conditions, [
    { conditionType: 'destination_city', operator: 'is_empty', value: '', scope: 'any_product_in_order' },
  ]);
});

test('a number as a value is stored as its decimal string', () => {
  const { create } = shopWithMethod();
  const condition = { conditionType: 'cart_total' as const, operator: 'greater_than' as const };
  const values = [0, 1500, Number.MAX_SAFE_INTEGER];
  const { conditions } = create({ conditions: values.map((value) => ({ ...condition, value })) });
  assert.deepEqual(
    conditions.map(({ value }) => value),
    ['0', '1500', '9007199254740991'],
  );
});

test('an inconsistent condition is refused by its path', () => {
  const { create, refuseCreate, refuseUpdate } = shopWithMethod();
  const good: ConditionInput = { conditionType: 'cart_total', operator: 'equals', value: 5 };
  const bad: readonly [ConditionInput, string][] = [
    [{ conditionType: 'cart_total', operator: 'contains', value: '5' }, '/conditions/1/operator '],
    [{ conditionType: 'cart_total', operator: 'equals', value: 1.5 }, '/conditions/1/value '],
    [{ conditionType: 'cart_total', operator: 'equals' }, '/conditions/1/value '],
    [{ conditionType: 'cart_total', operator: 'between', value: '5' }, '/conditions/1/value '],
    [
      { conditionType: 'product_sku', operator: 'equals', value: 'a', scope: 'sum_of_order' },
      '/conditions/1/scope ',
    ],
    [{ conditionType: 'destination_postal_code', operator: 'equals', value: '9*9' }, '/conditions/1/value '],
    [{ conditionType: 'date', operator: 'equals', value: '2026-02-30' }, '/conditions/1/value '],
  ];
  const { id } = create({});
  for (const [condition, path] of bad) {
    refuseCreate({ conditions: [good, condition] }, path);
    refuseUpdate(id, { conditions: [good, condition] }, path);
  }
});

test('a condition is accepted exactly when the domain finds no defect in it', () => {
  const { shop, methodId } = shopWithMethod();
  fc.assert(
    fc.property(anyCondition, (candidate) => {
      const condition = { ...candidate };
      const command = {
        kind: 'createRule' as const,
        methodId,
        body: { action: 'hide' as const, conditions: [condition] },
      };
      assert.equal(shop.try(command).ok, findConditionDefect(condition) === null);
    }),
    { numRuns: 500 },
  );
});
