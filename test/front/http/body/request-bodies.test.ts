/** Bodies that arrive in several parts are buffered and checked, and other requests do not wait for them. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { NESTING_MAX } from '../../../../src/front/http/body/json-body.ts';
import { BodyParts } from '../../../../src/front/http/body/request-bodies.ts';
import { JSON_HEADERS, requestText, TestServer } from '../../../support/test-server.ts';

let server: TestServer;
before(async () => {
  server = await TestServer.start();
});
after(() => server.stop());

const LENGTH = 5_000_000;
const preview = (name: string): string => {
  const text = JSON.stringify({ action: 'execute', data: { zones: [{ name, countries: ['US'] }] } });
  return text + ' '.repeat(LENGTH - text.length);
};
const HEAD = requestText('POST /api/config', ['Content-Type: application/json', `Content-Length: ${LENGTH}`]);

test('several long bodies at the same time are read whole, wherever they are cut, and so are the next requests', async () => {
  const send = async (name: string, cut: number): Promise<void> => {
    const connection = server.connect();
    const body = preview(name);
    for (let round = 1; round <= 2; round++) {
      connection.send(HEAD + body.slice(0, cut));
      await sleep(cut % 40);
      connection.send(body.slice(cut));
      const reply = await connection.until(({ statuses }) => statuses.length === 2 * round - 1);
      assert.equal(reply.statuses.at(-1), 200, reply.text);
      connection.send(requestText('GET /api/zones'));
      await connection.until(({ statuses }) => statuses.length === 2 * round);
    }
    assert.deepEqual(connection.reply().statuses, [200, 200, 200, 200]);
    connection.destroy();
  };
  await Promise.all([0, 1, 70_000, 1_048_577, LENGTH - 1].map((cut, at) => send(`Zone ${at}`, cut)));
  assert.deepEqual(server.log, []);
});

test('a long body is refused for its structure before most of it has arrived', async () => {
  const connection = server.connect();
  const begun = `{"action":"preview","data":{"zones":["${'x'.repeat(2_000_000)}"`;
  const levels = NESTING_MAX - 3;
  connection.send(`${HEAD}${begun}`);
  connection.send(`,${'['.repeat(levels)}`);
  await sleep(50);
  assert.deepEqual(connection.reply().statuses, []);
  connection.send('[');
  const reply = await connection.until(({ statuses }) => statuses.length === 1);
  assert.deepEqual(reply.statuses, [400]);
  assert.match(reply.text, /nested at most 64 levels deep/);
  // The rest of the body may still arrive; then the connection serves the next request.
  connection.send('['.repeat(LENGTH - begun.length - levels - 2) + requestText('GET /api/zones'));
  const next = await connection.until(({ statuses }) => statuses.length === 2);
  connection.destroy();
  assert.deepEqual(next.statuses, [400, 200]);
});

test('a long body of a write of one record has the effect, or the refusal, of a short body', async () => {
  const ignored = Array.from({ length: 60_000 }, (_, at) => at);
  const headers = { ...JSON_HEADERS, 'idempotency-key': 'long-body' };
  const write = (more: object) => server.call('/api/groups', { headers, body: { name: 'Long', ...more } });
  const made = await write({ id: ignored });
  assert.equal(made.status, 201, made.text);
  assert.equal((await write({ id: ignored })).text, made.text);
  assert.equal((await write({ id: [...ignored, 0] })).status, 409);
  const wrong = { colour: 'red', skus: [1] };
  const [short, long] = [await write(wrong), await write({ ...wrong, id: ignored })];
  assert.equal(short.status, 400);
  assert.deepEqual(long.body, short.body);
});

const asPart = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer;

test('a body in parts is joined correctly, wherever it is cut', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 50 })), (parts) => {
      const whole = Buffer.concat(parts);
      const body = new BodyParts(whole.length);
      for (const part of parts) {
        const handed = asPart(part);
        assert.equal(body.add(handed), true);
        // The library reuses this memory.
        new Uint8Array(handed).fill(0);
      }
      assert.deepEqual(Buffer.from(body.bytes()), whole);
    }),
  );
});

test('a body of several pieces is joined correctly', () => {
  const whole = Buffer.from(Array.from({ length: 3_000_000 }, (_, at) => at % 251));
  for (const cut of [997, 100_000, 2_500_000]) {
    const body = new BodyParts(whole.length);
    for (let at = 0; at < whole.length; at += cut) {
      assert.equal(body.add(asPart(whole.subarray(at, at + cut))), true);
    }
    assert.ok(body.bytes().equals(whole));
  }
});

test('a part that exceeds the limit is refused, and so are all later parts', () => {
  const body = new BodyParts(10);
  assert.equal(body.add(new ArrayBuffer(10)), true);
  assert.equal(body.add(new ArrayBuffer(1)), false);
  assert.equal(body.add(new ArrayBuffer(1)), false);
  assert.equal(body.bytes().length, 0);
});
