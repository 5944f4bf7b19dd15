import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { loadUws, NoServerBinaryError, RELEASES } from '../../../src/front/http/uws.ts';

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
}

const manifest = JSON.parse(
  readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8'),
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

const refuse = (): never => {
  throw new Error('no');
};

test('where none loads on a Node that has a binary, one line says to install again', () => {
  assert.throws(
    () => loadUws(refuse),
    (error) => {
      assert.ok(error instanceof NoServerBinaryError);
      assert.match(error.message, /^no binary of the HTTP server is installed for Node /);
      assert.ok(error.message.includes(`Node ${process.versions.node} on `), error.message);
      assert.match(error.message, /run 'npm ci' again in a clone, or 'npm install' of the package/);
      assert.doesNotMatch(error.message, /\n/);
      return true;
    },
  );
  assert.match(new NoServerBinaryError(RELEASES, '22.1.0').message, /glibc 2\.38 or 2\.27 or newer/);
});

test('on a Node without a binary, one line says which have one', () => {
  const { message } = new NoServerBinaryError(RELEASES, '18.20.0');
  assert.match(message, /^there is no binary of the HTTP server for Node 18\.20\.0 on /);
  for (const fitting of ['Node 22, 24, 26 with glibc 2.38', 'Node 20, 22 with glibc 2.27']) {
    assert.ok(message.includes(fitting), message);
  }
  assert.doesNotMatch(message, /npm ci|\n/);
});

test('the release that loads here has every function that the server uses', () => {
  const uws = loadUws();
  assert.equal(uws.LIBUS_LISTEN_EXCLUSIVE_PORT, 1);
  assert.equal(typeof uws.App, 'function');
});
