import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Alignment, align, type Identified, stayingRecords } from '../../../src/engine/change/align.ts';

const alignLists = (from: readonly Identified[], to: readonly Identified[]): Alignment => align(from, to);

const records = (ids: readonly string[]) => ids.map((id) => ({ id }));
const idLists = fc.shuffledSubarray(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', '__proto__']);

test('lists are aligned as by a search for every id', () => {
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

test('when one record is added, removed or replaced, only ids near it are read, however long the lists', () => {
  let reads = 0;
  const shared = Array.from({ length: 1_000 }, (_, index) =>
    Object.defineProperty({ id: '' }, 'id', { get: () => `${++reads && index}` }),
  );
  const writes: readonly { readonly id: string }[][] = [
    [...shared],
    shared.toSpliced(500, 0, { id: 'new' }),
    shared.toSpliced(500, 1),
    shared.toSpliced(500, 1, { id: '500' }),
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

test('as many records as possible keep their place, in an unchanged order', () => {
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

test('in a reversed list the middle record stays, also after a common prefix', () => {
  const shared = records(['x', 'y']);
  const [a, b, c] = records(['a', 'b', 'c']);
  assert.ok(a && b && c);
  const aligned = alignLists([...shared, a, b, c], [...shared, c, b, a]);
  assert.equal(aligned.start, 2);
  assert.deepEqual([...stayingRecords(aligned)], [0, 1, 0]);
});

test('a common prefix and suffix are not aligned', () => {
  const shared = records(['a', 'b', 'c', 'd']);
  const [a, b, c, d] = shared;
  assert.ok(a && b && c && d);
  const edits: readonly (readonly [to: readonly Identified[], start: number, end: number])[] = [
    [[a, { id: 'b' }, c, d], 1, 2],
    [[...shared, { id: 'e' }], 4, 5],
    [[b, c, d], 0, 0],
    [[{ id: 'c' }, a, b, d], 0, 3],
    [[a, c, d, { id: 'b' }], 1, 4],
  ];
  for (const [to, start, end] of edits) {
    const aligned = alignLists(shared, to);
    assert.deepEqual([aligned.start, aligned.end], [start, end]);
  }
  assert.equal(alignLists(records(['a', 'b', 'c', 'd']), shared).end, shared.length);
});

test('empty lists are aligned', () => {
  assert.deepEqual(alignLists([], []), { start: 0, end: 0, fromIndexes: new Int32Array(0), removed: [] });
  assert.deepEqual(stayingRecords({ start: 0, fromIndexes: new Int32Array(0) }), new Uint8Array(0));
});
