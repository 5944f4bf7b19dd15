import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  afterWrite,
  comparisonOf,
  draftOf,
  type Method,
  type MethodDraft,
  mergeDraft,
  type RuleDraft,
  writesOf,
} from '../../src/console/methods/method-draft.ts';
import { isSame } from '../../src/console/parts/merged-draft.ts';

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
  rules: [
    rule('a'),
    rule('b', { action: 'adjust_add', adjustmentValue: 0, adjustmentType: 'flat' }),
    rule('c'),
  ],
};
const BASE = draftOf(METHOD);

const newRule = (key: string): RuleDraft => ({ ...(BASE.rules[0] as RuleDraft), key, id: null, name: key });
const withRules = (rules: readonly RuleDraft[]): MethodDraft => ({ ...BASE, rules });

test('an edit is saved with the fields that changed, a rate type always with its config, and zero is an amount', () => {
  assert.deepEqual(writesOf(BASE, BASE), []);
  const draft: MethodDraft = {
    ...BASE,
    name: 'Slow',
    config: { price: 0 },
    rules: BASE.rules.map((each) =>
      each.id === 'c' ? { ...each, action: 'adjust_subtract', adjustmentValue: 0 } : each,
    ),
  };
  assert.deepEqual(writesOf(BASE, draft), [
    { kind: 'updateMethod', body: { name: 'Slow', rateType: 'flat', config: { price: 0 } } },
    {
      kind: 'updateRule',
      id: 'c',
      key: 'c',
      body: { action: 'adjust_subtract', adjustmentType: 'flat', adjustmentValue: 0 },
    },
  ]);
});

test('a new method is created before its rules, without a service code that nobody typed', () => {
  const draft: MethodDraft = { ...BASE, id: null, serviceCode: '', rules: [newRule('x')] };
  const [first, second, ...others] = writesOf(null, draft);
  assert.ok(first?.kind === 'createMethod' && second?.kind === 'createRule');
  assert.ok(!('serviceCode' in first.body) && !('rules' in first.body) && !('id' in first.body));
  assert.deepEqual(second.body, { name: 'x', action: 'hide', conditions: [], enabled: true, position: 0 });
  assert.deepEqual(others, []);
});

test('one rule that moves is one write, wherever it moves', () => {
  const [a, b, c] = BASE.rules as [RuleDraft, RuleDraft, RuleDraft];
  for (const rules of [
    [b, c, a],
    [c, a, b],
    [b, a, c],
  ])
    assert.equal(writesOf(BASE, withRules(rules)).length, 1);
});

/** What the service does with the writes: keys of the rules in their order, new ones under the key of the draft. */
function orderAfter(base: MethodDraft, draft: MethodDraft): readonly string[] {
  let order = base.rules.map(({ key }) => key);
  for (const write of writesOf(base, draft)) {
    if (write.kind === 'deleteRule') order = order.filter((key) => key !== write.id);
    if (write.kind !== 'createRule' && write.kind !== 'updateRule') continue;
    const { position } = write.body;
    const others = order.filter((key) => key !== write.key);
    if (position !== undefined || !order.includes(write.key)) {
      order = others.toSpliced(position ?? others.length, 0, write.key);
    }
  }
  return order;
}

test('the writes leave the rules in the order of the draft, whatever was moved, added and removed', () => {
  const keys = ['a', 'b', 'c', 'd', 'e', 'f'];
  const saved = withRules(keys.map((key) => ({ ...newRule(key), id: key })));
  const all = [...saved.rules, newRule('x'), newRule('y')];
  fc.assert(
    fc.property(fc.shuffledSubarray(all), (rules) => {
      assert.deepEqual(
        orderAfter(saved, withRules(rules)),
        rules.map(({ key }) => key),
      );
    }),
    { numRuns: 500 },
  );
});

test('after each write the base is what is saved, so that a save that stops in the middle goes on from there', () => {
  const [, b, c] = BASE.rules as [RuleDraft, RuleDraft, RuleDraft];
  const draft = { ...withRules([c, { ...b, name: 'changed' }, { ...newRule('x'), id: 'x' }]), name: 'Slow' };
  let base = BASE;
  // The new rule has its id once it is created.
  const unsaved = {
    ...draft,
    rules: draft.rules.map((each) => (each.key === 'x' ? { ...each, id: null } : each)),
  };
  const kinds = writesOf(BASE, unsaved).map((write) => {
    base = afterWrite(base, write.kind === 'createRule' ? draft : unsaved, write);
    return write.kind;
  });
  assert.deepEqual(kinds, ['updateMethod', 'deleteRule', 'updateRule', 'createRule']);
  assert.deepEqual(base, draft);
});

test('what another editor changed joins the draft where the draft has not changed it', () => {
  const theirs = draftOf({ ...METHOD, subtitle: 'By sea', rules: [...METHOD.rules.slice(1), rule('new')] });
  const draft = { ...BASE, name: 'Slow' };
  const merged = mergeDraft(BASE, theirs, draft);
  assert.ok(merged.isNews);
  assert.deepEqual(merged.clashes, []);
  assert.deepEqual([merged.draft.name, merged.draft.subtitle], ['Slow', 'By sea']);
  assert.deepEqual(
    merged.draft.rules.map(({ key }) => key),
    ['b', 'c', 'new'],
  );
  assert.deepEqual(
    writesOf(theirs, merged.draft).map(({ kind }) => kind),
    ['updateMethod'],
  );
});

test('where both changed the same, the draft stays and the clash is named', () => {
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
  const { draft: merged, clashes } = mergeDraft(BASE, theirs, draft);
  assert.deepEqual(merged.config, { price: 0 });
  assert.deepEqual(
    merged.rules.map(({ id, name }) => [id, name]),
    [
      ['a', 'mine a'],
      [null, 'mine b'],
      ['c', 'mine c'],
    ],
  );
  assert.deepEqual(clashes, ['rateType', 'rule “mine a”: name', 'rule “mine b”, which was deleted']);
});

test('what is saved as the draft has it is no news: the answer to its write was lost', () => {
  const draft = withRules([...BASE.rules, newRule('x')]);
  const theirs = withRules([...BASE.rules, { ...newRule('x'), id: 'rule_x', key: 'rule_x' }]);
  const merged = mergeDraft(BASE, { ...theirs, name: 'Slow' }, { ...draft, name: 'Slow' });
  assert.ok(!merged.isNews);
  assert.deepEqual(writesOf({ ...theirs, name: 'Slow' }, merged.draft), []);
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
      assert.deepEqual(mergeDraft(BASE, other, BASE).draft, other);
      assert.deepEqual(mergeDraft(BASE, BASE, other).draft, other);
      assert.equal(mergeDraft(BASE, BASE, other).isNews, false);
      assert.ok(isSame(mergeDraft(BASE, other, other).draft, other));
    }),
    { numRuns: 300 },
  );
});

test('what another editor changed is told by record and field', () => {
  const to = draftOf({
    ...METHOD,
    name: 'Slow',
    rules: [rule('a', { enabled: false }), rule('b'), rule('n')],
  });
  const { added, modified, removed } = comparisonOf(BASE, to);
  assert.deepEqual(
    modified.map(({ kind, id, changes }) => [kind, id, changes.map(({ field }) => field)]),
    [
      ['method', 'method_1', ['name']],
      ['rule', 'a', ['enabled']],
      ['rule', 'b', ['action', 'adjustmentValue']],
    ],
  );
  assert.deepEqual([added.map(({ id }) => id), removed.map(({ id }) => id)], [['n'], ['c']]);
});
