// Writes the types of the client, compiles the sources into dist/src, file by file, for tests and the bench, and makes
// dist/program, which is installed and run: the same sources in few files, and the files of the pages at /docs and
// /console, so that an installation brings no package for them.
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { buildConsole } from './build-console.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const require = createRequire(import.meta.url);
const { dependencies } = require(join(root, 'package.json'));
const packageFolder = (name) => dirname(require.resolve(`${name}/package.json`));

await import('./write-client-types.mjs');

const tsc = join(packageFolder('typescript'), 'bin/tsc');
for (const [project, kept] of [
  ['tsconfig.json', '.tsbuildinfo'],
  ['src/front/console/tsconfig.json', '.console.tsbuildinfo'],
]) {
  const { status } = spawnSync(process.execPath, [tsc, '-p', join(root, project)], { stdio: 'inherit' });
  if (status === 0) continue;
  // With what it has kept, the compiler would not find a package that is installed after this failure.
  rmSync(join(root, 'dist', kept), { force: true });
  process.exit(status ?? 1);
}

const program = join(root, 'dist/program');
const page = join(program, 'docs-page');
mkdirSync(page, { recursive: true });
for (const file of [
  ...['swagger-ui-bundle.js', 'swagger-ui.css'],
  ...['LICENSE', 'NOTICE', 'swagger-ui-bundle.js.LICENSE.txt'],
]) {
  copyFileSync(join(packageFolder('swagger-ui-dist'), file), join(page, file));
}

const inFewFiles = { bundle: true, splitting: true, format: 'esm', platform: 'node', target: 'node20' };
// The package is 700 modules, and to load them one by one took a quarter of a start.
await build({
  ...inFewFiles,
  entryPoints: {
    typebox: require.resolve('typebox'),
    schema: require.resolve('typebox/schema'),
  },
  outdir: join(root, 'dist/src/typebox'),
  chunkNames: 'shared',
  logLevel: 'warning',
});

// To load the modules of src one by one took a third of a start. What only some commands load stays in files of its own.
const { metafile } = await build({
  ...inFewFiles,
  entryPoints: {
    cli: join(root, 'src/cli.ts'),
    'thread-entry': join(root, 'src/shop/pool/thread-entry.ts'),
    'log-process': join(root, 'src/store/node/log-process.ts'),
    'file-reader': join(root, 'src/store/log/lmdb/file-reader.ts'),
  },
  outdir: program,
  chunkNames: 'part-[hash]',
  external: Object.keys(dependencies),
  sourcemap: true,
  sourcesContent: false,
  logLevel: 'warning',
  metafile: true,
});
const made = new Set(Object.keys(metafile.outputs).map((path) => basename(path)));
for (const name of readdirSync(program)) {
  if (/\.js(?:\.map)?$/.test(name) && !made.has(name)) rmSync(join(program, name));
}
copyFileSync(join(dirname(require.resolve('typebox')), '../license'), join(program, 'LICENSE-typebox'));

chmodSync(join(program, 'cli.js'), 0o755);
// Last: by its page `build-when-stale.mjs` knows when the build was.
await buildConsole(root);
