/** A service without its front end: shops on a real log, with a shadow. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { joinedText } from '../../../src/base/bytes/answer-text.ts';
import { createMetrics } from '../../../src/base/metrics/metrics.ts';
import { systemClock } from '../../../src/base/runtime/clock.ts';
import { createIdSource } from '../../../src/base/runtime/id-source.ts';
import { silentLogger } from '../../../src/base/runtime/logger.ts';
import type { Command } from '../../../src/engine/change/command.ts';
import type { SimulateRequest } from '../../../src/engine/domain/cart.ts';
import type { ShadowResults } from '../../../src/engine/wire/shadow-results.ts';
import { readSettings } from '../../../src/front/settings.ts';
import type { ShopActor } from '../../../src/shop/actor/shop-actor.ts';
import {
  DIRECTORY_LIMITS,
  type DirectoryLimits,
  LiveShopDirectory,
} from '../../../src/shop/actor/shop-directory.ts';
import { LIVE, type SimulationView } from '../../../src/shop/reader/simulating-shop.ts';
import { LiveShadow, type ShadowLimits } from '../../../src/shop/shadow/live-shadow.ts';
import { replayCarts } from '../../../src/shop/shadow/replay-carts.ts';
import { openLmdbEventLog } from '../../../src/store/log/lmdb/lmdb-event-log.ts';
import { temporaryFolder } from '../../support/server-process.ts';
import { NOW_MS } from '../../support/small-shop.ts';
import { UNLIMITED } from '../../support/unlimited-plan.ts';
import { accepted, request } from '../actor/shop-stage.ts';

export const SHOP = 'shop_a';

export interface ShadowStage {
  readonly folder: string;
  readonly shadow: LiveShadow;
  readonly directory: LiveShopDirectory;
  readonly metrics: ReturnType<typeof createMetrics>;
  close(): Promise<void>;
}

export interface StageOptions {
  readonly limits?: Partial<ShadowLimits & DirectoryLimits>;
  /** The clock of the budget, ms. */
  readonly monotonicMs?: () => number;
}

/** Opens the folder in the way of a process start. */
export function openFolder(
  folder: string,
  { limits = {}, monotonicMs = () => 0 }: StageOptions = {},
): ShadowStage {
  const settings = { ...readSettings({}), ...limits };
  const log = openLmdbEventLog({ path: folder });
  const metrics = createMetrics();
  const shadow = new LiveShadow({
    log,
    clock: { monotonicMs },
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
    limits: { ...DIRECTORY_LIMITS, itemsMax: settings.itemsMax, ...limits },
    watch: shadow,
    onKeyRevoked: () => {},
    onFatal: (cause) => assert.fail(cause),
  });
  const close = async (): Promise<void> => {
    await directory.close();
    await shadow.close();
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
  /** Simulates a stop of the process and a new start. */
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
    promotionGate: null,
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

export function simulate(
  shop: ShopActor,
  cart: SimulateRequest,
  nowMs = NOW_MS,
  view: SimulationView = LIVE,
): string {
  const answer = shop.simulate(structuredClone(cart), nowMs, view);
  assert.ok(answer.ok);
  return joinedText(answer.value);
}

export function resultsOf({ shadow }: ShadowStage, shop: ShopActor): ShadowResults {
  const results = shadow.results(shop.state, []);
  assert.ok(results.ok);
  return results.value;
}

/** Replays the kept carts in this thread. */
export function replay({ shadow }: ShadowStage, shop: ShopActor): void {
  const [live, staged] = [shop.compiled('live'), shop.compiled('staged')];
  assert.ok(live.ok && staged.ok);
  const { shopId, state } = shop;
  const made = replayCarts(live.value, staged.value, shadow.keptCarts(shopId));
  assert.ok(shadow.addReplay(shopId, state.staging?.id ?? '', made).ok);
}
