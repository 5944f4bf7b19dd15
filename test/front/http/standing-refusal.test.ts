import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Failure } from '../../../src/engine/domain/failure.ts';
import { Exchange, type ExchangeHost } from '../../../src/front/http/exchange.ts';
import { standing } from '../../../src/front/http/failure-answer.ts';
import type { ResponsePort } from '../../../src/front/http/output.ts';

const FAILURE: Failure = {
  ok: false,
  code: 'RATE_LIMITED',
  message: 'the server is overloaded: “later”',
  retryAfterSeconds: 7,
};

/** All that the client sees: the status line, each header line, the body, and whether the connection is closed. */
async function answerOf(failure: Failure, prepare: (exchange: Exchange) => void): Promise<readonly string[]> {
  const lines: string[] = [];
  const take = (body: string | Uint8Array, closes: boolean): void => {
    lines.push(Buffer.from(body).toString(), closes ? 'closes' : 'stays');
  };
  const res: ResponsePort = {
    onAborted: () => {},
    onData: () => {},
    pause: () => {},
    resume: () => {},
    onWritable: () => {},
    cork: (task) => task(),
    writeStatus: (line) => lines.unshift(line),
    writeHeader: (name, value) => {
      const text = `${Buffer.from(name).toString()}: ${Buffer.from(value).toString()}`;
      lines.push(...text.split('\r\n'));
    },
    end: take,
    endWithoutBody: () => take('', false),
    tryEnd(body) {
      take(body, false);
      return [true, true];
    },
    getWriteOffset: () => 0,
    close: () => {},
  };
  let ended = 0;
  const host: ExchangeHost = {
    unreadBytesMax: 1_000,
    isDraining: () => false,
    versionOfMalformed: () => null,
    ended: () => ended++,
    nowMs: () => 0,
    failed: (_, cause) => assert.fail(String(cause)),
  };
  const exchange = new Exchange(res, host);
  exchange.head.verb = 'POST';
  exchange.requestId = 'a-request';
  prepare(exchange);
  exchange.refuse(failure);
  // An answer that closes the connection is sent after the handler returns.
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(exchange.status, 429);
  assert.equal(ended, 1);
  exchange.refuse(failure);
  assert.equal(ended, 1, 'answered twice');
  return lines.sort();
}

test('a prepared refusal equals one that is built for the request, for every request', async () => {
  const cases: Readonly<Record<string, (exchange: Exchange) => void>> = {
    plain: () => {},
    'another id': (exchange) => {
      exchange.requestId = 'x'.repeat(64);
    },
    'HEAD, whose answer has no body': (exchange) => {
      exchange.head.verb = 'HEAD';
    },
    'a chunked body, after which the connection closes': (exchange) => {
      exchange.head.isChunked = true;
    },
    'more unread than is read on': (exchange) => {
      exchange.head.contentLength = 1_001;
    },
    'of a node that is behind': (exchange) => {
      exchange.configAge = '7';
    },
    'outside of the handler': (exchange) => exchange.leaveHandler(),
  };
  const kept = standing({ ...FAILURE });
  for (const [name, prepare] of Object.entries(cases)) {
    const made = await answerOf(FAILURE, prepare);
    assert.deepEqual(await answerOf(kept, prepare), made, name);
    assert.ok(made.includes('Retry-After: 7'));
  }
});
