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
  readonly authorization: string;
}

export const targetOf = (server: MeasuredServer, bodiesFile: string): LoadTarget => ({
  host: HOST,
  port: server.port,
  method: 'POST',
  path: SIMULATE_PATH,
  authorization: server.authorization,
  bodiesFile,
});

/** The text of the answer to one body. Throws when it is not a success. */
export async function askOnce(server: MeasuredServer, body: string): Promise<string> {
  const { statusCode, body: answer } = await request(`http://${HOST}:${server.port}${SIMULATE_PATH}`, {
    method: 'POST',
    headers: { authorization: server.authorization, 'content-type': 'application/json' },
    body,
  });
  const text = await answer.text();
  if (statusCode !== 200) throw new Error(`${server.name} answered ${statusCode}: ${text.slice(0, 300)}`);
  return text;
}

/** What a server process tells when it listens. */
export interface Listening {
  readonly port: number;
}
