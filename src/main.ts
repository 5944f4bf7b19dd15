/**
 * Composition root: builds the parts of the service in the order of their dependencies, and stops them in reverse.
 * Nothing else knows all of them.
 */
import { hostname } from 'node:os';
import { join } from 'node:path';
import { LiveKeyRing } from './actor/key-ring.ts';
import { LiveShopDirectory } from './actor/shop-directory.ts';
import { Retention, startUpkeep } from './actor/upkeep.ts';
import { shareOf } from './cluster/plan-shares.ts';
import { print } from './command-line/command.ts';
import {
  DEMO_SHOP_ID,
  giveDemoKey,
  keyText,
  prepareDemoShop,
  welcomeText,
} from './command-line/demo-shop.ts';
import { CommandError, EXIT_CODES } from './command-line/exit-code.ts';
import { readPlans } from './command-line/plan-file.ts';
import { loadCalendars } from './compile/local-calendar.ts';
import { DataFolderServedError, openControlServer } from './control/control-server.ts';
import { LiveCoverage } from './coverage/live-coverage.ts';
import type { ProcessPhase } from './http/dependencies.ts';
import { ListenError, type RunningServer, startServer } from './http/server.ts';
import { NoServerBinaryError } from './http/uws.ts';
import { readDiskUse } from './log/lmdb/data-file.ts';
import type { LmdbEventLog } from './log/lmdb/lmdb-event-log.ts';
import { createMetrics } from './metrics/metrics.ts';
import { createPrometheus } from './metrics/prometheus.ts';
import { openLog } from './node/open-log.ts';
import type { SharedNode } from './node/shared-node.ts';
import { atIdleMoment } from './pace/idle-moment.ts';
import { settledWithin } from './pace/settled-within.ts';
import { otherMetrics } from './processes/other-metrics.ts';
import { answersFrom, otherCounters, recentOfOthers, shadowKeeper } from './processes/shared-counts.ts';
import type { Siblings } from './processes/siblings.ts';
import { WriteTurns } from './processes/write-turns.ts';
import { systemClock } from './runtime/clock.ts';
import { missingEngineFlags } from './runtime/engine-flags.ts';
import { armFailpoint } from './runtime/failpoint.ts';
import { createIdSource } from './runtime/id-source.ts';
import { createJsonLogger } from './runtime/json-logger.ts';
import type { Logger } from './runtime/logger.ts';
import { packageVersion } from './runtime/package-files.ts';
import { keepDebuggerClosed, refuseCodeFromText } from './runtime/process-guard.ts';
import { asError } from './runtime/thrown-error.ts';
import { createSecretBox } from './secrets/secret-box.ts';
import { type Settings, unknownSettings } from './settings.ts';
import { LiveShadow } from './shadow/live-shadow.ts';
import { ANSWER_KINDS, HeavyWork } from './worker/heavy-work.ts';
import { loadThreadLibrary, WorkerPool } from './worker/worker-pool.ts';

/** SIGHUP is sent by a closing terminal. */
const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
/** Part of the time for a stop that is reserved for flushing after the last answers. */
const FLUSH_MS_MIN = 100;
/** Idle threads give their memory back after this long. */
const BACKGROUND_IDLE_MS = 30_000;
/** A client waits while such a thread starts and compiles, so these stay longer. */
const ANSWER_IDLE_MS = 600_000;
/** Time for answers to leave the process after the log failed. */
const FAIL_MS_MAX = 200;
/** Time for a process that was ended to be gone, before the one that started it goes. */
const PROCESS_END_MS = 100;

/** Serves until a signal or a failure ends the process. Rejects with `CommandError` when it cannot start. */
export const serve = (settings: Settings): Promise<never> => run(new Service(settings, null));

/** As `serve`, as one of several processes. */
export function serveAsOne(settings: Settings, siblings: Siblings): Promise<never> {
  const port = siblings.place.port ?? settings.port;
  const service = new Service({ ...settings, port, stopMs: settings.stopMs - PROCESS_END_MS }, siblings);
  // The server was killed, and this process with it: nobody would hear of its writes.
  void siblings.orphaned.then(() => process.kill(process.pid, 'SIGKILL'));
  return run(service);
}

