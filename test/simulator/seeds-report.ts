/**
 * The output of `run-seeds`. It runs in a separate process, because node:test tracks every promise of a test, which
 * doubles the time.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { SeedsReport } from './run-seeds.ts';

/** Time limit for `count` seeds, in milliseconds; generous, because the machine may be busy. */
const runMsMax = (count: number): number => Math.max(600_000, 100 * count);

/** Runs `count` seeds from `first` on with the program in the project `folder`. */
export function reportOf(folder: string, first: number, count: number): SeedsReport {
  const args = [join(folder, 'dist/test/simulator/run-seeds.js'), String(first), String(count)];
  const options = { encoding: 'utf8', timeout: runMsMax(count) } as const;
  const { stdout, stderr, status, signal } = spawnSync(process.execPath, args, options);
  const report = stdout === '' ? null : (JSON.parse(stdout) as SeedsReport);
  const isReported = report !== null && status === (report.failed === null ? 0 : 1);
  assert.ok(isReported, `ended with ${status ?? signal} ${stdout} ${stderr}`);
  return report;
}
