/** A service has its old heap looked through more seldom than the engine would by itself. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('./old-heap-program.js', import.meta.url));

/** How often it was, with the nursery that `npm start` gives. */
function looks(...words: string[]): number {
  const flags = ['--expose-gc', '--min-semi-space-size=64', '--max-semi-space-size=64'];
  const { status, stdout, stderr } = spawnSync(process.execPath, [...flags, PROGRAM, ...words], {
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
  assert.equal(stderr, '');
  return Number(stdout);
}

test('it waits for 30 MB of garbage and more', () => {
  assert.equal(looks('delayed'), 0);
  assert.ok(looks() > 0);
});
