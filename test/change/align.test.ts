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

/** Whether the values at these indexes ascend. */
const ascends = (values: readonly number[], indexes: readonly number[]): boolean =>
  indexes.every((index, at) => at === 0 || Number(values[index]) > Number(values[indexes[at - 1] ?? 0]));

const atTheirIndex = (values: readonly number[], indexes: readonly number[]): number =>
  indexes.filter((index) => values[index] === index).length;

/** Length of the longest increasing run over every choice of elements, and the most of it at their index. */
function longestByTrial(values: readonly number[]): readonly number[] {
  let best = [0, 0];
  for (let choice = 0; choice < 1 << values.length; choice++) {
    const chosen = [...values.keys()].filter((index) => Number(values[index]) >= 0 && choice & (1 << index));
    if (!ascends(values, chosen)) continue;
    const [length = 0, fixed = 0] = best;
    const found = [chosen.length, atTheirIndex(values, chosen)] as const;
    if (found[0] > length || (found[0] === length && found[1] > fixed)) best = [...found];
  }
  return best;
}

test('as many records as possible keep their place, and those that do keep their order', () => {
  fc.assert(
    fc.property(idLists, idLists, (from, to) => {
      const aligned = alignLists(records(from), records(to));
      const values = [...aligned.fromIndexes];
      const stays = stayingRecords(aligned);
      const kept = [...values.keys()].filter((index) => stays[index] === 1);
      assert.ok(ascends(values, kept));
      assert.deepEqual([kept.length, atTheirIndex(values, kept)], longestByTrial(values));
    }),
    { numRuns: 500 },
  );
});

test('of a list turned round the middle stays, also behind what both lists share', () => {
  const shared = records(['x', 'y']);
  const [a, b, c] = records(['a', 'b', 'c']);
  assert.ok(a && b && c);
  const aligned = alignLists([...shared, a, b, c], [...shared, c, b, a]);
  assert.equal(aligned.start, 2);
  assert.deepEqual([...stayingRecords(aligned)], [0, 1, 0]);
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
  assert.deepEqual(stayingRecords({ start: 0, fromIndexes: new Int32Array(0) }), new Uint8Array(0));
});
