import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  Progress,
  paintAnsi,
  paintFor,
  paintNothing,
  type Terminal,
} from '../../../src/front/command-line/terminal.ts';

function stream(parts: Partial<Terminal>): Terminal & { readonly written: string[] } {
  const written: string[] = [];
  return { written, write: (text) => written.push(text), ...parts };
}

test('colours are used only on a terminal that supports them', () => {
  assert.equal(paintFor(stream({})), paintNothing);
  assert.equal(paintFor(stream({ isTTY: true, hasColors: () => false })), paintNothing);
  assert.equal(paintFor(stream({ isTTY: false, hasColors: () => true })), paintNothing);
  assert.equal(paintFor(stream({ isTTY: true, hasColors: () => true })), paintAnsi);
});

test('progress is drawn on a terminal, not too often, and removed at the end', () => {
  const tty = stream({ isTTY: true, columns: 200 });
  let nowMs = 0;
  const progress = new Progress('Reading', 'records', tty, () => nowMs);
  progress.show(1_000, 4_000);
  progress.show(2_000, 4_000);
  nowMs += 1_000;
  progress.show(4_000, 4_000);
  progress.end();
  progress.end();
  const clear = '\r\u001b[2K';
  assert.deepEqual(tty.written, [
    `${clear}Reading [######..................]  25% 1,000 of 4,000 records`,
    `${clear}Reading [########################] 100% 4,000 of 4,000 records`,
    clear,
  ]);
});

test('without a terminal no progress is drawn', () => {
  const file = stream({});
  const progress = new Progress('Reading', 'records', file);
  progress.show(1, 2);
  progress.end();
  assert.deepEqual(file.written, []);
});

test('a line of progress never wraps', () => {
  const narrow = stream({ isTTY: true, columns: 20 });
  new Progress('Reading', 'records', narrow).show(1, 2);
  assert.equal(narrow.written[0]?.length, '\r\u001b[2K'.length + 19);
});
