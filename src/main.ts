/** Composition root: builds the parts of the service in the order of their dependencies, and stops them in reverse. */
import { setTimeout as wait } from 'node:timers/promises';
import { LiveKeyRing } from './actor/key-ring.ts';
import { DIRECTORY_LIMITS, LiveShopDirectory } from './actor/shop-directory.ts';
import { Retention, startUpkeep } from './actor/upkeep.ts';
import { print } from './command-line/command.ts';
import {
  DEMO_SHOP_ID,
  giveDemoKey,
  keyText,
  prepareDemoShop,
  readDemoFile,
  welcomeText,
} from './command-line/demo-shop.ts';
import { CommandError, EXIT_CODES, reportError } from './command-line/exit-code.ts';
import { readPlans } from './command-line/plan-file.ts';
import { loadCalendars } from './compile/local-calendar.ts';
import { DataFolderServedError, openControlServer } from './control/control-server.ts';
import { LiveCoverage } from './coverage/live-coverage.ts';
import { HTTP_LIMITS, type ProcessPhase } from './http/dependencies.ts';
import { ListenError, type RunningServer, startServer } from './http/server.ts';
import { NoServerBinaryError } from './http/uws.ts';
import { AuthorityUnavailableError } from './log/authority.ts';
import { UnusableDataFileError } from './log/event-log.ts';
import { readDiskUse } from './log/lmdb/data-file.ts';
import { createMetrics } from './metrics/metrics.ts';
import { createPrometheus } from './metrics/prometheus.ts';
import { openLog } from './node/open-log.ts';
import type { SharedNode } from './node/shared-node.ts';
import { atIdleMoment } from './pace/idle-moment.ts';
import { settledWithin } from './pace/settled-within.ts';
import { systemClock } from './runtime/clock.ts';
import { closeInReverse } from './runtime/close-in-reverse.ts';
import { missingEngineFlags } from './runtime/engine-flags.ts';
import { armFailpoint } from './runtime/failpoint.ts';
import { createIdSource } from './runtime/id-source.ts';
import { createJsonLogger, logPrintedErrors } from './runtime/json-logger.ts';
import type { Logger } from './runtime/logger.ts';
import { packageVersion } from './runtime/package-files.ts';
import { asError } from './runtime/thrown-error.ts';
import { openFolderBox, SharedBox } from './secrets/secret-box.ts';
import { readFailpoint, type Settings, unknownSettings } from './settings.ts';
import { LiveShadow } from './shadow/live-shadow.ts';
import { AnswerPool, loadThreadLibrary, POOL_LIMITS, THREAD_LIMITS } from './worker/answer-pool.ts';

/** SIGHUP is sent by a closing terminal. */
const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
/** Milliseconds of a stop that are reserved for flushing after the last answers. */
const FLUSH_MS_MIN = 100;
/** Interval at which a node that could not join prepares the demo shop again. */
const JOIN_RETRY_MS = 1_000;
/** Time to send pending answers after the log has failed. */
const FAIL_MS_MAX = 200;

/** Serves until a signal or a failure ends the process. Rejects with `CommandError` when it cannot start. */
export async function serve(settings: Settings): Promise<never> {
  const service = new Service(settings);
  process.on('uncaughtException', (error) => service.fail(error));
  process.on('unhandledRejection', (reason) => service.fail(asError(reason)));
  for (const signal of STOP_SIGNALS) process.on(signal, () => service.stop(signal));
  try {
    await service.start();
  } catch (error) {
    await service.close();
    throw error;
  }
  // The sockets keep the process alive; a signal or a failure ends it.
  return new Promise(() => {});
}

class Service {
  readonly #settings: Settings;
  readonly #logger: Logger;
  /** Functions that close the opened parts, in the order of opening. */
  readonly #opened: (() => Promise<void>)[] = [];
  #isReady = false;
  /** False for a node of a cluster that has not prepared the demo shop yet. */
  #hasJoined = true;
  #isStopping = false;
  #isFailed = false;
  #server: RunningServer | null = null;

