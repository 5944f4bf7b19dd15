/**
 * Modules keep no state but the variables that `src/README.md` lists with their reason: everything else belongs to an
 * object that is made and handed on.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readText } from './project-files.ts';
import { scanSource, sourceFilesBelow } from './source-file.ts';

/** A top-level `let`, or a constant in lower case that holds an object which can change. Constants are in upper case. */
const VARIABLE = /^(?:export )?(?:let|const(?= [a-z]\w*(?:: [^=]+)? = (?:new |\[\];))) (\w+)/gm;

const variablesOf = ({ path, bare }: { readonly path: string; readonly bare: string }): string[] =>
  [...bare.matchAll(VARIABLE)].map(([, name]) => `${path.replace(/^src\//, '')}: ${name}`);

/** The rows of the list: | `file` | `name`, `name` | reason | */
const listed = [
  ...readText('src/README.md').matchAll(/^\| `([\w./-]+\.ts)` +\| (`[^|]+`) +\| (.+?) +\|$/gm),
].flatMap(([, file, names = '']) => [...names.matchAll(/`(\w+)`/g)].map(([, name]) => `${file}: ${name}`));

test('every variable of a module is listed with its reason, and the list names no other', () => {
  const found = sourceFilesBelow('src').flatMap(variablesOf);
  assert.ok(found.length > 0);
  assert.deepEqual(found.sort(), listed.sort());
});

test('a variable is found however it is declared, and a constant or function is none', () => {
  const variables =
    'let a = 1;\nexport let b: string;\nconst c = new Map();\nconst d: Set<number> = new Set();\n';
  const others =
    'const MAX = 1;\nconst NAMES = new Set();\nconst f = () => new Map();\nfunction g() {\n  let x = 1;\n}\n';
  assert.deepEqual(variablesOf(scanSource('src/x.ts', variables + others)), [
    'x.ts: a',
    'x.ts: b',
    'x.ts: c',
    'x.ts: d',
  ]);
});
