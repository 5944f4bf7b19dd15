/** Calls as commands for a shell: what a button would send, copied instead of sent. */

import type { PreparedRequest } from '../../client/attempt.ts';
import type { Calls } from '../../client/call-table.ts';
import { CALLER_DEFAULTS, callsOf } from '../../client/caller.ts';

/**
 * Left out of a command: the key comes from a variable, and a fixed `Idempotency-Key` would let a repeated command do
 * nothing.
 */
const LEFT_OUT = ['authorization', 'idempotency-key'];

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** `base`: what comes before the path of a call, such as `https://host`. */
export function curlText(base: string, { verb, path, headers, body }: PreparedRequest): string {
  const isPlain = verb === (body === null ? 'GET' : 'POST');
  return [
    `curl -sS ${isPlain ? '' : `-X ${verb} `}${quoted(base + path)}`,
    '-H "Authorization: Bearer $RATEWRIGHT_KEY"',
    ...Object.entries(headers)
      .filter(([name]) => !LEFT_OUT.includes(name))
      .map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === null ? [] : [`-d ${quoted(body)}`]),
  ].join(' ');
}

/** The requests that `run` would send; none of them is sent, and each of its calls fails. */
export async function requestsOf(
  basePath: string,
  run: (calls: Calls) => Promise<unknown>,
): Promise<readonly PreparedRequest[]> {
  const requests: PreparedRequest[] = [];
  const calls = callsOf({
    ...CALLER_DEFAULTS,
    retriesMax: 0,
    basePath,
    sender: {
      async send(prepared) {
        requests.push(prepared);
        return { kind: 'failed', code: 'ABORTED', message: '', isSent: false };
      },
      close: async () => {},
    },
    waits: { nowMs: () => 0, monotonicMs: () => 0, random: () => 0, sleep: async () => {} },
    newKey: () => '',
  });
  await run(calls);
  return requests;
}
