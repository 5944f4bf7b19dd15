/**
 * Background work of the server: writes when keys were used, forgets old answers, and removes history that is older
 * than the plan keeps.
 */

import type { EventLog } from '../log/event-log.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Logger } from '../runtime/logger.ts';
import { asError } from '../runtime/thrown-error.ts';
import type { LiveKeyRing } from './key-ring.ts';
import type { Retention } from './retention.ts';
import { IDEMPOTENCY_MS } from './write-group.ts';

const KEY_USE_MS = 60_000;
/** Where other processes are asked when a key was last used. */
const SHARED_KEY_USE_MS = 1_000;
const FIRST_MS = 60_000;
const HOURLY_MS = 3_600_000;
/** Time until retention is tried again while another node runs it. */
const RETRY_MS = 60_000;

export interface UpkeepPorts {
  readonly log: Pick<EventLog, 'forgetAnswers'>;
  readonly keys: Pick<LiveKeyRing, 'flush'>;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly logger: Logger;
  readonly retention: Pick<Retention, 'run' | 'stop'>;
  /** Set when there are other nodes: runs `work` unless another node runs it; resolves with false then. */
  readonly alone?: (work: () => Promise<void>) => Promise<boolean>;
  /** Other processes use the log too; one of them (`isFirst`) does what is to be done once. Left out where there are none. */
  readonly place?: { readonly isFirst: boolean };
}

/** Starts the background work. The returned function stops it and writes the remaining uses of keys. */
export function startUpkeep(ports: UpkeepPorts): () => Promise<void> {
  const { keys, retention, place } = ports;
  let isRunning = false;
  let retry: NodeJS.Timeout | undefined;
  const startHourly = async (): Promise<void> => {
    // Skip this hour if the previous run has not ended.
    if (isRunning || place?.isFirst === false) return;
    isRunning = true;
    clearTimeout(retry);
    await forgetAnswers(ports);
    // Each node removes the history of the shops in its mirror, so one that was not let in asks again.
    if (!(await runRetention(ports))) retry = setTimeout(() => void startHourly(), RETRY_MS).unref();
    isRunning = false;
  };
  const timers = [
    setInterval(() => void keys.flush(), place === undefined ? KEY_USE_MS : SHARED_KEY_USE_MS),
    // Also runs soon after the start; otherwise a server that restarts often would never run it.
    setTimeout(() => void startHourly(), FIRST_MS),
    setInterval(() => void startHourly(), HOURLY_MS),
  ];
  for (const timer of timers) timer.unref();
  return async () => {
    for (const timer of [...timers, retry]) clearTimeout(timer);
    retention.stop();
    await keys.flush();
  };
}

async function forgetAnswers({ log, clock, logger }: UpkeepPorts): Promise<void> {
  try {
    const answers = await log.forgetAnswers(clock.nowMs() - IDEMPOTENCY_MS);
    if (answers > 0) logger.info('answers.forgotten', { answers });
  } catch (error) {
    logger.error('answers.failed', { error: asError(error) });
  }
}

/** False when another node runs it, or that cannot be known. */
async function runRetention({ alone, logger, retention }: UpkeepPorts): Promise<boolean> {
  const run = () => retention.run();
  if (alone === undefined) {
    await run();
    return true;
  }
  try {
    return await alone(run);
  } catch (error) {
    logger.warn('history.failed', { error: asError(error) });
    return false;
  }
}
