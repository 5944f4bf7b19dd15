import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { changedFields, isSame, mergedDraft } from '../../src/console/parts/merged-draft.ts';

test('changes of two editors to different fields are both kept', () => {
  const base = { name: 'Europe', countries: ['DE'] };
  const typed = { ...base, name: 'EU' };
  const theirs = { ...base, countries: ['DE', 'AT'] };
  assert.deepEqual(mergedDraft(base, typed, theirs), {
    draft: { name: 'EU', countries: ['DE', 'AT'] },
    contested: [],
  });
});

test('a field that both changed keeps what was typed and is named', () => {
  const [base, typed, theirs] = [{ name: 'a' }, { name: 'b' }, { name: 'c' }];
  assert.deepEqual(mergedDraft(base, typed, theirs), { draft: { name: 'b' }, contested: ['name'] });
  assert.deepEqual(mergedDraft(base, typed, { name: 'b' }), { draft: { name: 'b' }, contested: [] });
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
  const typed = { subzones: [{ ...a, name: 'Alps' }, b, c, { name: 'typed', postalCodes: '8*' }] };
  const theirs = {
    subzones: [{ ...a, postalCodes: '1*, 4*' }, b, { id: 'd', name: 'D', postalCodes: '9*' }],
  };
  assert.deepEqual(mergedDraft<object>(base, typed, theirs), {
    draft: {
      subzones: [
        { id: 'a', name: 'Alps', postalCodes: '1*, 4*' },
        b,
        { name: 'typed', postalCodes: '8*' },
        { id: 'd', name: 'D', postalCodes: '9*' },
      ],
    },
    contested: [],
  });
  const removed = { subzones: [b, c] };
  const kept = mergedDraft<object>(base, { subzones: [{ ...a, name: 'Alps' }, b, c] }, removed);
  assert.deepEqual(kept, {
    draft: { subzones: [{ ...a, name: 'Alps' }, b, c] },
    contested: ['subzones'],
  });
});

test('without a change on one side the merge is the other side, and merging twice changes nothing', () => {
  const list = fc.uniqueArray(fc.record({ id: fc.constantFrom('a', 'b', 'c', 'd'), name: fc.string() }), {
    selector: ({ id }) => id,
  });
  const fields = fc.record({ name: fc.string(), tags: fc.array(fc.string()), list });
  fc.assert(
    fc.property(fields, fields, fields, (base, typed, theirs) => {
      assert.ok(isSame(mergedDraft(base, typed, base), { draft: typed, contested: [] }));
      assert.ok(isSame(mergedDraft(base, base, theirs), { draft: theirs, contested: [] }));
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
