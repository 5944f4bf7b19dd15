/**
 * Runs a program of this folder in a process of its own, because node:test tracks every promise of a test.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const RUN_MS_MAX = 600_000;
export const PROJECT = fileURLToPath(new URL('../../../../', import.meta.url));

/** Returns the JSON that the program prints. */
export function outputOf<T>(
  folder: string,
  program: string,
  given: readonly (number | string)[],
  { env = process.env, runMsMax = RUN_MS_MAX }: { env?: NodeJS.ProcessEnv; runMsMax?: number } = {},
): T {
  const args = [join(folder, `dist/test/store/cluster/${program}.js`), ...given.map(String)];
  const options = { encoding: 'utf8', timeout: runMsMax, env } as const;
  const { stdout, stderr, status, signal } = spawnSync(process.execPath, args, options);
  assert.notEqual(stdout, '', `ended with ${status ?? signal} ${stderr}`);
  return JSON.parse(stdout) as T;
}
