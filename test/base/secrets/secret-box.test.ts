import assert from 'node:assert/strict';
import { chownSync, linkSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openFolderBox, SharedBox } from '../../../src/base/secrets/secret-box.ts';
import { fileCallsOf } from '../../support/file-calls.ts';
import { temporaryFolder } from '../../support/server-process.ts';

async function newFolder(context: TestContext): Promise<string> {
  const folder = await temporaryFolder();
  context.after(folder.discard);
  return folder.path;
}

const SECRET = 'shpss_0123456789abcdef';

test('a sealed secret opens for its owner with the same key, and in no other way', async (context) => {
  const dataFolder = await newFolder(context);
  const box = openFolderBox({ keyText: null, dataFolder });
  assert.equal(box.open('v1.AAAA', 'shop_a'), null);
  const sealed = box.seal(SECRET, 'shop_a');
  assert.notEqual(box.seal(SECRET, 'shop_a'), sealed);
  assert.ok(!sealed.includes(SECRET));
  const again = openFolderBox({ keyText: null, dataFolder });
  assert.equal(again.open(sealed, 'shop_a'), SECRET);
  assert.equal(again.open(sealed, 'shop_b'), null);
  for (let at = 0; at < sealed.length - 1; at++) {
    const changed = sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1);
    assert.equal(again.open(changed, 'shop_a'), null, `character ${at}`);
  }
  for (const bad of ['', 'v1.', 'v2.AAAA', sealed.slice(0, -8)])
    assert.equal(again.open(bad, 'shop_a'), null);
  const other = openFolderBox({ keyText: null, dataFolder: await newFolder(context) });
  other.seal(SECRET, 'shop_a');
  assert.equal(other.open(sealed, 'shop_a'), null);
});

test('the key file is made with the first secret, for its owner only, and never made twice', async (context) => {
  const dataFolder = await newFolder(context);
  const first = openFolderBox({ keyText: null, dataFolder });
  const second = openFolderBox({ keyText: null, dataFolder });
  assert.deepEqual(readdirSync(dataFolder), []);
  const sealed = first.seal(SECRET, 'shop_a');
  assert.deepEqual(readdirSync(dataFolder), ['secret.key', 'secret.probe']);
  for (const name of ['secret.key', 'secret.probe'])
    assert.equal(statSync(join(dataFolder, name)).mode & 0o777, 0o600);
  assert.equal(second.open(sealed, 'shop_a'), SECRET);
  assert.equal(first.open(second.seal(SECRET, 'shop_b'), 'shop_b'), SECRET);
});

test('a key file that root makes belongs to the owner of the data folder', async (context) => {
  if (process.getuid?.() !== 0) return context.skip('only root can make files of other users');
  const dataFolder = await newFolder(context);
  const [uid, gid] = [12_345, 12_346];
  chownSync(dataFolder, uid, gid);
  openFolderBox({ keyText: null, dataFolder }).seal(SECRET, 'shop_a');
  const made = statSync(join(dataFolder, 'secret.key'));
  assert.deepEqual([made.uid, made.gid, made.mode & 0o777], [uid, gid, 0o600]);
});

test('the name of the key is on disk before anything that was sealed with it can be', async (context) => {
  const dataFolder = await newFolder(context);
  const box = openFolderBox({ keyText: null, dataFolder });
  const calls = fileCallsOf(context, () => box.seal(SECRET, 'shop_a'));
  assert.deepEqual(
    calls,
    ['secret.key', 'secret.probe'].flatMap((name) => [
      `sync ${join(dataFolder, 'secret.draft')}`,
      `link ${join(dataFolder, name)}`,
      `sync ${dataFolder}`,
    ]),
  );
});

test('what a process that was killed while it made the key has left is removed', async (context) => {
  const dataFolder = await newFolder(context);
  writeFileSync(
    join(dataFolder, 'secret.draft'),
    'a text that is longer than a key, of which nothing may stay behind it',
  );
  const box = openFolderBox({ keyText: null, dataFolder });
  assert.equal(box.open(box.seal(SECRET, 'shop_a'), 'shop_a'), SECRET);
  assert.deepEqual(readdirSync(dataFolder), ['secret.key', 'secret.probe']);
  assert.equal(readFileSync(join(dataFolder, 'secret.key'), 'utf8').length, 65);
});

test('a key that was made by a process which was killed at once stays as it is', async (context) => {
  const dataFolder = await newFolder(context);
  const key = join(dataFolder, 'secret.key');
  const box = openFolderBox({ keyText: null, dataFolder });
  const sealed = box.seal(SECRET, 'shop_a');
  // As it was killed: the key has two names, and there is no probe yet.
  linkSync(key, join(dataFolder, 'secret.draft'));
  rmSync(join(dataFolder, 'secret.probe'));
  const made = readFileSync(key, 'utf8');
  const again = openFolderBox({ keyText: null, dataFolder });
  again.seal(SECRET, 'shop_b');
  assert.equal(readFileSync(key, 'utf8'), made);
  assert.equal(openFolderBox({ keyText: null, dataFolder }).open(sealed, 'shop_a'), SECRET);
  assert.deepEqual(readdirSync(dataFolder), ['secret.key', 'secret.probe']);
});

