// Compiles the sources and puts beside them what a package needs: the files of the pages at /docs and /console and the
// library of the schemas, so that an installation brings no package for them, and the permission to run the program.
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { buildConsole } from './build-console.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const require = createRequire(import.meta.url);
const packageFolder = (name) => dirname(require.resolve(`${name}/package.json`));

const tsc = join(packageFolder('typescript'), 'bin/tsc');
for (const project of ['tsconfig.json', 'src/console/tsconfig.json']) {
  const { status } = spawnSync(process.execPath, [tsc, '-p', join(root, project)], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

const page = join(root, 'dist/src/http/docs-page');
mkdirSync(page, { recursive: true });
for (const file of [
  ...['swagger-ui-bundle.js', 'swagger-ui.css'],
  ...['LICENSE', 'NOTICE', 'swagger-ui-bundle.js.LICENSE.txt'],
]) {
  copyFileSync(join(packageFolder('swagger-ui-dist'), file), join(page, file));
}

// As one file: the package is 700 modules, and to load them one by one took a quarter of a start.
const schemas = join(root, 'dist/src/typebox');
await build({
  entryPoints: {
    typebox: require.resolve('typebox'),
    schema: require.resolve('typebox/schema'),
  },
  outdir: schemas,
  chunkNames: 'shared',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  logLevel: 'warning',
});
copyFileSync(join(dirname(require.resolve('typebox')), '../license'), join(schemas, 'LICENSE'));

chmodSync(join(root, 'dist/src/cli.js'), 0o755);
// Last: by its page `build-when-stale.mjs` knows when the build was.
await buildConsole(root);
