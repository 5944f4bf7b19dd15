/** The parts of the service, in the order of their start: for a server, and for a command that works without one. */

import { createMetrics } from '../base/metrics/metrics.ts';
import { createPrometheus } from '../base/metrics/prometheus.ts';
import { settledWithin } from '../base/pace/settled-within.ts';
import { systemClock as clock } from '../base/runtime/clock.ts';
import { armFailpoint } from '../base/runtime/failpoint.ts';
import { createIdSource } from '../base/runtime/id-source.ts';
import type { Logger } from '../base/runtime/logger.ts';
import { packageVersion } from '../base/runtime/package-files.ts';
import { asError } from '../base/runtime/thrown-error.ts';
import { openFolderBox, SharedBox } from '../base/secrets/secret-box.ts';
import { registeredTracer } from '../base/tracing/registered-tracer.ts';
import { loadCalendars } from '../engine/compile/local-calendar.ts';
import { LiveKeyRing } from '../shop/actor/key-ring.ts';
import { DIRECTORY_LIMITS, LiveShopDirectory } from '../shop/actor/shop-directory.ts';
import { Retention, startUpkeep } from '../shop/actor/upkeep.ts';
import { LiveCoverage } from '../shop/coverage/live-coverage.ts';
import { AnswerPool, POOL_LIMITS, THREAD_LIMITS } from '../shop/pool/answer-pool.ts';
import { LiveShadow } from '../shop/shadow/live-shadow.ts';
import { readDiskUse } from '../store/log/lmdb/data-file.ts';
import { nodeParts } from '../store/node/node-parts.ts';
import { openLog } from '../store/node/open-log.ts';
import { CommandError } from './command-line/exit-code.ts';
import { readPlans } from './command-line/plan-file.ts';
import { HTTP_LIMITS, type ProcessPhase } from './http/dependencies.ts';
import { HttpServer } from './http/server.ts';
import { NoServerBinaryError } from './http/uws.ts';
import { claimFolder, FolderClaimError, type OwnerKind, waitForFolder } from './operator/folder-socket.ts';
import { OperatorService } from './operator/operator-service.ts';
import { readFailpoint, type Settings } from './settings.ts';

/** How long a stop waits until the last spans are passed on. */
const SPANS_MS_MAX = 500;

/** The process that the service runs in. */
interface ServiceHost {
  readonly kind: OwnerKind;
  readonly logger: Logger;
  /** A part was opened: the function closes it. */
  readonly opened: (close: () => Promise<void>) => void;
  readonly onFatal: (cause: Error) => void;
  /** `isCurrent`: answers need no mark. */
  readonly phase: (isCurrent: () => boolean) => ProcessPhase;
}

/**
 * Opens the log and makes the parts; claims the data folder before any state is loaded. The server listens on the socket of
 * the folder then, and answers once it is opened. Rejects with `DataFolderServedError`, and with `CommandError` for what else
 * an operator must change.
 */
export async function openService(settings: Settings, host: ServiceHost) {
  const { dataPath: dataFolder, secretKey: keyText, itemsMax, metricsShops } = settings;
  const { logger, opened, onFatal } = host;
  armFailpoint(readFailpoint());
  loadCalendars();
  const plans = readPlans(settings);
  const tracer = registeredTracer(packageVersion());
  if (tracer !== null) opened(() => settledWithin(SPANS_MS_MAX, tracer.flush()));
  await waitForFolder(dataFolder);

  const sharedBox = new SharedBox({ keyText });
  const opening = await openLog(settings, { logger, opened, secrets: sharedBox, onFatal });
  const { copy, shared } = opening;
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
  const phase = () => host.phase(() => shared === null || shared.node.isCurrent);
  const operators = new OperatorService({ log: opening, shops, keys, clock, plans, settings, phase });
  opened(async () => operators.close());
  const server = serverOf(() => {
    const http = {
      keys,
      shops,
      plans,
      shadow,
      coverage,
      pool,
      clock,
      logger,
      secrets,
      metrics,
      phase,
      operators,
    };
    const dependencies = {
      ...http,
      ...(tracer !== null && { tracer }),
      newSeed: ids.next,
      metricsText: prometheus.text,
      ...node.http,
    };
    return new HttpServer(dependencies, { ...HTTP_LIMITS, ...settings });
  });
  const claim = await claimFolder(dataFolder, host.kind, {
    listen: (path) => server.listenAt(path),
    stop: () => server.closeSocket(),
  }).catch(refuseClaim);
  opened(async () => {
    server.closeSocket();
    claim.release();
  });
  opened(() => shops.close());
  const loadedPlan = (shopId: string) => shops.peek(shopId)?.state.settings.plan;
  const retention = new Retention({ log, plans, clock, logger, metrics, loadedPlan, ...node.retention });
  opened(startUpkeep({ log, keys, clock, logger, retention, ...node.upkeep }));
  if (shared !== null) opened(() => shared.stop());
  const isTraced = tracer !== null;
  return { log, copy, shared, shops, keys, pool, server, isTraced, socketPath: claim.socketPath };
}

function serverOf(make: () => HttpServer): HttpServer {
  try {
    return make();
  } catch (error) {
    throw error instanceof NoServerBinaryError ? new CommandError(error.message) : error;
  }
}

function refuseClaim(error: unknown): never {
  if (error instanceof FolderClaimError) throw error;
  throw new CommandError(`no socket can be made for operators: ${asError(error).message}`);
}
