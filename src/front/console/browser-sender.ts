/** Sends the calls of the client with `fetch`, to the host that the page came from. */
import type { Attempt, PreparedRequest, RequestSender } from '../client/attempt.ts';

export const browserSender: RequestSender = {
  async send({ verb, path, headers, body }: PreparedRequest, timeMs, signal): Promise<Attempt> {
    const late = AbortSignal.timeout(timeMs);
    try {
      const response = await fetch(path, {
        method: verb,
        headers: { ...headers },
        body,
        cache: 'no-store',
        credentials: 'omit',
        signal: signal === undefined ? late : AbortSignal.any([signal, late]),
      });
      const text = await response.text();
      return {
        kind: 'answered',
        status: response.status,
        headers: Object.fromEntries(response.headers),
        text,
      };
    } catch (error) {
      const isLate = late.aborted && signal?.aborted !== true;
      const code = isLate ? 'DEADLINE_EXCEEDED' : signal?.aborted ? 'ABORTED' : 'CONNECTION_LOST';
      // A browser does not tell whether the request was sent.
      return { kind: 'failed', code, message: error instanceof Error ? error.message : '', isSent: true };
    }
  },
  close: () => Promise.resolve(),
};
