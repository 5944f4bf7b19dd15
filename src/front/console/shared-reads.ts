/** Parts of a page that ask for the same at the same time take part in one request. */
import type { Attempt, RequestSender } from '../client/attempt.ts';

interface Underway {
  readonly attempt: Promise<Attempt>;
  readonly control: AbortController;
  /** Those who still want the answer. */
  askers: number;
}

const GIVEN_UP: Attempt = { kind: 'failed', code: 'ABORTED', message: '', isSent: false };

export function sharedReads(sender: RequestSender): RequestSender {
  /** By path with its query. */
  const reads = new Map<string, Underway>();
  const start = (...[prepared, timeMs]: Parameters<RequestSender['send']>): Underway => {
    const { path } = prepared;
    const control = new AbortController();
    const end = (): void => {
      if (reads.get(path) === read) reads.delete(path);
    };
    // Nobody wants this one any more: who asks next gets a request of their own.
    control.signal.addEventListener('abort', end);
    const attempt = sender.send(prepared, timeMs, control.signal).finally(end);
    const read: Underway = { attempt, control, askers: 0 };
    reads.set(path, read);
    return read;
  };
  return {
    async send(prepared, timeMs, signal) {
      if (signal?.aborted) return GIVEN_UP;
      if (prepared.verb !== 'GET') {
        // A read that began before the write is no answer to one that is asked after it.
        return sender.send(prepared, timeMs, signal).finally(() => reads.clear());
      }
      const read = reads.get(prepared.path) ?? start(prepared, timeMs, signal);
      read.askers++;
      signal?.addEventListener('abort', () => --read.askers === 0 && read.control.abort(), { once: true });
      return read.attempt;
    },
    close: () => sender.close(),
  };
}
