/**
 * Clients that are slow on purpose: those that do not finish a request are disconnected, and others are answered
 * meanwhile. The long form: `RATEWRIGHT_SLOW_CLIENTS=5000 npm test -- slow-clients`.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { CART, type RawConnection, requestText, TestServer } from '../../support/test-server.ts';

const CLIENTS_EACH = Math.ceil(Number(process.env['RATEWRIGHT_SLOW_CLIENTS'] ?? 200) / 4);
/** The timeout of the library is ten seconds, checked every four; a busy machine may be late. */
const CUT_MS_MAX = 40_000;
const DRIP_MS = 500;

let server: TestServer;
before(async () => {
  server = await TestServer.start();
});
after(() => server.stop());

const body = JSON.stringify(CART);
const head = requestText('POST /api/simulate', [
  'Content-Type: application/json',
  `Content-Length: ${body.length}`,
]);

/** The text that each kind of client sends at once, and the text that it then sends byte by byte. */
const KINDS: Readonly<Record<string, readonly [string, string]>> = {
  'says nothing': ['', ''],
  'drips its head': [head.slice(0, 10), head.slice(10)],
  'stalls within its body': [head + body.slice(0, 10), ''],
  'drips its body': [head + body.slice(0, 2), body.slice(2)],
};

async function drip(connection: RawConnection, text: string): Promise<void> {
  for (const character of text) {
    await sleep(DRIP_MS);
    if (connection.reply().isClosed) return;
    connection.send(character);
  }
}

test(`${CLIENTS_EACH} slow clients of each kind are disconnected, and others are answered meanwhile`, async (context) => {
  const startMs = performance.now();
  const isOver = () => performance.now() - startMs > CUT_MS_MAX;
  const kinds = Object.entries(KINDS).map(([what, [atOnce, slowly]]) => {
    const connections = Array.from({ length: CLIENTS_EACH }, () => server.connect());
    for (const connection of connections) {
      if (atOnce !== '') connection.send(atOnce);
      void drip(connection, slowly);
    }
    return { what, connections, cutMs: 0 };
  });
  let others = 0;
  const isCut = (connection: RawConnection) => connection.reply().isClosed;
  while (!isOver() && !kinds.every(({ cutMs }) => cutMs > 0)) {
    assert.equal((await server.call('/api/simulate', { body: CART })).status, 200);
    others++;
    await sleep(50);
    for (const kind of kinds) {
      if (kind.cutMs === 0 && kind.connections.every(isCut)) kind.cutMs = performance.now() - startMs;
    }
  }
  for (const { what, connections, cutMs } of kinds) {
    const left = connections.filter((connection) => !isCut(connection)).length;
    assert.equal(left, 0, `${left} of ${CLIENTS_EACH} clients are still connected: one that ${what}`);
    context.diagnostic(`one that ${what} is cut off within ${(cutMs / 1_000).toFixed(1)} s`);
    for (const connection of connections) connection.destroy();
  }
  assert.ok(others > 10);
  while (server.running.inFlight > 0 && !isOver()) await sleep(10);
  assert.equal(server.running.inFlight, 0, 'a request that was cut off is still in flight');
  assert.deepEqual(server.log, []);
});