  constructor(settings: Settings) {
    this.#settings = settings;
    this.#logger = createJsonLogger(settings.logLevel);
    logPrintedErrors(this.#logger);
  }

  async start(): Promise<void> {
    const settings = this.#settings;
    const logger = this.#logger;
    const clock = systemClock;
    const startMs = clock.monotonicMs();
    for (const name of unknownSettings()) logger.warn('settings.unknown', { variable: name });
    armFailpoint(readFailpoint());
    loadCalendars();
    const plans = readPlans(settings);
    const sharedBox = new SharedBox({ keyText: settings.secretKey });
    const { copy, shared } = await openLog(settings, {
      logger,
      opened: (close) => this.#opened.push(close),
      secrets: sharedBox,
      onFatal: (cause) => this.fail(cause),
    });
    const log = shared?.log ?? copy;
    const secrets =
      shared === null
        ? openFolderBox({ keyText: settings.secretKey, dataFolder: settings.dataPath })
        : sharedBox;

    const metrics = createMetrics();
    const coverage = new LiveCoverage({ log, clock, logger });
    const { metricsShops, dataPath: dataFolder, itemsMax } = settings;
    const pool = new AnswerPool({
      thread: { ...THREAD_LIMITS, dataFolder, itemsMax, plans },
      threads: settings.poolThreads,
      limits: POOL_LIMITS,
      logger,
      metrics,
    });
    this.#opened.push(() => pool.close());
    const prometheus = createPrometheus({
      metrics,
      disk: () => readDiskUse(dataFolder),
      pool: () => pool.reading(),
      ...(metricsShops === 0 ? {} : { largestShops: () => coverage.largest(metricsShops) }),
      ...(shared === null ? {} : { refresh: shared.meterIn(metrics) }),
      version: packageVersion(),
    });
    const ids = createIdSource(clock);
    const lookUp =
      shared === null
        ? {}
        : { lookup: shared.keyLookup, hasKeysOf: (shopId: string) => shared.hasKeysOf(shopId) };
    const keys = new LiveKeyRing({ log, clock, logger, ...lookUp });
    const shadow = new LiveShadow({ log, clock, logger, metrics, limits: settings });
    for (const counts of [shadow, coverage]) this.#opened.push(() => counts.close());
    const shops = new LiveShopDirectory({
      log,
      clock,
      ids,
      logger,
      metrics,
      plans,
      limits: { ...DIRECTORY_LIMITS, itemsMax },
      watch: shadow,
      uses: coverage,
      onKeyRevoked: (keyId) => keys.forget(keyId),
      onFatal: (cause) => this.fail(cause),
      ...(shared === null ? {} : { following: shared.node.follower, onDamaged: shared.noteDamaged }),
    });
    const loadedPlan = (shopId: string) => shops.peek(shopId)?.state.settings.plan;
    const bringUpToDate =
      shared === null ? {} : { bringUpToDate: (shopId: string) => shared.node.follower.mirrorTail(shopId) };
    const retention = new Retention({ log, plans, clock, logger, metrics, loadedPlan, ...bringUpToDate });
    await this.#openControl(shops, keys);
    this.#opened.push(() => shops.close());
    const alone =
      shared === null
        ? {}
        : { alone: (work: () => Promise<void>) => shared.authority.alone('retention', work) };
    this.#opened.push(startUpkeep({ log, keys, clock, logger, retention, ...alone }));
    if (shared !== null) {
      this.#opened.push(() => shared.stop());
      await this.#join(shared, shops, keys);
    }

    const isWanted = shared === null && !copy.deletions.wasDeleted(DEMO_SHOP_ID);
    const unfinished = isWanted ? await prepareDemoShop(log, shops) : null;
    await loadThreadLibrary();
    const server = await startServer(
      {
        keys,
        shops,
        plans,
        shadow,
        coverage,
        pool,
        clock,
        logger,
        secrets,
        newSeed: ids.next,
        metrics,
        metricsText: prometheus.text,
        ...(shared === null
          ? {}
          : {
              freshness: (shopId: string) => shared.node.freshness(shopId),
              catchUp: (shopId: string) => shared.node.follower.catchUp(shopId),
              upToDate: (shopId: string) => shared.node.upToDate(shopId),
              onDamaged: shared.noteDamaged,
              planShare: (rate: number) => shared.node.planShare(rate),
            }),
        phase: () => this.#phase(shared),
      },
      { ...HTTP_LIMITS, ...settings },
    ).catch((error: unknown) => {
      if (error instanceof NoServerBinaryError) throw new CommandError(error.message);
      if (!(error instanceof ListenError)) throw error;
      const { refused, usage } = EXIT_CODES;
      throw new CommandError(error.message, error.obstacle === 'noSuchAddress' ? usage : refused);
    });
    this.#server = server;
    this.#opened.push(() => this.#closeServer(server, settings.stopMs - FLUSH_MS_MIN));
    const stopWaiting = atIdleMoment(() => void pool.prepare());
    this.#opened.push(async () => stopWaiting());
    // Last, because the secret is shown only once: nothing can fail after it. A key that cannot be shown is not stored.
    const show = (secret: string) => print(keyText(secret));
    const demoKey = unfinished === null ? null : await giveDemoKey(unfinished, settings.demoKey, show);
    this.#isReady = true;
    const startedMs = Math.round(clock.monotonicMs() - startMs);
    logger.info('service.started', { host: settings.host, port: server.port, startedMs });
    const missing = missingEngineFlags();
    if (missing.length > 0) {
      const hint = 'slower than necessary: the command ratewright starts Node with these flags';
      logger.info('engine.flags_missing', { flags: missing.join(' '), hint });
    }
    process.stdout.write(welcomeText(settings.host, server.port, demoKey));
  }

  /**
   * Joins the cluster and makes the demo shop. Where the database cannot be reached this is tried again while the node
   * serves, as one does that has lost its database.
   */
  async #join(shared: SharedNode, shops: LiveShopDirectory, keys: LiveKeyRing): Promise<void> {
    const show = (secret: string) => print(keyText(secret));
    const prepare = async (read?: typeof readDemoFile): Promise<boolean> => {
      await shared.prepareDemoShop(async (shopIds) => {
        const made = await prepareDemoShop({ shopIds: () => shopIds }, shops, read);
        if (made !== null) await giveDemoKey(made, this.#settings.demoKey, show);
      });
      return true;
    };
    const isJoined = (joining: Promise<boolean>): Promise<boolean> =>
      joining.catch((error: unknown) => {
        if (error instanceof AuthorityUnavailableError) return false;
        throw error;
      });
    const joinLater = async (): Promise<void> => {
      // Read now: a service that has started compiles no schemas.
      const file = readDemoFile();
      do await wait(JOIN_RETRY_MS, undefined, { ref: false });
      while (!(await isJoined(shared.untilCurrent().then(() => prepare(() => file)))));
      this.#hasJoined = true;
    };
    this.#hasJoined = await isJoined(shared.start({ shops, keys }).then(() => prepare()));
    if (!this.#hasJoined) joinLater().catch((error: unknown) => this.fail(asError(error)));
  }

  /** Called before any state is loaded, so that no change of a command is missed. */
  async #openControl(shops: LiveShopDirectory, keys: LiveKeyRing): Promise<void> {
    const control = await openControlServer({
      dataFolder: this.#settings.dataPath,
      logger: this.#logger,
      onShopChanged: async (shopId) => {
        // The change is in the log, so keys that are looked up from now on are current.
        keys.forgetShop(shopId);
        await shops.refresh(shopId);
      },
      mayDelete: async (shopId) => !shops.peek(shopId)?.isBusy,
    }).catch((error: unknown) => {
      const { message } = asError(error);
      const isServed = error instanceof DataFolderServedError;
      throw new CommandError(isServed ? message : `no socket can be made for commands: ${message}`);
    });
    this.#opened.push(() => control.close());
  }

  #phase(shared: SharedNode | null): ProcessPhase {
    if (this.#isFailed) return 'failed';
    if (!this.#isReady) return 'starting';
    if (shared !== null && !shared.node.isCurrent) return 'outdated';
    return this.#hasJoined ? 'ready' : 'starting';
  }

  /** Closes all opened parts, the last first. Resolves with false when one of them could not be closed. */
  close(): Promise<boolean> {
    return closeInReverse(this.#opened, (error) => this.#logger.error('service.close_failed', { error }));
  }

  /**
   * Stops accepting, answers pending requests, flushes and exits with 0; during the start it exits at once. Ignores further
   * signals: after Ctrl-C two arrive, from the terminal and from npm.
   */
  stop(signal: NodeJS.Signals): void {
    if (this.#isStopping) return;
    if (this.#server === null) process.exit(EXIT_CODES.done);
    this.#isStopping = true;
    this.#logger.info('service.stopping', { signal });
    const exit = (isComplete: boolean): void => {
      // The failure ends the process.
      if (this.#isFailed) return;
      this.#logger[isComplete ? 'info' : 'warn']('service.stopped', { isComplete });
      process.exit(EXIT_CODES.done);
    };
    setTimeout(exit, this.#settings.stopMs, false).unref();
    void this.close().then(exit);
  }

  /**
   * After a failure of the log, or a bug: nothing is retried or written any more. Pending answers are sent for a moment,
   * then the process exits with 70, and the next start recovers; or with 64 or 65 when the database must not be used.
   */
  fail(cause: Error): void {
    if (this.#isFailed) return;
    this.#isFailed = true;
    const isRefusal = cause instanceof UnusableDataFileError;
    if (!isRefusal) this.#logger.fatal('service.failed', { error: cause });
    const exit = (): void => {
      const exitCode = isRefusal ? reportError('serve', cause) : EXIT_CODES.internal;
      void Promise.resolve(exitCode).then((code) => process.exit(code));
    };
    if (this.#server === null) exit();
    else void this.#closeServer(this.#server, FAIL_MS_MAX).then(exit);
  }

  /** Answers pending requests for at most `ms` milliseconds, then closes all connections. */
  async #closeServer(server: RunningServer, ms: number): Promise<void> {
    await settledWithin(ms, server.drain());
    server.close();
  }
}
