/**
 * Clients that disconnect at every stage of a request: nothing leaks, nothing is thrown, and a write that has begun is
 * completed.
 */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { success } from '../../../src/engine/domain/failure.ts';
import { CART, postText, requestText, TestServer } from '../../support/test-server.ts';

let server: TestServer;
before(async () => {
  server = await TestServer.start();
});
after(() => server.stop());

async function when(isSo: () => boolean): Promise<void> {
  for (let turn = 0; !isSo() && turn < 2_000; turn++) await sleep(5);
  assert.ok(isSo());
}

/** Resolves when the server has noticed that no client waits any more. */
const whenIdle = () => when(() => server.running.inFlight === 0);

afterEach(async () => {
  await whenIdle();
  assert.deepEqual(server.log, []);
  assert.equal((await server.call('/api/zones')).status, 200);
});

const json = 'Content-Type: application/json';
const cart = JSON.stringify(CART);
const simulate = postText('/api/simulate', cart);
const group = '{"name":"Of one who left"}';
const create = postText('/api/groups', group);

for (const how of ['reset', 'end'] as const) {
  describe(`a client that disconnects by ${how}`, () => {
    const sendAndLeave = async (text: string, stay: number | (() => boolean)): Promise<void> => {
      const connection = server.connect();
      connection.send(text);
      if (typeof stay === 'number') await sleep(stay);
      else await when(stay);
      if (how === 'reset') connection.socket.resetAndDestroy();
      else connection.socket.end();
      await sleep(20);
      connection.destroy();
    };

    test('within the head', () => sendAndLeave(simulate.slice(0, 40), 10));

    test('before the body', () => sendAndLeave(simulate.slice(0, -cart.length), 10));

    test('within the body', () => sendAndLeave(simulate.slice(0, -5), 10));

    test('within a long body, while its memory is held', async () => {
      const config = requestText('POST /api/config', [json, 'Content-Length: 8000000']);
      for (const sent of [0, 100_000, 3_000_000]) {
        await Promise.all([1, 2, 3].map(() => sendAndLeave(config + ' '.repeat(sent), 0)));
      }
    });

    test('within a chunked body', () =>
      sendAndLeave(
        requestText('POST /api/simulate', [json, 'Transfer-Encoding: chunked'], '5\r\n{"des'),
        10,
      ));

    test('within a chunked body that is over its limit', () =>
      sendAndLeave(
        requestText(
          'POST /api/simulate',
          [json, 'Transfer-Encoding: chunked'],
          `200000\r\n${' '.repeat(0x200000)}`,
        ),
        0,
      ));

    test('right after the request', async () => {
      for (const text of [simulate, create, requestText('GET /api/config')]) await sendAndLeave(text, 0);
    });

    test('right after an ambiguous request', () =>
      sendAndLeave(requestText('GET /healthz', ['Transfer-Encoding: x']), 0));

    test('while the shop is loaded: nothing is written', async () => {
      const before = server.shop.writes.length;
      let isLoaded: () => void = () => {};
      server.shops.unloaded.add('shop_a');
      server.shops.loading = new Promise((resolve) => {
        isLoaded = resolve;
      });
      for (const text of [simulate, create]) {
        await sendAndLeave(text, () => server.running.inFlight === 1);
        await whenIdle();
      }
      isLoaded();
      await when(() => !server.shops.unloaded.has('shop_a'));
      await sleep(10);
      assert.equal(server.shop.writes.length, before);
    });

    test('while the write waits: the write is completed', async () => {
      let go: () => void = () => {};
      server.shop.held = new Promise((resolve) => {
        go = resolve;
      });
      const before = server.shop.state.version.number;
      const asked = server.shop.writes.length;
      await sendAndLeave(create, () => server.shop.writes.length > asked);
      await whenIdle();
      assert.equal(server.shop.state.version.number, before);
      go();
      await when(() => server.shop.state.version.number === before + 1);
    });

    test('while a large answer is sent', async () => {
      const text = JSON.stringify('x'.repeat(20_000_000));
      server.shop.simulateWith = () => success(text);
      const connection = server.connect();
      connection.send(simulate);
      await connection.until((reply) => reply.text.length > 0);
      connection.socket.pause();
      await sleep(10);
      if (how === 'reset') connection.socket.resetAndDestroy();
      else connection.destroy();
      server.shop.simulateWith = () => success('{}');
    });
  });
}

test('a thousand clients that disconnect at random leak nothing', async () => {
  const texts = [simulate, create, requestText('GET /api/config'), simulate.repeat(3)];
  await Promise.all(
    Array.from({ length: 1_000 }, async (_, index) => {
      await sleep(index / 4);
      const text = texts[index % texts.length] ?? simulate;
      const connection = server.connect();
      connection.send(text.slice(0, 1 + ((index * 7919) % text.length)));
      await sleep(index % 5);
      if (index % 2 === 0) connection.socket.resetAndDestroy();
      else connection.destroy();
    }),
  );
});
