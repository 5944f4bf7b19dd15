import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Calls } from '../../../src/front/client/call-table.ts';
import {
  draftOf,
  METHOD_KIND,
  type Method,
  type MethodDraft,
} from '../../../src/front/console/methods/method-kind.ts';
import { isSame, mergedDraft, newId, withIds } from '../../../src/front/console/parts/merged-draft.ts';
import { writesOf } from '../../../src/front/console/parts/record-kind.ts';

type RuleDraft = MethodDraft['rules'][number];

const rule = (id: string, fields: Partial<Method['rules'][number]> = {}): Method['rules'][number] => ({
  id,
  name: id,
  action: 'hide',
  conditions: [],
  enabled: true,
  ...fields,
});

const METHOD: Method = {
  id: 'method_1',
  name: 'Economy',
  subtitle: '',
  serviceCode: 'economy',
  zoneId: 'zone_1',
  productGroupId: 'group_1',
  rateType: 'flat',
  config: { price: 500 },
  enabled: true,
  freeShippingThreshold: null,
  thresholdBasis: 'cart_total',
  delivery: null,
  phoneRequired: false,
  rules: [
    rule('a'),
    rule('b', { action: 'adjust_add', adjustmentValue: 0, adjustmentType: 'flat' }),
    rule('c'),
  ],
};
const BASE = draftOf(METHOD);

const newRule = (name: string): RuleDraft => ({ ...(BASE.rules[0] as RuleDraft), id: newId(), name });
const withRules = (rules: readonly RuleDraft[]): MethodDraft => ({ ...BASE, rules });

type Call = readonly [name: string, ...args: unknown[]];

/** The calls that save the draft, without their options. */
async function callsOf(saved: MethodDraft | null, draft: MethodDraft): Promise<readonly Call[]> {
  const made: Call[] = [];
  const calls = new Proxy({} as Calls, {
    get:
      (_, name) =>
      async (...args: unknown[]) =>
        made.push([String(name), ...args.slice(0, -1)]),
  });
  for (const { send } of writesOf(METHOD_KIND, saved, draft)) await send(calls, 'method_1', {});
  return made;
}

test('an edit is saved with the fields that changed, a rate type always with its config, and zero is an amount', async () => {
  assert.deepEqual(await callsOf(BASE, BASE), []);
  const draft: MethodDraft = {
    ...BASE,
    name: 'Slow',
    config: { price: 0 },
    rules: BASE.rules.map((each) =>
      each.id === 'c' ? { ...each, action: 'adjust_subtract', adjustmentValue: 0 } : each,
    ),
  };
  assert.deepEqual(await callsOf(BASE, draft), [
    ['updateMethod', 'method_1', { name: 'Slow', rateType: 'flat', config: { price: 0 } }],
    ['updateRule', 'c', { action: 'adjust_subtract', adjustmentType: 'flat', adjustmentValue: 0 }],
  ]);
});

test('a new method is created before its rules, without a service code that nobody typed', async () => {
  const draft: MethodDraft = { ...BASE, serviceCode: '', rules: [newRule('x')] };
  const [first, second, ...others] = await callsOf(null, draft);
  const { serviceCode: _, rules: _rules, ...fields } = draft;
  assert.deepEqual(first, ['createMethod', fields]);
  const body = { name: 'x', action: 'hide', conditions: [], enabled: true, position: 0 };
  assert.deepEqual(second, ['createRule', { ...body, methodId: 'method_1' }]);
  assert.deepEqual(others, []);
});

test('one rule that moves is one write, wherever it moves', () => {
  const [a, b, c] = BASE.rules as [RuleDraft, RuleDraft, RuleDraft];
  for (const rules of [
    [b, c, a],
    [c, a, b],
    [b, a, c],
  ])
    assert.equal(writesOf(METHOD_KIND, BASE, withRules(rules)).length, 1);
});

/** What the service does with the writes: names of the rules in their order. */
async function orderAfter(saved: MethodDraft, draft: MethodDraft): Promise<readonly string[]> {
  let order = saved.rules.map(({ name }) => name);
  for (const [name, first, second] of await callsOf(saved, draft)) {
    if (name === 'deleteRule') order = order.filter((each) => each !== first);
    if (name !== 'createRule' && name !== 'updateRule') continue;
    const body = (name === 'createRule' ? first : second) as { name: string; position?: number };
    const moved = name === 'createRule' ? body.name : String(first);
    const others = order.filter((each) => each !== moved);
    if (body.position !== undefined) order = others.toSpliced(body.position, 0, moved);
    else assert.ok(order.includes(moved));
  }
  return order;
}

test('the writes leave the rules in the order of the draft, whatever was moved, added and removed', async () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  const saved = withRules(names.map((name) => ({ ...newRule(name), id: name })));
  const all = [...saved.rules, newRule('x'), newRule('y')];
  await fc.assert(
    fc.asyncProperty(fc.shuffledSubarray(all), async (rules) => {
      assert.deepEqual(
        await orderAfter(saved, withRules(rules)),
        rules.map(({ name }) => name),
      );
    }),
    { numRuns: 500 },
  );
});

