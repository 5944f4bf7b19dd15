/**
 * The shops of the data folder for every command but `serve`: the command has actors of its own, which may work beside
 * those of a running server. After a change the command notifies that server and waits until its readers see the change.
 * It does so after printing its result: a secret that is shown only once must not be lost because a server hangs.
 */
import { existsSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMetrics } from '../../base/metrics/metrics.ts';
import { systemClock } from '../../base/runtime/clock.ts';
import { closeInReverse } from '../../base/runtime/close-in-reverse.ts';
import { armFailpoint } from '../../base/runtime/failpoint.ts';
import { createIdSource } from '../../base/runtime/id-source.ts';
import { silentLogger } from '../../base/runtime/logger.ts';
import { SharedBox } from '../../base/secrets/secret-box.ts';
import type { CommandResult, Command as ShopCommand } from '../../engine/change/command.ts';
import type { Failure, Outcome } from '../../engine/domain/failure.ts';
import type { PlanTable } from '../../engine/domain/plan.ts';
import type { ShopActor } from '../../shop/actor/shop-actor.ts';
import { DIRECTORY_LIMITS, LiveShopDirectory, UnknownShopError } from '../../shop/actor/shop-directory.ts';
import { NO_WATCH } from '../../shop/reader/simulation-watch.ts';
import type { EventLog } from '../../store/log/event-log.ts';
import type { LmdbEventLog, LmdbEventLogOptions } from '../../store/log/lmdb/lmdb-event-log.ts';
import { openOwnLog } from '../../store/node/mirror-folder.ts';
import { type OpenLog, openLog } from '../../store/node/open-log.ts';
import type { SharedNode } from '../../store/node/shared-node.ts';
import { askServer, isServed } from '../control/control-client.ts';
import { readFailpoint, type Settings } from '../settings.ts';
import type { CommandInput } from './command.ts';
import { CommandError, EXIT_CODES } from './exit-code.ts';
import { readPlans } from './plan-file.ts';

/** An option of every command on one shop. */
export const SHOP_OPTION = { value: 'ID', description: 'The shop (default: the only one)' };

export class OpenShops {
  readonly log: EventLog;
  readonly directory: LiveShopDirectory;
  readonly #dataPath: string;
  readonly #changedShopIds = new Set<string>();
  #failure: Error | null = null;

  readonly #copy: LmdbEventLog;
  readonly #shared: SharedNode | null;

  constructor({ copy, shared }: OpenLog, plans: PlanTable, settings: Settings) {
    const log = shared?.log ?? copy;
    this.#copy = copy;
    this.#shared = shared;
    this.log = log;
    this.#dataPath = settings.dataPath;
    this.directory = new LiveShopDirectory({
      log,
      plans,
      clock: systemClock,
      ids: createIdSource(systemClock),
      logger: silentLogger,
      metrics: createMetrics(),
      limits: { ...DIRECTORY_LIMITS, itemsMax: settings.itemsMax },
      watch: NO_WATCH,
      onKeyRevoked: () => {},
      onFatal: (cause) => {
        this.#failure = cause;
      },
      ...(shared === null ? {} : { following: shared.node.follower }),
    });
  }

  /** Ids of shops, sorted: at least the first two. */
  async shopIds(): Promise<readonly string[]> {
    return this.#shared === null ? [...this.log.shopIds()] : this.#shared.shopIds();
  }

  /** The shop with this id; without an id, the only shop. */
  async shop(id: string | undefined): Promise<ShopActor> {
    if (id !== undefined) {
      return this.directory.load(id).catch((error: unknown) => {
        throw error instanceof UnknownShopError ? new CommandError(error.message) : error;
      });
    }
    const [first, second] = await this.shopIds();
    if (first === undefined)
      throw new CommandError("there is no shop yet: 'ratewright shop create' makes one");
    if (second !== undefined) throw new CommandError('there are several shops: name one with --shop ID');
    return this.directory.load(first);
  }

  /**
   * Resolves with the result once it is on disk; rejects with `CommandError` when the shop is no longer at the version
   * `ifMatch`, if one is given.
   */
  async write(shop: ShopActor, command: ShopCommand, ifMatch: string | null = null): Promise<CommandResult> {
    const results: CommandResult[] = [];
    const outcome = await shop.write({
      command,
      keyId: null,
      batchId: null,
      ifMatch,
      idempotency: null,
      render: (result) => {
        // A command that was overtaken is decided again; the last result is the one that was stored.
        results.push(result);
        return { status: 0, body: '' };
      },
    });
    const result = results.at(-1);
    this.valueOf(outcome);
    if (result === undefined) throw new CommandError('the write has no result', EXIT_CODES.internal);
    this.noteChange(shop.shopId);
    return result;
  }