async function run(service: Service): Promise<never> {
  process.on('uncaughtException', (error) => service.fail(error));
  process.on('unhandledRejection', (reason) => service.fail(asError(reason)));
  for (const signal of STOP_SIGNALS) process.on(signal, () => service.stop(signal));
  keepDebuggerClosed();
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
  /** Folder of the log, or of this node's copy of it. */
  readonly #copyPath: string;
  /** What was opened, in that order: how each part is closed. */
  readonly #opened: (() => Promise<void>)[] = [];
  #isReady = false;
  #isStopping = false;
  #isFailed = false;
  #server: RunningServer | null = null;
  /** null where this process is the only one. */
  readonly #siblings: Siblings | null;

  constructor(settings: Settings, siblings: Siblings | null) {
    this.#siblings = siblings;
    this.#logger = createJsonLogger(settings.logLevel);
    // Over a database each of several processes is a node of its own, with a copy of its own.
    const isNode = siblings !== null && settings.databaseUrl !== null;
    const name = isNode ? `process-${siblings.place.index + 1}` : null;
    this.#copyPath = name === null ? settings.dataPath : join(settings.dataPath, name);
    const nodeName = name === null ? settings.nodeName : `${settings.nodeName ?? hostname()}-${name}`;
    this.#settings = { ...settings, nodeName };
  }

  async start(): Promise<void> {
    const settings = this.#settings;
    const logger = this.#logger;
    const clock = systemClock;
    const startMs = clock.monotonicMs();
    if (this.#siblings?.isFirst !== false) {
      const missing = missingEngineFlags();
      if (missing.length > 0) logger.info('engine.flags_missing', { flags: missing.join(' ') });
      for (const name of unknownSettings()) logger.warn('settings.unknown', { variable: name });
    }
    armFailpoint(settings.failpoint);
    loadCalendars();
    const plans = readPlans(settings);
    const siblings = this.#siblings;
    const turns = siblings === null ? null : new WriteTurns(siblings);
    const dataPath = this.#copyPath;
    const { copy, shared } = await openLog(
      { ...settings, dataPath },
      {
        logger,
        opened: (close) => this.#opened.push(close),
        onFatal: (cause) => this.fail(cause),
        ...(turns === null ? {} : { others: turns }),
      },
    );
    const log = shared?.log ?? copy;
    /** The other processes, where they answer from the same log. */
    const sharers = shared === null ? siblings : null;
    const isFirst = sharers === null || sharers.isFirst;

    const metrics = createMetrics();
    const coverage = new LiveCoverage({
      log,
      clock,
      logger,
      ...(sharers === null ? {} : { others: otherCounters(sharers) }),
    });
    const { metricsShops } = settings;
    const prometheus = createPrometheus({
      metrics,
      ...(siblings === null ? {} : { otherProcesses: otherMetrics(siblings) }),
      disk: () => readDiskUse(dataPath),
      ...(metricsShops === 0 ? {} : { largestShops: () => coverage.largest(metricsShops) }),
      ...(shared === null ? {} : { refresh: shared.meterIn(metrics) }),
      version: packageVersion(),
    });
    const ids = createIdSource(clock);
    const questions = shared === null ? {} : { questions: shared.questions };
    const keys = new LiveKeyRing({ log, clock, logger, limits: settings, ...questions });
    const worker = {
      dataFolder: dataPath,
      shopsKeptMax: settings.poolShopsMax,
      versionCacheBytesMax: settings.versionCacheBytesMax,
      itemsMax: settings.itemsMax,
      plans,
    };
    const pool = new WorkerPool({
      worker: { ...worker, isBackground: true },
      kinds: ['shadowBatch'],
      threads: settings.poolThreads,
      deadlineMs: settings.poolDeadlineMs,
      idleMs: BACKGROUND_IDLE_MS,
      meter: metrics.pools.background,
    });
    const answerPool = new WorkerPool({
      worker: { ...worker, isBackground: false },
      kinds: [...ANSWER_KINDS, 'shadowBatch'],
      threads: settings.heavyThreads,
      deadlineMs: settings.heavyDeadlineMs,
      idleMs: ANSWER_IDLE_MS,
      threadsKept: 1,
      meter: metrics.pools.answers,
    });
    for (const threads of [pool, answerPool]) this.#opened.push(() => threads.close());
    const heavy = new HeavyWork({ pool: answerPool, logger, metrics, limits: settings });
    const shadow = new LiveShadow({
      log,
      pool,
      answerPool,
      logger,
      metrics,
      limits: settings,
      ...(siblings === null ? {} : { recentOfOthers: (shopId) => recentOfOthers(siblings, shopId) }),
      ...(sharers === null || isFirst ? {} : { keeper: shadowKeeper(sharers) }),
    });
    for (const counts of [shadow, coverage]) this.#opened.push(() => counts.close());
    const shops = new LiveShopDirectory({
      log,
      clock,
      ids,
      logger,
      metrics,
      plans,
      limits: settings,
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
    const metricsHere = () => prometheus.text();
    // One process gives the numbers, so that those of Node are of one process whoever is asked.
    const metricsText =
      siblings === null || siblings.isFirst
        ? metricsHere
        : async () => (await siblings.askFirst({ kind: 'metricsText' })) ?? metricsHere();
    if (siblings !== null && turns !== null) {
      const { index } = siblings.place;
      const { numbers } = prometheus;
      siblings.answerWith(answersFrom({ index, turns, shops, keys, shadow, coverage, numbers, metricsText }));
    }
    if (isFirst) await this.#openControl(copy, shops, keys);
    this.#opened.push(() => shops.close());
    const place = sharers === null ? {} : { place: sharers };
    const alone =
      shared === null
        ? {}
        : { alone: (work: () => Promise<void>) => shared.authority.alone('retention', work) };
    this.#opened.push(startUpkeep({ log, keys, clock, logger, retention, ...alone, ...place }));
    if (shared !== null) {
      await shared.start({ shops, keys });
      this.#opened.push(() => shared.stop());
    }

    const isWanted = shared === null && isFirst && !copy.deletions.wasDeleted(DEMO_SHOP_ID);
    const unfinished = isWanted ? await prepareDemoShop(log, shops) : null;
    const show = (secret: string) => print(keyText(secret));
    await shared?.prepareDemoShop(async (shopIds) => {
      const made = await prepareDemoShop({ shopIds: () => shopIds }, shops);
      if (made !== null) await giveDemoKey(made, settings.demoKey, show);
    });
    await loadThreadLibrary();
    const server = await startServer(
      {
        keys,
        shops,
        plans,
        shadow,
        coverage,
        heavy,
        clock,
        logger,
        secrets: createSecretBox({ keyText: settings.secretKey, dataFolder: settings.dataPath }),
        newSeed: ids.next,
        metrics,
        metricsText,
        ...(shared === null
          ? planShareOf(siblings)
          : {
              freshness: (shopId: string) => shared.node.freshness(shopId),
              catchUp: (shopId: string) => shared.node.follower.catchUp(shopId),
              onDamaged: shared.noteDamaged,
              planShare: (rate: number, windowMs: number) => shared.node.planShare(rate, windowMs),
            }),
        phase: () => this.#phase(shared),
      },
      settings,
      siblings === null ? 'alone' : siblings.place.port === null ? 'first' : 'joining',
    ).catch((error: unknown) => {
      if (error instanceof NoServerBinaryError) throw new CommandError(error.message);
      if (!(error instanceof ListenError)) throw error;
      const { refused, usage } = EXIT_CODES;
      throw new CommandError(error.message, error.obstacle === 'noSuchAddress' ? usage : refused);
    });
    this.#server = server;
    // The first process keeps what the others still count.
    if (sharers?.isFirst) this.#opened.push(async () => void (this.#isStopping && (await sharers.alone)));
    this.#opened.push(() => this.#closeServer(server, settings.stopMs - FLUSH_MS_MIN));
    await siblings?.listening(server.port);
    const stopWaiting = atIdleMoment(() => void answerPool.prepare());
    this.#opened.push(async () => stopWaiting());
    // Last, when nothing can go wrong any more: its secret is shown only once, and not stored when it cannot be shown.
    const demoKey = unfinished === null ? null : await giveDemoKey(unfinished, settings.demoKey, show);
    refuseCodeFromText();
    this.#isReady = true;
    const startedMs = Math.round(clock.monotonicMs() - startMs);
    logger.info('service.started', { host: settings.host, port: server.port, startedMs });
    if (siblings?.isFirst !== false) process.stdout.write(welcomeText(settings.host, server.port, demoKey));
  }

  /** Before any state is loaded, so that no change of a command falls between the two. */
  async #openControl(log: LmdbEventLog, shops: LiveShopDirectory, keys: LiveKeyRing): Promise<void> {
    const control = await openControlServer({
      dataFolder: this.#copyPath,
      logger: this.#logger,
      onShopChanged: async (shopId) => {
        // The log has the change: a key that is looked up from here on is found as it is now, or not at all.
        keys.forgetShop(shopId);
        const upTo = log.lastSequenceNumber(shopId) || Number.POSITIVE_INFINITY;
        await Promise.all([shops.refresh(shopId), this.#siblings?.written(shopId, upTo, true)]);
      },
      mayDelete: async (shopId) =>
        !shops.peek(shopId)?.isBusy && (await this.#siblings?.areIdle(shopId)) !== false,
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
    return shared === null || shared.node.isCurrent ? 'ready' : 'outdated';
  }

  /** Closes whatever was opened, the last first. A part that cannot be closed does not hold up the others. */
  async close(): Promise<void> {
    for (const close of this.#opened.splice(0).reverse()) {
      try {
        await close();
      } catch (error) {
        this.#logger.error('service.close_failed', { error: asError(error) });
      }
    }
  }

  /**
   * Stops accepting, answers what is in flight, flushes, exits with 0; at once during the start, when there is
   * nothing to answer. A further signal changes nothing: of Ctrl-C two arrive, that of the terminal and the one
   * that npm passes on.
   */
  stop(signal: NodeJS.Signals): void {
    if (this.#isStopping) return;
    if (this.#server === null) {
      process.exit(EXIT_CODES.done);
    }
    this.#isStopping = true;
    this.#logger.info('service.stopping', { signal });
    const exit = (isComplete: boolean): void => {
      this.#logger.info('service.stopped', { isComplete });
      process.exit(EXIT_CODES.done);
    };
    setTimeout(exit, this.#settings.stopMs, false).unref();
    void this.close().then(() => exit(true));
  }

  /**
   * The log failed, or a bug came to light: nothing is retried and nothing more is written. What is being
   * answered gets a moment to leave, then the process ends with 70, and recovers at its next start.
   */
  fail(cause: Error): void {
    if (this.#isFailed) return;
    this.#isFailed = true;
    this.#logger.fatal('service.failed', { error: cause });
    const exit = (): void => process.exit(EXIT_CODES.internal);
    if (this.#server === null) exit();
    else {
      void this.#closeServer(this.#server, FAIL_MS_MAX).then(exit);
    }
  }

  /** Answers what is in flight, for `ms` at most, and closes every connection. */
  async #closeServer(server: RunningServer, ms: number): Promise<void> {
    await settledWithin(ms, server.drain());
    server.close();
  }
}

/** Each process lets through its share of a plan's rate. */
const planShareOf = (siblings: Siblings | null) =>
  siblings === null ? {} : { planShare: (rate: number) => shareOf(rate, siblings.place) };