test('a key from the settings needs no key file; a process with another key, or none, is told so', async (context) => {
  const dataFolder = await newFolder(context);
  const box = (keyText: string | null) => openFolderBox({ keyText, dataFolder });
  const before = 'v1.DQ3lqJiJYapOIkulQyNL2wMg1y05hMIQN8FLg8nmRKTvwFu0fkPi9ruOrmYU4l0kxyw';
  assert.equal(box('k'.repeat(32)).open(before, 'shop_a'), SECRET, 'one that was stored before');
  const sealed = box('k'.repeat(32)).seal(SECRET, 'shop_a');
  assert.deepEqual(readdirSync(dataFolder), ['secret.probe']);
  assert.equal(box('k'.repeat(32)).open(sealed, 'shop_a'), SECRET);
  for (const other of ['k'.repeat(33), null])
    assert.throws(() => box(other), { name: 'WrongSecretKeyError', message: /^secret\.probe in [^\n]+$/ });
});

test('a start alone makes no probe, so a wrong key does not lock out the right one', async (context) => {
  const dataFolder = await newFolder(context);
  const sealed = openFolderBox({ keyText: 'right', dataFolder }).seal(SECRET, 'shop_a');
  rmSync(join(dataFolder, 'secret.probe'));
  assert.equal(openFolderBox({ keyText: 'wrong', dataFolder }).open(sealed, 'shop_a'), null);
  assert.equal(openFolderBox({ keyText: 'right', dataFolder }).open(sealed, 'shop_a'), SECRET);
});

test('a key file that was lost or replaced is noticed, and none is made in its place', async (context) => {
  const dataFolder = await newFolder(context);
  openFolderBox({ keyText: null, dataFolder }).seal(SECRET, 'shop_a');
  writeFileSync(join(dataFolder, 'secret.key'), `${'0'.repeat(64)}\n`);
  const wrong = { name: 'WrongSecretKeyError' };
  assert.throws(() => openFolderBox({ keyText: null, dataFolder }), wrong);
  rmSync(join(dataFolder, 'secret.key'));
  assert.throws(() => openFolderBox({ keyText: null, dataFolder }), wrong);
  assert.deepEqual(readdirSync(dataFolder), ['secret.probe']);
});

test('nodes of a cluster have no key file: the key is the setting, and the probe of the first is that of all', () => {
  const [keyText, other] = ['k'.repeat(32), 'l'.repeat(32)];
  const box = new SharedBox({ keyText });
  box.admit(null);
  box.admit(box.probe);
  new SharedBox({ keyText }).admit(box.probe);
  assert.equal(new SharedBox({ keyText }).open(box.seal(SECRET, 'shop_a'), 'shop_a'), SECRET);
  const wrong = { name: 'WrongSecretKeyError', message: /^the secrets in the database [^\n]+$/ };
  assert.throws(() => new SharedBox({ keyText: other }).admit(box.probe), wrong);
  const keyless = new SharedBox({ keyText: null });
  assert.throws(() => keyless.admit(box.probe), wrong);
  keyless.admit(null);
  assert.equal(keyless.probe, null);
  assert.equal(keyless.open(box.seal(SECRET, 'shop_a'), 'shop_a'), null);
  assert.throws(() => keyless.seal(SECRET, 'shop_a'), /RATEWRIGHT_SECRET_KEY is not set/);
});

test('the text of a key file, as the key in the settings, opens what was sealed with the file', async (context) => {
  const dataFolder = await newFolder(context);
  const sealed = openFolderBox({ keyText: null, dataFolder }).seal(SECRET, 'shop_a');
  const keyText = readFileSync(join(dataFolder, 'secret.key'), 'utf8').trim();
  const elsewhere = { dataFolder: await newFolder(context) };
  const box = openFolderBox({ keyText, ...elsewhere });
  assert.equal(box.open(sealed, 'shop_a'), SECRET);
  assert.equal(box.open(sealed, 'shop_b'), null);
  assert.equal(box.open(box.seal(SECRET, 'shop_a'), 'shop_a'), SECRET);
  // What the file sealed opens also as the probe of another folder.
  openFolderBox({ keyText, dataFolder });
  const other = keyText.replace(/^./, (digit) => (digit === '0' ? '1' : '0'));
  assert.throws(() => openFolderBox({ keyText: other, dataFolder }), { name: 'WrongSecretKeyError' });
  const third = openFolderBox({ keyText: other, dataFolder: await newFolder(context) });
  assert.equal(third.open(sealed, 'shop_a'), null);
});

test('a damaged key file is an error, not another key', async (context) => {
  const dataFolder = await newFolder(context);
  writeFileSync(join(dataFolder, 'secret.key'), 'short\n');
  const box = openFolderBox({ keyText: null, dataFolder });
  assert.throws(() => box.seal(SECRET, 'shop_a'), { name: 'WrongSecretKeyError', message: /^secret\.key / });
  assert.equal(readFileSync(join(dataFolder, 'secret.key'), 'utf8'), 'short\n');
});
