// Builds when a source is newer than the last build, so that `npm start` costs no build after an install.
import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const changedMs = (path) => statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;

const builtMs = changedMs('dist/.tsbuildinfo');
const sources = readdirSync(join(root, 'src'), { recursive: true })
  .filter((path) => String(path).endsWith('.ts'))
  .map((path) => join('src', String(path)));
const isStale = ['tsconfig.json', 'package-lock.json', ...sources].some((path) => changedMs(path) > builtMs);
if (isStale || changedMs('dist/src/cli.js') === 0) {
  const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
  const { status } = spawnSync(process.execPath, [tsc, '-p', join(root, 'tsconfig.json')], {
    stdio: 'inherit',
  });
  process.exit(status ?? 1);
}
