/** Pages, their parts and the OpenAPI document: encodings, entity tags, and what browsers keep. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { ITEMS_MAX_DEFAULT } from '../../../src/engine/domain/cart.ts';
import { createRouteTable } from '../../../src/front/http/route-table.ts';
import { StaticText } from '../../../src/front/http/static-text.ts';
import { requestText, TestServer } from '../../support/test-server.ts';

const server = await TestServer.start();
after(() => server.stop());

/** The page of the console differs each time. */
const CONSOLE = '/console';
const files = createRouteTable({ itemsMax: ITEMS_MAX_DEFAULT })
  .flatMap((route) => (route.kind === 'public' && route.isFile ? [route.paths[0]] : []))
  .filter((path) => path !== CONSOLE);

interface Sent {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
}

/** `fetch` would decode the body, and send headers of its own. */
async function get(
  path: string,
  headers: Readonly<Record<string, string>> = {},
  verb = 'GET',
): Promise<Sent> {
  const connection = server.connect();
  const lines = Object.entries({ ...headers, Connection: 'close' }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  connection.send(requestText(`${verb} ${path}`, lines));
  const { text } = await connection.until(({ isClosed }) => isClosed);
  const end = text.indexOf('\r\n\r\n');
  const [status = '', ...head] = text.slice(0, end).split('\r\n');
  return {
    status: Number(status.split(' ')[1]),
    headers: new Headers(head.map((line) => line.split(': ', 2) as [string, string])),
    bytes: Buffer.from(text.slice(end + 4), 'latin1'),
  };
}

const DECODERS = { br: brotliDecompressSync, gzip: gunzipSync } as const;

test('the pages, their parts and the OpenAPI document are such texts', () => {
  for (const path of ['/docs', '/docs/renderer.js']) assert.ok(files.includes(path), path);
  for (const part of [/\/console-\w+\.js$/, /\/style-\w+\.css$/, /\/inter-latin-\w+.*\.woff2$/])
    assert.ok(
      files.some((path) => part.test(path)),
      String(part),
    );
});

for (const path of ['/openapi.json', ...files]) {
  test(`${path} comes in the best encoding that the client takes, with a tag that makes it 304`, async () => {
    const plain = await get(path);
    assert.deepEqual([plain.status, plain.headers.get('content-encoding')], [200, null]);
    const tags = new Set<string | null>();
    for (const [accepted, coding] of [
      ['gzip, deflate, br, zstd', 'br'],
      ['gzip;q=1.0, br;q=0', 'gzip'],
      ['GZIP', 'gzip'],
      ['deflate, *', null],
      ['', null],
    ] as const) {
      const headers = { 'Accept-Encoding': accepted };
      const sent = await get(path, headers);
      assert.deepEqual([sent.status, sent.headers.get('content-encoding')], [200, coding], accepted);
      assert.equal(sent.headers.get('vary'), 'Accept-Encoding');
      assert.equal(sent.headers.get('content-type'), plain.headers.get('content-type'));
      assert.equal(
        sent.headers.get('cache-control'),
        path.startsWith('/console/') ? 'public, max-age=31536000, immutable' : 'no-cache',
      );
      assert.deepEqual(coding === null ? sent.bytes : DECODERS[coding](sent.bytes), plain.bytes);
      const tag = sent.headers.get('etag') ?? '';
      tags.add(tag);
      for (const named of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
        const known = await get(path, { ...headers, 'If-None-Match': named });
        assert.deepEqual([known.status, known.bytes.length], [304, 0], named);
        for (const name of ['etag', 'vary', 'cache-control', 'content-security-policy']) {
          assert.equal(known.headers.get(name), sent.headers.get(name), name);
        }
      }
      assert.equal((await get(path, { ...headers, 'If-None-Match': '"other"' })).status, 200);
      const head = await get(path, headers, 'HEAD');
      assert.deepEqual([head.status, head.bytes.length], [200, 0]);
      assert.equal(head.headers.get('content-length'), String(sent.bytes.length));
      assert.equal(head.headers.get('etag'), tag);
    }
    assert.equal(tags.size, 3, 'one for each encoding');
  });
}

test('the page of the console is kept by nobody, and names the nonce of its own policy', async () => {
  const nonces = new Set<string>();
  for (const headers of [{}, { 'If-None-Match': '*' }]) {
    const page = await get(CONSOLE, headers);
    assert.deepEqual([page.status, page.headers.get('cache-control')], [200, 'no-store']);
    assert.equal(page.headers.get('etag'), null);
    const policy = page.headers.get('content-security-policy') ?? '';
    const [, nonce = ''] = /style-src 'self' 'nonce-([\w-]{22})';/.exec(policy) ?? [];
    assert.ok(page.bytes.includes(`nonce="${nonce}"`), policy);
    assert.doesNotMatch(policy, /unsafe/);
    nonces.add(nonce);
  }
  assert.equal(nonces.size, 2);
});

test('a text is made and compressed once, however many clients ask at the same time', async () => {
  let made = 0;
  const text = new StaticText('json', () => `{"made":${++made}}`);
  const asked = { acceptEncoding: ',br', ifNoneMatch: null };
  const body = async () => {
    const answer = text.answer(asked);
    assert.ok(answer.ok);
    const ready = answer.value.kind === 'later' ? (await answer.value.ready)() : answer;
    assert.ok(ready.ok && 'body' in ready.value);
    return ready.value.body;
  };
  const [first, second] = await Promise.all([body(), body()]);
  assert.equal(first, second);
  assert.equal(await body(), first);
  assert.equal(made, 1);
});
