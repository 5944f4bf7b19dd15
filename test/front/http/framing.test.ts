/**
 * Framing: a request that two servers could read differently never gets a 2xx, and no later bytes on its connection are
 * answered. Each case is sent whole and in pieces.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startServerOfFile } from '../../support/server-of-file.ts';
import { CART, type RawReply, requestText } from '../../support/test-server.ts';

const server = await startServerOfFile();

const cart = JSON.stringify(CART);
const chunked = `${cart.length.toString(16)}\r\n${cart}\r\n0\r\n\r\n`;
const json = 'Content-Type: application/json';
const post = (headers: readonly string[], body: string) =>
  requestText('POST /api/simulate', [json, ...headers], body);
const second = requestText('GET /healthz', [], '', '');

/** Requests that the guard of this service refuses, with a word of the message. */
const ambiguous: readonly (readonly [string, string, RegExp])[] = [
  [
    'two lengths that differ',
    post([`Content-Length: ${cart.length}`, 'Content-Length: 3'], cart),
    /Content-Length is given twice/,
  ],
  [
    'two lengths that differ, the short one first',
    post(['Content-Length: 0', `Content-Length: ${cart.length}`], ''),
    /Content-Length is given twice/,
  ],
  [
    'two equal lengths',
    post([`Content-Length: ${cart.length}`, `content-length: ${cart.length}`], cart),
    /Content-Length is given twice/,
  ],
  ['an empty length', post(['Content-Length:'], ''), /Content-Length must be a whole number/],
  ['an unknown transfer coding', post(['Transfer-Encoding: xchunked'], chunked), /must be chunked/],
  ['identity as transfer coding', post(['Transfer-Encoding: identity'], chunked), /must be chunked/],
  ['a list of transfer codings', post(['Transfer-Encoding: gzip, chunked'], chunked), /must be chunked/],
  ['a quoted transfer coding', post(['Transfer-Encoding: "chunked"'], chunked), /must be chunked/],
  [
    'two transfer codings',
    post(['Transfer-Encoding: identity', 'Transfer-Encoding: chunked'], chunked),
    /Transfer-Encoding/,
  ],
  [
    'chunked twice',
    post(['Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'], chunked),
    /Transfer-Encoding is given twice/,
  ],
  [
    'two keys',
    requestText('GET /api/zones', ['Authorization: shop_b-admin']),
    /Authorization is given twice/,
  ],
  [
    'two content types',
    post(['Content-Type: text/plain', `Content-Length: ${cart.length}`], cart),
    /Content-Type is given twice/,
  ],
];

/** Requests that the parser of the library refuses, with a page of its own. */
const malformed: readonly (readonly [string, string])[] = [
  ['two hosts', requestText('GET /api/zones', ['Host: other'])],
  ['no host', 'GET /api/zones HTTP/1.1\r\nAuthorization: shop_a-admin\r\n\r\n'],
  [
    'length and transfer coding',
    post([`Content-Length: ${cart.length}`, 'Transfer-Encoding: chunked'], chunked),
  ],
  [
    'transfer coding and length',
    post(['Transfer-Encoding: chunked', `Content-Length: ${cart.length}`], chunked),
  ],
  ['a list of lengths', post([`Content-Length: ${cart.length}, ${cart.length}`], cart)],
  ['a signed length', post([`Content-Length: +${cart.length}`], cart)],
  ['a negative length', post(['Content-Length: -1'], cart)],
  ['a hexadecimal length', post(['Content-Length: 0x10'], cart)],
  ['a length with a blank in it', post(['Content-Length: 1 2'], cart)],
  ['a length beyond counting', post(['Content-Length: 99999999999999999999'], cart)],
  ['a blank before the colon', post([`Content-Length : ${cart.length}`], cart)],
  ['a folded header', requestText('GET /api/zones', ['X-A: b\r\n c'])],
  ['NUL in a header', requestText('GET /api/zones', ['X-A: b\0c'])],
  ['a bare carriage return in a header', requestText('GET /api/zones', ['X-A: b\rc'])],
  ['line feeds only', 'GET /api/zones HTTP/1.1\nHost: a\nAuthorization: shop_a-admin\n\n'],
  ['HTTP/1.0', 'GET /api/zones HTTP/1.0\r\nHost: a\r\nAuthorization: shop_a-admin\r\n\r\n'],
  ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['a negative chunk', post(['Transfer-Encoding: chunked'], '-2\r\nab\r\n0\r\n\r\n')],
  ['a chunk beyond counting', post(['Transfer-Encoding: chunked'], 'ffffffffffffffff2\r\nab\r\n0\r\n\r\n')],
];

