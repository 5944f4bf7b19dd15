/** Which folder of src may import which: one table, checked against every file. */
import assert from 'node:assert/strict';
import { posix } from 'node:path';
import { test } from 'node:test';
import { readText } from './project-files.ts';
import { type SourceFile, scanSource, sourceFilesBelow } from './source-file.ts';

interface FolderRow {
  readonly holds: string;
  /** Folders of src besides itself; `all` for the composition root and the commands. */
  readonly mayImport: readonly string[] | 'all';
}

const CORE = ['domain', 'wire', 'compile', 'evaluate', 'probes', 'explain', 'lint', 'change'];
const READ_SIDE = [...CORE, 'log', 'metrics', 'runtime'];

/** Folder or root file of src -> what it may import. */
const FOLDERS: Readonly<Record<string, FolderRow>> = {
  runtime: { holds: 'clock, ids, logger, failpoints, invariants', mayImport: [] },
  pace: { holds: 'waiting for an idle moment', mayImport: ['runtime'] },
  bytes: { holds: 'texts and bytes', mayImport: ['pace'] },
  secrets: { holds: 'sealed secrets', mayImport: ['runtime'] },
  metrics: { holds: 'counters and their Prometheus text', mayImport: ['runtime'] },
  domain: { holds: 'the nouns, their tables and rules', mayImport: [] },
  wire: { holds: 'schemas and views of bodies and answers', mayImport: ['domain'] },
  compile: { holds: 'configuration -> compiled shop', mayImport: ['domain', 'wire'] },
  evaluate: { holds: 'compiled shop and cart -> answer', mayImport: ['domain', 'wire', 'compile'] },
  probes: {
    holds: 'carts made from the values of a configuration, and what the evaluator shows for them',
    mayImport: ['domain', 'wire', 'compile', 'evaluate'],
  },
  explain: {
    holds: 'answer -> what led to it and what would turn it',
    mayImport: ['domain', 'wire', 'compile', 'evaluate', 'probes'],
  },
  lint: {
    holds: 'configuration -> findings',
    mayImport: ['domain', 'wire', 'compile', 'evaluate', 'probes'],
  },
  change: { holds: 'commands -> events -> state', mayImport: ['domain', 'wire'] },
  import: {
    holds: 'configurations of other systems -> data of preview and execute',
    mayImport: ['domain', 'wire'],
  },
  carriers: {
    holds: 'callbacks of shop systems <-> the simulate request and answer',
    mayImport: ['domain', 'wire', 'compile'],
  },
  client: { holds: 'the typed client of the API', mayImport: ['domain', 'wire'] },
  console: {
    holds: 'the page for people, bundled for browsers',
    mayImport: ['domain', 'compile', 'client'],
  },
  control: {
    holds: 'the channel between the commands and a running server',
    mayImport: ['domain', 'runtime'],
  },
  log: {
    holds: 'the port of the durable log, its record format, its adapters',
    mayImport: ['domain', 'wire'],
  },
  cluster: { holds: 'the protocol of several nodes over one authority', mayImport: ['log'] },
  shop: { holds: 'the read side of a shop', mayImport: READ_SIDE },
  actor: {
    holds: 'the write side of a shop, the directory, the keys',
    mayImport: [...READ_SIDE, 'secrets', 'shop', 'cluster'],
  },
  node: {
    holds: 'one node of a cluster: the mirror, the log over it, what they need of the shops in memory',
    mayImport: ['domain', 'runtime', 'metrics', 'log', 'cluster'],
  },
  shadow: { holds: 'live simulations shown to a changeset', mayImport: [...READ_SIDE, 'shop', 'actor'] },
  coverage: { holds: 'what live simulations used', mayImport: [...READ_SIDE, 'shop'] },
  worker: {
    holds: 'worker threads and their tasks',
    mayImport: [...READ_SIDE, 'shop', 'actor', 'shadow', 'coverage'],
  },
  http: {
    holds: 'front end',
    mayImport: [
      ...['domain', 'wire', 'change', 'carriers', 'cluster', 'shop', 'actor', 'shadow', 'coverage', 'worker'],
      ...['secrets', 'metrics', 'runtime'],
    ],
  },
  'command-line': { holds: 'one file per command', mayImport: 'all' },
  'main.ts': { holds: 'composition root', mayImport: 'all' },
  'lifecycle.ts': { holds: 'the end of a serving process', mayImport: 'all' },
  'cli.ts': { holds: 'entry of the commands', mayImport: 'all' },
  'settings.ts': { holds: 'the only reader of the environment', mayImport: 'all' },
};

