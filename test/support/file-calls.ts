/**
 * Records the folders and names that a task makes through `node:fs`, and its flushes, to check the order between
 * them.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import type { TestContext } from 'node:test';

/** Runs the task; the calls are lines such as `mkdir /a`, `link /a/b` (of the new name) and `sync /a`. */
export function fileCallsOf(context: TestContext, task: () => void): string[] {
  const calls: string[] = [];
  const pathOf = new Map<number, string>();
  const { mkdirSync, linkSync, openSync, fsyncSync } = fs;
  const mocks = [
    context.mock.method(fs, 'mkdirSync', (path: string, options: fs.MakeDirectoryOptions) => {
      mkdirSync(path, options);
      calls.push(`mkdir ${path}`);
    }),
    context.mock.method(fs, 'linkSync', (from: string, to: string) => {
      linkSync(from, to);
      calls.push(`link ${to}`);
    }),
    context.mock.method(fs, 'openSync', (path: string, flags: string, mode?: number) => {
      const file = openSync(path, flags, mode);
      pathOf.set(file, path);
      return file;
    }),
    context.mock.method(fs, 'fsyncSync', (file: number) => {
      fsyncSync(file);
      calls.push(`sync ${pathOf.get(file)}`);
    }),
  ];
  // Also replaces the functions that were imported by name.
  syncBuiltinESMExports();
  try {
    task();
  } finally {
    for (const { mock } of mocks) mock.restore();
    syncBuiltinESMExports();
  }
  return calls;
}
