// Builds when a source is newer than the last build. Where the compiler is not installed, as after
// `npm prune --omit=dev`, a build that is there is used as it is.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const changedMs = (path) => statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** What a build writes last. */
const builtMs = changedMs('dist/program/console-page/console.html');
const sources = readdirSync(join(root, 'src'), { recursive: true })
  .filter((path) => /\.(?:tsx?|css)$/.test(String(path)))
  .map((path) => join('src', String(path)));
const isBuilt = changedMs('dist/program/cli.js') > 0;
const isStale = ['tsconfig.json', 'package-lock.json', ...sources].some((path) => changedMs(path) > builtMs);
if (existsSync(join(root, 'node_modules/typescript'))) {
  if (isStale || !isBuilt) await import('./build.mjs');
} else if (!isBuilt) {
  process.stderr.write('there is no build and no compiler: run `npm ci && npm run build` first\n');
  process.exit(1);
}
