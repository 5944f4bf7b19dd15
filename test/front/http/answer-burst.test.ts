/** Which answers wait for the end of their turn of the event loop, also with clients that pipeline. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import {
  AnswerBurst,
  BUSY_ANSWERS_MIN,
  type BurstExchange,
  HELD_LENGTH_MAX,
  HELD_MS_MAX,
} from '../../../src/front/http/answer-burst.ts';
import { CART, postText, TestServer } from '../../support/test-server.ts';

interface FakeExchange extends BurstExchange {
  isOver: boolean;
}

const exchangeAt = (startMs: number): FakeExchange => ({
  startMs,
  isOver: false,
  attempt: (task) => task(),
});

describe('an answer', () => {
  const client = {};
  let endTurn: (() => void) | null;
  let burst: AnswerBurst;
  let sent: string[];
  beforeEach(() => {
    sent = [];
    endTurn = null;
    burst = new AnswerBurst((task) => {
      assert.equal(endTurn, null, 'one task for each turn');
      endTurn = task;
    });
  });

  const end = (): void => {
    const task = endTurn;
    assert.ok(task !== null);
    endTurn = null;
    task();
  };
  const take = (body: Uint8Array): number => sent.push(Buffer.from(body).toString('latin1'));
  const answer = (text: string, exchange = exchangeAt(0), of: object = client): void =>
    burst.send(exchange, of, [text.slice(0, 1), text.slice(1)], take);
  const makeBusy = (): void => {
    for (let at = 0; at < BUSY_ANSWERS_MIN; at++) answer('before');
    end();
    sent = [];
  };

  test('is sent at once while turns have few answers', () => {
    for (let turn = 0; turn < 3; turn++) {
      for (let at = 1; at < BUSY_ANSWERS_MIN; at++) {
        answer(`${turn}-${at}`);
        assert.equal(sent.at(-1), `${turn}-${at}`);
      }
      end();
    }
    assert.equal(sent.length, 3 * (BUSY_ANSWERS_MIN - 1));
  });

  test('in the turn after a busy turn is sent at its end, with the others and in their order', () => {
    makeBusy();
    for (const name of ['a', 'b', 'c']) answer(name);
    assert.deepEqual(sent, []);
    end();
    assert.deepEqual(sent, ['a', 'b', 'c']);
    answer('after a turn of few');
    assert.equal(sent.at(-1), 'after a turn of few');
  });

  test('is no longer held after a long turn, or when many bytes are held', () => {
    makeBusy();
    answer('first');
    answer('still', exchangeAt(HELD_MS_MAX));
    answer('late', exchangeAt(HELD_MS_MAX + 0.1));
    assert.deepEqual(sent, ['late']);
    end();
    assert.deepEqual(sent, ['late', 'first', 'still']);
    makeBusy();
    const long = 'x'.repeat(HELD_LENGTH_MAX);
    answer('first');
    answer(long);
    answer('short');
    assert.deepEqual(sent, ['short']);
    end();
    assert.deepEqual(sent, ['short', 'first', long]);
  });

  test('keeps its bytes separate from those of other answers, also in the next turn', () => {
    makeBusy();
    for (const turn of ['1', '2']) {
      const texts = [`${turn} one`, `${turn} two`, 'y'.repeat(HELD_LENGTH_MAX - 10), `${turn}`];
      for (const text of texts) answer(text);
      end();
      assert.deepEqual(sent, texts);
      makeBusy();
    }
  });

  test('to a client that was disconnected while it waited is not sent, and its later answers never wait', () => {
    makeBusy();
    const hasty = {};
    const cutOff = exchangeAt(0);
    answer('lost', cutOff, hasty);
    cutOff.isOver = true;
    end();
    assert.deepEqual(sent, []);
    makeBusy();
    answer('of others');
    answer('at once', exchangeAt(0), hasty);
    assert.deepEqual(sent, ['at once']);
    end();
    assert.deepEqual(sent, ['at once', 'of others']);
  });

  test('that cannot be sent does not affect other answers', () => {
    makeBusy();
    const failures: unknown[] = [];
    const failing: FakeExchange = {
      ...exchangeAt(0),
      attempt: (task) => {
        try {
          task();
        } catch (cause) {
          failures.push(cause);
        }
      },
    };
    const defect = new Error('cannot be sent');
    answer('a');
    burst.send(failing, client, ['text'], () => {
      throw defect;
    });
    answer('b');
    end();
    assert.deepEqual(sent, ['a', 'b']);
    assert.deepEqual(failures, [defect]);
  });
});

describe('over connections', () => {
  const CONNECTIONS = 2 * BUSY_ANSWERS_MIN;
  const cart = JSON.stringify(CART);
  const simulation = (id: string): string => postText('/api/simulate', cart, [`X-Request-Id: ${id}`]);
  const idsOf = (text: string): string[] =>
    [...text.matchAll(/\r\nX-Request-Id: ([^\r]*)\r\n/g)].map(([, id]) => id as string);

  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
  });
  after(async () => {
    await server.stop();
    assert.deepEqual(server.log, []);
  });

  /** All requests arrive in one turn, because they are written in one turn. */
  async function askTogether(round: string): Promise<void> {
    const connections = Array.from({ length: CONNECTIONS }, () => server.connect());
    // A request that is written before its connection is open is sent later, so each connection answers once first.
    for (const pass of ['warm', 'first', 'second']) {
      for (const [at, connection] of connections.entries())
        connection.send(simulation(`${round}-${at}-${pass}`));
      const answered = pass === 'warm' ? 1 : pass === 'first' ? 2 : 3;
      for (const [at, connection] of connections.entries()) {
        const reply = await connection.until(({ statuses }) => statuses.length === answered, 2_000);
        assert.equal(idsOf(reply.text).at(-1), `${round}-${at}-${pass}`);
        assert.deepEqual(reply.statuses, new Array(answered).fill(200));
      }
    }
    for (const connection of connections) connection.destroy();
  }

  test('each client gets its own answer', () => askTogether('own'));

  test('a client that pipelines is disconnected once at most, and then answered in order', async () => {
    await askTogether('busy');
    const packet = ['1', '2', '3'].map(simulation).join('');
    const first = await server.raw(packet);
    assert.ok(first.isClosed);
    assert.deepEqual(first.statuses, []);
    await askTogether('busy-again');
    const connection = server.connect();
    connection.send(packet);
    const second = await connection.until(({ statuses }) => statuses.length === 3, 2_000);
    connection.destroy();
    assert.deepEqual(second.statuses, [200, 200, 200]);
    assert.deepEqual(idsOf(second.text), ['1', '2', '3']);
  });
});
