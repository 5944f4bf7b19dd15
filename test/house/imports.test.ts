/** Which folder of src may import which: one table, checked against every file. */
import assert from 'node:assert/strict';
import { posix } from 'node:path';
import { test } from 'node:test';
import { readText } from './project-files.ts';
import { type SourceFile, scanSource, sourceFilesBelow } from './source-file.ts';

/** The five doors of src, and what each may import. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  base: [],
  engine: ['base'],
  store: ['engine', 'base'],
  shop: ['store', 'engine', 'base'],
  front: ['shop', 'store', 'engine', 'base'],
};

/** What is pure in `base`: the engine may import nothing else of it. */
const PURE_BASE = ['bytes', 'runtime/invariant', 'runtime/extended', 'runtime/map-entries'];

/** What does not run in the service, and what it may import: the typed client, and the page in a browser. */
const ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  'src/front/client/': ['src/front/client/', 'src/engine/domain/', 'src/engine/wire/'],
  'src/front/console/': ['src/front/console/', 'src/front/client/', 'src/engine/', 'src/base/bytes/'],
};

/** What the console is made of. */
const CONSOLE_PACKAGES = [
  ...['react', 'react-dom', 'get-nonce', '@mantine/core', '@mantine/hooks', '@mantine/notifications'],
  ...[
    '@mantine/spotlight',
    '@tabler/icons-react',
    'd3-geo',
    'i18n-iso-countries',
    'topojson-client',
    'world-atlas',
  ],
];

/** Package -> the one folder that adapts it. */
const ADAPTERS: Readonly<Record<string, string>> = {
  lmdb: 'log',
  pg: 'log',
  piscina: 'pool',
  'uws-compat': 'http',
  'uws-modern': 'http',
  pino: 'runtime',
  'csv-parse': 'import',
  'prom-client': 'metrics',
  '@opentelemetry/api': 'tracing',
  ...Object.fromEntries(CONSOLE_PACKAGES.map((name) => [name, 'console'])),
};

/** Folder -> packages that the build puts into what it makes of the folder, so that no installation needs them. */
const BUNDLED: Readonly<Record<string, readonly string[]>> = { console: CONSOLE_PACKAGES };

const sources = sourceFilesBelow('src');

/** The entry of the program lies before the doors. */
const doorOf = (path: string): string => (path === 'src/cli.ts' ? 'front' : (path.split('/')[1] ?? ''));

const folderOf = (path: string): string => path.split('/')[2] ?? '';

/** The file of src that a relative specifier names. */
const targetOf = (file: SourceFile, specifier: string): string =>
  posix.join(posix.dirname(file.path), specifier).replace(/\.js$/, '.ts');

const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

const isRelative = (specifier: string): boolean => /^\.{1,2}\//.test(specifier);

/** References to code; a URL counts when it names a module, as that of a worker does. */
const codeReferences = (file: SourceFile) =>
  file.modules.filter(({ kind, specifier }) => kind !== 'url' || /\.[jt]s$/.test(specifier));

/** Files that a file of src imports, for types alone included. */
const importsOf = (file: SourceFile): string[] =>
  codeReferences(file)
    .filter(({ specifier }) => isRelative(specifier))
    .map(({ specifier }) => targetOf(file, specifier));

function isAllowed(from: string, target: string): boolean {
  const elsewhere = Object.entries(ELSEWHERE).find(([folder]) => from.startsWith(folder));
  if (elsewhere !== undefined) return elsewhere[1].some((folder) => target.startsWith(folder));
  const [door, to] = [doorOf(from), doorOf(target)];
  if (door === 'engine' && to === 'base') {
    return PURE_BASE.some((path) => target.startsWith(`src/base/${path}`));
  }
  return door === to || MAY_IMPORT[door]?.includes(to) === true;
}

const forbiddenImports = (file: SourceFile): string[] =>
  importsOf(file)
    .filter((target) => !isAllowed(file.path, target))
    .map((target) => `${file.path} imports ${target}`);

