/** The work of the lint for one record does not grow with their number, counted in blocks of code that run. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { LintWork } from './lint-work.ts';

/** Twice the records are twice the work, and some for what is looked up in a tree or sorted. */
const RATIO_MAX = 2.2;
/** A constant that is too large is work, too; most is done by conditions, of which each rule has some. */
const PER_RECORD_MAX = 10_000;

it('the lint of a shop of twice the size is at most twice the work, and each record is little work', () => {
  // A process of its own: what counts the blocks is what measures coverage, and knows but one listener.
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [fileURLToPath(new URL('lint-work.js', import.meta.url))],
    { encoding: 'utf8', env: { ...process.env, NODE_V8_COVERAGE: '' } },
  );
  assert.equal(status, 0, stderr);
  const work = JSON.parse(stdout) as LintWork[];
  const grown = work.filter(
    ({ records, once, twice }) => twice > RATIO_MAX * once || once > PER_RECORD_MAX * records,
  );
  assert.deepEqual(grown, []);
});
