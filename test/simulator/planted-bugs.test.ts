/** The simulator finds bugs: with a bug planted into a copy of the program it reports a broken promise. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plantedProgram } from '../support/planted-program.ts';
import { PLANTED_BUGS } from './planted-bugs.ts';
import { reportOf } from './seeds-report.ts';

/** This many seeds find each planted bug. */
const SEEDS = 400;

const program = plantedProgram(['src', 'test/simulator', 'test/support', 'test/engine/change']);

for (const bug of PLANTED_BUGS) {
  test(`the simulator finds the bug: ${bug.what}`, (context) => {
    program.plant({ ...bug, file: `src/${bug.file}` }, context);
    const { failed, seeds } = reportOf(program.folder, 1, SEEDS);
    context.diagnostic(`after ${seeds} seeds: ${failed?.promise.split('\n')[0]}`);
    assert.match(failed?.promise ?? '', /^Violation: /);
  });
}
