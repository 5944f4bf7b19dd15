/** A proxy that speaks TLS, run by the real program for a test, and requests through it. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { DEMO_KEY } from '../support/server-process.ts';

/** The site in the examples. */
export const HOST = 'rates.example.com';

const isInstalled = (program: string, ...args: string[]): boolean =>
  spawnSync(program, args).error === undefined;

/** The reason to skip a test of this proxy, or false. */
export function proxyMissing(name: 'nginx' | 'caddy'): string | false {
  const isThere = isInstalled(name, name === 'nginx' ? '-v' : 'version') && isInstalled('openssl', 'version');
  return isThere ? false : `there is no ${name}, or no openssl, on this machine`;
}

/** Path of a key; its certificate has the ending `.crt`. */
export function makeCertificate(folder: string): string {
  const pem = join(folder, 'rates.pem');
  const { status, stderr } = spawnSync('openssl', [
    ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', `/CN=${HOST}`],
    ...['-addext', `subjectAltName=DNS:${HOST}`, '-keyout', pem, '-out', `${pem}.crt`],
  ]);
  assert.equal(status, 0, String(stderr));
  return pem;
}

interface Reply {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

export interface Asked {
  readonly verb?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export class RunningProxy {
  readonly #port: number;
  readonly #agent = new Agent({ keepAlive: true, rejectUnauthorized: false });
  readonly #stop: () => Promise<void>;

  private constructor(port: number, stop: () => Promise<void>) {
    this.#port = port;
    this.#stop = stop;
  }

  /** Resolves when it answers on this port of 127.0.0.1. */
  static async start(
    [program = '', ...args]: readonly string[],
    folder: string,
    port: number,
  ): Promise<RunningProxy> {
    const child = spawn(program, args, {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    });
    const ended = once(child, 'exit');
    let complaints = '';
    child.stderr.on('data', (chunk: Buffer) => {
      complaints += chunk;
    });
    const proxy = new RunningProxy(port, async () => {
      child.kill('SIGTERM');
      await ended;
    });
    for (;;) {
      assert.equal(child.exitCode, null, complaints);
      if ((await proxy.ask('/healthz').catch(() => null)) !== null) return proxy;
      await wait(10);
    }
  }

  /** Asks with the key of the demo shop; a body makes it a POST of JSON. */
  async ask(path: string, { verb, headers = {}, body }: Asked = {}): Promise<Reply> {
    const asked = request({
      ...{ host: '127.0.0.1', servername: HOST, port: this.#port, path, agent: this.#agent },
      method: verb ?? (body === undefined ? 'GET' : 'POST'),
      headers: {
        host: HOST,
        authorization: `Bearer ${DEMO_KEY}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
    });
    asked.end(body);
    const [answer] = await once(asked, 'response');
    const chunks: Buffer[] = [];
    for await (const chunk of answer) chunks.push(chunk);
    return { status: answer.statusCode, headers: answer.headers, bytes: Buffer.concat(chunks) };
  }

  async stop(): Promise<void> {
    this.#agent.destroy();
    await this.#stop();
  }
}

interface CaddyPlace {
  readonly folder: string;
  readonly port: number;
  readonly pem: string;
}

/** The global options of a test before a site of this port; the names on the left are replaced by those on the right. */
export function caddyfileFor(
  example: string,
  { port, pem }: CaddyPlace,
  replaced: Readonly<Record<string, string>>,
): string {
  const sited = example.replace(
    /^(?:\{\$SITE\}|rates\.example\.com) \{$/m,
    `${HOST}:${port} {\n\ttls ${pem}.crt ${pem}`,
  );
  const text = Object.entries(replaced).reduce((made, [from, to]) => made.replaceAll(from, to), sited);
  return `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${text}`;
}

export const caddyCommand = (config: string): readonly string[] => [
  ...['caddy', 'run', '--config', config, '--adapter', 'caddyfile'],
];