/** Helpers without state and without I/O that every folder may import. */
const FREE_FOLDERS: readonly string[] = ['pace', 'bytes'];
const FREE_FILES: readonly string[] = [
  'src/runtime/invariant.ts',
  'src/runtime/extended.ts',
  'src/runtime/map-entries.ts',
  'src/runtime/synced-files.ts',
  'src/runtime/thrown-error.ts',
];

const PURE_CORE = [...CORE, 'carriers', 'import'];

/** Package -> the one folder that adapts it. */
const ADAPTERS: Readonly<Record<string, string>> = {
  lmdb: 'log',
  pg: 'log',
  piscina: 'worker',
  'uws-compat': 'http',
  'uws-modern': 'http',
  pino: 'runtime',
  'csv-parse': 'import',
  'prom-client': 'metrics',
  preact: 'console',
  '@preact/signals': 'console',
};

/** Folder -> packages that the build puts into what it makes of the folder, so that no installation needs them. */
const BUNDLED: Readonly<Record<string, readonly string[]>> = { console: ['preact', '@preact/signals'] };

const sources = sourceFilesBelow('src');

const folderOf = (path: string): string => path.split('/')[1] ?? '';

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

function forbiddenImports(file: SourceFile): string[] {
  const from = folderOf(file.path);
  const row = FOLDERS[from];
  if (row === undefined) return [`${file.path}: src/${from} is not in the table`];
  return importsOf(file)
    .filter((target) => {
      const to = folderOf(target);
      if (to === from || row.mayImport === 'all') return false;
      if (FREE_FOLDERS.includes(to) || FREE_FILES.includes(target)) return false;
      return !row.mayImport.includes(to);
    })
    .map((target) => `${file.path} imports ${target}`);
}

/** Clock, chance, waiting and the process: what the pure core gets handed in, or has no use for. */
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

