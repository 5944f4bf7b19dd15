// Adds to package-lock.json of a folder, by default this one, the optional platform packages that npm left out because
// the registry it was run against does not carry them. Without these entries `npm ci` refuses the lock file, and with
// them a machine of another system or Node major still gets its own binary, resolved by name and version.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const lockPath = join(process.argv[2] ?? '.', 'package-lock.json');
const lock = JSON.parse(readFileSync(lockPath, 'utf8'));
const packages = lock.packages;

const OPERATING_SYSTEMS = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'sunos',
  'win32',
];
const PROCESSORS = [
  'arm',
  'arm64',
  'ia32',
  'loong64',
  'mips64el',
  'ppc64',
  'riscv64',
  's390x',
  'wasm32',
  'x64',
];

/** The place npm would find `name` at from the package at `from`, or undefined. */
function locate(from, name) {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('node_modules/') - 1))) {
    const place = `${at === '' ? '' : `${at}/`}node_modules/${name}`;
    if (packages[place] !== undefined) return place;
    if (at === '') return undefined;
  }
}

let added = 0;
for (const [from, meta] of Object.entries(packages)) {
  for (const [name, range] of Object.entries(meta.optionalDependencies ?? {})) {
    const place = locate(from, name);
    if (place !== undefined && packages[place].version === range.replace(/^[~^]/, '')) continue;
    const words = name.split('/').at(-1).split('-');
    const os = words.find((word) => OPERATING_SYSTEMS.includes(word));
    const cpu = words.find((word) => PROCESSORS.includes(word));
    if (cpu === undefined || (os === undefined && cpu !== 'wasm32')) continue;
    const entry = {
      version: range.replace(/^[~^]/, ''),
      optional: true,
      ...(os && { os: [os] }),
      cpu: [cpu],
    };
    if (meta.dev) entry.dev = true;
    if (words.includes('musl')) entry.libc = ['musl'];
    if (name.startsWith('@uwsjs/')) {
      const major = Number(words.at(-1));
      entry.engines = { node: `>=${major}.0.0 <${major + 1}.0.0` };
    }
    const top = `node_modules/${name}`;
    packages[packages[top] === undefined ? top : `${from}/${top}`] = entry;
    added++;
  }
}

lock.packages = Object.fromEntries(Object.entries(packages).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
writeFileSync(lockPath, `${JSON.stringify(lock, null, 2)}\n`);
process.stdout.write(`${lockPath}: ${added} platform packages added\n`);
