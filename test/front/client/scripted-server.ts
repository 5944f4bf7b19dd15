/** A server that answers each request according to the next line of a script, and records the requests. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { Waits } from '../../../src/front/client/client.ts';

export interface Received {
  readonly verb: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** The answer to one request: a status, a body and headers, or the end of the connection. */
export type Line =
  | {
      readonly status: number;
      readonly body?: unknown;
      readonly headers?: Readonly<Record<string, string>>;
      /** The answer repeats the `Idempotency-Key` of the request. */
      readonly repeatsKey?: true;
    }
  | 'hang up'
  /** Sends only the beginning of an answer. */
  | 'half'
  | 'never';

export class ScriptedServer {
  readonly received: readonly Received[];
  readonly url: string;
  /** Number of connections so far. */
  connections = 0;
  readonly #server: Server;

  private constructor(server: Server, url: string, received: readonly Received[]) {
    this.#server = server;
    this.url = url;
    this.received = received;
  }

  /** The last line also answers all further requests. */
  static async start(context: TestContext, script: readonly Line[]): Promise<ScriptedServer> {
    const lines = [...script];
    const received: Received[] = [];
    const server = createServer((request, response) => {
      void answer(request, response, (lines.length > 1 ? lines.shift() : lines[0]) ?? 'never', received);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const scripted = new ScriptedServer(server, `http://127.0.0.1:${port}`, received);
    server.on('connection', () => {
      scripted.connections++;
    });
    context.after(() => scripted.stop());
    return scripted;
  }

  /** Resolves when this many requests have arrived. */
  async hasReceived(count: number): Promise<void> {
    while (this.received.length < count) await setTimeout(5);
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  line: Line,
  received: Received[],
): Promise<void> {
  let body = '';
  for await (const chunk of request) body += chunk;
  const { method = '', url = '', headers } = request;
  received.push({ verb: method, path: url, headers, body });
  if (line === 'never') return;
  if (line === 'half') {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{"zones":');
    return;
  }
  if (line === 'hang up') {
    request.socket.destroy();
    return;
  }
  const text = typeof line.body === 'string' ? line.body : JSON.stringify(line.body ?? {});
  const key = headers['idempotency-key'];
  const repeated = line.repeatsKey === true && key !== undefined ? { 'idempotency-key': key } : {};
  response.writeHead(line.status, { 'content-type': 'application/json', ...repeated, ...line.headers });
  response.end(text);
}

const START_MS = Date.parse('2026-01-01T00:00:00Z');
const DAY_MS = 86_400_000;

/** Waits that take no time and are recorded. Each sets the wall clock back by a day. */
export function recordedWaits(random = 0.5): Waits & { readonly slept: number[] } {
  const slept: number[] = [];
  let passedMs = 0;
  return {
    slept,
    nowMs: () => START_MS - slept.length * DAY_MS,
    monotonicMs: () => passedMs,
    random: () => random,
    sleep: async (ms) => {
      slept.push(ms);
      passedMs += ms;
    },
  };
}
