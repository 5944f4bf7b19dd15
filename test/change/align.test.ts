import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { alignLists, stayingRecords } from '../../src/change/align.ts';
import { movedInList, splicedList } from '../../src/change/list-window.ts';

const records = (ids: readonly string[]) => ids.map((id) => ({ id }));
const idLists = fc.shuffledSubarray(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', '__proto__']);

test('lists are lined up as a search for every id would', () => {
  fc.assert(
    fc.property(idLists, idLists, (from, to) => {
      const { start, end, fromIndexes, removed } = alignLists(records(from), records(to));
      assert.deepEqual([start, end], [0, to.length]);
      assert.deepEqual(
        [...fromIndexes],
        to.map((id) => from.indexOf(id)),
      );
      assert.deepEqual(
        removed.map((index) => from[index]).sort(),
        from.filter((id) => !to.includes(id)).sort(),
      );
    }),
    { numRuns: 2_000 },
  );
});

test('only where one record comes, goes or moves are ids read, however long the lists', () => {
  let reads = 0;
  const shared = Array.from({ length: 1_000 }, (_, index) =>
    Object.defineProperty({ id: '' }, 'id', { get: () => `${++reads && index}` }),
  );
  const writes: readonly { readonly id: string }[][] = [
    [...shared],
    shared.toSpliced(500, 0, { id: 'new' }),
    shared.toSpliced(500, 1),
    shared.toSpliced(500, 1, { id: '500' }),
    [...shared.toSpliced(500, 1), shared[500] ?? { id: '' }],
    [shared[500] ?? { id: '' }, ...shared.toSpliced(500, 1)],
  ];
  for (const to of writes) {
    reads = 0;
    alignLists(shared, to);
    assert.ok(reads <= 10, `${reads} ids were read`);
  }
});

/** Length of the longest increasing run over every choice of elements. */
function longestByTrial(values: readonly number[]): number {
  let longest = 0;
  for (let choice = 0; choice < 1 << values.length; choice++) {
    const chosen = values.filter((value, index) => value >= 0 && choice & (1 << index));
    const ascends = chosen.every((value, index) => index === 0 || value > (chosen[index - 1] ?? -1));
    if (ascends) longest = Math.max(longest, chosen.length);
  }
  return longest;
}

test('as many records as possible keep their place, and those that do keep their order', () => {
  fc.assert(
    fc.property(idLists, idLists, (from, to) => {
      const { fromIndexes } = alignLists(records(from), records(to));
      const stays = stayingRecords(fromIndexes);
      const kept = [...fromIndexes].filter((_, index) => stays[index] === 1);
      assert.ok(kept.every((value, index) => value > (kept[index - 1] ?? -1)));
      assert.equal(kept.length, longestByTrial([...fromIndexes]));
    }),
    { numRuns: 500 },
  );
});

test('what both lists share at their ends is not lined up, whether that is known or has to be found', () => {
  const shared = records(['a', 'b', 'c', 'd']);
  const edits: readonly (readonly [to: readonly { id: string }[], start: number, end: number])[] = [
    [splicedList(shared, 1, 1, { id: 'b' }), 1, 2],
    [splicedList(shared, 4, 0, { id: 'e' }), 4, 5],
    [splicedList(shared, 0, 1), 0, 0],
    [movedInList(shared, 2, 0, { id: 'c' }), 0, 3],
    [movedInList(shared, 1, 3, { id: 'b' }), 1, 4],
  ];
  for (const [to, start, end] of edits) {
    const known = alignLists(shared, to);
    assert.deepEqual([known.start, known.end], [start, end]);
    assert.deepEqual(alignLists(shared, [...to]), known);
    // Said of another list, it is not believed.
    assert.deepEqual(alignLists(records(['a', 'b', 'c', 'd']), to).end, to.length);
  }
});

test('empty lists line up', () => {
  assert.deepEqual(alignLists([], []), { start: 0, end: 0, fromIndexes: new Int32Array(0), removed: [] });
  assert.deepEqual(stayingRecords(new Int32Array(0)), new Uint8Array(0));
});
