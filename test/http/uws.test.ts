import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { loadUws, NoServerBinaryError, RELEASES } from '../../src/http/uws.ts';

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
}

const manifest = JSON.parse(
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
) as Manifest;

test('each release is a dependency of the package', () => {
  for (const { alias } of RELEASES) assert.match(manifest.dependencies[alias] ?? '', /^npm:/);
});

test('a release that does not load is passed over for the next', () => {
  const asked: string[] = [];
  const uws = loadUws((alias) => {
    asked.push(alias);
    if (alias === 'uws-modern') throw new Error('GLIBC_2.38 not found');
    return { alias };
  });
  assert.deepEqual(uws, { alias: 'uws-compat' });
  assert.deepEqual(asked, ['uws-modern', 'uws-compat']);
});

test('when none loads, one line says what would', () => {
  const refuse = (): never => {
    throw new Error('no');
  };
  assert.throws(
    () => loadUws(refuse),
    (error) => {
      assert.ok(error instanceof NoServerBinaryError);
      assert.doesNotMatch(error.message, /\n/);
      for (const word of [
        process.versions.node,
        'Node 22, 24, 26 with glibc 2.38',
        'Node 20, 22, 23 with glibc 2.27',
      ]) {
        assert.ok(error.message.includes(word), error.message);
      }
      return true;
    },
  );
});

test('the one that loads here has what the server needs of it', () => {
  const uws = loadUws();
  assert.equal(uws.LIBUS_LISTEN_EXCLUSIVE_PORT, 1);
  assert.equal(typeof uws.App, 'function');
});
