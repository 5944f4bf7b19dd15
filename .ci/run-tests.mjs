// Runs every test below dist/test with node:test and prints coverage of src. Arguments narrow the run to
// files whose path holds one of them: `npm test -- postal actor`.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const wanted = process.argv.slice(2);
const files = readdirSync(join(root, 'dist/test'), { recursive: true })
  .map((path) => join('dist/test', String(path)))
  .filter((path) => path.endsWith('.test.js'))
  // A compiled test whose source is gone is not a test any more.
  .filter((path) => existsSync(join(root, path.replace(/^dist\//, '').replace(/\.js$/, '.ts'))))
  .filter((path) => wanted.length === 0 || wanted.some((word) => path.includes(word)))
  .sort();
if (files.length === 0) {
  process.stderr.write(`no test matches ${wanted.join(', ')}\n`);
  process.exit(1);
}

const c8 = createRequire(import.meta.url).resolve('c8/bin/c8.js');
const coverage = [
  c8,
  '--reporter=text',
  '--include=dist/src/**',
  '--include=src/**',
  '--exclude-after-remap',
];
const nodeTest = [process.execPath, '--test', '--test-reporter=spec', '--test-concurrency=2', ...files];
const { status } = spawnSync(process.execPath, [...coverage, ...nodeTest], { cwd: root, stdio: 'inherit' });
process.exit(status ?? 1);
