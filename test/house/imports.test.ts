/**
 * Who may import what: the table of the folders of src, checked against every file. A row that is wider
 * than "the folders above it" says why.
 */
import assert from 'node:assert/strict';
import { posix } from 'node:path';
import { test } from 'node:test';
import { readText } from './project-files.ts';
import { type SourceFile, scanSource, sourceFilesBelow } from './source-file.ts';

interface FolderRow {
  readonly holds: string;
  /** Folders of src besides itself; `all` for the composition root and the commands. */
  readonly mayImport: readonly string[] | 'all';
  readonly reason?: string;
}

/** Folder or root file of src -> what it may import. */
const FOLDERS: Readonly<Record<string, FolderRow>> = {
  domain: { holds: 'the nouns, their schemas and tables', mayImport: [] },
  runtime: { holds: 'ports to clock, ids, logger, metrics, failpoints', mayImport: [] },
  compile: { holds: 'configuration -> compiled shop', mayImport: ['domain'] },
  evaluate: { holds: 'compiled shop and cart -> answer', mayImport: ['domain', 'compile'] },
  explain: {
    holds: 'answer -> what led to it and what would turn it',
    mayImport: ['domain', 'compile', 'evaluate'],
  },
  lint: { holds: 'configuration -> findings', mayImport: ['domain', 'compile', 'evaluate'] },
  change: { holds: 'commands -> events -> state', mayImport: ['domain'] },
  log: { holds: 'the durable log and its adapter', mayImport: ['domain'] },
  actor: {
    holds: 'mailbox, shop actor, directory, key ring',
    mayImport: ['domain', 'compile', 'evaluate', 'explain', 'lint', 'change', 'log', 'runtime'],
  },
  shadow: {
    holds:
      'live simulations shown to a changeset: gathered, evaluated in batches, counted; recent ones for replays',
    mayImport: ['domain', 'compile', 'evaluate', 'change', 'log', 'actor', 'runtime'],
    reason: 'it watches what the actors answer, through their port for watchers',
  },
  pool: {
    holds: 'worker pool',
    mayImport: [
      'domain',
      'compile',
      'evaluate',
      'explain',
      'lint',
      'change',
      'log',
      'actor',
      'shadow',
      'runtime',
    ],
    reason:
      'a worker replays events with the same apply, and reads versions with the same history, as the actor, so that answers cannot differ',
  },
  control: {
    holds: 'the channel between the commands and a running server',
    mayImport: ['domain', 'runtime'],
    reason: 'it carries the id of a changed shop; what follows from that is told it by the composition root',
  },
  client: {
    holds: 'the typed client of the API',
    mayImport: ['domain'],
    reason: 'it is loaded by programs that run no server: the schemas of bodies and answers stand in domain',
  },
  import: {
    holds: 'configurations of other systems -> data of preview and execute',
    mayImport: ['domain'],
  },
  carriers: {
    holds: 'callbacks of shop systems <-> the simulate request and answer',
    mayImport: ['domain'],
    reason: 'pure: what a checkout sends means the same wherever it is received, so tests and http share it',
  },
  http: { holds: 'front end', mayImport: ['domain', 'carriers', 'actor', 'pool', 'shadow', 'runtime'] },
  replica: {
    holds: 'further threads that answer simulations, and what the owner of the shops tells them',
    mayImport: ['domain', 'evaluate', 'change', 'log', 'actor', 'pool', 'shadow', 'http', 'runtime'],
    reason: 'a replica is a service of its own: it serves the port and reads the log',
  },
  'command-line': {
    holds: 'one file per command',
    mayImport: 'all',
    reason: 'commands put the parts together as the composition root does',
  },
  'main.ts': { holds: 'composition root', mayImport: 'all' },
  'cli.ts': { holds: 'entry of the commands', mayImport: 'all' },
  'settings.ts': { holds: 'the only reader of the environment', mayImport: 'all' },
};

/**
 * Free for every folder: they depend on nothing; a broken invariant is a bug anywhere, anything can be thrown, long
 * work and records are everywhere, and a file is flushed in one way.
 */
const FREE_FILES: readonly string[] = [
  'src/runtime/invariant.ts',
  'src/runtime/work-steps.ts',
  'src/runtime/work-slices.ts',
  'src/runtime/json-length.ts',
  'src/runtime/json-steps.ts',
  'src/runtime/json-reading.ts',
  'src/runtime/joined-bytes.ts',
  'src/runtime/extended.ts',
  'src/runtime/synced-files.ts',
  'src/runtime/thrown-error.ts',
];

const PURE_CORE = ['domain', 'compile', 'evaluate', 'explain', 'lint', 'change', 'carriers', 'import'];

/** Package -> the one folder that adapts it. */
const ADAPTERS: Readonly<Record<string, string>> = {
  lmdb: 'log',
  piscina: 'pool',
  'uws-compat': 'http',
  'uws-modern': 'http',
  pino: 'runtime',
  'csv-parse': 'import',
  'prom-client': 'runtime',
};

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
      if (to === from || FREE_FILES.includes(target) || row.mayImport === 'all') return false;
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

test('every package that src imports is a dependency, and no other module is named', () => {
  const manifest = JSON.parse(readText('package.json')) as { dependencies: Record<string, string> };
  const unknown = sources.flatMap((file) =>
    file.modules
      .map(({ specifier }) => specifier)
      .filter((name) => !isRelative(name) && !name.startsWith('node:') && !/^[a-z]+:/.test(name))
      .filter((name) => !Object.hasOwn(manifest.dependencies, packageOf(name)))
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

function outboundMeans(file: SourceFile): string[] {
  if (file.path === CLIENT_OF_THE_API) return [];
  const modules = file.modules.map(({ specifier }) => specifier.replace(/^node:/, ''));
  const isListening = ONLY_LISTENS.test(file.text) && modules.filter((name) => name === 'net').length === 1;
  const isLocal = file.path.startsWith(CLIENT_OF_FILES) || isListening;
  const found = modules.filter((name) => OUTBOUND_MODULES.includes(name) || (name === 'net' && !isLocal));
  return [...found, ...(OUTBOUND_CALL.test(file.bare) ? ['a call'] : [])].map(
    (what) => `${file.path}: ${what}`,
  );
}

test('nothing in src but the client of the API can call another machine', () => {
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
      "const e = await import('../pool/e.ts');",
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
    'pool/e',
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
