/**
 * Power loss: the system calls of a writer are recorded, and the data file is built anew from them with
 * what was not flushed dropped or torn. What was acknowledged before the power went is there, whole,
 * and the log takes writes again. The long form: `RATEWRIGHT_POWER_LOSSES=10000 npm test -- power-loss`.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { type CheckedState, powerLossProgram } from './power-loss-program.ts';
import { LOSSES } from './power-loss-states.ts';
import { straceMissing, TRACED_CALLS } from './strace.ts';

const STATES = Number(process.env['RATEWRIGHT_POWER_LOSSES'] ?? 300);
/** A longer run has more flushes to lose power in. */
const GROUPS = Math.min(1_000, Math.max(60, STATES / 10));

const run = (program: string, ...values: string[]) =>
  spawnSync(program, values, {
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
    env: { ...process.env, NODE_V8_COVERAGE: '' },
  });

test(`what was acknowledged survives ${STATES} power losses`, { skip: straceMissing() }, (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'ratewright-power-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  const trace = join(folder, 'trace');
  const writer = [process.execPath, powerLossProgram, 'write', join(folder, 'db'), String(GROUPS)];
  const recorded = run('strace', '-f', '-xx', '-s', '1000000', '-e', TRACED_CALLS, '-o', trace, ...writer);
  assert.equal(recorded.status, 0, recorded.stderr);
  assert.ok(recorded.stdout.split('\n').length > GROUPS);

  const states: CheckedState[] = [];
  const killed: string[] = [];
  for (let first = 0; first < STATES; ) {
    const values = ['check', trace, folder, String(first), String(STATES - first)];
    const { status, signal, stdout, stderr } = run(process.execPath, powerLossProgram, ...values);
    const checked = stdout.split('\n').filter((line) => line !== '');
    states.push(...checked.map((line) => JSON.parse(line) as CheckedState));
    first += checked.length;
    if (status === 0) break;
    killed.push(`state ${first}: ${signal ?? status} ${stderr}`);
    first++;
  }
  assert.deepEqual(killed, []);
  assert.equal(states.length, STATES);
  assert.deepEqual(
    states.filter(({ outcome }) => outcome !== 'whole'),
    [],
  );
  context.diagnostic(`${STATES} states (${LOSSES.join(', ')}): 0 lost, 0 refused`);
});
