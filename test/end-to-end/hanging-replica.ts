/**
 * Loaded into a server before it starts (`--import`), and so into each of its threads: a further thread that
 * serves is caught in a loop a while after its start. The first thread throws what nobody catches when the process gets
 * SIGUSR2; no other thread is touched.
 */
import { isMainThread, workerData } from 'node:worker_threads';

const HANGS_AFTER_MS = 1_000;

const { http } = (workerData ?? {}) as { readonly http?: object };

if (isMainThread) {
  process.once('SIGUSR2', () => {
    throw new Error('thrown on request');
  });
} else if (http !== undefined) {
  setTimeout(() => {
    for (;;);
  }, HANGS_AFTER_MS);
}
