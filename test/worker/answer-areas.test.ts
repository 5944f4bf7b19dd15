/** Shared memory for answers: an area is not written again while an answer in it may still be read. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AnswerAreas, releaseOf } from '../../src/worker/answer-areas.ts';

const LARGE = 64 * 1024;
const LARGEST = 16 * 1024 * 1024;

/** Takes all areas. */
function takeAll(areas: AnswerAreas): Buffer[] {
  const taken: Buffer[] = [];
  for (let room = areas.roomFor(LARGE); isShared(room); room = areas.roomFor(LARGE)) taken.push(room);
  return taken;
}

const isShared = ({ buffer }: Buffer): boolean => buffer instanceof SharedArrayBuffer;
const buffersOf = (rooms: readonly Buffer[]) => new Set(rooms.map(({ buffer }) => buffer));

test('an area holds one answer at a time, and the number of areas is bounded', () => {
  const areas = new AnswerAreas();
  const taken = takeAll(areas);
  assert.ok(taken.length > 1);
  assert.equal(buffersOf(taken).size, taken.length);
  const [first, second] = taken;
  assert.ok(first !== undefined && second !== undefined);
  for (const room of [first, second, first]) releaseOf(room)?.();
  assert.deepEqual(buffersOf(takeAll(areas)), buffersOf([first, second]));
});

test('an answer that is small, too large or without a free area has a buffer that can be transferred', () => {
  const areas = new AnswerAreas();
  for (const [bytes, shared] of [
    [0, false],
    [LARGE - 1, false],
    [LARGE, true],
    [LARGEST, true],
    [LARGEST + 1, false],
  ] as const) {
    const room = areas.roomFor(bytes);
    assert.deepEqual([room.length, isShared(room)], [bytes, shared]);
    assert.equal(releaseOf(room) !== undefined, shared);
    if (!shared)
      assert.equal(structuredClone(room, { transfer: [room.buffer as ArrayBuffer] }).length, bytes);
  }
  takeAll(areas);
  assert.ok(!isShared(areas.roomFor(LARGE)));
});

test('writing an answer to its last byte does not release its area', () => {
  const areas = new AnswerAreas();
  const full = areas.roomFor(LARGEST).fill(0);
  assert.ok(!buffersOf(takeAll(areas)).has(full.buffer));
});
