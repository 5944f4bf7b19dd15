/**
 * The README and the documents beside the code say what is there: the first commands, files, folders, links,
 * variables, dependencies, tables.
 */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { test } from 'node:test';
import { SETTINGS } from '../../src/front/settings.ts';
import { DOCUMENT_NAME, documentPaths, filesBelow, projectRoot, readText } from './project-files.ts';
import { README_TABLES } from './readme-tables.ts';

/** Lines of the README; what is longer stands beside the code. */
const README_LINES_MAX = 150;

interface Document {
  readonly path: string;
  readonly text: string;
  /** Without fenced blocks. */
  readonly prose: string;
  /** What stands between single backticks, outside of blocks. */
  readonly spans: readonly string[];
}

function readDocument(path: string): Document {
  const text = readText(path);
  const prose = text.replace(/^```[\s\S]*?^```$/gm, '');
  const spans = [...prose.matchAll(/`([^`]+)`/g)].map(([, span = '']) => span.replace(/\s+/g, ' '));
  return { path, text, prose, spans };
}

const documents = documentPaths().map(readDocument);
const readme = readDocument(DOCUMENT_NAME);

test('the README opens with the two commands that a fresh clone needs', () => {
  const [, firstBlock] = /```sh\n([\s\S]*?)```/.exec(readme.text) ?? [];
  assert.equal(firstBlock, 'npm ci && npm start\nnpm ci && npm test\n');
});

test(`the README has at most ${README_LINES_MAX} lines`, () => {
  const { length } = readme.text.trimEnd().split('\n');
  assert.ok(length <= README_LINES_MAX, `${length} lines`);
});

test('every file that a document names exists, the test of each promise included', () => {
  const isPath = /^(?:src|test|bench|data|\.ci)\/[\w./-]+$/;
  const made = 'data/db';
  for (const { path: document, text, spans } of documents) {
    const named = spans.filter((span) => isPath.test(span) && !span.startsWith(made));
    const sent = [...text.matchAll(/\bdata\/carts\/[\w-]+\.json/g)].map(([path]) => path);
    if (document === DOCUMENT_NAME) assert.ok(named.length > 0 && sent.length > 0);
    assert.deepEqual(
      [...new Set([...named, ...sent])].filter((path) => !existsSync(join(projectRoot, path))),
      [],
      document,
    );
  }
});

test('each failure of a cluster names tests by words that are in them', () => {
  const [, section = ''] = /^## Failures of a cluster$([\s\S]*?)^## /m.exec(readText('test/README.md')) ?? [];
  const [, , ...rows] = [...section.matchAll(/^\| (.+?) +\| (.+?) +\|$/gm)];
  assert.ok(rows.length > 10);
  for (const [, failure = '', shown = ''] of rows) {
    const named = [...shown.matchAll(/`([\w/-]+)`(?: \(([^)]+)\))?/g)];
    assert.ok(named.length > 0, failure);
    for (const [, path = '', words = ''] of named) {
      // A test may have its bodies in files beside it.
      const files = filesBelow(posix.dirname(`test/${path}`), '.ts');
      assert.ok(files.includes(`test/${path}.test.ts`), path);
      const text = files.map(readText).join('\n');
      for (const piece of words.split(', ')) assert.ok(text.includes(piece), `${path}: ${piece}`);
    }
  }
});

/** The name by which a link finds a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .replaceAll(' ', '-');

const anchorsIn = ({ prose }: Document): string[] =>
  [...prose.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading));

test('every link of a document or page leads to a file that is there, and to a heading of it', () => {
  const pages = filesBelow('data', '.md').filter((path) => posix.basename(path) !== DOCUMENT_NAME);
  for (const document of [...documents, ...pages.map(readDocument)]) {
    const links = [...document.prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
    const broken = links.filter((link) => {
      const [file = '', anchor] = link.split('#');
      const path = file === '' ? document.path : posix.join(posix.dirname(document.path), file);
      if (!existsSync(join(projectRoot, path))) return true;
      return anchor !== undefined && !anchorsIn(readDocument(path)).includes(anchor);
    });
    assert.deepEqual(broken, [], document.path);
  }
});

test('the README leads to every document beside the code', () => {
  assert.ok(documents.length > 1);
  const others = documents.map(({ path }) => path).filter((path) => path !== DOCUMENT_NAME);
  assert.deepEqual(
    others.filter((path) => !readme.prose.includes(`](${path}`)),
    [],
  );
});

test('src/README.md names every folder of src', () => {
  const map = readDocument('src/README.md');
  const parts = filesBelow('src').map((path) => path.split('/')[1] ?? '');
  const folders = new Set(parts.filter((part) => !part.endsWith('.md')));
  const mentioned = (folder: string) =>
    map.spans.some((span) => span === folder || span === `${folder}/` || span.split(' ').includes(folder));
  assert.deepEqual(
    [...folders].filter((folder) => !mentioned(folder)),
    [],
  );
});

test('each folder or file with which a row of a table beside the code begins is there', () => {
  const rows = documents
    .filter(({ path }) => path.startsWith('src/'))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/^\| \[?`((?:[\w-]+\/)*[\w-]+(?:\/|\.ts))`/gm)].map(([, name = '']) =>
        name.startsWith('test/') ? name : posix.join(posix.dirname(path), name),
      ),
    );
  assert.ok(rows.length > 50);
  assert.deepEqual(
    rows.filter(
      (path) => !existsSync(join(projectRoot, path)) && !existsSync(join(projectRoot, 'src', path)),
    ),
    [],
  );
});

test('each call of the two ways in src/README.md stands in the file that is named beside it', () => {
  const sources = filesBelow('src', '.ts');
  const calls = [...readText('src/README.md').matchAll(/^ *([\w.#]+) +([\w-]+(?:\/[\w-]+)+)(?: |$)/gm)];
  assert.ok(calls.length > 25);
  const isThere = (name: string, file: string): boolean => {
    const path = sources.find((source) => source.endsWith(`/${file}.ts`));
    const last = name.split(/[.#]/).at(-1);
    return path !== undefined && new RegExp(`\\b${last}\\b`).test(readText(path));
  };
  assert.deepEqual(
    calls
      .map(([, name = '', file = '']) => `${name} ${file}`)
      .filter((call) => !isThere(...(call.split(' ') as [string, string]))),
    [],
  );
});

/** It also names settings that are gone. */
const CHANGELOG = 'CHANGELOG.md';

test('every variable of the environment that a document names is a setting, or a test or bench reads it', () => {
  const sources = ['src', 'test', 'bench'].flatMap((folder) => filesBelow(folder, '.ts')).map(readText);
  const known = new Set([
    ...Object.values(SETTINGS).map(({ variable }) => variable),
    ...(sources.join('\n').match(/\bRATEWRIGHT_[A-Z_]+\b/g) ?? []),
  ]);
  for (const { path, text } of documents.filter((document) => document.path !== CHANGELOG)) {
    const named = text.match(/\bRATEWRIGHT_[A-Z_]+\b/g) ?? [];
    assert.deepEqual(
      named.filter((name) => !known.has(name)),
      [],
      path,
    );
  }
});

test('each long run that is listed selects a test that reads its variable', () => {
  const commands = documents.flatMap(({ spans }) =>
    spans.flatMap((span) => {
      const [, variable, word] = /^(RATEWRIGHT_\w+)=\d+ npm test -- (\S+)$/.exec(span) ?? [];
      return variable === undefined || word === undefined ? [] : [{ span, variable, word }];
    }),
  );
  assert.ok(commands.length > 0);
  const tests = filesBelow('test', '.test.ts').map((path) => ({ path, text: readText(path) }));
  assert.deepEqual(
    commands.filter(
      ({ variable, word }) =>
        !tests.some(({ path, text }) => `dist/${path}`.includes(word) && text.includes(`'${variable}'`)),
    ),
    [],
  );
});

test('src/README.md gives a reason for every dependency', () => {
  const map = readDocument('src/README.md');
  type Manifest = Record<'dependencies' | 'devDependencies', Record<string, string>>;
  const { dependencies, devDependencies } = JSON.parse(readText('package.json')) as Manifest;
  const names = Object.keys({ ...dependencies, ...devDependencies });
  assert.deepEqual(
    // Types of Node go without saying.
    names.filter((name) => name !== '@types/node' && !map.spans.includes(name)),
    [],
  );
});

test('the marked tables are those of the program; `npm run readme` writes them anew', () => {
  // The formatter pads the cells.
  const unpadded = (text = '') => text.replace(/ *\| */g, '|').replace(/-{3,}/g, '---');
  for (const [name, table] of Object.entries(README_TABLES)) {
    const marked = new RegExp(`<!-- ${name} -->\\n([\\s\\S]*?)<!-- /${name} -->`);
    const found = documents.flatMap(({ text }) => marked.exec(text)?.[1] ?? []);
    assert.deepEqual(
      found.map(unpadded),
      [unpadded(table)],
      `${name}: in one document, as the program has it`,
    );
  }
});
