/**
 * A copy of the compiled program in which bugs are planted, one at a time, to show that a test finds them. The program
 * itself is not changed.
 */
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';

const PROJECT = fileURLToPath(new URL('../../../', import.meta.url));

/** A bug that a test must find: it replaces one piece of compiled code. */
export interface PlantedBug {
  readonly what: string;
  /** Path below `dist`, without the extension. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

interface PlantedProgram {
  readonly folder: string;
  /** Plants the bug until the test ends. */
  plant(bug: PlantedBug, context: TestContext): void;
}

/** Copies these folders of `dist` before the tests of a file, and removes the copy after them. */
export function plantedProgram(folders: readonly string[]): PlantedProgram {
  const copy = mkdtempSync(join(tmpdir(), 'ratewright-planted-'));
  before(() => {
    const isCode = (path: string) => !/\.(map|d\.ts)$/.test(path);
    for (const folder of folders) {
      const path = join('dist', folder);
      cpSync(join(PROJECT, path), join(copy, path), { recursive: true, filter: isCode });
    }
    cpSync(join(PROJECT, 'package.json'), join(copy, 'package.json'));
    symlinkSync(join(PROJECT, 'node_modules'), join(copy, 'node_modules'));
  });
  after(() => rmSync(copy, { recursive: true, force: true }));
  return {
    folder: copy,
    plant({ file, from, to }, context) {
      const path = join(copy, 'dist', `${file}.js`);
      const code = readFileSync(path, 'utf8');
      assert.equal(code.split(from).length, 2, `${file} has ${from} once`);
      writeFileSync(
        path,
        code.replace(from, () => to),
      );
      context.after(() => writeFileSync(path, code));
    },
  };
}
