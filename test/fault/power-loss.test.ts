/**
 * Power loss: the system calls of a writer are recorded, and the data file is rebuilt from them with unflushed data
 * dropped or torn. All records that were acknowledged before are there, complete, and the log accepts writes again.
 * Only a disk that tears the meta page within a sector may leave a file that is refused. The long form:
 * `RATEWRIGHT_POWER_LOSSES=10000 npm test -- power-loss`.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { memoryFolder } from './memory-folder.ts';
import { type CheckedState, powerLossProgram } from './power-loss-program.ts';
import { BELOW_SECTOR, LOSSES } from './power-loss-states.ts';
import { straceMissing, TRACED_CALLS } from './strace.ts';

const STATES = Number(process.env['RATEWRIGHT_POWER_LOSSES'] ?? 50);
/** States per process; LMDB's binding keeps some memory for every file that was opened. */
const STATES_PER_PROCESS = 500;
/** A longer run has more flushes at which the power can fail. */
const GROUPS = Math.min(1_000, Math.max(60, STATES / 10));

const run = (program: string, ...values: string[]) =>
  spawnSync(program, values, {
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
    env: { ...process.env, NODE_V8_COVERAGE: '' },
  });

test(`acknowledged records survive ${STATES} power losses`, { skip: straceMissing() }, (context) => {
  const folder = memoryFolder('power');
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  const trace = join(folder, 'trace');
  const writer = [process.execPath, powerLossProgram, 'write', join(folder, 'db'), String(GROUPS), 'trim'];
  const recorded = run('strace', '-f', '-xx', '-s', '1000000', '-e', TRACED_CALLS, '-o', trace, ...writer);
  assert.equal(recorded.status, 0, recorded.stderr);
  assert.ok(recorded.stdout.split('\n').length > GROUPS);

  const states: CheckedState[] = [];
  const killed: string[] = [];
  for (let first = 0; first < STATES; ) {
    const count = Math.min(STATES_PER_PROCESS, STATES - first);
    const values = ['check', trace, folder, String(first), String(count)];
    const { status, signal, stdout, stderr } = run(process.execPath, powerLossProgram, ...values);
    const checked = stdout.split('\n').filter((line) => line !== '');
    states.push(...checked.map((line) => JSON.parse(line) as CheckedState));
    first += checked.length;
    if (status === 0) continue;
    killed.push(`state ${first}: ${signal ?? status} ${stderr}`);
    first++;
  }
  assert.deepEqual(killed, []);
  assert.equal(states.length, STATES);
  // A log may be refused if the power failed while it was created.
  const unfinished = states.filter(({ outcome, shops }) => outcome === 'refused' && shops === 0);
  const torn = states.filter(
    ({ loss, outcome, shops }) => loss === BELOW_SECTOR && outcome === 'refused' && shops > 0,
  );
  assert.deepEqual(
    torn.filter(({ what }) => !/data\.mdb is damaged \(.+\): restore a backup$/.test(what ?? '')),
    [],
  );
  // The check at a start reads keys and values: a list of free pages that was torn is met by the next write, which fails.
  const unwritable = states.filter(
    ({ loss, outcome, what }) =>
      loss === BELOW_SECTOR && outcome === 'broken' && /: outcomeUnknown$/.test(what ?? ''),
  );
  const known = [...unfinished, ...torn, ...unwritable];
  assert.deepEqual(
    states.filter((state) => state.outcome !== 'whole' && !known.includes(state)),
    [],
  );
  context.diagnostic(
    `${STATES} states (${LOSSES.join(', ')}): 0 lost, ${unfinished.length} refused before the first write, ` +
      `${torn.length} refused by name for a page torn within a sector, ${unwritable.length} read but not written`,
  );
});