/** Sends the text in two pieces, cut at every byte, each on a connection of its own; `behind` follows the second piece. */
async function cutEverywhere(
  text: string,
  behind: string,
  quietMs: number,
  check: (reply: RawReply, cut: number) => void,
): Promise<void> {
  const cuts = Array.from({ length: text.length - 1 }, (_, index) => index + 1);
  await Promise.all(
    cuts.map(async (cut) => {
      const connection = server.connect();
      connection.send(text.slice(0, cut));
      await sleep(5);
      connection.send(text.slice(cut) + behind);
      const reply = await connection.until(({ isClosed }) => isClosed, quietMs);
      connection.destroy();
      check(reply, cut);
    }),
  );
}

describe('ambiguous framing', () => {
  for (const [what, text, expected] of ambiguous) {
    test(`${what}: 400 in the envelope and the connection is closed`, async () => {
      const reply = await server.raw(text, 500);
      assert.deepEqual(reply.statuses, [400]);
      assert.match(reply.text, expected);
      assert.match(reply.text, /"code":"VALIDATION_ERROR"/);
      assert.match(reply.text, /\r\nConnection: close\r\n/);
      assert.doesNotMatch(reply.text, /keep-alive/i);
      assert.ok(reply.isClosed);
    });

    test(`${what}: no bytes after it are answered`, async () => {
      const reply = await server.raw(text + second, 500);
      assert.ok(reply.statuses.every((status) => status >= 400));
      assert.ok(reply.statuses.length <= 1);
      assert.ok(reply.isClosed);
    });
  }

  for (const [what, text] of malformed) {
    test(`${what}: never a 2xx, and no bytes after it are answered`, async () => {
      const reply = await server.raw(text + second, 100);
      assert.ok(
        reply.statuses.every((status) => status >= 400),
        reply.text,
      );
      assert.ok(reply.statuses.length <= 1);
    });
  }

  test('the same holds wherever a request is cut in two', async () => {
    for (const [what, text] of ambiguous) {
      await cutEverywhere(text, '', 2_000, (reply, cut) => {
        assert.ok(reply.isClosed, `${what}, cut at ${cut}`);
        assert.deepEqual(reply.statuses, [400], `${what}, cut at ${cut}`);
      });
    }
  });

  test('no malformed request gets a 2xx wherever it is cut in two', async () => {
    for (const [what, text] of malformed) {
      await cutEverywhere(text, second, 50, (reply, cut) => {
        const isRefused = reply.statuses.every((status) => status >= 400) && reply.statuses.length <= 1;
        assert.ok(isRefused, `${what}, cut at ${cut}: ${reply.text}`);
      });
    }
  });

  test('no ambiguous request reached the shop', () => {
    assert.equal(server.shop.simulations.length, 0);
    assert.equal(server.shop.writes.length, 0);
  });
});

