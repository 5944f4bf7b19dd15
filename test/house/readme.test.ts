/** The README says what is there: its first commands, its files, its folders, its dependencies. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { findingsTable } from '../../src/command-line/finding-text.ts';
import { settingsTable } from '../../src/settings.ts';
import { filesBelow, projectRoot, readText } from './project-files.ts';

const readme = readText('README.md');
/** What stands between single backticks, outside of blocks. */
const spans = [...readme.replace(/^```[\s\S]*?^```$/gm, '').matchAll(/`([^`\n]+)`/g)].map(
  ([, span]) => span ?? '',
);

test('the README opens with the two commands that a fresh clone needs', () => {
  const [, firstBlock] = /```sh\n([\s\S]*?)```/.exec(readme) ?? [];
  assert.equal(firstBlock, 'npm ci && npm start\nnpm ci && npm test\n');
});

test('every file that the README names exists, the test of each promise included', () => {
  const isPath = /^(?:src|test|bench|data|\.ci)\/[\w./-]+$/;
  const made = 'data/db';
  const named = [...new Set(spans.filter((span) => isPath.test(span) && !span.startsWith(made)))];
  const sent = [...readme.matchAll(/\bdata\/carts\/[\w-]+\.json/g)].map(([path]) => path);
  assert.ok(named.length > 0 && sent.length > 0);
  assert.deepEqual(
    [...named, ...sent].filter((path) => !existsSync(join(projectRoot, path))),
    [],
  );
});

test('the README names every folder of src', () => {
  const folders = new Set(filesBelow('src').map((path) => path.split('/')[1] ?? ''));
  const mentioned = (folder: string) =>
    spans.some((span) => span === folder || span === `${folder}/` || span.split(' ').includes(folder));
  assert.deepEqual(
    [...folders].filter((folder) => !mentioned(folder)),
    [],
  );
});

test('the README gives a reason for every dependency', () => {
  type Manifest = Record<'dependencies' | 'devDependencies', Record<string, string>>;
  const { dependencies, devDependencies } = JSON.parse(readText('package.json')) as Manifest;
  const names = Object.keys({ ...dependencies, ...devDependencies });
  assert.deepEqual(
    // Types of Node go without saying.
    names.filter((name) => name !== '@types/node' && !spans.includes(name)),
    [],
  );
});

test('the tables of settings and findings are those of the program; `npm run readme` writes them anew', () => {
  // The formatter pads the cells.
  const unpadded = (text = '') => text.replace(/ *\| */g, '|').replace(/-{3,}/g, '---');
  for (const [name, table] of Object.entries({ settings: settingsTable(), findings: findingsTable() })) {
    const [, there] = new RegExp(`<!-- ${name} -->\\n([\\s\\S]*?)<!-- /${name} -->`).exec(readme) ?? [];
    assert.equal(unpadded(there), unpadded(table), name);
  }
});
