/** Clients of a server with several threads; each client uses one thread. */
import { Client } from 'undici';
import { checkReply } from '../support/reply-check.ts';
import { DEMO_KEY } from '../support/server-process.ts';

export const CONNECTIONS = 16;

export interface Answer {
  readonly status: number;
  readonly version: string;
  readonly text: string;
}

/** Connections that each stay with the thread to which the system assigned them. */
export class ThreadClients {
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