  /**
   * Deletes the shop, unless a running server has writes of it waiting. Rejects with `CommandError`, and nothing is
   * deleted, when it does, or when the shop is written to at the same time.
   */
  async delete(shopId: string): Promise<void> {
    if (this.#shared !== null) {
      if (!(await this.#shared.deleteShop(shopId)))
        throw new CommandError(`${shopId} was written to at the same time: try again`);
      return;
    }
    const reply = await askServer(this.#dataPath, { kind: 'mayDelete', shopId });
    if (reply === 'refused') throw new CommandError(`the server has writes of ${shopId} waiting: try again`);
    if (reply === 'unconfirmed')
      throw new CommandError('the running server does not answer: nothing is deleted');
    const log = this.#copy;
    const isDeleted = await log.deletions.delete(shopId, log.lastSequenceNumber(shopId), systemClock.nowMs());
    if (!isDeleted) throw new CommandError(`${shopId} was written to at the same time: try again`);
    this.noteChange(shopId);
  }

  /** Removes the remaining data of a shop that was deleted; false when it was not deleted. */
  async completeDeletion(shopId: string): Promise<boolean> {
    if (this.#shared !== null || !this.#copy.deletions.wasDeleted(shopId)) return false;
    await this.#copy.deletions.removeRemains();
    return true;
  }

  /** `close` notifies a running server that this shop was changed or made. */
  noteChange(shopId: string): void {
    this.#changedShopIds.add(shopId);
  }

  /** Ends the work, notifies a running server of changed shops, and waits until its readers see the changes. */
  async close(): Promise<void> {
    await this.directory.close();
    if (this.#shared !== null) return;
    for (const shopId of this.#changedShopIds) {
      const reply = await askServer(this.#dataPath, { kind: 'changed', shopId });
      if (reply === 'unconfirmed' || reply === 'refused') {
        throw new CommandError('the change is stored, but the running server did not confirm it: restart it');
      }
    }
  }

  /** The value of an outcome; throws `CommandError` for a refusal. */
  valueOf<T>(outcome: Outcome<T>): T {
    if (outcome.ok) return outcome.value;
    throw this.refused(outcome);
  }

  refused(failure: Failure): CommandError {
    if (this.#failure === null) return new CommandError(failure.message);
    return new CommandError(`${failure.message}: ${this.#failure.message}`, EXIT_CODES.internal);
  }
}

type WithLogOptions = Pick<LmdbEventLogOptions, 'isReadOnly' | 'check'> & { readonly makesFolder?: boolean };

/**
 * Opens the log for `work` and closes it afterwards. Makes a missing folder only with `makesFolder`, because a command that
 * looks for a shop most likely got the wrong folder.
 */
export async function withLog<T>(
  settings: Settings,
  work: (log: LmdbEventLog) => Promise<T>,
  { makesFolder = false, isReadOnly = false, check = 'afterUncleanStop' }: WithLogOptions = {},
): Promise<T> {
  const isThere = existsSync(settings.dataPath);
  if (!makesFolder && !isThere) {
    throw new CommandError(`there is no data folder ${settings.dataPath} (RATEWRIGHT_DATA names it)`);
  }
  // A running server has checked the file that it has open.
  const isInUse = isThere && check === 'afterUncleanStop' && (await isServed(settings.dataPath));
  const log = openOwnLog(settings.dataPath, { isReadOnly, check: isInUse ? 'never' : check });
  try {
    return await work(log);
  } finally {
    await log.close();
  }
}

/** As `withLog`, for the shops in it; ends when every checkpoint under way is written. */
export async function withShops<T>(
  settings: Settings,
  work: (shops: OpenShops) => Promise<T>,
  makesFolder = false,
): Promise<T> {
  armFailpoint(readFailpoint());
  const plans = readPlans(settings);
  const workOnShops = async (opened: OpenLog): Promise<T> => {
    const shops = new OpenShops(opened, plans, settings);
    await opened.shared?.start({ shops: shops.directory, keys: NO_KEYS });
    try {
      return await work(shops);
    } finally {
      // Also after an error: a change may be stored although its result could not be printed.
      await shops.close();
    }
  };
  if (settings.databaseUrl !== null) return withNode(settings, workOnShops);
  return withLog(settings, (copy) => workOnShops({ copy, shared: null }), { makesFolder });
}

/** As `withShops`, for the shop that `--shop` names. */
export const withShop = <T>(
  input: CommandInput,
  work: (shop: ShopActor, shops: OpenShops) => T | Promise<T>,
): Promise<T> =>
  withShops(input.settings, async (shops) => work(await shops.shop(input.option('shop')), shops));

/** A command caches no keys. */
const NO_KEYS = { forgetShop: () => {}, forgetAll: () => {} };

/** The command is a node for as long as it works, with a mirror of its own beside that of a running server. */
async function withNode<T>(settings: Settings, work: (opened: OpenLog) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'ratewright-'));
  const closing: (() => Promise<void>)[] = [() => rm(folder, { recursive: true, force: true })];
  let failed: (cause: Error) => void = () => {};
  const failure = new Promise<never>((_, reject) => {
    failed = reject;
  });
  failure.catch(() => {});
  try {
    const opened = await openLog(
      { ...settings, dataPath: join(folder, 'mirror') },
      {
        logger: silentLogger,
        opened: (close) => closing.push(close),
        secrets: new SharedBox({ keyText: settings.secretKey }),
        onFatal: (cause) => failed(cause),
      },
    );
    closing.push(() => opened.shared?.stop() ?? Promise.resolve());
    return await Promise.race([work(opened), failure]);
  } finally {
    // A lost database cannot be told that this node leaves: the other nodes notice it by the missing beats.
    await closeInReverse(closing, () => {});
  }
}
