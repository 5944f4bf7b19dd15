/** A serving process: the parts of the service, the demo shop, the port, and the end. */
import { atIdleMoment } from '../base/pace/idle-moment.ts';
import { systemClock as clock } from '../base/runtime/clock.ts';
import { missingEngineFlags } from '../base/runtime/engine-flags.ts';
import { createJsonLogger, logPrintedErrors } from '../base/runtime/json-logger.ts';
import type { Logger } from '../base/runtime/logger.ts';
import { asError } from '../base/runtime/thrown-error.ts';
import { loadThreadLibrary } from '../shop/pool/answer-pool.ts';
import {
  DEMO_SHOP_ID,
  giveDemoKey,
  joinCluster,
  prepareDemoShop,
  showKey,
  welcomeText,
} from './command-line/demo-shop.ts';
import { CommandError, EXIT_CODES } from './command-line/exit-code.ts';
import { ListenError } from './http/server.ts';
import { Lifecycle } from './lifecycle.ts';
import { openService } from './service.ts';
import { type Settings, unknownSettings } from './settings.ts';

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
  const startMs = clock.monotonicMs();
  for (const name of unknownSettings()) logger.warn('settings.unknown', { variable: name });
  let isReady = false;
  let hasJoined = () => true;
  const service = await openService(settings, {
    kind: 'server',
    logger,
    opened: lifecycle.opened,
    onFatal: lifecycle.fail,
    phase: (isCurrent) => {
      if (lifecycle.hasFailed) return 'failed';
      if (!isReady) return 'starting';
      if (!isCurrent()) return 'outdated';
      return hasJoined() ? 'ready' : 'starting';
    },
  });
  const { log, shared, shops, keys, pool, server } = service;
  if (shared !== null)
    hasJoined = await joinCluster(shared, { shops, keys }, settings.demoKey, lifecycle.fail);
  const isDemoWanted = shared === null && !service.copy.deletions.wasDeleted(DEMO_SHOP_ID);
  const unfinishedDemo = isDemoWanted ? await prepareDemoShop(log, shops) : null;

  await loadThreadLibrary();
  await server.listen().catch(refuseStart);
  lifecycle.serves(server, () => pool.refuse());
  const stopWaiting = atIdleMoment(() => void pool.prepare());
  lifecycle.opened(async () => stopWaiting());
  // Last, because the secret is shown only once: nothing can fail after it. A key that cannot be shown is not stored.
  const demoKey =
    unfinishedDemo === null ? null : await giveDemoKey(unfinishedDemo, settings.demoKey, showKey);
  isReady = true;
  const startedMs = Math.round(clock.monotonicMs() - startMs);
  const { isTraced } = service;
  logger.info('service.started', { host: settings.host, port: server.port, startedMs, isTraced });
  const missing = missingEngineFlags();
  if (missing.length > 0) {
    const hint = 'slower than necessary: the command ratewright starts Node with these flags';
    logger.info('engine.flags_missing', { flags: missing.join(' '), hint });
  }
  process.stdout.write(welcomeText(settings.host, server.port, demoKey));
}

function refuseStart(error: unknown): never {
  if (!(error instanceof ListenError)) throw error;
  const { refused, usage } = EXIT_CODES;
  throw new CommandError(error.message, error.obstacle === 'noSuchAddress' ? usage : refused);
}
