/** Composition root: what a serving process is made of, in the order of its start. */

import { createMetrics } from '../base/metrics/metrics.ts';
import { createPrometheus } from '../base/metrics/prometheus.ts';
import { atIdleMoment } from '../base/pace/idle-moment.ts';
import { systemClock as clock } from '../base/runtime/clock.ts';
import { missingEngineFlags } from '../base/runtime/engine-flags.ts';
import { armFailpoint } from '../base/runtime/failpoint.ts';
import { createIdSource } from '../base/runtime/id-source.ts';
import { createJsonLogger, logPrintedErrors } from '../base/runtime/json-logger.ts';
import type { Logger } from '../base/runtime/logger.ts';
import { packageVersion } from '../base/runtime/package-files.ts';
import { asError } from '../base/runtime/thrown-error.ts';
import { openFolderBox, SharedBox } from '../base/secrets/secret-box.ts';
import { loadCalendars } from '../engine/compile/local-calendar.ts';
import { LiveKeyRing } from '../shop/actor/key-ring.ts';
import { DIRECTORY_LIMITS, LiveShopDirectory } from '../shop/actor/shop-directory.ts';
import { Retention, startUpkeep } from '../shop/actor/upkeep.ts';
import { LiveCoverage } from '../shop/coverage/live-coverage.ts';
import { AnswerPool, loadThreadLibrary, POOL_LIMITS, THREAD_LIMITS } from '../shop/pool/answer-pool.ts';
import { LiveShadow } from '../shop/shadow/live-shadow.ts';
import { readDiskUse } from '../store/log/lmdb/data-file.ts';
import { nodeParts } from '../store/node/node-parts.ts';
import { openLog } from '../store/node/open-log.ts';
import {
  DEMO_SHOP_ID,
  giveDemoKey,
  joinCluster,
  prepareDemoShop,
  showKey,
  welcomeText,
} from './command-line/demo-shop.ts';
import { CommandError, EXIT_CODES } from './command-line/exit-code.ts';
import { readPlans } from './command-line/plan-file.ts';
import { DataFolderServedError, openControlServer } from './control/control-server.ts';
import { HTTP_LIMITS, type ProcessPhase } from './http/dependencies.ts';
import { ListenError, startServer } from './http/server.ts';
import { NoServerBinaryError } from './http/uws.ts';
import { Lifecycle } from './lifecycle.ts';
import { readFailpoint, type Settings, unknownSettings } from './settings.ts';

/** SIGHUP is sent by a closing terminal. */
const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Serves until a signal or a failure ends the process. Rejects with `CommandError` when it cannot start. */
export async function serve(settings: Settings): Promise<never> {
  const logger = createJsonLogger(settings.logLevel);
  logPrintedErrors(logger);
  const lifecycle = new Lifecycle(logger, settings.stopMs);
  process.on('uncaughtException', lifecycle.fail);
  process.on('unhandledRejection', (reason) => lifecycle.fail(asError(reason)));
  for (const signal of STOP_SIGNALS) process.on(signal, lifecycle.stop);
  try {
    await start(settings, logger, lifecycle);
  } catch (error) {
    await lifecycle.close();
    throw error;
  }
  // The sockets keep the process alive; a signal or a failure ends it.
  return new Promise(() => {});
}