describe('chunked bodies', () => {
  const send = (body: string) => server.raw(post(['Transfer-Encoding: chunked'], body), 500);

  test('a chunked body without a length is read, in one chunk or many', async () => {
    for (const coding of ['chunked', 'Chunked', 'CHUNKED']) {
      const reply = await server.raw(post([`Transfer-Encoding: ${coding}`], chunked), 500);
      assert.deepEqual(reply.statuses, [200], coding);
    }
    const single = [...cart].map((character) => `1\r\n${character}\r\n`).join('');
    assert.deepEqual((await send(`${single}0\r\n\r\n`)).statuses, [200]);
    assert.deepEqual((await send(chunked.toUpperCase().replace(cart.toUpperCase(), cart))).statuses, [200]);
  });

  test('its connection is closed with the answer, because another server may see another end', async () => {
    const reply = await send(chunked);
    assert.match(reply.text, /\r\nConnection: close\r\n/);
    assert.doesNotMatch(reply.text, /keep-alive/i);
    assert.ok(reply.isClosed);
  });

  test('a request after it in the same packet is never answered', async () => {
    for (const body of [chunked, '0\r\n\r\n', 'f\r\nnot JSON at all\r\n0\r\n\r\n']) {
      const reply = await server.raw(post(['Transfer-Encoding: chunked'], body) + second, 500);
      assert.ok(reply.isClosed);
      assert.doesNotMatch(reply.text, /"status":"ok"/);
    }
  });

  test('a chunked body on a route that reads none is ignored, and its connection closed', async () => {
    const text = requestText('GET /api/zones', ['Transfer-Encoding: chunked'], chunked);
    const reply = await server.raw(text, 500);
    assert.deepEqual(reply.statuses, [200]);
    assert.ok(reply.isClosed);
  });
});

describe('connections', () => {
  test('several requests in one packet are answered in order', async () => {
    const connection = server.connect();
    const simulate = post([`Content-Length: ${cart.length}`], cart);
    connection.send(second + simulate + requestText('GET /nothing') + simulate + second);
    const reply = await connection.until(({ statuses }) => statuses.length === 5, 1_000);
    connection.destroy();
    assert.deepEqual(reply.statuses, [200, 200, 404, 200, 200]);
  });

  test('a request may be cut anywhere', async () => {
    const text = post([`Content-Length: ${cart.length}`], cart);
    const connection = server.connect();
    let answers = 0;
    for (let cut = 1; cut < text.length; cut += 7) {
      connection.send(text.slice(0, cut));
      await sleep(1);
      connection.send(text.slice(cut));
      answers++;
      const reply = await connection.until(({ statuses }) => statuses.length === answers, 2_000);
      assert.equal(reply.statuses.length, answers, `cut at ${cut}`);
      assert.equal(reply.statuses.at(-1), 200, `cut at ${cut}`);
    }
    connection.destroy();
  });

  test('Connection: close is respected with every kind of answer', async () => {
    const close = 'Connection: close';
    const texts = [
      requestText('GET /healthz', ['connection: CLOSE']),
      requestText('GET /healthz', [close]),
      requestText('GET /api/config', [close]),
      post([close, `Content-Length: ${cart.length}`], cart),
      requestText('POST /api/groups', [close, json, 'Content-Length: 12'], '{"name":"A"}'),
      requestText('GET /nothing', [close]),
      requestText('HEAD /healthz', [close]),
      post([close, 'Transfer-Encoding: chunked'], chunked),
    ];
    for (const text of texts) {
      const reply = await server.raw(text, 2_000);
      assert.equal(reply.statuses.length, 1);
      assert.ok(reply.isClosed, text);
      assert.doesNotMatch(reply.text, /keep-alive/i);
      assert.equal(reply.text.match(/\r\nConnection: close\r\n/gi)?.length, 1, text);
    }
  });

  test('a body on a route that reads none is skipped', async () => {
    const connection = server.connect();
    connection.send(requestText('GET /healthz', ['Content-Length: 5'], 'abcde') + second);
    const reply = await connection.until(({ statuses }) => statuses.length === 2, 1_000);
    connection.destroy();
    assert.deepEqual(reply.statuses, [200, 200]);
  });

  test('Expect: 100-continue is answered and the body read', async () => {
    const text = post(['Expect: 100-continue', `Content-Length: ${cart.length}`], '');
    const connection = server.connect();
    connection.send(text);
    await connection.until((reply) => reply.text.includes('100 Continue'), 1_000);
    connection.send(cart);
    const reply = await connection.until(({ statuses }) => statuses.length === 1, 1_000);
    connection.destroy();
    assert.deepEqual(reply.statuses, [200]);
  });
});