/** Clock, chance, waiting and the process: what the engine gets handed in, or has no use for. */
const IMPURE: readonly (readonly [string, RegExp])[] = [
  ['Date.now', /\bDate\s*\.\s*now\b/],
  ['new Date() without a time', /\bnew\s+Date\b\s*(?:\(\s*\)|(?!\s*\())/],
  ['Date() as a function', /(?<!\bnew\s+)\bDate\s*\(/],
  ['a format of the present moment', /\.\s*format(?:ToParts)?\s*\(\s*\)/],
  ['performance', /\bperformance\s*\./],
  ['Math.random', /\bMath\s*\.\s*random\b/],
  ['crypto', /\bcrypto\b/],
  ['a timer', /\b(?:set(?:Timeout|Interval|Immediate)|queueMicrotask)\b/],
  ['async', /\b(?:async|await)\b/],
  ['Promise', /\bPromise\b/],
  ['the process or the network', /\b(?:process|fetch|console)\s*[.(]/],
];

function impurities(file: SourceFile): string[] {
  const found = IMPURE.filter(([, pattern]) => pattern.test(file.bare)).map(([what]) => what);
  const modules = file.modules.filter(({ specifier }) => specifier.startsWith('node:'));
  return [...found, ...modules.map(({ specifier }) => specifier)].map((what) => `${file.path}: ${what}`);
}

const READS_ENVIRONMENT = /\bprocess\s*(?:\?\.|\.)\s*env\b|\bprocess\s*\[|\bloadEnvFile\b/;
const readsEnvironment = (file: SourceFile): boolean =>
  READS_ENVIRONMENT.test(file.bare) ||
  (/import\s*\{[^}]*\benv\b[^}]*\}/.test(file.bare) &&
    file.modules.some(({ specifier }) => specifier === 'node:process'));

test('an import goes from front to shop to store to engine to base', () => {
  assert.ok(sources.length > 20);
  assert.deepEqual(sources.flatMap(forbiddenImports), []);
});

test('every import of src stays inside src', () => {
  const outside = sources.flatMap((file) =>
    codeReferences(file)
      .filter(({ specifier }) => isRelative(specifier) && !targetOf(file, specifier).startsWith('src/'))
      .map(({ specifier }) => `${file.path} imports ${specifier}`),
  );
  assert.deepEqual(outside, []);
});

/** Every circle of imports that a walk from file to file closes, as the files on it; none when there is none. */
function importCircles(files: readonly SourceFile[]): string[] {
  const imports = new Map(files.map((file) => [file.path, importsOf(file)]));
  const walked = new Set<string>();
  const circles: string[] = [];
  const walk = (path: string, above: readonly string[]): void => {
    const at = above.indexOf(path);
    if (at >= 0) circles.push([...above.slice(at), path].join(' -> '));
    if (at >= 0 || walked.has(path)) return;
    walked.add(path);
    for (const imported of imports.get(path) ?? []) walk(imported, [...above, path]);
  };
  for (const path of imports.keys()) walk(path, []);
  return circles;
}

test('no files of src import each other in a circle, not for types either', () => {
  assert.deepEqual(importCircles(sources), []);
  const circle = [
    snippet('src/store/log/a.ts', "import type { B } from './b.ts';"),
    snippet('src/store/log/b.ts', "export { c } from './c.ts';\nimport './d.ts';"),
    snippet('src/store/log/c.ts', "type A = import('./a.ts').A;"),
    snippet('src/store/log/d.ts', "import { c } from './c.ts';"),
  ];
  assert.deepEqual(importCircles(circle), [
    'src/store/log/a.ts -> src/store/log/b.ts -> src/store/log/c.ts -> src/store/log/a.ts',
  ]);
  assert.deepEqual(importCircles(circle.slice(0, 2)), []);
});

test('an adapter package is named in its own folder only', () => {
  const strangers = sources.flatMap((file) =>
    [...file.modules.map(({ specifier }) => specifier), ...file.strings]
      .map(packageOf)
      .filter((name) => Object.hasOwn(ADAPTERS, name) && ADAPTERS[name] !== folderOf(file.path))
      .map((name) => `${file.path} names ${name}`),
  );
  assert.deepEqual(strangers, []);
});

test('every package that src imports is a dependency or bundled, and no other module is named', () => {
  const manifest = JSON.parse(readText('package.json')) as Record<
    'dependencies' | 'imports',
    Readonly<Record<string, unknown>>
  >;
  const unknown = sources.flatMap((file) =>
    file.modules
      .map(({ specifier }) => specifier)
      .filter((name) => !isRelative(name) && !name.startsWith('node:') && !/^[a-z]+:/.test(name))
      .filter((name) => !Object.hasOwn(manifest.dependencies, packageOf(name)))
      .filter((name) => BUNDLED[folderOf(file.path)]?.includes(packageOf(name)) !== true)
      // What the build bundles for all folders.
      .filter((name) => !Object.hasOwn(manifest.imports, name))
      .map((name) => `${file.path} imports ${name}`),
  );
  assert.deepEqual(unknown, []);
});

/** What could open a connection to somewhere else; the socket in a data folder is a file. */
const OUTBOUND_MODULES = ['http', 'https', 'http2', 'tls', 'dgram', 'dns', 'dns/promises', 'inspector'];
const OUTBOUND_CALL = /\b(?:fetch|WebSocket|EventSource|XMLHttpRequest)\s*\(/;
const CLIENT_OF_FILES = 'src/front/operator/folder-socket.ts';
/** A file that takes no more than this of `net` waits to be called. */
const ONLY_LISTENS = /^import \{ createServer \} from 'node:net';$/m;
/** Calls the address that its caller gives; the service itself loads it for its commands only. */
const CLIENT_OF_THE_API = 'src/front/client/transport.ts';
/** Runs in the reader's browser, whose policy lets it call no other host than its own. */
const CLIENT_OF_THE_CONSOLE = 'src/front/console/browser-sender.ts';
/** Connects to the database that the operator names. */
const CLIENT_OF_THE_DATABASE = 'src/store/log/postgres/connection.ts';

function outboundMeans(file: SourceFile): string[] {
  if ([CLIENT_OF_THE_API, CLIENT_OF_THE_CONSOLE, CLIENT_OF_THE_DATABASE].includes(file.path)) return [];
  const modules = file.modules.map(({ specifier }) => specifier.replace(/^node:/, ''));
  const isListening = ONLY_LISTENS.test(file.text) && modules.filter((name) => name === 'net').length === 1;
  const isLocal = file.path === CLIENT_OF_FILES || isListening;
  const found = modules.filter((name) => OUTBOUND_MODULES.includes(name) || (name === 'net' && !isLocal));
  return [...found, ...(OUTBOUND_CALL.test(file.bare) ? ['a call'] : [])].map(
    (what) => `${file.path}: ${what}`,
  );
}

test('nothing in src but the clients of the API and of the database can call another machine', () => {
  assert.deepEqual(sources.flatMap(outboundMeans), []);
  const listening = "import { createServer } from 'node:net';";
  assert.deepEqual(outboundMeans(snippet('src/front/http/x.ts', listening)), []);
  for (const text of [
    `${listening}\nimport 'node:https';`,
    `${listening}\nimport { connect } from 'net';`,
    "import 'node:https';",
    "import { connect } from 'net';",
    'await fetch(url)',
  ]) {
    assert.ok(outboundMeans(snippet('src/front/http/x.ts', text)).length > 0, text);
  }
});

test('only settings.ts reads the environment', () => {
  const readers = sources.filter(readsEnvironment).map((file) => file.path);
  assert.deepEqual(
    readers.filter((path) => path !== 'src/front/settings.ts'),
    [],
  );
});

test('the engine has no clock, no chance, no waiting and no module of the system', () => {
  const core = sources.filter((file) => doorOf(file.path) === 'engine');
  assert.ok(core.length > 0);
  assert.deepEqual(core.flatMap(impurities), []);
});

const snippet = (path: string, text: string): SourceFile => scanSource(path, text);

test('the checks see every way in which a file can name another', () => {
  const file = snippet(
    'src/engine/domain/x.ts',
    [
      "import { a } from '../../store/log/a.ts';",
      "import type { b } from '../../shop/actor/b.ts';",
      "export { c } from '../../front/http/c.ts';",
      "import '../../base/runtime/d.ts';",
      "const e = await import('../../shop/pool/e.ts');",
      "const f = createRequire(import.meta.url)('../../store/log/f.ts');",
      "new Worker(new URL('../../shop/pool/g.ts', import.meta.url));",
      "type H = import('../../base/secrets/h.ts').H;",
      "import { invariant } from '../../base/runtime/invariant.ts';",
      "import { i } from '../evaluate/i.ts';",
      "// import { no } from '../../front/http/comment.ts';",
      "const text = 'from \\'../../http/string.ts\\'';",
      "const list = Array.from('../../http/call.ts');",
    ].join('\n'),
  );
  const targets = [
    ...['store/log/a', 'shop/actor/b', 'front/http/c', 'base/runtime/d', 'shop/pool/e', 'store/log/f'],
    ...['shop/pool/g', 'base/secrets/h'],
  ];
  assert.deepEqual(
    forbiddenImports(file),
    targets.map((target) => `src/engine/domain/x.ts imports src/${target}.ts`),
  );
});

test('the checks see what is impure, and nothing in comments, strings and calls with a time', () => {
  const impure = [
    'Date.now()',
    'new Date()',
    'new Date',
    'Date()',
    'format.format()',
    'performance.now()',
    'Math.random()',
    'crypto.randomUUID()',
    'setTimeout(f, 1)',
    'async () => 1',
    'Promise.resolve()',
    "import 'node:fs';",
    'process.exit()',
    `\`\${Date.now()}\``,
  ];
  for (const text of impure) {
    assert.equal(impurities(snippet('src/engine/domain/x.ts', text)).length, 1, text);
  }
  const pure = [
    'new Date(nowMs)',
    `new Date(\`\${text}T00:00:00Z\`)`,
    'format.format(nowMs)',
    '// Date.now()',
    "'Date.now()'",
    `\`Date.now() \${a.b({ c: 1 })} Math.random()\``,
    'const pattern = /[/]Math.random()/;',
    'record.processed.fetched(1)',
  ];
  for (const text of pure) assert.deepEqual(impurities(snippet('src/engine/domain/x.ts', text)), [], text);
  for (const text of ['process.env.X', "process['env']", "import { env } from 'node:process';"]) {
    assert.ok(readsEnvironment(snippet('src/store/log/x.ts', text)), text);
  }
  assert.ok(!readsEnvironment(snippet('src/store/log/x.ts', 'process.exit(1); // process.env')));
});
