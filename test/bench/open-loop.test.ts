/** The load generators against a real server that answers, stalls or refuses on purpose. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { runClosedLoop } from '../../bench/load/closed-loop.ts';
import { type LoadTarget, writeBodies } from '../../bench/load/load-target.ts';
import { dueTimes, runOpenLoop } from '../../bench/load/open-loop.ts';
import { undiciCarrier } from '../../bench/load/undici-carrier.ts';
import { wireCarrier } from '../../bench/load/wire-connection.ts';
import { SeededRandom } from '../../bench/profiles/seeded-random.ts';
import { LoadRecord } from '../../bench/service/load-record.ts';

const BODIES = ['{"at":0}', '{"at":1,"name":"\u00e9"}'];

async function withServer(
  listener: RequestListener,
  use: (target: LoadTarget) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'ratewright-load-'));
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    await use({
      origin: `http://127.0.0.1:${port}`,
      method: 'POST',
      path: '/api/simulate',
      authorization: 'Bearer key',
      bodiesFile: writeBodies(folder, 'bodies', BODIES),
    });
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Answers `{}` and keeps the bodies it was sent. */
function collector(seen: Set<string>): RequestListener {
  return (request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      seen.add(`${request.method} ${request.url} ${request.headers.authorization} ${body}`);
      response.setHeader('Content-Length', 2).end('{}');
    });
  };
}

const EXPECTED = new Set(BODIES.map((body) => `POST /api/simulate Bearer key ${body}`));

for (const [name, carrierOf] of [
  ['raw sockets', wireCarrier],
  ['undici', undiciCarrier],
] as const) {
  test(`a closed loop of ${name} sends every body and counts the answers`, async () => {
    const seen = new Set<string>();
    await withServer(collector(seen), async (target) => {
      const result = await runClosedLoop({ connections: 4, seconds: 0.4 }, carrierOf(target, 4));
      assert.ok(result.answers > 0);
      assert.equal(result.failures, 0);
      assert.deepEqual(seen, EXPECTED);
    });
  });

  test(`a closed loop of ${name} counts refusals as failures`, async () => {
    await withServer(
      (_request, response) => void response.writeHead(503, { 'Content-Length': 0 }).end(),
      async (target) => {
        const result = await runClosedLoop({ connections: 2, seconds: 0.4 }, carrierOf(target, 2));
        assert.equal(result.answers, 0);
        assert.ok(result.failures > 0);
      },
    );
  });
}

test('an open loop sends each request once, at the given rate', async () => {
  const seen = new Set<string>();
  await withServer(collector(seen), async (target) => {
    const stream = { name: 'light', target, perSecond: 400, connections: 8 };
    const { streams } = await runOpenLoop({ streams: [stream], warmupSeconds: 0, seconds: 0.25 });
    const expected = dueTimes(400, 0.25, new SeededRandom(100)).length;
    assert.equal(streams[0]?.answers, expected);
    assert.equal(streams[0]?.failures, 0);
    assert.deepEqual(seen, EXPECTED);
  });
});

test('a stall of the server is charged to every request that was due meanwhile', async () => {
  const stallMs = 120;
  let first = true;
  const listener: RequestListener = (_request, response) => {
    const answer = (): void => void response.setHeader('Content-Length', 2).end('{}');
    if (first) setTimeout(answer, stallMs);
    else answer();
    first = false;
  };
  await withServer(listener, async (target) => {
    // One connection: while the first answer is out, the others cannot even be sent.
    const stream = { name: 'light', target, perSecond: 200, connections: 1 };
    const record = new LoadRecord(0.2);
    const { streams } = await runOpenLoop(
      { streams: [stream], warmupSeconds: 0, seconds: 0.2 },
      { carrierOf: undiciCarrier, observe: record.begin(0.2) },
    );
    assert.ok((streams[0]?.p50Us ?? 0) > 10_000, `${streams[0]?.p50Us}`);
    assert.ok((streams[0]?.maxUs ?? 0) >= stallMs * 900);
    // A client that waits for each answer sees one slow request.
    assert.equal(record.fromDue.quantileUs(0.5), streams[0]?.p50Us);
    assert.equal(record.fromSent.count, record.fromDue.count);
    assert.ok(record.fromSent.quantileUs(0.5) < record.fromDue.quantileUs(0.5) / 2);
  });
});

test('due times come at the wanted rate, at random, and the same in every run', () => {
  const times = dueTimes(10_000, 2, new SeededRandom(1));
  assert.ok(Math.abs(times.length - 20_000) < 600, `${times.length}`);
  assert.deepEqual(times, dueTimes(10_000, 2, new SeededRandom(1)));
  for (let i = 1; i < times.length; i++) assert.ok((times[i] as number) >= (times[i - 1] as number));
});
