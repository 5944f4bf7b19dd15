/**
 * Loaded into a server before it starts (`--import`), and into each of its threads. When a file `hang` is in the folder
 * HANGING_FOLDER, a further thread that serves makes a file `hangs` there and sleeps forever. The main thread throws an
 * uncaught error when the process gets SIGUSR2. Other threads are not affected.
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
