/** What the simulator is worth: with a bug planted into a copy of the program it finds a broken promise. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plantedProgram } from '../support/planted-program.ts';
import { PLANTED_BUGS } from './planted-bugs.ts';
import { reportOf } from './seeds-report.ts';

/** By this seed each planted bug has shown. */
const SEEDS = 400;

const program = plantedProgram(['src', 'test/simulator', 'test/support']);

for (const bug of PLANTED_BUGS) {
  test(`the simulator finds it when ${bug.what}`, (context) => {
    program.plant({ ...bug, file: `src/${bug.file}` }, context);
    const { failed, seeds } = reportOf(program.folder, 1, SEEDS);
    context.diagnostic(`after ${seeds} seeds: ${failed?.promise.split('\n')[0]}`);
    assert.match(failed?.promise ?? '', /^Violation: /);
  });
}
