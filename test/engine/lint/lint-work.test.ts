/** The work of the lint for a record does not grow with the number of records. Counted in executed blocks of code. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { LintWork } from './lint-work.ts';

/** Twice the work for twice the records, and some for sorting and for searches in trees. */
const RATIO_MAX = 2.2;
/** Also bounds the constant work for each record; conditions take most of it. */
const PER_RECORD_MAX = 10_000;

it('the lint of a shop of twice the size is at most twice the work, and each record is little work', () => {
  // In a process of its own: the counting of blocks would disturb a measurement of coverage.
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [fileURLToPath(new URL('lint-work.js', import.meta.url))],
    { encoding: 'utf8', env: { ...process.env, NODE_V8_COVERAGE: '' } },
  );
  assert.equal(status, 0, stderr);
  const work = JSON.parse(stdout) as LintWork[];
  assert.ok(work.every(({ once }) => once > 0));
  const grown = work.filter(
    ({ records, once, twice }) => twice > RATIO_MAX * once || once > PER_RECORD_MAX * records,
  );
  assert.deepEqual(grown, []);
});
