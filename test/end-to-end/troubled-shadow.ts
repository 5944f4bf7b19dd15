/**
 * Loaded into a server before it starts (`--import`), and so into each of its threads: a worker of the shadow
 * that reads a request which names a trouble gets into it, in the middle of its batch. No other thread is touched.
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