test('a folder of src imports only what the table allows it', () => {
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

test('the table of folders has no cycle', () => {
  const visit = (folder: string, above: readonly string[]): void => {
    assert.ok(!above.includes(folder), [...above, folder].join(' -> '));
    const mayImport = FOLDERS[folder]?.mayImport;
    if (mayImport === 'all' || mayImport === undefined) return;
    for (const below of mayImport) visit(below, [...above, folder]);
  };
  for (const folder of Object.keys(FOLDERS)) visit(folder, []);
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
    snippet('src/log/a.ts', "import type { B } from './b.ts';"),
    snippet('src/log/b.ts', "export { c } from './c.ts';\nimport './d.ts';"),
    snippet('src/log/c.ts', "type A = import('./a.ts').A;"),
    snippet('src/log/d.ts', "import { c } from './c.ts';"),
  ];
  assert.deepEqual(importCircles(circle), ['src/log/a.ts -> src/log/b.ts -> src/log/c.ts -> src/log/a.ts']);
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

/** What could open a connection to somewhere else; the control socket of a data folder is a file. */
const OUTBOUND_MODULES = ['http', 'https', 'http2', 'tls', 'dgram', 'dns', 'dns/promises', 'inspector'];
const OUTBOUND_CALL = /\b(?:fetch|WebSocket|EventSource|XMLHttpRequest)\s*\(/;
const CLIENT_OF_FILES = 'src/control/';
/** A file that takes no more than this of `net` waits to be called. */
const ONLY_LISTENS = /^import \{ createServer \} from 'node:net';$/m;
/** Calls the address that its caller gives; the service itself loads it for commands with `--url` only. */
const CLIENT_OF_THE_API = 'src/client/transport.ts';
/** Runs in the reader's browser, whose policy lets it call no other host than its own. */
const CLIENT_OF_THE_CONSOLE = 'src/console/browser-sender.ts';
/** Connects to the database that the operator names. */
const CLIENT_OF_THE_DATABASE = 'src/log/postgres/connection.ts';

function outboundMeans(file: SourceFile): string[] {
  if ([CLIENT_OF_THE_API, CLIENT_OF_THE_CONSOLE, CLIENT_OF_THE_DATABASE].includes(file.path)) return [];
  const modules = file.modules.map(({ specifier }) => specifier.replace(/^node:/, ''));
  const isListening = ONLY_LISTENS.test(file.text) && modules.filter((name) => name === 'net').length === 1;
  const isLocal = file.path.startsWith(CLIENT_OF_FILES) || isListening;
  const found = modules.filter((name) => OUTBOUND_MODULES.includes(name) || (name === 'net' && !isLocal));
  return [...found, ...(OUTBOUND_CALL.test(file.bare) ? ['a call'] : [])].map(
    (what) => `${file.path}: ${what}`,
  );
}

test('nothing in src but the clients of the API and of the database can call another machine', () => {
  assert.deepEqual(sources.flatMap(outboundMeans), []);
  const listening = "import { createServer } from 'node:net';";
  assert.deepEqual(outboundMeans(snippet('src/http/x.ts', listening)), []);
  for (const text of [
    `${listening}\nimport 'node:https';`,
    `${listening}\nimport { connect } from 'net';`,
    "import 'node:https';",
    "import { connect } from 'net';",
    'await fetch(url)',
  ]) {
    assert.ok(outboundMeans(snippet('src/http/x.ts', text)).length > 0, text);
  }
});

test('only settings.ts reads the environment', () => {
  const readers = sources.filter(readsEnvironment).map((file) => file.path);
  assert.deepEqual(
    readers.filter((path) => path !== 'src/settings.ts'),
    [],
  );
});

test('the pure core has no clock, no chance, no waiting and no module of the system', () => {
  const core = sources.filter((file) => PURE_CORE.includes(folderOf(file.path)));
  assert.ok(core.length > 0);
  assert.deepEqual(core.flatMap(impurities), []);
});

const snippet = (path: string, text: string): SourceFile => scanSource(path, text);

test('the checks see every way in which a file can name another', () => {
  const file = snippet(
    'src/domain/x.ts',
    [
      "import { a } from '../log/a.ts';",
      "import type { b } from '../actor/b.ts';",
      "export { c } from '../http/c.ts';",
      "import '../compile/d.ts';",
      "const e = await import('../worker/e.ts');",
      "const f = createRequire(import.meta.url)('../change/f.ts');",
      "new Worker(new URL('../evaluate/g.ts', import.meta.url));",
      "type H = import('../runtime/h.ts').H;",
      "import { invariant } from '../runtime/invariant.ts';",
      "// import { no } from '../http/comment.ts';",
      "const text = 'from \\'../http/string.ts\\'';",
      "const list = Array.from('../http/call.ts');",
    ].join('\n'),
  );
  const targets = [
    'log/a',
    'actor/b',
    'http/c',
    'compile/d',
    'worker/e',
    'change/f',
    'evaluate/g',
    'runtime/h',
  ];
  assert.deepEqual(
    forbiddenImports(file),
    targets.map((target) => `src/domain/x.ts imports src/${target}.ts`),
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
    assert.equal(impurities(snippet('src/domain/x.ts', text)).length, 1, text);
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
  for (const text of pure) assert.deepEqual(impurities(snippet('src/domain/x.ts', text)), [], text);
  for (const text of ['process.env.X', "process['env']", "import { env } from 'node:process';"]) {
    assert.ok(readsEnvironment(snippet('src/log/x.ts', text)), text);
  }
  assert.ok(!readsEnvironment(snippet('src/log/x.ts', 'process.exit(1); // process.env')));
});
