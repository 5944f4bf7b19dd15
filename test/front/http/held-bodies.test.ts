/** Requests whose key is looked up in a database: the look-up decides before the body is read. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { KeyGrant } from '../../../src/shop/reader/shop-access.ts';
import { postText, requestText, TestServer } from '../../support/test-server.ts';

const GRANT: KeyGrant = { shopId: 'shop_a', keyId: 'key_shop_a_admin', permission: 'admin', secret: 'x' };

let server: TestServer;
/** Ends the pending look-up. */
let answer: (grant: KeyGrant | null) => void;
let lookUp: Promise<KeyGrant | null>;

before(async () => {
  server = await TestServer.start(
    {},
    { keys: { find: () => null, ask: () => lookUp, lastUsedAtMs: () => null } },
  );
});
after(() => server.stop());
beforeEach(() => {
  server.restoreShop();
  lookUp = new Promise((resolve) => {
    answer = resolve;
  });
});

const GROUP = postText('/api/groups', JSON.stringify({ name: 'Long '.repeat(20).trim() }));

test('the body is read after the look-up, wherever it is cut', async () => {
  for (let cut = GROUP.indexOf('\r\n\r\n') + 4; cut <= GROUP.length; cut += 40) {
    for (const isCutLater of [false, true]) {
      const connection = server.connect();
      connection.send(GROUP.slice(0, cut));
      await sleep(5);
      if (!isCutLater) connection.send(GROUP.slice(cut));
      await sleep(5);
      assert.deepEqual(connection.reply().statuses, []);
      answer(GRANT);
      await sleep(5);
      if (isCutLater) connection.send(GROUP.slice(cut));
      await connection.until(({ statuses }) => statuses.length === 1);
      connection.send(requestText('GET /healthz'));
      const { statuses } = await connection.until((reply) => reply.statuses.length === 2);
      assert.deepEqual(statuses, [201, 200], `cut at ${cut}`);
      connection.destroy();
      lookUp = new Promise((resolve) => {
        answer = resolve;
      });
    }
  }
  assert.deepEqual(server.log, []);
});

test('an unknown key is refused, and the connection serves the next request', async () => {
  for (const request of [
    GROUP,
    requestText('GET /api/groups'),
    requestText('DELETE /api/groups?id=group_x'),
  ]) {
    const connection = server.connect();
    connection.send(request);
    await sleep(5);
    answer(null);
    await connection.until(({ statuses }) => statuses.length === 1);
    connection.send(requestText('GET /healthz'));
    const { statuses } = await connection.until((reply) => reply.statuses.length === 2);
    assert.deepEqual(statuses, [401, 200]);
    connection.destroy();
  }
});

test('a failed look-up is answered 500, and the connection serves the next request', async () => {
  lookUp = Promise.reject(new Error('broken'));
  lookUp.catch(() => {});
  const connection = server.connect();
  connection.send(GROUP);
  await connection.until(({ statuses }) => statuses.length === 1);
  connection.send(requestText('GET /healthz'));
  const { statuses } = await connection.until((reply) => reply.statuses.length === 2);
  assert.deepEqual(statuses, [500, 200]);
  connection.destroy();
  assert.deepEqual(
    server.log.splice(0).map(({ event }) => event),
    ['http.failed'],
  );
});

test('a client that disconnects during the look-up leaves nothing', async () => {
  const { length } = server.shop.writes;
  const connection = server.connect();
  connection.send(GROUP.slice(0, -5));
  while (server.running.inFlight === 0) await sleep(5);
  connection.destroy();
  answer(GRANT);
  while (server.running.inFlight > 0) await sleep(5);
  assert.equal(server.shop.writes.length, length);
  assert.deepEqual(server.log, []);
});

test('a long body is not taken from the connection before the look-up', async () => {
  const length = 16_000_000;
  const body = JSON.stringify({ action: 'execute', data: { zones: [{ name: 'A', countries: ['US'] }] } });
  const head = requestText('POST /api/config', [
    'Content-Type: application/json',
    `Content-Length: ${length}`,
  ]);
  const connection = server.connect();
  connection.send(head);
  while (server.running.inFlight === 0) await sleep(5);
  let isSent = false;
  connection.socket.write(body + ' '.repeat(length - body.length), () => {
    isSent = true;
  });
  await sleep(500);
  assert.equal(isSent, false);
  answer(GRANT);
  const reply = await connection.until(({ statuses }) => statuses.length === 1);
  assert.deepEqual(reply.statuses, [200], reply.text);
  connection.send(requestText('GET /healthz'));
  const { statuses } = await connection.until((next) => next.statuses.length === 2);
  assert.deepEqual(statuses, [200, 200]);
  connection.destroy();
});
