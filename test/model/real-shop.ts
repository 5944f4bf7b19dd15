/**
 * The shop under test: real actors with their shadow on a log in memory, in one process or two, which can be restarted.
 */

import assert from 'node:assert/strict';
import { createMetrics } from '../../src/base/metrics/metrics.ts';
import { createIdSource } from '../../src/base/runtime/id-source.ts';
import { silentLogger } from '../../src/base/runtime/logger.ts';
import type { Command, CommandResult, JudgedChangeset } from '../../src/engine/change/command.ts';
import { ITEMS_MAX_DEFAULT, type SimulateRequest } from '../../src/engine/domain/cart.ts';
import type { Outcome } from '../../src/engine/domain/failure.ts';
import type { PlanTable } from '../../src/engine/domain/plan.ts';
import type { ShopConfig } from '../../src/engine/domain/shop-config.ts';
import type { PlacedConfig } from '../../src/engine/domain/shop-event.ts';
import { snapshotOf } from '../../src/engine/wire/record-view.ts';
import type { EditShadowResults, ShadowResults } from '../../src/engine/wire/shadow-results.ts';
import type { ConfigData } from '../../src/engine/wire/write-bodies.ts';
import type { ShopActor } from '../../src/shop/actor/shop-actor.ts';
import { LiveShopDirectory } from '../../src/shop/actor/shop-directory.ts';
import type { WriteAnswer, WriteRequest } from '../../src/shop/reader/shop-access.ts';
import { LIVE } from '../../src/shop/reader/simulating-shop.ts';
import { NO_WATCH, type SimulationWatch } from '../../src/shop/reader/simulation-watch.ts';
import { gateRefusal, judgeGate, ownWritesOf } from '../../src/shop/shadow/judge-gate.ts';
import { LiveShadow } from '../../src/shop/shadow/live-shadow.ts';
import { replayCarts } from '../../src/shop/shadow/replay-carts.ts';
import { MemoryEventLog } from '../support/memory-event-log.ts';
import { UNLIMITED } from '../support/unlimited-plan.ts';
import type { PlainConfig, PlainLimits } from './plain-config.ts';
import type { PlainHeaders, PlainKey, PlainRequest } from './plain-shop.ts';

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
  #shadow: LiveShadow;
  #directory: LiveShopDirectory;
  #actor: ShopActor;
  #clockMs = Date.UTC(2026, 0, 1);
  #keys = 0;
  readonly #keyIds = new Map<PlainKey, string>();

  private constructor(plans: PlanTable) {
    this.#plans = plans;
    this.#shadow = this.#openShadow();
    this.#directory = this.#openDirectory(this.#shadow);
    // Set before the first use.
    this.#actor = undefined as unknown as ShopActor;
  }

  /** Makes a new shop on a plan, with this configuration as its second version. */
  static async create(
    plans: Readonly<Record<string, PlainLimits>>,
    plan: string,
    config: PlainConfig,
  ): Promise<RealShop> {
    const shop = new RealShop(plansOf(plans));
    const made = await shop.#directory.createShop({
      id: SHOP,
      name: 'Model',
      currency: 'USD',
      timezone: 'UTC',
      plan,
      promotionGate: null,
    });
    assert.ok(made.ok);
    shop.#actor = made.value;
    const sent = await shop.#write(
      made.value,
      { kind: 'executeConfig', data: config as ConfigData },
      { batchId: null, ifMatch: null, keyId: null },
      'zones',
    );
    assert.ok(sent.ok);
    for (const permission of ['admin', 'write'] as const) await shop.#makeKey(permission);
    return shop;
  }

  get actor(): ShopActor {
    return this.#actor;
  }

  #openShadow(): LiveShadow {
    return new LiveShadow({
      log: this.#log,
      clock: { monotonicMs: () => this.#clockMs },
      logger: silentLogger,
      metrics: createMetrics(),
      limits: { shadowPerSecond: 1_000 },
    });
  }

  #openDirectory(watch: SimulationWatch): LiveShopDirectory {
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
      watch,
      onFatal: (cause) => assert.fail(cause),
    });
  }

  /** Ends the process and starts another. */
  async restart(): Promise<void> {
    await this.#actor.idle();
    await this.#shadow.close();
    this.#log = this.#log.reopen();
    this.#shadow = this.#openShadow();
    this.#directory = this.#openDirectory(this.#shadow);
    this.#actor = await this.#directory.load(SHOP);
  }

  newKey(): string {
    return `key ${++this.#keys}`;
  }

  async send(request: PlainRequest, headers: PlainHeaders, key: string): Promise<Sent> {
    const command = await this.#commandOf(request, headers.by);
    return this.#write(this.#actor, command, this.#sentWith(headers), key, request);
  }

  async #commandOf(request: PlainRequest, by: PlainKey): Promise<Command> {
    if (request.kind === 'setDirectWrites') {
      return { kind: 'updateShop', body: { directWrites: request.directWrites } };
    }
    if (request.kind === 'setSecret') {
      return { kind: 'setShopifySecret', sealed: request.isSet ? 'sealed' : null };
    }
    if (request.kind === 'createKey') {
      const print = { prefix: 'rw_abc', secretSha256: String(++this.#keys).padStart(64, '0') };
      return { ...request, permission: 'read', ...print };
    }
    if (request.kind === 'renameKey') {
      return { kind: 'updateKey', id: request.id, body: { label: request.label } };
    }
    if (request.kind === 'setGate') return { kind: 'updateShop', body: { promotionGate: request.gate } };
    if (request.kind !== 'promoteStaging' || request.isForced) return request as Command;
    const judged = await this.#judged(this.keyIdOf(by));
    return { kind: 'promoteStaging', ...(judged !== null && { judged }) };
  }

  /** As the route of a promotion does, for criteria of carts and of writes. */
  async #judged(keyId: string): Promise<JudgedChangeset | null> {
    const { settings, staging } = this.#actor.state;
    const gate = settings.promotionGate ?? null;
    if (staging === null || gate === null) return null;
    const results = await this.sinceWrite();
    assert.ok(results !== null);
    const refusal = gateRefusal(
      judgeGate(gate, { checks: null, lint: null, results, ownWrites: ownWritesOf(staging, keyId) }),
    );
    return { stagingId: staging.id, writes: staging.writes.length, gate, refusal };
  }

  simulate(cart: SimulateRequest, nowMs: number, isTest: boolean): void {
    assert.ok(this.#actor.simulate(cart, nowMs, { ...LIVE, isTest }).ok);
  }

  replay(): void {
    const { state } = this.#actor;
    const [live, staged] = [this.#actor.compiled('live'), this.#actor.compiled('staged')];
    assert.ok(live.ok && staged.ok && state.staging !== null);
    const replayed = replayCarts(live.value, staged.value, this.#shadow.keptCarts(SHOP));
    assert.ok(this.#shadow.addReplay(SHOP, state.staging.id, replayed).ok);
  }

  /** The results since the last staged write; null without a changeset. */
  async sinceWrite(): Promise<EditShadowResults | null> {
    const results = await this.#shadow.resultsSinceEdit(this.#actor.state);
    return results.ok ? results.value : null;
  }

  /** The results of the changeset; null without one. */
  shadow(): ShadowResults | null {
    const results = this.#shadow.results(this.#actor.state, []);
    return results.ok ? results.value : null;
  }

  /** The same from another process, with the notification that this process would get. */
  async sendElsewhere(request: PlainRequest, headers: PlainHeaders, isTold: boolean): Promise<Sent> {
    const other = await this.#openDirectory(NO_WATCH).load(SHOP);
    const command = await this.#commandOf(request, headers.by);
    const sent = await this.#write(other, command, this.#sentWith(headers), this.newKey(), request);
    await other.idle();
    if (isTold) await this.#actor.refresh();
    return sent;
  }

  /** Gives the shop a key with this permission. */
  async #makeKey(permission: PlainKey): Promise<void> {
    const print = { prefix: 'rw_abc', secretSha256: permission.padEnd(64, '0') };
    const command = { kind: 'createKey', label: permission, permission, ...print } as const;
    const made = await this.#write(
      this.#actor,
      command,
      { batchId: null, ifMatch: null, keyId: null },
      permission,
    );
    assert.ok(made.ok && made.value.result?.kind === 'key');
    this.#keyIds.set(permission, made.value.result.key.id);
  }

  keyIdOf(by: PlainKey): string {
    const keyId = this.#keyIds.get(by);
    assert.ok(keyId !== undefined);
    return keyId;
  }

  #sentWith = ({ batchId, ifMatch, by }: PlainHeaders) => ({ batchId, ifMatch, keyId: this.keyIdOf(by) });

  async #write(
    actor: ShopActor,
    command: Command,
    headers: Pick<WriteRequest, 'batchId' | 'ifMatch' | 'keyId'>,
    key: string,
    asked: object = command,
  ): Promise<Sent> {
    let result: CommandResult | null = null;
    const request: WriteRequest = {
      command,
      ...headers,
      idempotency: { key, requestDigest: JSON.stringify(asked) },
      render: (made) => {
        result = made;
        return { status: 200, body: JSON.stringify(made) };
      },
    };
    const outcome = await actor.write(request);
    return outcome.ok ? { ok: true, value: { answer: outcome.value, result } } : outcome;
  }
}
