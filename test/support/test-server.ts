/** A real server on a free port with shops in memory, and functions that send valid and invalid requests to it. */

import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { createMetrics, type Metrics } from '../../src/base/metrics/metrics.ts';
import type { LogFields } from '../../src/base/runtime/logger.ts';
import type { SecretBox } from '../../src/base/secrets/secret-box.ts';
import { success } from '../../src/engine/domain/failure.ts';
import type { PlanTable } from '../../src/engine/domain/plan.ts';
import { NO_CHANGESET } from '../../src/engine/wire/staging.ts';
import { HTTP_LIMITS, type HttpDependencies, type HttpSettings } from '../../src/front/http/dependencies.ts';
import { HttpServer } from '../../src/front/http/server.ts';
import { readSettings } from '../../src/front/settings.ts';
import type { CoverageAccess } from '../../src/shop/coverage/live-coverage.ts';
import { RecordMarks, ShopCoverage } from '../../src/shop/coverage/shop-coverage.ts';
import type { ShadowAccess } from '../../src/shop/shadow/live-shadow.ts';
import { emptyResults, ShadowTally } from '../../src/shop/shadow/shadow-tally.ts';
import { FakeOperators } from './fake-operators.ts';
import { type FakeShop, FakeShops } from './fake-shops.ts';
import { POOL_IN_THIS_THREAD } from './pool-in-this-thread.ts';
import { checkRawReplies, checkReply } from './reply-check.ts';
import { OPERATOR_KEY } from './server-process.ts';

const plans: PlanTable = JSON.parse(
  readFileSync(new URL('../../../data/plans.json', import.meta.url), 'utf8'),
);

export const NOW_MS = Date.parse('2026-11-20T12:00:00.000Z');

interface LogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly event: string;
  readonly fields: LogFields;
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  readonly body: unknown;
  /** Of the refusal; "" of any other answer. */
  readonly code: string;
  readonly message: string;
}

export interface Call {
  readonly verb?: string;
  /** A value is sent as JSON, a text or bytes as they are. */
  readonly body?: unknown;
  /** Sends the body as it is, with these headers only. */
  readonly headers?: Readonly<Record<string, string>>;
  /** "" sends no key. */
  readonly key?: string;
}

/** A coverage in which nothing was counted. */
export const NO_COVERAGE: CoverageAccess = {
  results: async (state) => {
    const coverage = new ShopCoverage(new Date(NOW_MS).toISOString(), new RecordMarks());
    return success(coverage.view(state, NOW_MS));
  },
};

export const JSON_HEADERS = { 'content-type': 'application/json' } as const;

/** A shadow without evaluated simulations. */
export const NO_RESULTS: ShadowAccess = {
  results: ({ staging }) => (staging === null ? NO_CHANGESET : success(emptyResults(staging.config))),
  elsewhere: () => null,
  resultsSinceEdit: async ({ staging }) =>
    staging === null ? NO_CHANGESET : success(new ShadowTally('', '').sinceEdit(staging.config)),
  keptCarts: () => [],
  addReplay: () => success(null),
};

/** "Seals" by adding the name of the owner. */
const plainSecrets: SecretBox = {
  seal: (secret, owner) => `${owner}:${secret}`,
  open: (sealed, owner) => (sealed.startsWith(`${owner}:`) ? sealed.slice(owner.length + 1) : null),
};

export class TestServer {
  readonly running: HttpServer;
  readonly shops: FakeShops;
  /** The shop of the default key. */
  readonly shop: FakeShop;
  /** Without those of refused requests. */
  readonly log: LogLine[];
  /** Lines of refused requests. */
  readonly refusals: LogLine[];
  readonly metrics: Metrics;
  readonly operators: FakeOperators;
  /** Set to false when a test makes the shop give invalid answers. */
  checksReplies = true;
  readonly #agent = new Agent({ connections: 16, pipelining: 1 });
  /** The initial state of the first shop. */
  readonly #pristine: FakeShop['state'];

  private constructor(
    running: HttpServer,
    shops: FakeShops,
    shop: FakeShop,
    { log, refusals }: Pick<TestServer, 'log' | 'refusals'>,
    metrics: Metrics,
    operators: FakeOperators,
  ) {
    this.running = running;
    this.shops = shops;
    this.shop = shop;
    this.#pristine = shop.state;
    this.log = log;
    this.refusals = refusals;
    this.metrics = metrics;
    this.operators = operators;
  }

  static async start(
    given: Partial<HttpSettings> = {},
    dependencies: Partial<HttpDependencies> = {},
    listens = true,
  ): Promise<TestServer> {
    const shops = new FakeShops();
    const shop = shops.addShop('shop_a');
    shops.addShop('shop_b');
    const log: LogLine[] = [];
    const refusals: LogLine[] = [];
    const logAt =
      (level: LogLine['level']) =>
      (event: string, fields: LogFields = {}): void => {
        const isRefusal = ['request.refused', 'request.more_refused'].includes(event);
        (isRefusal ? refusals : log).push({ level, event, fields });
      };
    let seeds = 0;
    const metrics = createMetrics();
    const operators = new FakeOperators(shops);
    const all: HttpDependencies = {
      keys: shops,
      shops,
      plans,
      shadow: NO_RESULTS,
      coverage: NO_COVERAGE,
      pool: POOL_IN_THIS_THREAD,
      clock: { nowMs: () => NOW_MS, monotonicMs: () => 0 },
      logger: { debug: logAt('debug'), info: logAt('info'), warn: logAt('warn'), error: logAt('error') },
      newSeed: () => `seed_${++seeds}`,
      secrets: plainSecrets,
      metrics,
      operators,
      metricsText: () => Promise.resolve('ratewright_up 1\n'),
      phase: () => 'ready',
      ...dependencies,
    };
    const { bodyBytesMax, itemsMax } = readSettings({});
    const settings = {
      host: '127.0.0.1',
      port: 0,
      ...HTTP_LIMITS,
      bodyBytesMax,
      itemsMax,
      console: 'on' as const,
      operatorKey: OPERATOR_KEY,
      logLevel: 'info',
      ...given,
    };
    const running = new HttpServer(all, settings);
    if (listens) await running.listen();
    return new TestServer(running, shops, shop, { log, refusals }, metrics, operators);
  }

