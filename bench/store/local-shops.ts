/** Log and actors in this process, put together as the service puts them together, without HTTP. */

import { setFlagsFromString } from 'node:v8';
import { createMetrics } from '../../src/base/metrics/metrics.ts';
import { systemClock } from '../../src/base/runtime/clock.ts';
import { ENGINE_FLAGS } from '../../src/base/runtime/engine-flags.ts';
import { createIdSource } from '../../src/base/runtime/id-source.ts';
import { silentLogger } from '../../src/base/runtime/logger.ts';
import type { Command } from '../../src/engine/change/command.ts';
import { readPlans } from '../../src/front/command-line/plan-file.ts';
import { readSettings } from '../../src/front/settings.ts';
import type { ShopActor } from '../../src/shop/actor/shop-actor.ts';
import {
  DIRECTORY_LIMITS,
  type DirectoryPorts,
  LiveShopDirectory,
} from '../../src/shop/actor/shop-directory.ts';
import type { WriteRequest } from '../../src/shop/reader/shop-access.ts';
import { NO_WATCH } from '../../src/shop/reader/simulation-watch.ts';
import { type LmdbEventLog, openLmdbEventLog } from '../../src/store/log/lmdb/lmdb-event-log.ts';
import type { Profile } from '../profiles/profile.ts';

export interface LocalShops {
  readonly log: LmdbEventLog;
  readonly directory: LiveShopDirectory;
  close(): Promise<void>;
}

/** The shops of a log in this process; failures of the log end it. */
export function shopsOver(
  ports: Pick<DirectoryPorts, 'log' | 'following'>,
  shopsLoadedMax?: number,
): LiveShopDirectory {
  // The engine flags of the service; those that size the heap come too late here.
  for (const flag of Object.keys(ENGINE_FLAGS)) setFlagsFromString(flag);
  const settings = readSettings({});
  return new LiveShopDirectory({
    ...ports,
    clock: systemClock,
    ids: createIdSource(systemClock),
    logger: silentLogger,
    metrics: createMetrics(),
    plans: readPlans(settings),
    limits: shopsLoadedMax === undefined ? DIRECTORY_LIMITS : { ...DIRECTORY_LIMITS, shopsLoadedMax },
    watch: NO_WATCH,
    onKeyRevoked: () => {},
    onFatal: (cause) => {
      throw cause;
    },
  });
}

/** Opens the log of a data folder that no other process serves. */
export function openLocalShops(dataFolder: string, shopsLoadedMax?: number): LocalShops {
  const log = openLmdbEventLog({ path: dataFolder });
  const directory = shopsOver({ log }, shopsLoadedMax);
  return {
    log,
    directory,
    close: async () => {
      await directory.close();
      await log.close();
    },
  };
}

/** The write that a front end would hand to an actor, without headers. */
const writeOf = (command: Command): WriteRequest => ({
  command,
  keyId: null,
  batchId: null,
  ifMatch: null,
  idempotency: null,
  render: (result) => ({ status: 200, body: JSON.stringify(result) }),
});

/** Throws when the write was refused. */
export async function write(shop: ShopActor, command: Command): Promise<void> {
  const outcome = await shop.write(writeOf(command));
  if (!outcome.ok) throw new Error(`${command.kind}: ${outcome.message}`);
}

/** A shop with the configuration of a profile. */
export async function makeShop(
  { directory }: Pick<LocalShops, 'directory'>,
  shopId: string,
  { config, settings }: Profile,
): Promise<ShopActor> {
  const created = await directory.createShop({ id: shopId, name: 'Bench', plan: 'enterprise', ...settings });
  if (!created.ok) throw new Error(created.message);
  // A configuration of the service is, field for field, what its bulk write accepts.
  const data = JSON.parse(JSON.stringify(config)) as Extract<Command, { kind: 'executeConfig' }>['data'];
  await write(created.value, { kind: 'executeConfig', data });
  return created.value;
}

/** One edit after another: each rule of the shop in turn gets a condition on another total. */
export function makeEdits(shop: ShopActor): () => Command {
  const ids = shop.state.config.methods.flatMap(({ rules }) => rules.map(({ id }) => id));
  let edits = 0;
  return () => {
    const id = ids[edits % ids.length];
    if (id === undefined) throw new Error('the shop has no rule to edit');
    edits++;
    const value = String(1_000 + edits);
    return {
      kind: 'updateRule',
      id,
      body: { conditions: [{ conditionType: 'cart_total', operator: 'greater_than', value }] },
    };
  };
}
