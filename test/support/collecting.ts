/**
 * Loaded into a server before it starts (`--import`): on SIGUSR2 its main thread collects all garbage, so that a test
 * can measure the memory in use.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  process.on('SIGUSR2', () => collect());
}