  async stop(): Promise<void> {
    await this.#agent.destroy();
    this.running.close();
  }

  /** Restores the first shop after writes. */
  restoreShop(): void {
    this.shop.state = this.#pristine;
  }

  /** Sends one request; by default with the admin key of the first shop, or with that of operators on their paths. */
  async call(path: string, call: Call = {}): Promise<Reply> {
    const ownKey = path.startsWith('/operator/') ? OPERATOR_KEY : 'shop_a-admin';
    const { key = ownKey, body: sent } = call;
    const verb = call.verb ?? (sent === undefined ? 'GET' : 'POST');
    const isRaw = sent === undefined || typeof sent === 'string' || sent instanceof Uint8Array;
    const payload = isRaw ? (sent as string | Uint8Array | undefined) : JSON.stringify(sent);
    const answer = await request(`http://127.0.0.1:${this.running.port}${path}`, {
      dispatcher: this.#agent,
      method: verb as 'GET',
      // Otherwise undici closes the connection after HEAD.
      reset: false,
      headers: {
        ...(key === '' ? {} : { authorization: `Bearer ${key}` }),
        ...(sent === undefined ? {} : JSON_HEADERS),
        ...call.headers,
      },
      ...(payload === undefined ? {} : { body: payload }),
    });
    const text = await answer.body.text();
    if (this.checksReplies) checkReply(verb, path, answer.statusCode, text);
    const body = parse(text);
    const { code = '', message = '' } = (body as { error?: Partial<Reply> } | null | undefined)?.error ?? {};
    return { status: answer.statusCode, headers: answer.headers, text, body, code, message };
  }

  /** A connection that sends exactly the given bytes. */
  connect(): RawConnection {
    return new RawConnection(connect(this.running.port, '127.0.0.1'));
  }

  /** Sends the text on a new connection; returns the reply until the server closes or is quiet. */
  async raw(text: string | Uint8Array, quietMs = 300): Promise<RawReply> {
    const connection = this.connect();
    connection.send(text);
    const reply = await connection.until(() => false, quietMs);
    connection.destroy();
    return reply;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export interface RawReply {
  readonly text: string;
  /** True when the server has ended the connection. */
  readonly isClosed: boolean;
  /** Statuses of all answers, in order. */
  readonly statuses: readonly number[];
}

const TURN_MS = 5;

export class RawConnection {
  readonly socket: Socket;
  #text = '';
  #isClosed = false;

  constructor(socket: Socket) {
    this.socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => {
      this.#text += chunk.toString('latin1');
    });
    socket.on('end', () => {
      this.#isClosed = true;
    });
    socket.on('error', () => {
      this.#isClosed = true;
    });
    socket.on('close', () => {
      this.#isClosed = true;
    });
  }

  send(text: string | Uint8Array): void {
    this.socket.write(typeof text === 'string' ? Buffer.from(text, 'latin1') : text);
  }

  destroy(): void {
    this.socket.destroy();
  }

  /**
   * Waits until the reply is as expected, the server has closed, or nothing has arrived for about `quietMs`, which is
   * counted in turns of the event loop, so that a busy machine does not end the wait.
   */
  async until(isEnough: (reply: RawReply) => boolean, quietMs = 5_000): Promise<RawReply> {
    let { length } = this.#text;
    let quietTurns = 0;
    for (;;) {
      const reply = this.reply();
      if (isEnough(reply) || reply.isClosed || quietTurns * TURN_MS > quietMs) {
        checkRawReplies(reply.text);
        return reply;
      }
      await sleep(TURN_MS);
      quietTurns = this.#text.length === length ? quietTurns + 1 : 0;
      length = this.#text.length;
    }
  }

  reply(): RawReply {
    const statuses = [...this.#text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
    return { text: this.#text, isClosed: this.#isClosed, statuses: statuses.filter((one) => one >= 200) };
  }
}

/** The text of a request with the admin key of the first shop. */
export function requestText(
  line: string,
  headers: readonly string[] = [],
  body = '',
  key = 'shop_a-admin',
): string {
  const all = ['Host: localhost', ...(key === '' ? [] : [`Authorization: Bearer ${key}`]), ...headers];
  return `${line} HTTP/1.1\r\n${all.join('\r\n')}\r\n\r\n${body}`;
}

/** The text of a POST of this JSON. */
export const postText = (path: string, json: string, headers: readonly string[] = [], key?: string): string =>
  requestText(
    `POST ${path}`,
    ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(json)}`, ...headers],
    json,
    key,
  );

/** A valid simulate request. */
export const CART = {
  destination: { country: 'US', postalCode: '90210' },
  items: [{ quantity: 1, grams: 500, price: 2999 }],
};
