/**
 * Every order of the steps of one write and one renewal, with a join, a lapse and a failover: none shows an answer
 * without a mark that lacks what was acknowledged before it.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Exploration, SCENARIOS } from './interleavings.ts';

const RUN_MS_MAX = 600_000;
const PROJECT = fileURLToPath(new URL('../../../', import.meta.url));

/** In a process of its own, as node:test follows every promise of a test, which doubles the time of a run. */
function explorationsOf(folder: string, env: NodeJS.ProcessEnv): Exploration[] {
  const args = [join(folder, 'dist/test/cluster/run-interleavings.js')];
  const { stdout, stderr } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    timeout: RUN_MS_MAX,
    env,
  });
  assert.notEqual(stdout, '', stderr);
  return JSON.parse(stdout) as Exploration[];
}

test('no order of a write and a renewal shows an answer that is stale and not marked', (context) => {
  const explorations = explorationsOf(PROJECT, process.env);
  for (const { scenario, states, orders, told, failed } of explorations) {
    assert.equal(
      failed,
      null,
      failed === null ? '' : `${scenario}: ${failed.promise}\n${failed.order.join('\n')}`,
    );
    context.diagnostic(
      `${scenario}: ${states} states by ${orders} orders; ${told} answers without a mark show the write`,
    );
    assert.ok(told > 0);
  }
  assert.equal(explorations.length, SCENARIOS.length);
});
