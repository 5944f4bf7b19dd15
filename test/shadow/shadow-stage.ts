/** A service without its front end: shops on a real log, with a shadow that has real or simulated workers. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { ShopActor } from '../../src/actor/shop-actor.ts';
import { DIRECTORY_LIMITS, type DirectoryLimits, LiveShopDirectory } from '../../src/actor/shop-directory.ts';
import { joinedText } from '../../src/bytes/answer-text.ts';
import type { Command } from '../../src/change/command.ts';
import type { SimulateRequest } from '../../src/domain/cart.ts';
import { openLmdbEventLog } from '../../src/log/lmdb/lmdb-event-log.ts';
import { createMetrics } from '../../src/metrics/metrics.ts';
import { finishSteps, NEVER } from '../../src/pace/work-steps.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { createIdSource } from '../../src/runtime/id-source.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import { readSettings } from '../../src/settings.ts';
import { LiveShadow, type ShadowLimits, type ShadowPorts } from '../../src/shadow/live-shadow.ts';
import type { ShadowBatch, ShadowBatchResult } from '../../src/shadow/shadow-batch.ts';
import { LIVE } from '../../src/shop/simulating-shop.ts';
import type { ShadowResults } from '../../src/wire/shadow-results.ts';
import { WorkerPool } from '../../src/worker/worker-pool.ts';
import { accepted, request } from '../actor/shop-stage.ts';
import { temporaryFolder } from '../support/server-process.ts';
import { NOW_MS } from '../support/small-shop.ts';
import { UNLIMITED } from '../support/unlimited-plan.ts';

export const SHOP = 'shop_a';

export type Workers = ShadowPorts['pool'] & { close?(): Promise<void> };

export interface ShadowStage {
  readonly folder: string;
  readonly shadow: LiveShadow;
  readonly directory: LiveShopDirectory;
  readonly metrics: ReturnType<typeof createMetrics>;
  close(): Promise<void>;
}

export interface StageOptions {
  readonly limits?: Partial<ShadowLimits & DirectoryLimits>;
  /** Replaces the threads. */
  readonly workers?: Workers;
  /** Replaces the threads that clients wait for; `workers` when absent. */
  readonly answerWorkers?: Workers;
}

/** Opens the folder in the way of a process start. */
export function openFolder(
  folder: string,
  { limits = {}, workers, answerWorkers }: StageOptions = {},
): ShadowStage {
  const settings = { ...readSettings({}), ...limits };
  const log = openLmdbEventLog({ path: folder });
  const metrics = createMetrics();
  const pool: Workers =
    workers ??
    new WorkerPool({
      kinds: ['shadowBatch'],
      threads: 1,
      deadlineMs: 60_000,
      idleMs: 30_000,
      worker: {
        dataFolder: folder,
        shopsKeptMax: 4,
        versionCacheBytesMax: 0,
        itemsMax: settings.itemsMax,
        plans: {},
        isBackground: false,
      },
      meter: metrics.pools.background,
    });
  const shadow = new LiveShadow({
    log,
    pool,
    answerPool: answerWorkers ?? pool,
    logger: silentLogger,
    metrics,
    limits: settings,
  });
  const directory = new LiveShopDirectory({
    log,
    clock: systemClock,
    ids: createIdSource(systemClock),
    logger: silentLogger,
    metrics,
    plans: { open: UNLIMITED },
    limits: { ...DIRECTORY_LIMITS, ...limits },
    watch: shadow,
    onKeyRevoked: () => {},
    onFatal: (cause) => assert.fail(cause),
  });
  const close = async (): Promise<void> => {
    await directory.close();
    await shadow.close();
    await pool.close?.();
    await log.close();
  };
  return { folder, shadow, directory, metrics, close };
}

/** A stage in a new folder with one new shop; closed and removed after the test. */
export async function openShadowStage(context: TestContext, options: StageOptions = {}) {
  const { path, discard } = await temporaryFolder();
  const stage = openFolder(path, options);
  let open = stage;
  context.after(async () => {
    await open.close();
    await discard();
  });
  const shop = await createShop(stage, SHOP);
  /** Simulates a stop or a kill of the process and a new start. */
  const restart = async (): Promise<{ stage: ShadowStage; shop: ShopActor }> => {
    await open.close();
    open = openFolder(path, options);
    return { stage: open, shop: await open.directory.load(SHOP) };
  };
  return { stage, shop, restart };
}

export async function createShop({ directory }: ShadowStage, id: string): Promise<ShopActor> {
  const created = await directory.createShop({
    id,
    name: 'A',
    currency: 'USD',
    timezone: 'UTC',
    plan: 'open',
  });
  assert.ok(created.ok);
  const shop = created.value;
  const zones = [{ id: 'zone', name: 'Zone', countries: ['*'], subzones: [] }];
  await write(shop, { kind: 'executeConfig', data: { zones } });
  await write(shop, newMethod('m', 500));
  return shop;
}

export const write = async (shop: ShopActor, command: Command): Promise<string> =>
  accepted(await shop.write(request(command))).body;

export const newMethod = (name: string, price: number): Command => ({
  kind: 'createMethod',
  body: { name, zoneId: 'zone', rateType: 'flat', config: { price } },
});

export function simulate(shop: ShopActor, carts: SimulateRequest, nowMs = NOW_MS): string {
  const text = JSON.stringify(carts);
  const answer = shop.simulate(JSON.parse(text) as SimulateRequest, nowMs, LIVE, text);
  assert.ok(answer.ok);
  return joinedText(answer.value);
}

export function resultsOf({ shadow }: ShadowStage, shop: ShopActor): ShadowResults {
  const results = shadow.results(shop.state, []);
  assert.ok(results.ok);
  return finishSteps(results.value(NEVER));
}

/** The results after every earlier simulation is evaluated or dropped. */
export async function settledResults(stage: ShadowStage, shop: ShopActor, count: number) {
  for (;;) {
    const results = resultsOf(stage, shop);
    if (results.evaluated + results.dropped >= count) return results;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Workers that hold every batch until the test decides its result. */
export class HeldWorkers implements Workers {
  readonly batches: ShadowBatch[] = [];
  readonly #waiting: ((fate: ShadowBatchResult | Error) => void)[] = [];

  run(task: ShadowBatch): Promise<ShadowBatchResult> {
    this.batches.push(task);
    return new Promise((resolve, reject) => {
      this.#waiting.push((fate) => (fate instanceof Error ? reject(fate) : resolve(fate)));
    });
  }

  /** Resolves when a batch waits. */
  async handed(): Promise<void> {
    while (this.#waiting.length === 0) await new Promise((resolve) => setImmediate(resolve));
  }

  /** Answers the waiting batches without differences, or fails them. */
  async settle(failure?: Error): Promise<void> {
    const from = this.batches.length - this.#waiting.length;
    for (const [index, answer] of this.#waiting.splice(0).entries()) {
      const evaluated = this.batches[from + index]?.texts.length ?? 0;
      const nothing = { different: 0, lost: 0, lostSamples: [], gained: 0, pairs: [] };
      const findings = { evaluated, identical: evaluated, ...nothing, methods: {}, zones: {}, groups: {} };
      answer(failure ?? { findings: JSON.stringify(findings), samples: new Uint8Array() });
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
}
