/**
 * The style of the house as far as a machine can check it. Words that may not stand in the project stand
 * here in pieces, so that this file does not find itself.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { DOCUMENT_NAME, documentPaths, filesBelow, projectRoot, readText } from './project-files.ts';
import { type SourceFile, scanSource, sourceFilesBelow } from './source-file.ts';

const LINES_MAX = 400;
/** Written by the build. */
const GENERATED: readonly string[] = ['src/front/client/api-types.ts'];

const sources = sourceFilesBelow('src');
const tests = sourceFilesBelow('test');
const programs = [...sources, ...tests, ...sourceFilesBelow('bench')];

const pathsWhere = (files: readonly SourceFile[], isBad: (file: SourceFile) => boolean): string[] =>
  files.filter(isBad).map((file) => file.path);

/** `path:line: match` for every match. */
function matchesIn(path: string, text: string, pattern: RegExp): string[] {
  return [...text.matchAll(new RegExp(pattern, `g${pattern.flags.replace('g', '')}`))].map(
    (match) => `${path}:${text.slice(0, match.index).split('\n').length}: ${match[0]}`,
  );
}

test(`a file of src that a person writes has at most ${LINES_MAX} lines`, () => {
  const long = pathsWhere(sources, (file) => file.text.trimEnd().split('\n').length > LINES_MAX);
  assert.deepEqual(long, GENERATED);
});

test('files and folders are named in kebab-case', () => {
  // A test may name its kind: `evaluate.property.test.ts`.
  const name = /^[a-z0-9]+(?:-[a-z0-9]+)*(?:(?:\.[a-z]+)?\.test|\.bench)?(?:\.[a-z]+)?$/;
  const paths = ['src', 'test', 'bench', 'data/carts'].flatMap((folder) => filesBelow(folder));
  assert.deepEqual(
    paths.filter((path) => !path.split('/').every((part) => part === DOCUMENT_NAME || name.test(part))),
    [],
  );
});

test('no file or folder has a name that says nothing', () => {
  const vague = /^(?:utils?|utilit(?:y|ies)|helpers?|common|misc)$/;
  const parts = (path: string) => path.replace(/(?:\.test)?\.[a-z]+$/, '').split('/');
  assert.deepEqual(
    pathsWhere(programs, (file) => parts(file.path).some((part) => vague.test(part))),
    [],
  );
});

test('nothing is exported as default', () => {
  const pattern = /\bexport\s+default\b|\bas\s+default\b/;
  assert.deepEqual(
    pathsWhere(programs, (file) => pattern.test(file.bare)),
    [],
  );
});

test('nothing is left open', () => {
  const open = new RegExp(`\\b(?:${['TO' + 'DO', 'FIX' + 'ME', 'X' + 'XX', 'HA' + 'CK'].join('|')})\\b`);
  const found = [...programs.map((file) => [file.path, file.text] as const), ...documents()].flatMap(
    ([path, text]) => matchesIn(path, text, open),
  );
  assert.deepEqual(found, []);
});

const documents = () => documentPaths().map((path) => [path, readText(path)] as const);

test('a file of src opens with a comment', () => {
  const opens = (file: SourceFile) => /^(?:#![^\n]*\n)?(?:\/\*\*|\/\/)/.test(file.text);
  assert.deepEqual(
    pathsWhere(sources, (file) => !opens(file)),
    [],
  );
});

/** A test that is left out, or the only one that runs, without saying why. */
const UNEXPLAINED =
  /(?<=[\s;(])(?:test|it|describe|suite)\s*\.\s*(?:only|skip|todo)\b|\bonly\s*:\s*true|\bskip\s*:\s*true|\.\s*(?:skip|todo)\s*\(\s*\)/;

test('no test is left out without a reason, and none runs alone', () => {
  assert.deepEqual(
    tests.flatMap((file) => matchesIn(file.path, file.bare, UNEXPLAINED)),
    [],
  );
  const bad = [' test.only(f)', ' it.skip(f)', 'test(a, { only: true }, f)', '{ skip: true }', 't.skip()'];
  for (const text of bad) assert.match(scanSource('test/x.ts', text).bare, UNEXPLAINED);
  const good = ["t.skip('needs strace')", "{ skip: hasStrace ? false : 'needs strace' }", 'cursor.skip(3)'];
  for (const text of good) assert.doesNotMatch(scanSource('test/x.ts', text).bare, UNEXPLAINED);
});

test('no path of one machine stands in the project', () => {
  const machine = /(?<![\w.}*])\/(?:home|root|Users|work|tmp)\/\w|\b[A-Z]:\\\\?(?:Users|home)\b/;
  const texts = [
    ...programs.map((file) => [file.path, file.text] as const),
    ...filesBelow('data', '.json').map((path) => [path, readText(path)] as const),
    ...documents(),
  ];
  assert.deepEqual(
    texts.flatMap(([path, text]) => matchesIn(path, text, machine)),
    [],
  );
});

test('comments speak of the code, not of how it came about', () => {
  const words = [
    'issue\\s*#?\\d+',
    '(?:pull|merge) requests?',
    'reviewers?',
    'sessions?',
    'tickets?',
    'as (?:discussed|requested|agreed)',
  ];
  const pattern = new RegExp(`\\b(?:${words.join('|')})\\b`, 'i');
  const found = programs.flatMap((file) => matchesIn(file.path, file.remarks, pattern));
  assert.deepEqual(found, []);
});

test('every dependency is pinned to one version', () => {
  const manifest = JSON.parse(readText('package.json')) as Record<string, Record<string, string> | undefined>;
  const pinned = /^(?:npm:(?:@[\w.-]+\/)?[\w.-]+@)?\d+\.\d+\.\d+(?:-[\w.]+)?$/;
  const loose = ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((kind) =>
    Object.entries(manifest[kind] ?? {})
      .filter(([, version]) => !pinned.test(version))
      .map(([name, version]) => `${name} ${version}`),
  );
  assert.deepEqual(loose, []);
});

test('the top level holds what the house allows and nothing else', (t) => {
  const listed = spawnSync('git', ['ls-files'], { cwd: projectRoot, encoding: 'utf8' });
  if (listed.status !== 0) return t.skip('not a git checkout: what belongs to the project is not known');
  const allowed = new Set([
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'src',
    'bench',
    'test',
    'data',
    DOCUMENT_NAME,
    'CHANGELOG.md',
    'CONTRIBUTING.md',
    'Dockerfile',
    'LICENSE',
    'Dockerfile',
  ]);
  const entries = new Set(listed.stdout.split('\n').map((path) => path.replace(/^"?([^/]*).*$/, '$1')));
  assert.deepEqual(
    [...entries].filter((entry) => entry !== '' && !entry.startsWith('.') && !allowed.has(entry)),
    [],
  );
});
