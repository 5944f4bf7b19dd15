/**
 * Loaded into a server before it starts (`--import`), and into each of its threads. A worker of the shadow that reads a
 * request with the name of a fault fails in that way, in the middle of its batch. Other threads are not affected.
 */
import { isMainThread, workerData } from 'node:worker_threads';

const { isBackground = false } = (workerData ?? {}) as { readonly isBackground?: boolean };

if (!isMainThread && isBackground) {
  const parse = JSON.parse.bind(JSON);
  JSON.parse = (text: string, ...rest) => {
    if (text.includes('"trouble-throw"')) throw new RangeError('as told');
    if (text.includes('"trouble-exit"')) process.exit(3);
    while (text.includes('"trouble-hang"'));
    return parse(text, ...rest);
  };
}
