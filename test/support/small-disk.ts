/** A small file system of a test's own, which another program's file can fill. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

export interface SmallDisk {
  readonly path: string;
  /** Fills the disk to the last byte. */
  fill(): void;
  /** Undoes `fill`. */
  empty(): void;
  /** From now on the kernel refuses every write. */
  makeReadOnly(): void;
}

const run = (...command: [string, ...string[]]): boolean =>
  spawnSync(command[0], command.slice(1), { stdio: 'ignore' }).status === 0;

/** Mounts a disk until the test ends; skips the test and returns null without the rights to. */
export function smallDisk(context: TestContext, megabytes: number): SmallDisk | null {
  const folder = mkdtempSync(join(tmpdir(), 'ratewright-disk-'));
  const path = join(folder, 'disk');
  mkdirSync(path);
  const isMounted = run('mount', '-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path);
  context.after(() => {
    if (isMounted) assert.ok(run('umount', '-l', path));
    rmSync(folder, { recursive: true, force: true });
  });
  if (!isMounted) {
    context.skip('no rights to mount a small file system');
    return null;
  }
  const ballast = join(path, 'ballast');
  return {
    path,
    fill: () => {
      const { bavail, bsize } = statfsSync(path);
      writeFileSync(ballast, Buffer.alloc(bavail * bsize), { flag: 'a' });
    },
    empty: () => rmSync(ballast),
    makeReadOnly: () => assert.ok(run('mount', '-o', 'remount,ro', path)),
  };
}
