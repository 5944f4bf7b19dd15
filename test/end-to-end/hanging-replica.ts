/**
 * Loaded into a server before it starts (`--import`), and so into each of its threads: a further thread that
 * serves is caught in a loop a while after its start. No other thread is touched.
 */
import { isMainThread, workerData } from 'node:worker_threads';

const HANGS_AFTER_MS = 1_000;

const { http } = (workerData ?? {}) as { readonly http?: object };

if (!isMainThread && http !== undefined) {
  setTimeout(() => {
    for (;;);
  }, HANGS_AFTER_MS);
}
