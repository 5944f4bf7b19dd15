/**
 * Checks the cluster simulator and the exhaustive orders of one write: they find each bug that is planted into the
 * protocol.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plantedProgram } from '../../support/planted-program.ts';
import type { Exploration } from './interleavings.ts';
import { PLANTED_BUGS } from './planted-bugs.ts';
import { outputOf } from './program-output.ts';
import type { ClusterSeedsReport } from './run-cluster-seeds.ts';

/** This many seeds find each planted bug that is not rare. */
const SEEDS = 3_000;
// The copy must not count in the coverage of the program.
const OPTIONS = { env: { ...process.env, NODE_V8_COVERAGE: '' } };

const program = plantedProgram(['src', 'test/store/cluster', 'test/simulator', 'test/support']);

for (const bug of PLANTED_BUGS.filter(({ isRare }) => !isRare)) {
  test(`the cluster simulator finds the bug: ${bug.what}`, (context) => {
    program.plant(bug, context);
    const { folder } = program;
    const report = outputOf<ClusterSeedsReport>(folder, 'run-cluster-seeds', [1, SEEDS], OPTIONS);
    const { failed, seeds } = report;
    context.diagnostic(`after ${seeds} seeds: ${failed?.promise.split('\n')[0]}`);
    assert.match(failed?.promise ?? '', /^Violation: /);
  });
}

for (const bug of PLANTED_BUGS.filter(({ isInOneWrite }) => isInOneWrite)) {
  test(`the exhaustive orders of one write find the bug: ${bug.what}`, (context) => {
    program.plant(bug, context);
    const explorations = outputOf<Exploration[]>(program.folder, 'run-interleavings', [], OPTIONS);
    const broken = explorations.find(({ failed }) => failed !== null);
    context.diagnostic(`${broken?.scenario}: ${broken?.failed?.promise}`);
    assert.match(broken?.failed?.promise ?? '', /^Violation: /);
  });
}