test('each write tells what is saved, so that a save that stopped in the middle is resumed', () => {
  const [, b, c] = BASE.rules as [RuleDraft, RuleDraft, RuleDraft];
  const created = newRule('x');
  let draft: MethodDraft = { ...withRules([c, { ...b, name: 'changed' }, created]), name: 'Slow' };
  let saved = BASE;
  const contents: unknown[] = [];
  for (;;) {
    const write = METHOD_KIND.next(saved, draft);
    if (write === null) break;
    contents.push(write.content);
    // The service gives the new rule its id, and writes the name in its own way.
    const answers: readonly unknown[] = [
      { method: { ...METHOD, name: 'SLOW' } },
      {},
      { rule: rule('b', { ...b, name: 'changed' } as never) },
      { rule: rule('x') },
    ];
    const taken = write.take(answers[contents.length - 1]);
    [saved, draft] = [taken.saved, taken.draft];
    if (contents.length === 4) assert.deepEqual(taken.ids, [[created.id, 'x']]);
  }
  assert.deepEqual(contents, [
    { name: 'Slow' },
    { delete: 'a' },
    ['b', { name: 'changed', position: 1 }],
    [created.id, { name: 'x', action: 'hide', conditions: [], enabled: true, position: 2 }],
  ]);
  assert.deepEqual(saved, draft);
  assert.deepEqual(
    [saved.name, ...saved.rules.map(({ id, name }) => `${id} ${name}`)],
    ['SLOW', 'c c', 'b changed', 'x x'],
  );
});

test('a change of another editor is merged where the draft has none', async () => {
  const theirs = draftOf({ ...METHOD, subtitle: 'By sea', rules: [...METHOD.rules.slice(1), rule('new')] });
  const merged = mergedDraft(BASE, { ...BASE, name: 'Slow' }, theirs);
  assert.ok(merged.isNews);
  assert.deepEqual(merged.contested, []);
  assert.deepEqual([merged.draft.name, merged.draft.subtitle], ['Slow', 'By sea']);
  assert.deepEqual(
    merged.draft.rules.map(({ id }) => id),
    ['b', 'c', 'new'],
  );
  assert.deepEqual(await callsOf(theirs, merged.draft), [['updateMethod', 'method_1', { name: 'Slow' }]]);
});

test('where both changed the same field, the draft stays and the path is named', () => {
  const theirs = draftOf({
    ...METHOD,
    config: { price: 700 },
    rules: [rule('a', { name: 'theirs' }), rule('c')],
  });
  const draft: MethodDraft = {
    ...BASE,
    config: { price: 0 },
    rules: BASE.rules.map((each) => ({ ...each, name: `mine ${each.name}` })),
  };
  const { draft: merged, contested } = mergedDraft(BASE, draft, theirs);
  assert.deepEqual(merged.config, { price: 0 });
  assert.deepEqual(
    merged.rules.map(({ id, name }) => [id, name]),
    [
      ['a', 'mine a'],
      ['b', 'mine b'],
      ['c', 'mine c'],
    ],
  );
  assert.deepEqual(contested, [['config'], ['rules', 'a', 'name'], ['rules', 'b']]);
  // A rule that they deleted is made again.
  assert.ok(writesOf(METHOD_KIND, theirs, merged).some(({ prefix }) => prefix === '/rules/b'));
});

test('a write whose answer was lost is not shown as a change of another editor', () => {
  const draft = withRules([...BASE.rules, newRule('x')]);
  const theirs = withRules([...BASE.rules, { ...newRule('x'), id: 'rule_x' }]);
  const merged = mergedDraft(BASE, { ...draft, name: 'Slow' }, { ...theirs, name: 'Slow' });
  assert.ok(!merged.isNews);
  assert.deepEqual(writesOf(METHOD_KIND, { ...theirs, name: 'Slow' }, merged.draft), []);
});

test('a rule that is edited while it is created keeps the edit, and is not created twice', () => {
  const created = newRule('x');
  const sent = withRules([...BASE.rules, created]);
  const typed = withRules([...BASE.rules, { ...created, name: 'typed since' }]);
  const saved = withRules([...BASE.rules, { ...created, id: 'rule_x' }]);
  const ids = [[created.id, 'rule_x']] as const;
  const { draft } = mergedDraft(withIds(sent, ids), withIds(typed, ids), saved);
  assert.deepEqual(draft.rules.at(-1), { ...created, id: 'rule_x', name: 'typed since' });
  assert.equal(draft.rules.length, 4);
});

test('a merge with an unchanged draft gives what is saved, and with an unchanged record the draft', () => {
  const names = fc.constantFrom('Economy', 'Slow', 'Fast');
  const draftArbitrary = fc.record({
    name: names,
    enabled: fc.boolean(),
    rules: fc.shuffledSubarray([...BASE.rules]),
  });
  fc.assert(
    fc.property(draftArbitrary, (fields) => {
      const other: MethodDraft = { ...BASE, ...fields };
      assert.deepEqual(mergedDraft(BASE, BASE, other).draft, other);
      assert.deepEqual(mergedDraft(BASE, other, BASE).draft, other);
      assert.equal(mergedDraft(BASE, other, BASE).isNews, false);
      assert.ok(isSame(mergedDraft(BASE, other, other).draft, other));
    }),
    { numRuns: 300 },
  );
});
