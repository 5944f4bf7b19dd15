/**
 * Loaded into a server before it starts (`--import`), and so into each of its threads: once a file `hang` is in the
 * folder HANGING_FOLDER, a further thread that serves makes a file `hangs` there and never goes on: it sleeps, so that
 * the others have the processor. The first thread throws what nobody catches when the process gets SIGUSR2; no other thread is touched.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMainThread, workerData } from 'node:worker_threads';

const LOOK_MS = 20;

const folder = process.env['HANGING_FOLDER'] ?? '.';
const { http } = (workerData ?? {}) as { readonly http?: object };

if (isMainThread) {
  process.once('SIGUSR2', () => {
    throw new Error('thrown on request');
  });
} else if (http !== undefined) {
  setInterval(() => {
    if (!existsSync(join(folder, 'hang'))) return;
    writeFileSync(join(folder, 'hangs'), '');
    for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  }, LOOK_MS).unref();
}
