/** Pools for tests, closed when the test ends. */
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ITEMS_MAX_DEFAULT } from '../../src/domain/cart.ts';
import { PoolMeter } from '../../src/metrics/metrics.ts';
import { ANSWER_KINDS } from '../../src/worker/heavy-work.ts';
import type { AnswerTask, PoolAnswer, WorkerSettings } from '../../src/worker/pool-task.ts';
import { PoolError, WorkerPool, type WorkerPoolOptions } from '../../src/worker/worker-pool.ts';
import { PLANS } from '../actor/shop-stage.ts';

export const workerFile = (name: string): string => fileURLToPath(new URL(`./${name}.js`, import.meta.url));

export const WORKER: WorkerSettings = {
  dataFolder: '/nowhere',
  shopsKeptMax: 4,
  versionCacheBytesMax: 1_048_576,
  itemsMax: ITEMS_MAX_DEFAULT,
  plans: PLANS,
};

export function openPool(context: TestContext, options: Partial<WorkerPoolOptions> = {}): WorkerPool {
  const pool = new WorkerPool({
    kinds: ANSWER_KINDS,
    threads: 1,
    deadlineMs: 60_000,
    idleMs: 30_000,
    meter: new PoolMeter(),
    worker: WORKER,
    workerFile: workerFile('odd-worker'),
    ...options,
  });
  context.after(() => pool.close());
  return pool;
}

/** A task for the odd worker: the shop id selects its behaviour, and it answers with the text. */
export const task = (shopId: string, text = ''): AnswerTask => ({
  kind: 'readVersion',
  shopId,
  sequenceNumber: 1,
  versionId: text,
});

/** What the odd worker answered. */
export async function textOf(running: Promise<PoolAnswer>): Promise<string> {
  const answer = await running;
  return answer.kind === 'answered' ? Buffer.from(answer.body).toString() : answer.kind;
}

/** The reason why the task was not done, or "done". */
export const fateOf = (running: Promise<unknown>): Promise<string> =>
  running.then(
    () => 'done',
    (error: unknown) => (error instanceof PoolError ? error.reason : String(error)),
  );
