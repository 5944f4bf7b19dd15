import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  changedFields,
  isSame,
  mergedDraft,
  newId,
  withTheirs,
} from '../../../src/front/console/parts/merged-draft.ts';

test('changes of two editors to different fields are both kept', () => {
  const base = { name: 'Europe', countries: ['DE'] };
  const typed = { ...base, name: 'EU' };
  const theirs = { ...base, countries: ['DE', 'AT'] };
  assert.deepEqual(mergedDraft(base, typed, theirs), {
    draft: { name: 'EU', countries: ['DE', 'AT'] },
    contested: [],
    isNews: true,
  });
});

test('a field that both changed keeps what was typed and is named', () => {
  const [base, typed, theirs] = [{ name: 'a' }, { name: 'b' }, { name: 'c' }];
  const merged = mergedDraft(base, typed, theirs);
  assert.deepEqual(merged, { draft: { name: 'b' }, contested: [['name']], isNews: true });
  assert.deepEqual(withTheirs(merged.draft, theirs, ['name']), theirs);
  const same = mergedDraft(base, typed, { name: 'b' });
  assert.deepEqual(same, { draft: { name: 'b' }, contested: [], isNews: false });
});

test('lists of records are merged record by record: nothing typed and nothing saved is lost', () => {
  const base = {
    subzones: [
      { id: 'a', name: 'A', postalCodes: '1*' },
      { id: 'b', name: 'B', postalCodes: '2*' },
      { id: 'c', name: 'C', postalCodes: '3*' },
    ],
  };
  const [a, b, c] = base.subzones;
  const added = { id: newId(), name: 'typed', postalCodes: '8*' };
  const typed = { subzones: [{ ...a, name: 'Alps' }, b, c, added] };
  const theirs = {
    subzones: [{ ...a, postalCodes: '1*, 4*' }, b, { id: 'd', name: 'D', postalCodes: '9*' }],
  };
  assert.deepEqual(mergedDraft<object>(base, typed, theirs), {
    draft: {
      subzones: [
        { id: 'a', name: 'Alps', postalCodes: '1*, 4*' },
        b,
        added,
        { id: 'd', name: 'D', postalCodes: '9*' },
      ],
    },
    contested: [],
    isNews: true,
  });
  const removed = { subzones: [b, c] };
  const kept = mergedDraft<object>(base, { subzones: [{ ...a, name: 'Alps' }, b, c] }, removed);
  assert.deepEqual(kept, {
    draft: { subzones: [{ ...a, name: 'Alps' }, b, c] },
    contested: [['subzones', 'a']],
    isNews: true,
  });
  assert.deepEqual(withTheirs(kept.draft, removed, ['subzones', 'a']), removed);
});

test('the value of the other editor is taken at one path, and what was typed elsewhere stays', () => {
  const [base, typed, theirs] = ['', 'mine', 'theirs'].map((text) => ({
    note: text,
    rules: [
      { id: 'a', name: `a ${text}`, action: `hide ${text}` },
      { id: 'b', name: `b ${text}` },
    ],
  }));
  assert.ok(base !== undefined && typed !== undefined && theirs !== undefined);
  const { draft, contested } = mergedDraft(base, typed, theirs);
  assert.deepEqual(draft, typed);
  assert.deepEqual(contested, [
    ['note'],
    ['rules', 'a', 'name'],
    ['rules', 'a', 'action'],
    ['rules', 'b', 'name'],
  ]);
  assert.deepEqual(withTheirs(draft, theirs, ['rules', 'a', 'name']).rules, [
    { id: 'a', name: 'a theirs', action: 'hide mine' },
    { id: 'b', name: 'b mine' },
  ]);
  // Deleted here, changed there: theirs is there again.
  const without = { ...typed, rules: typed.rules.slice(1) };
  const deleted = mergedDraft(base, without, theirs);
  assert.deepEqual(deleted.contested.at(-1), ['rules', 'a']);
  assert.deepEqual(withTheirs(deleted.draft, theirs, ['rules', 'a']).rules.at(-1), theirs.rules[0]);
});

test('the order is that of the other editor, or of the draft where that moved records', () => {
  const list = (ids: string) => ({ rules: [...ids].map((id) => ({ id, name: id })) });
  const order = (base: string, typed: string, theirs: string): string =>
    mergedDraft(list(base), list(typed), list(theirs))
      .draft.rules.map(({ id }) => id)
      .join('');
  assert.equal(order('abc', 'abxc', 'cab'), 'caxb');
  assert.equal(order('abc', 'cab', 'bac'), 'cab');
  assert.equal(order('abc', 'ab', 'cbad'), 'bad');
});

test('without a change on one side the merge is the other side, and merging twice changes nothing', () => {
  const list = fc.uniqueArray(fc.record({ id: fc.constantFrom('a', 'b', 'c', 'd'), name: fc.string() }), {
    selector: ({ id }) => id,
  });
  const fields = fc.record({ name: fc.string(), tags: fc.array(fc.string()), list });
  fc.assert(
    fc.property(fields, fields, fields, (base, typed, theirs) => {
      assert.ok(isSame(mergedDraft(base, typed, base), { draft: typed, contested: [], isNews: false }));
      const isNews = !isSame(base, theirs);
      assert.ok(isSame(mergedDraft(base, base, theirs), { draft: theirs, contested: [], isNews }));
      const { draft } = mergedDraft(base, typed, theirs);
      assert.ok(isSame(mergedDraft(theirs, draft, theirs).draft, draft));
      assert.ok(isSame({ ...theirs, ...changedFields(theirs, draft) }, draft));
    }),
  );
});

test('absent fields count as undefined, and order of fields does not matter', () => {
  assert.ok(isSame({ a: 1, b: [{ c: null }] }, { b: [{ c: null }], a: 1, d: undefined }));
  assert.ok(!isSame([1, 2], [1]) && !isSame({ a: null }, { a: undefined }) && !isSame([], {}));
});