async function start(settings: Settings, logger: Logger, lifecycle: Lifecycle): Promise<void> {
  const { dataPath: dataFolder, secretKey: keyText, itemsMax, metricsShops } = settings;
  const { opened, fail: onFatal } = lifecycle;
  const startMs = clock.monotonicMs();
  for (const name of unknownSettings()) logger.warn('settings.unknown', { variable: name });
  armFailpoint(readFailpoint());
  loadCalendars();
  const plans = readPlans(settings);

  const sharedBox = new SharedBox({ keyText });
  const { copy, shared } = await openLog(settings, { logger, opened, secrets: sharedBox, onFatal });
  const log = shared?.log ?? copy;
  const secrets = shared === null ? openFolderBox({ keyText, dataFolder }) : sharedBox;
  const metrics = createMetrics();
  const node = nodeParts(shared, metrics);

  const coverage = new LiveCoverage({ log, clock, logger });
  const thread = { ...THREAD_LIMITS, dataFolder, itemsMax, plans };
  const pool = new AnswerPool({
    thread,
    threads: settings.poolThreads,
    limits: POOL_LIMITS,
    logger,
    metrics,
  });
  opened(() => pool.close());
  const prometheus = createPrometheus({
    metrics,
    disk: () => readDiskUse(dataFolder),
    pool: () => pool.reading(),
    ...(metricsShops === 0 ? {} : { largestShops: () => coverage.largest(metricsShops) }),
    ...node.metrics,
    version: packageVersion(),
  });
  const ids = createIdSource(clock);
  const keys = new LiveKeyRing({ log, clock, logger, ...node.keys });
  const shadow = new LiveShadow({ log, clock, logger, metrics, limits: settings });
  for (const counts of [shadow, coverage]) opened(() => counts.close());
  const shops = new LiveShopDirectory({
    ...{ log, clock, ids, logger, metrics, plans },
    limits: { ...DIRECTORY_LIMITS, itemsMax },
    watch: shadow,
    uses: coverage,
    onKeyRevoked: (keyId) => keys.forget(keyId),
    onFatal,
    ...node.shops,
  });
  // Before any state is loaded, so that no change of a command is missed.
  opened(await openControl(dataFolder, logger, shops, keys));
  opened(() => shops.close());
  const loadedPlan = (shopId: string) => shops.peek(shopId)?.state.settings.plan;
  const retention = new Retention({ log, plans, clock, logger, metrics, loadedPlan, ...node.retention });
  opened(startUpkeep({ log, keys, clock, logger, retention, ...node.upkeep }));

  let hasJoined = () => true;
  if (shared !== null) {
    opened(() => shared.stop());
    hasJoined = await joinCluster(shared, { shops, keys }, settings.demoKey, onFatal);
  }
  const isDemoWanted = shared === null && !copy.deletions.wasDeleted(DEMO_SHOP_ID);
  const unfinishedDemo = isDemoWanted ? await prepareDemoShop(log, shops) : null;

  let isReady = false;
  const phase = (): ProcessPhase => {
    if (lifecycle.hasFailed) return 'failed';
    if (!isReady) return 'starting';
    if (shared !== null && !shared.node.isCurrent) return 'outdated';
    return hasJoined() ? 'ready' : 'starting';
  };
  await loadThreadLibrary();
  const server = await startServer(
    {
      ...{ keys, shops, plans, shadow, coverage, pool, clock, logger, secrets, metrics, phase },
      newSeed: ids.next,
      metricsText: prometheus.text,
      ...node.http,
    },
    { ...HTTP_LIMITS, ...settings },
  ).catch(refuseStart);
  lifecycle.serves(server, () => pool.refuse());
  const stopWaiting = atIdleMoment(() => void pool.prepare());
  opened(async () => stopWaiting());
  // Last, because the secret is shown only once: nothing can fail after it. A key that cannot be shown is not stored.
  const demoKey =
    unfinishedDemo === null ? null : await giveDemoKey(unfinishedDemo, settings.demoKey, showKey);
  isReady = true;
  const startedMs = Math.round(clock.monotonicMs() - startMs);
  logger.info('service.started', { host: settings.host, port: server.port, startedMs });
  const missing = missingEngineFlags();
  if (missing.length > 0) {
    const hint = 'slower than necessary: the command ratewright starts Node with these flags';
    logger.info('engine.flags_missing', { flags: missing.join(' '), hint });
  }
  process.stdout.write(welcomeText(settings.host, server.port, demoKey));
}

/** Commands say here which shop they changed. Resolves with the function that closes it. */
async function openControl(
  dataFolder: string,
  logger: Logger,
  shops: LiveShopDirectory,
  keys: LiveKeyRing,
): Promise<() => Promise<void>> {
  const control = await openControlServer({
    dataFolder,
    logger,
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
  return () => control.close();
}

function refuseStart(error: unknown): never {
  if (error instanceof NoServerBinaryError) throw new CommandError(error.message);
  if (!(error instanceof ListenError)) throw error;
  const { refused, usage } = EXIT_CODES;
  throw new CommandError(error.message, error.obstacle === 'noSuchAddress' ? usage : refused);
}
