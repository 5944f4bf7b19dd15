/** A server under measurement, in a process of its own on the core for servers. */
import { request } from 'undici';
import type { LoadTarget } from '../load/load-target.ts';
import type { Child } from '../process/child-processes.ts';

export const SIMULATE_PATH = '/api/simulate';
export const HOST = '127.0.0.1';
export const BENCH_KEY = 'rw_bench_key_0123456789abcdef0123456789';

export interface MeasuredServer {
  /** Last part of measurement ids. */
  readonly id: string;
  readonly name: string;
  readonly child: Child;
  readonly port: number;
  /** What simulations are sent to, with its query. */
  readonly path: string;
  readonly authorization: string;
}

/**
 * The forms of answer that the service is measured with. The first is compared with floors and peers; each further
 * one with the first, and with a floor that sends as many bytes as it does.
 */
export const ANSWER_FORMS: readonly [AnswerForm, ...AnswerForm[]] = [
  { id: 'ratewright', name: 'ratewright', path: SIMULATE_PATH },
  { id: 'rates', name: 'ratewright, rates alone', path: `${SIMULATE_PATH}?fields=rates` },
];
export type AnswerForm = Pick<MeasuredServer, 'id' | 'name' | 'path'>;

/** The same server once for each form of answer. */
export const inEachForm = (server: MeasuredServer): readonly MeasuredServer[] =>
  ANSWER_FORMS.map((form) => ({ ...server, ...form }));

export const targetOf = (server: MeasuredServer, bodiesFile: string): LoadTarget => ({
  origin: `http://${HOST}:${server.port}`,
  method: 'POST',
  path: server.path,
  authorization: server.authorization,
  bodiesFile,
});

/** The text of the answer to one body. Throws when it is not a success. */
export async function askOnce(server: MeasuredServer, body: string): Promise<string> {
  const { statusCode, body: answer } = await request(`http://${HOST}:${server.port}${server.path}`, {
    method: 'POST',
    headers: { authorization: server.authorization, 'content-type': 'application/json' },
    body,
  });
  const text = await answer.text();
  if (statusCode !== 200) throw new Error(`${server.name} answered ${statusCode}: ${text.slice(0, 300)}`);
  return text;
}

/** Mean bytes of the answers to these bodies. Throws when one of them is not a success. */
export async function meanAnswerBytes(server: MeasuredServer, bodies: readonly string[]): Promise<number> {
  let bytes = 0;
  for (const body of bodies) bytes += Buffer.byteLength(await askOnce(server, body));
  return Math.round(bytes / bodies.length);
}

/** What a server process tells when it listens. */
export interface Listening {
  readonly port: number;
}
