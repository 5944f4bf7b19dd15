/**
 * What the simulator of clusters and the exhaustive orders are worth: with a bug planted into the protocol they find a
 * broken promise.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { plantedProgram } from '../support/planted-program.ts';
import type { Exploration } from './interleavings.ts';
import { PLANTED_BUGS } from './planted-bugs.ts';
import type { ClusterSeedsReport } from './run-cluster-seeds.ts';

/** By this seed each planted bug has shown. */
const SEEDS = 300;
const RUN_MS_MAX = 600_000;
// A copy is no part of the measured program.
const ENVIRONMENT = { ...process.env, NODE_V8_COVERAGE: '' };

const program = plantedProgram(['src', 'test/cluster', 'test/simulator', 'test/support']);

/** What a program of the planted copy prints; in a process of its own, as node:test follows every promise of a test. */
function printed(name: string, given: readonly string[]): string {
  const args = [join(program.folder, `dist/test/cluster/${name}.js`), ...given];
  const options = { encoding: 'utf8', timeout: RUN_MS_MAX, env: ENVIRONMENT } as const;
  const { stdout, stderr } = spawnSync(process.execPath, args, options);
  assert.notEqual(stdout, '', stderr);
  return stdout;
}

for (const bug of PLANTED_BUGS) {
  test(`the simulator of clusters finds it when ${bug.what}`, (context) => {
    program.plant(bug, context);
    const { failed, seeds } = JSON.parse(
      printed('run-cluster-seeds', ['1', `${SEEDS}`]),
    ) as ClusterSeedsReport;
    context.diagnostic(`after ${seeds} seeds: ${failed?.promise.split('\n')[0]}`);
    assert.match(failed?.promise ?? '', /^Violation: /);
  });
}

for (const bug of PLANTED_BUGS.filter(({ isInOneWrite }) => isInOneWrite)) {
  test(`an order of one write shows it when ${bug.what}`, (context) => {
    program.plant(bug, context);
    const explorations = JSON.parse(printed('run-interleavings', [])) as Exploration[];
    const broken = explorations.find(({ failed }) => failed !== null);
    context.diagnostic(`${broken?.scenario}: ${broken?.failed?.promise}`);
    assert.match(broken?.failed?.promise ?? '', /^Violation: /);
  });
}
