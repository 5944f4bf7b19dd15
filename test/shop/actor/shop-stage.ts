/** One shop on a log in the test's hands, with a clock that stands still until it is moved. */

import assert from 'node:assert/strict';
import { createMetrics } from '../../../src/base/metrics/metrics.ts';
import type { Clock } from '../../../src/base/runtime/clock.ts';
import { createIdSource } from '../../../src/base/runtime/id-source.ts';
import { type LogFields, silentLogger } from '../../../src/base/runtime/logger.ts';
import type { Command } from '../../../src/engine/change/command.ts';
import { ITEMS_MAX_DEFAULT } from '../../../src/engine/domain/cart.ts';
import type { Outcome } from '../../../src/engine/domain/failure.ts';
import type { PlanTable } from '../../../src/engine/domain/plan.ts';
import type { ShopActor } from '../../../src/shop/actor/shop-actor.ts';
import {
  type DirectoryLimits,
  type DirectoryPorts,
  LiveShopDirectory,
} from '../../../src/shop/actor/shop-directory.ts';
import type { WriteAnswer, WriteRequest } from '../../../src/shop/reader/shop-access.ts';
import { NO_WATCH, type SimulationWatch } from '../../../src/shop/reader/simulation-watch.ts';
import { UNLIMITED } from '../../support/unlimited-plan.ts';
import { ControlledLog } from './controlled-log.ts';

export const SHOP = 'shop_a';
export const START_MS = Date.UTC(2026, 0, 2, 3, 4, 5);

export const PLANS: PlanTable = {
  open: UNLIMITED,
  small: { ...UNLIMITED, groups: 2 },
  weekly: { ...UNLIMITED, historyDays: 7 },
};

const LIMITS: DirectoryLimits = {
  mailboxLengthMax: 100,
  groupWritesMax: 100,
  groupBytesMax: 1_000_000,
  checkpointRecords: 1_000,
  checkpointBytes: 1_000_000,
  itemsMax: ITEMS_MAX_DEFAULT,
  shopsLoadedMax: 100,
  versionCacheBytesMax: 1_000_000,
};

export interface StageClock extends Clock {
  ms: number;
  /** By so much each look at the monotonic clock moves it: long work yields after `SLICE_MS / lookMs` questions. */
  lookMs: number;
}

interface LogLine {
  readonly event: string;
  readonly fields: LogFields;
}

export interface Stage {
  readonly log: ControlledLog;
  readonly clock: StageClock;
  readonly metrics: ReturnType<typeof createMetrics>;
  readonly directory: LiveShopDirectory;
  /** Key ids in the order in which their revocation was announced. */
  readonly revoked: string[];
  readonly fatal: Error[];
  readonly warnings: LogLine[];
  readonly infos: LogLine[];
  readonly errors: LogLine[];
}

/** A directory over `log`, as another process or another start would make it. */
export function openStage(
  limits: Partial<DirectoryLimits> = {},
  log = new ControlledLog(),
  watch: SimulationWatch = NO_WATCH,
  following?: DirectoryPorts['following'],
): Stage {
  let lookedMs = 0;
  const clock: StageClock = {
    ms: START_MS,
    lookMs: 0,
    nowMs: () => clock.ms,
    monotonicMs: () => {
      lookedMs += clock.lookMs;
      return clock.ms + lookedMs;
    },
  };
  const metrics = createMetrics();
  const revoked: string[] = [];
  const fatal: Error[] = [];
  const warnings: LogLine[] = [];
  const infos: LogLine[] = [];
  const errors: LogLine[] = [];
  const directory = new LiveShopDirectory({
    log,
    clock,
    ids: createIdSource(clock),
    logger: {
      ...silentLogger,
      warn: (event, fields = {}) => warnings.push({ event, fields }),
      info: (event, fields = {}) => infos.push({ event, fields }),
      error: (event, fields = {}) => errors.push({ event, fields }),
    },
    metrics,
    plans: PLANS,
    limits: { ...LIMITS, ...limits },
    watch,
    ...(following === undefined ? {} : { following }),
    onKeyRevoked: (keyId) => revoked.push(keyId),
    onFatal: (cause) => fatal.push(cause),
  });
  return { log, clock, metrics, directory, revoked, fatal, warnings, infos, errors };
}

export async function createShop({ directory }: Stage, id = SHOP, plan = 'open'): Promise<ShopActor> {
  const outcome = await directory.createShop({
    id,
    name: 'A',
    currency: 'USD',
    timezone: 'UTC',
    plan,
    promotionGate: null,
  });
  assert.ok(outcome.ok);
  return outcome.value;
}

/** A stage with one new shop. */
export async function openShop(limits: Partial<DirectoryLimits> = {}, plan = 'open') {
  const stage = openStage(limits);
  return { stage, shop: await createShop(stage, SHOP, plan) };
}

export const newGroup = (name: string): Command => ({ kind: 'createGroup', body: { name } });

export const NEW_KEY: Command = {
  kind: 'createKey',
  label: 'K',
  permission: 'write',
  prefix: 'p',
  secretSha256: 'a'.repeat(64),
};

/** A request of the command line; what it renders is the result as JSON. */
export const request = (command: Command, more: Partial<WriteRequest> = {}): WriteRequest => ({
  command,
  keyId: null,
  batchId: null,
  ifMatch: null,
  idempotency: null,
  render: (result) => ({ status: 201, body: JSON.stringify(result) }),
  ...more,
});

export const idempotent = (key: string, requestDigest = 'digest') => ({
  idempotency: { key, requestDigest },
});

export const groupNames = (shop: ShopActor): string[] =>
  shop.state.config.productGroups.map((group) => group.name);

export function accepted(outcome: Outcome<WriteAnswer>): WriteAnswer {
  assert.ok(outcome.ok, JSON.stringify(outcome));
  return outcome.value;
}

export function refusal(outcome: Outcome<unknown>): string {
  assert.ok(!outcome.ok);
  return outcome.code;
}

/** Lets everything run that waits for nothing but its turn. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
}

export async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setImmediate(resolve));
}
