/** The examples for nginx and Caddy, each run by the real program in front of a service. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import {
  createServer,
  type IncomingHttpHeaders,
  Agent as PlainAgent,
  request as plainRequest,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { readText } from '../house/project-files.ts';
import { freePort } from '../support/free-port.ts';
import { ServerProcess, temporaryFolder } from '../support/server-process.ts';
import { caddyCommand, caddyfileFor, makeCertificate, proxyMissing, RunningProxy } from './running-proxy.ts';

const TRACE = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

/** Stands between a proxy and the service: passes requests on, and keeps what it saw. */
class Passage {
  readonly seen: { readonly path: string; readonly headers: IncomingHttpHeaders }[] = [];
  connections = 0;
  readonly #agent = new PlainAgent({ keepAlive: true });
  readonly #server;

  constructor(service: string) {
    this.#server = createServer((asked, answer) => {
      const { url: path = '', method, headers } = asked;
      this.seen.push({ path, headers });
      const passed = plainRequest(
        new URL(path, service),
        { method, headers, agent: this.#agent },
        (given) => {
          answer.writeHead(given.statusCode ?? 500, given.headers);
          given.pipe(answer);
        },
      );
      asked.pipe(passed);
    });
    this.#server.on('connection', () => {
      this.connections++;
    });
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
    this.#agent.destroy();
  }
}

interface Place {
  readonly folder: string;
  readonly port: number;
  /** Address of the service. */
  readonly upstream: string;
  /** Of the key; the certificate has another ending. */
  readonly pem: string;
}

interface Proxy {
  readonly name: 'nginx' | 'caddy';
  readonly example: string;
  /** Writes what the program needs; the command starts it in the foreground. */
  readonly prepare: (example: string, place: Place) => readonly string[];
}

const PROXIES: readonly Proxy[] = [
  {
    name: 'nginx',
    example: 'nginx.conf',
    prepare: (example, { folder, port, upstream, pem }) => {
      const text = example
        .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
        .replace('server 127.0.0.1:8080', `server ${upstream}`)
        .replace(/ssl_certificate .*;/, `ssl_certificate ${pem}.crt;`)
        .replace(/ssl_certificate_key .*;/, `ssl_certificate_key ${pem};`);
      const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
      const temporary = kinds.map((kind) => `${kind}_temp_path ${join(folder, kind)};`).join(' ');
      const config = join(folder, 'nginx.conf');
      writeFileSync(
        config,
        `daemon off; master_process off; pid ${folder}/pid; events {} http { access_log off; ${temporary}\n${text}}`,
      );
      return ['nginx', '-p', folder, '-c', config, '-e', 'stderr'];
    },
  },
  {
    name: 'caddy',
    example: 'Caddyfile',
    prepare: (example, place) => {
      const config = join(place.folder, 'Caddyfile');
      writeFileSync(config, caddyfileFor(example, place, { '127.0.0.1:8080': place.upstream }));
      return caddyCommand(config);
    },
  },
];

