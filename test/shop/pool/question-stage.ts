/** One shop on a real log behind real front ends, with worker threads or with questions answered in this thread. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { request } from 'undici';
import { createMetrics, type Metrics } from '../../../src/base/metrics/metrics.ts';
import { systemClock } from '../../../src/base/runtime/clock.ts';
import { createIdSource } from '../../../src/base/runtime/id-source.ts';
import { type Logger, silentLogger } from '../../../src/base/runtime/logger.ts';
import { printOf } from '../../../src/base/secrets/key-secret.ts';
import { openFolderBox } from '../../../src/base/secrets/secret-box.ts';
import type { Tracer } from '../../../src/base/tracing/span.ts';
import type { Command } from '../../../src/engine/change/command.ts';
import { HTTP_LIMITS } from '../../../src/front/http/dependencies.ts';
import { HttpServer } from '../../../src/front/http/server.ts';
import { readSettings } from '../../../src/front/settings.ts';
import { LiveKeyRing } from '../../../src/shop/actor/key-ring.ts';
import { DIRECTORY_LIMITS, LiveShopDirectory } from '../../../src/shop/actor/shop-directory.ts';
import {
  AnswerPool,
  POOL_LIMITS,
  type PoolAccess,
  type PoolLimits,
  type PoolPorts,
} from '../../../src/shop/pool/answer-pool.ts';
import type { ThreadSettings } from '../../../src/shop/pool/question.ts';
import type { ShopAccess } from '../../../src/shop/reader/shop-access.ts';
import { NO_WATCH } from '../../../src/shop/reader/simulation-watch.ts';
import { openLmdbEventLog } from '../../../src/store/log/lmdb/lmdb-event-log.ts';
import { FakeOperators } from '../../support/fake-operators.ts';
import { FakeShops } from '../../support/fake-shops.ts';
import { POOL_IN_THIS_THREAD } from '../../support/pool-in-this-thread.ts';
import { checkReply } from '../../support/reply-check.ts';
import { NO_COVERAGE, NO_RESULTS, NOW_MS } from '../../support/test-server.ts';
import { accepted, PLANS, request as writeRequest } from '../actor/shop-stage.ts';
import { THREAD } from './pool-stage.ts';

export const SHOP = 'shop_a';
export const SECRET = 'rw_a_key_of_these_tests_0123456789';

export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly versionId: string | undefined;
  readonly retryAfter: string | undefined;
  /** The sorted names of the headers, and the ETag. */
  readonly headers: string;
}

export interface Front {
  readonly metrics: Metrics;
  readonly port: number;
  readonly pool: AnswerPool;
  /** Logged warnings about the pool. */
  readonly warnings: string[];
  /** Reads only the head of the answer before `reading`. */
  call(path: string, body?: unknown, reading?: Promise<unknown>): Promise<Answer>;
}

export interface QuestionStage {
  readonly folder: string;
  readonly shop: ShopAccess;
  /** Writes to the shop directly, not through a front end. */
  write(...commands: readonly Command[]): Promise<void>;
  /** A front end of the same shop, with threads of its own. */
  open(
    limits?: Partial<PoolLimits>,
    ports?: Partial<PoolPorts>,
    thread?: Partial<ThreadSettings>,
  ): Promise<Front>;
  /** A front end of the same shop that answers questions in this thread. */
  openHere(): Promise<Front>;
}

/** `tracer` is that of all front ends. */
export async function openQuestionStage(context: TestContext, tracer?: Tracer): Promise<QuestionStage> {
  const folder = mkdtempSync(join(tmpdir(), 'ratewright-questions-'));
  const closing: (() => unknown)[] = [];
  context.after(async () => {
    for (const close of closing.reverse()) await close();
    rmSync(folder, { recursive: true, force: true });
  });
  const settings = readSettings({});
  const log = openLmdbEventLog({ path: folder });
  closing.push(() => log.close());
  const keys = new LiveKeyRing({ log, clock: systemClock, logger: silentLogger });
  const ids = createIdSource(systemClock);
  const shops = new LiveShopDirectory({
    log,
    clock: systemClock,
    ids,
    logger: silentLogger,
    metrics: createMetrics(),
    plans: PLANS,
    limits: { ...DIRECTORY_LIMITS, checkpointRecords: 7 },
    watch: NO_WATCH,
    onKeyRevoked: () => {},
    onFatal: (cause) => assert.fail(cause),
  });
  closing.push(() => shops.close());
  const made = await shops.createShop({
    id: SHOP,
    name: 'A',
    currency: 'USD',
    timezone: 'UTC',
    plan: 'open',
    promotionGate: null,
  });
  assert.ok(made.ok);
  const shop = made.value;
  const write = async (...commands: readonly Command[]): Promise<void> => {
    for (const command of commands) accepted(await shop.write(writeRequest(command)));
  };
  const key = { kind: 'createKey', label: 'K', permission: 'admin', ...printOf(SECRET) } as const;
  await write(key);

  const openFront = async (
    limits: Partial<PoolLimits>,
    ports: Partial<PoolPorts>,
    thread: Partial<ThreadSettings>,
    asked: PoolAccess | null,
  ): Promise<Front> => {
    const metrics = createMetrics();
    const warnings: string[] = [];
    const logger: Logger = { ...silentLogger, warn: (event) => noted(event) };
    const noted = (event: string) => event.startsWith('pool.') && warnings.push(event);
    const pool = new AnswerPool({
      thread: { ...THREAD, dataFolder: folder, ...thread },
      threads: 1,
      limits: { ...POOL_LIMITS, ...limits },
      logger,
      metrics,
      ...ports,
    });
    closing.push(() => pool.close());
    const server = new HttpServer(
      {
        keys,
        shops,
        plans: PLANS,
        shadow: NO_RESULTS,
        coverage: NO_COVERAGE,
        pool: asked ?? pool,
        // Previews show their time, which must be the same in each answer.
        clock: { ...systemClock, nowMs: () => NOW_MS },
        logger,
        secrets: openFolderBox({ keyText: null, dataFolder: folder }),
        newSeed: () => ids.next(),
        metrics,
        ...(tracer !== undefined && { tracer }),
        operators: new FakeOperators(new FakeShops()),
        metricsText: async () => '',
        phase: () => 'ready',
      },
      { ...HTTP_LIMITS, ...settings, port: 0 },
    );
    await server.listen();
    closing.push(() => server.close());
    const call = async (path: string, body?: unknown, reading?: Promise<unknown>): Promise<Answer> => {
      const answer = await request(`http://127.0.0.1:${server.port}${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          authorization: SECRET,
          'x-request-id': 'same',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const { headers, statusCode: status } = answer;
      const { date: _, ...rest } = headers;
      await reading;
      const text = await answer.body.text();
      checkReply(body === undefined ? 'GET' : 'POST', path, status, text);
      return {
        status,
        text,
        versionId: headers['x-config-version']?.toString(),
        retryAfter: headers['retry-after']?.toString(),
        headers: JSON.stringify(Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1))),
      };
    };
    return { metrics, port: server.port, pool, warnings, call };
  };
  const open: QuestionStage['open'] = (limits = {}, ports = {}, thread = {}) =>
    openFront(limits, ports, thread, null);
  const openHere = () => openFront({}, {}, {}, POOL_IN_THIS_THREAD);
  return { folder, shop, write, open, openHere };
}
