/** Pools for tests, closed when the test ends. */
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createMetrics, type Metrics } from '../../../src/base/metrics/metrics.ts';
import { ITEMS_MAX_DEFAULT } from '../../../src/engine/domain/cart.ts';
import type { ShopState } from '../../../src/engine/domain/shop-event.ts';
import {
  type Answered,
  AnswerPool,
  POOL_LIMITS,
  type PoolLimits,
  type PoolPorts,
} from '../../../src/shop/pool/answer-pool.ts';
import type { ThreadSettings } from '../../../src/shop/pool/question.ts';
import type { Origin } from '../../../src/shop/reader/shop-access.ts';
import { PLANS } from '../actor/shop-stage.ts';

export const threadFile = (name: string): string => fileURLToPath(new URL(`./${name}.js`, import.meta.url));

export const THREAD: ThreadSettings = {
  dataFolder: '/nowhere',
  shopsKeptMax: 4,
  versionCacheBytesMax: 1_048_576,
  itemsMax: ITEMS_MAX_DEFAULT,
  plans: PLANS,
};

/** The request that asks. */
export const ORIGIN: Origin = {
  span: null,
  logFields: (answer) => ({
    requestId: 'r1',
    code: answer !== undefined && 'code' in answer ? answer.code : null,
  }),
};

/** A pool of odd threads, unless the test says otherwise. */
export interface PoolStage {
  readonly pool: AnswerPool;
  readonly metrics: Metrics;
  /** Logged warnings: the event, the id of the request and the code of its answer. */
  readonly warnings: string[];
  /** The shop id selects the behaviour of an odd thread, which answers with the text. */
  ask(shopId: string, text?: string, leaving?: (leave: () => void) => void): Promise<Answered>;
  /** As `ask`: the text of the answer, or the code of the refusal. */
  fate(shopId: string, text?: string, leaving?: (leave: () => void) => void): Promise<string>;
}

export function openPool(
  context: TestContext,
  limits: Partial<PoolLimits> = {},
  ports: Partial<PoolPorts> = {},
): PoolStage {
  const metrics = createMetrics();
  const warnings: string[] = [];
  const pool = new AnswerPool({
    thread: THREAD,
    threads: 1,
    limits: { ...POOL_LIMITS, ...limits },
    logger: {
      warn: (event, fields) => void warnings.push(`${event} ${fields?.['requestId']} ${fields?.['code']}`),
    },
    metrics,
    threadFile: threadFile('odd-thread'),
    ...ports,
  });
  context.after(() => pool.close());
  const ask: PoolStage['ask'] = (shopId, text = '', leaving = undefined) => {
    const state = { version: { id: 'version' } } as ShopState;
    const question = { kind: 'readVersion', versionId: text } as const;
    return pool.ask({ shopId, sequenceNumber: 2, state }, question, ORIGIN, leaving);
  };
  const fate: PoolStage['fate'] = async (...asked) => {
    const { outcome } = await ask(...asked);
    return outcome.ok ? Buffer.from(outcome.value).toString() : outcome.code;
  };
  return { pool, metrics, warnings, ask, fate };
}
