/** What the server does beside its requests: writes down when keys were used, forgets old answers. */
import type { LiveKeyRing } from '../actor/key-ring.ts';
import { IDEMPOTENCY_MS } from '../actor/write-group.ts';
import type { EventLog } from '../log/event-log.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Logger } from '../runtime/logger.ts';
import { asError } from '../runtime/thrown-error.ts';

const KEY_USE_MS = 60_000;
const FORGET_MS = 3_600_000;

export interface UpkeepPorts {
  readonly log: Pick<EventLog, 'forgetAnswers'>;
  readonly keys: Pick<LiveKeyRing, 'flush'>;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly logger: Logger;
}

/** Starts both; the returned function stops them and writes down the uses of keys that are not yet. */
export function startUpkeep({ log, keys, clock, logger }: UpkeepPorts): () => Promise<void> {
  const forget = async (): Promise<void> => {
    try {
      const answers = await log.forgetAnswers(clock.nowMs() - IDEMPOTENCY_MS);
      if (answers > 0) logger.info('answers.forgotten', { answers });
    } catch (error) {
      logger.error('answers.failed', { error: asError(error) });
    }
  };
  const timers = [setInterval(() => void keys.flush(), KEY_USE_MS), setInterval(forget, FORGET_MS)];
  for (const timer of timers) timer.unref();
  return () => {
    for (const timer of timers) clearInterval(timer);
    return keys.flush();
  };
}
