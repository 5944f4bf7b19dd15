/** A long body whose memory is had before it comes: it is held back meanwhile, and nothing else is. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { invalid } from '../../../src/domain/failure.ts';
import { NESTING_MAX } from '../../../src/http/body/json-bounds.ts';
import { MemoryAhead, receiveBody } from '../../../src/http/body/receive-body.ts';
import { Exchange } from '../../../src/http/exchange.ts';
import type { ResponsePort } from '../../../src/http/response-port.ts';
import { JSON_HEADERS, requestText, TestServer } from '../../support/test-server.ts';

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

test('several at once are read whole, however they come, and so is what follows on their connections', async () => {
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

test('a long one is refused for its structure while most of it is still to come', async () => {
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
  // What was announced may still come; the connection is fit for the next request.
  connection.send('['.repeat(LENGTH - begun.length - levels - 2) + requestText('GET /api/zones'));
  const next = await connection.until(({ statuses }) => statuses.length === 2);
  connection.destroy();
  assert.deepEqual(next.statuses, [400, 200]);
});

test('a long body of a write of one record means what a short one does, and is refused in the same words', async () => {
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

interface Held {
  readonly exchange: Exchange;
  readonly notes: string[];
  /** More of the body comes in. */
  readonly part: (bytes: number, isLast: boolean) => void;
}

/** An exchange that receives a body of `LENGTH`, and notes when it is paused and answered. */
function receive(ahead: MemoryAhead): Held {
  const notes: string[] = [];
  let part: Held['part'] = () => {};
  const res: ResponsePort = {
    onAborted: () => {},
    onData: (handler) => {
      part = (bytes, isLast) => handler(new ArrayBuffer(bytes), isLast);
    },
    onWritable: () => {},
    pause: () => notes.push('pause'),
    resume: () => notes.push('resume'),
    cork: (task) => task(),
    writeStatus: () => {},
    writeHeader: () => {},
    end: () => notes.push('answer'),
    endWithoutBody: () => notes.push('answer'),
    tryEnd: () => [notes.push('answer') > 0, true],
    getWriteOffset: () => 0,
    close: () => {},
  };
  const exchange = new Exchange(res, {
    unreadBytesMax: 2 * LENGTH,
    isDraining: () => false,
    ended: () => {},
    nowMs: () => 0,
    failed: (_, cause) => assert.fail(String(cause)),
  });
  exchange.head.contentLength = LENGTH;
  const whole = () => assert.fail('not a short body');
  receiveBody(exchange, LENGTH, { whole, long: () => notes.push('read'), ahead, isBounded: true });
  return { exchange, notes, part: (...given) => part(...given) };
}

const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
};

test('it is held back until its memory is there', async () => {
  const { notes, part } = receive(new MemoryAhead());
  assert.deepEqual(notes, ['pause']);
  part(100, false);
  await turns(20);
  assert.deepEqual(notes, ['pause', 'resume']);
  part(LENGTH - 100, true);
  // Its structure is checked a piece in each turn.
  await turns(20);
  assert.deepEqual(notes, ['pause', 'resume', 'read']);
});

test('what comes all the same is read, and only an answer lets the connection go on', async () => {
  const ahead = new MemoryAhead();
  const whole = receive(ahead);
  whole.part(LENGTH, true);
  await turns(20);
  // A connection that goes on has ten seconds, and the work may take longer.
  assert.deepEqual(whole.notes, ['pause', 'read']);
  whole.exchange.refuse(invalid('no'));
  assert.deepEqual(whole.notes, ['pause', 'read', 'resume', 'answer']);
  const refused = receive(ahead);
  refused.exchange.refuse(invalid('no'));
  assert.deepEqual(refused.notes, ['pause', 'resume', 'answer']);
  const left = receive(ahead);
  left.exchange.abort();
  await turns(20);
  assert.deepEqual(left.notes, ['pause']);
});

test('one at a time: a length that is only told takes memory for one body', async () => {
  const ahead = new MemoryAhead();
  const [first, second] = [receive(ahead), receive(ahead)];
  await turns(20);
  assert.deepEqual([first.notes, second.notes], [['pause', 'resume'], []]);
  second.part(LENGTH, true);
  await turns(20);
  assert.deepEqual(second.notes, ['read']);
  first.exchange.abort();
  assert.deepEqual(receive(ahead).notes, ['pause']);
});
