/** Clients of a server with several processes; each client uses one process. */
import { spawnSync } from 'node:child_process';
import { Client } from 'undici';
import { checkReply } from '../support/reply-check.ts';
import { DEMO_KEY, type ServerProcess } from '../support/server-process.ts';

export const CONNECTIONS = 16;

/** Process ids, in ascending order, of the processes that the server started. */
export const childrenOf = ({ process: { pid } }: ServerProcess): readonly number[] =>
  spawnSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
    .stdout.split('\n')
    .map(Number)
    .filter((child) => child > 0)
    .sort((a, b) => a - b);

export interface Answer {
  readonly status: number;
  readonly version: string;
  readonly text: string;
}

/** Connections that each stay with the process to which the system assigned them. */
export class ProcessClients {
  readonly all: readonly Client[];

  constructor(url: string) {
    this.all = Array.from({ length: CONNECTIONS }, () => new Client(url));
  }

  static async ask(client: Client, path: string, body?: string, key = DEMO_KEY): Promise<Answer> {
    const answer = await client.request({
      path,
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body }),
    });
    const text = await answer.body.text();
    checkReply(body === undefined ? 'GET' : 'POST', path, answer.statusCode, text);
    return { status: answer.statusCode, version: String(answer.headers['x-config-version']), text };
  }

  async close(): Promise<void> {
    await Promise.all(this.all.map((client) => client.destroy()));
  }
}
