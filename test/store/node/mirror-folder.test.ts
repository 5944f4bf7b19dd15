/** The data folder of a node, and the one that a move fills: who may read it, and what is said of one that cannot be used. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { UnusableDataFileError } from '../../../src/store/log/event-log.ts';
import { openMirror } from '../../../src/store/node/mirror-folder.ts';
import { refuseUsedFolder } from '../../../src/store/node/move-log.ts';

const parent = mkdtempSync(join(tmpdir(), 'ratewright-mirror-'));
after(() => rmSync(parent, { recursive: true }));

const mirror = (folder: string) => openMirror(folder, { error: () => {} }, { mirrorsDamaged: 0 }, () => {});

test('only the owner can read the folder of a mirror', async () => {
  const folder = join(parent, 'deep', 'mirror');
  await mirror(folder).close();
  assert.equal(statSync(folder).mode & 0o777, 0o700);
});

for (const [name, open] of [
  ['a node', mirror],
  ['a move', refuseUsedFolder],
] as const) {
  test(`${name} refuses a folder that cannot be made or used, names it, and the attempt ends`, () => {
    const unusable = (folder: string, message: RegExp) =>
      assert.throws(
        () => open(folder),
        (error: Error) => error instanceof UnusableDataFileError && message.test(error.message),
      );
    const file = join(parent, 'file');
    writeFileSync(file, '');
    unusable(file, /\/file is not a folder$/);
    unusable(join(file, 'below'), /^data folder .*\/file\/below: (ENOTDIR|EEXIST)/);
    if (process.platform === 'linux')
      unusable('/proc/none/below', /^data folder \/proc\/none\/below: ENOENT/);
  });
}
