/** The shop under test: real actors on a log in memory, in one process or two, which can be restarted. */

import assert from 'node:assert/strict';
import type { ShopActor } from '../../src/actor/shop-actor.ts';
import { LiveShopDirectory } from '../../src/actor/shop-directory.ts';
import type { Command, CommandResult } from '../../src/change/command.ts';
import { ITEMS_MAX_DEFAULT } from '../../src/domain/cart.ts';
import type { Outcome } from '../../src/domain/failure.ts';
import type { PlanTable } from '../../src/domain/plan.ts';
import type { ShopConfig } from '../../src/domain/shop-config.ts';
import type { PlacedConfig } from '../../src/domain/shop-event.ts';
import { createMetrics } from '../../src/metrics/metrics.ts';
import { createIdSource } from '../../src/runtime/id-source.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import type { WriteAnswer, WriteRequest } from '../../src/shop/shop-access.ts';
import { NO_WATCH } from '../../src/shop/simulation-watch.ts';
import { snapshotOf } from '../../src/wire/record-view.ts';
import type { ConfigData } from '../../src/wire/write-bodies.ts';
import { MemoryEventLog } from '../support/memory-event-log.ts';
import { UNLIMITED } from '../support/unlimited-plan.ts';
import type { PlainConfig, PlainLimits } from './plain-config.ts';
import type { PlainHeaders, PlainRequest } from './plain-shop.ts';

const SHOP = 'shop_model';

export type Sent = Outcome<{ readonly answer: WriteAnswer; readonly result: CommandResult | null }>;

/** A configuration as `GET /api/config` shows it, as plain data. */
export function plainOf(config: PlacedConfig): PlainConfig {
  const { versionId: _, ...lists } = snapshotOf(config as unknown as ShopConfig, '');
  return JSON.parse(JSON.stringify(lists)) as PlainConfig;
}

const plansOf = (plans: Readonly<Record<string, PlainLimits>>): PlanTable =>
  Object.fromEntries(Object.entries(plans).map(([name, limits]) => [name, { ...UNLIMITED, ...limits }]));

export class RealShop {
  readonly #plans: PlanTable;
  #log = new MemoryEventLog();
  #directory: LiveShopDirectory;
  #actor: ShopActor;
  #clockMs = Date.UTC(2026, 0, 1);
  #keys = 0;

  private constructor(plans: PlanTable, directory: (shop: RealShop) => LiveShopDirectory) {
    this.#plans = plans;
    this.#directory = directory(this);
    // Set before the first use.
    this.#actor = undefined as unknown as ShopActor;
  }

  /** Makes a new shop on a plan, with this configuration as its second version. */
  static async create(
    plans: Readonly<Record<string, PlainLimits>>,
    plan: string,
    config: PlainConfig,
  ): Promise<RealShop> {
    const shop = new RealShop(plansOf(plans), (self) => self.#openDirectory());
    const made = await shop.#directory.createShop({
      id: SHOP,
      name: 'Model',
      currency: 'USD',
      timezone: 'UTC',
      plan,
    });
    assert.ok(made.ok);
    shop.#actor = made.value;
    const sent = await shop.#write(
      made.value,
      { kind: 'executeConfig', data: config as ConfigData },
      null,
      null,
      'zones',
    );
    assert.ok(sent.ok);
    return shop;
  }

  get actor(): ShopActor {
    return this.#actor;
  }

  #openDirectory(): LiveShopDirectory {
    const clock = { nowMs: () => this.#clockMs++, monotonicMs: () => this.#clockMs };
    return new LiveShopDirectory({
      log: this.#log,
      clock,
      ids: createIdSource(clock),
      logger: silentLogger,
      metrics: createMetrics(),
      plans: this.#plans,
      limits: {
        mailboxLengthMax: 100,
        groupWritesMax: 100,
        groupBytesMax: 1_000_000,
        // A small number, so that most states are read from a checkpoint and some records.
        checkpointRecords: 6,
        checkpointBytes: 1_000_000,
        itemsMax: ITEMS_MAX_DEFAULT,
        shopsLoadedMax: 10,
        versionCacheBytesMax: 20_000,
      },
      onKeyRevoked: () => {},
      watch: NO_WATCH,
      onFatal: (cause) => assert.fail(cause),
    });
  }

  /** Ends the process and starts another. */
  async restart(): Promise<void> {
    await this.#actor.idle();
    this.#log = this.#log.reopen();
    this.#directory = this.#openDirectory();
    this.#actor = await this.#directory.load(SHOP);
  }

  newKey(): string {
    return `key ${++this.#keys}`;
  }

  send(request: PlainRequest, headers: PlainHeaders, key: string): Promise<Sent> {
    return this.#write(this.#actor, request as Command, headers.batchId, headers.ifMatch, key);
  }

  /** The same from another process, with the notification that this process would get. */
  async sendElsewhere(request: PlainRequest, headers: PlainHeaders, isTold: boolean): Promise<Sent> {
    const other = await this.#openDirectory().load(SHOP);
    const key = this.newKey();
    const sent = await this.#write(other, request as Command, headers.batchId, headers.ifMatch, key);
    await other.idle();
    if (isTold) await this.#actor.refresh();
    return sent;
  }

  async #write(
    actor: ShopActor,
    command: Command,
    batchId: string | null,
    ifMatch: string | null,
    key: string,
  ): Promise<Sent> {
    let result: CommandResult | null = null;
    const request: WriteRequest = {
      command,
      keyId: null,
      batchId,
      ifMatch,
      idempotency: { key, requestDigest: JSON.stringify(command) },
      render: (made) => {
        result = made;
        return { status: 200, body: JSON.stringify(made) };
      },
    };
    const outcome = await actor.write(request);
    return outcome.ok ? { ok: true, value: { answer: outcome.value, result } } : outcome;
  }
}