describe('proxies', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let server: ServerProcess;
  before(async () => {
    folder = await temporaryFolder();
    server = await ServerProcess.start(join(folder.path, 'db'));
  });
  after(async () => {
    await server?.stop('SIGKILL');
    await folder?.discard();
  });

  /** Runs the proxy with this text while `use` runs; `isDirect` leaves the passage out. */
  async function withProxy(
    { name, prepare }: Proxy,
    text: string,
    use: (proxy: RunningProxy, passage: Passage) => Promise<void>,
    isDirect = false,
  ): Promise<void> {
    const port = await freePort();
    const own = join(folder.path, `${name}-${port}`);
    mkdirSync(own);
    const passage = new Passage(server.url);
    const between = await passage.start();
    const upstream = isDirect ? new URL(server.url).host : between;
    const command = prepare(text, { folder: own, port, upstream, pem: makeCertificate(own) });
    const proxy = await RunningProxy.start(command, own, port);
    try {
      await use(proxy, passage);
    } finally {
      await proxy.stop();
      passage.stop();
    }
  }

  for (const proxy of PROXIES) {
    const example = readText(`data/deploy/${proxy.example}`);

    test(`${proxy.name} compresses, keeps its connections, passes the trace on, and /operator stays inside`, async (context) => {
      const reason = proxyMissing(proxy.name);
      if (reason !== false) return context.skip(reason);
      await withProxy(proxy, example, async (running, passage) => {
        const body = readText('data/carts/us-two-groups.json');
        const plain = await running.ask('/api/simulate', { body });
        assert.equal(plain.status, 200, String(plain.bytes));
        assert.equal(plain.headers['content-encoding'], undefined);
        const gzip = { 'accept-encoding': 'gzip' };
        const packed = await running.ask('/api/simulate', { body, headers: { ...gzip, traceparent: TRACE } });
        assert.equal(packed.headers['content-encoding'], 'gzip');
        assert.ok(packed.bytes.length * 2 < plain.bytes.length);
        assert.deepEqual(JSON.parse(String(gunzipSync(packed.bytes))), JSON.parse(String(plain.bytes)));
        assert.equal(passage.seen.at(-1)?.headers['traceparent'], TRACE);

        // A tag that the proxy has changed finds out that nothing else has, and guards a write.
        const zones = (headers = {}) => running.ask('/api/zones', { headers: { ...gzip, ...headers } });
        const read = await zones();
        assert.equal(read.headers['content-encoding'], 'gzip');
        const { etag = '' } = read.headers;
        assert.equal((await zones({ 'if-none-match': etag })).status, 304);
        const write = (tag: string) =>
          running.ask('/api/groups/group_fragile', {
            ...{ verb: 'PUT', headers: { 'if-match': tag }, body: '{"tags": []}' },
          });
        assert.equal((await write(etag)).status, 200);
        assert.equal((await write(etag)).status, 409);
        if (proxy.name === 'caddy') {
          const { etag: next = '' } = (await zones()).headers;
          assert.equal((await write(next.replace(/(?:-gzip)?"$/, '-gzip"'))).status, 200);
        }

        const before = passage.connections;
        for (let turn = 0; turn < 8; turn++) await running.ask('/api/shop');
        assert.equal(passage.connections, before);

        const asked = passage.seen.length;
        for (const path of [
          ...['/operator', '/operator/shops', '/%6fperator/shops', '//operator/shops'],
          '/api/../operator/shops',
        ]) {
          assert.equal((await running.ask(path)).status, 404, path);
        }
        const passed = passage.seen.slice(asked).map(({ path }) => path);
        assert.deepEqual(passed, [], 'answered by the proxy');
      });
    });
  }

  test('nginx without HTTP/1.1 to the service gets 505', async (context) => {
    const [nginx] = PROXIES;
    assert.ok(nginx !== undefined);
    const reason = proxyMissing(nginx.name);
    if (reason !== false) return context.skip(reason);
    const text = readText('data/deploy/nginx.conf').replaceAll('proxy_http_version 1.1;', '');
    const use = async (running: RunningProxy) => assert.equal((await running.ask('/api/shop')).status, 505);
    await withProxy(nginx, text, use, true);
  });
});

test('the proxies close idle connections before the service does', () => {
  /** The library gives ten seconds and looks every four. */
  const kept = {
    'nginx.conf': /^ +keepalive_timeout (\d+)s;$/m,
    Caddyfile: /^\t+keepalive (\d+)s$/m,
    'Caddyfile.cluster': /^\t+keepalive (\d+)s$/m,
  };
  for (const [name, pattern] of Object.entries(kept)) {
    const [, seconds] = pattern.exec(readText(`data/deploy/${name}`)) ?? [];
    assert.ok(Number(seconds) < 8, name);
  }
});
