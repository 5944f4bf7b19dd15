/**
 * Background work of the server: writes when keys were used, forgets old answers, and removes history that is older
 * than the plan keeps.
 */

import type { Metrics } from '../../base/metrics/metrics.ts';
import type { Clock } from '../../base/runtime/clock.ts';
import type { Logger } from '../../base/runtime/logger.ts';
import { asError } from '../../base/runtime/thrown-error.ts';
import { writeImage } from '../../engine/change/state-image.ts';
import { DAY_MS } from '../../engine/domain/calendar-day.ts';
import { limitsOf, type PlanTable } from '../../engine/domain/plan.ts';
import { DiskFullError, type EventLog, type VersionEntry } from '../../store/log/event-log.ts';
import { recoverShop } from '../reader/recovery.ts';
import { lastWithin } from '../reader/shop-history.ts';
import type { LiveKeyRing } from './key-ring.ts';
import { IDEMPOTENCY_MS } from './write-group.ts';

const KEY_USE_MS = 60_000;
const FIRST_MS = 60_000;
const HOURLY_MS = 3_600_000;
/** Time until retention is tried again while another node runs it. */
const RETRY_MS = 60_000;

interface UpkeepPorts {
  readonly log: Pick<EventLog, 'forgetAnswers'>;
  readonly keys: Pick<LiveKeyRing, 'flush'>;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly logger: Logger;
  readonly retention: Pick<Retention, 'run' | 'stop'>;
  /** Set when there are other nodes: runs `work` unless another node runs it; resolves with false then. */
  readonly alone?: (work: () => Promise<void>) => Promise<boolean>;
}

/** Starts the background work. The returned function stops it and writes the remaining uses of keys. */
export function startUpkeep(ports: UpkeepPorts): () => Promise<void> {
  const { keys, retention } = ports;
  let isRunning = false;
  let retry: NodeJS.Timeout | undefined;
  const startHourly = async (): Promise<void> => {
    // Skip this hour if the previous run has not ended.
    if (isRunning) return;
    isRunning = true;
    clearTimeout(retry);
    await forgetAnswers(ports);
    // Each node removes the history of the shops in its own mirror, so a node that had to wait tries again.
    if (!(await runRetention(ports))) retry = setTimeout(() => void startHourly(), RETRY_MS).unref();
    isRunning = false;
  };
  const timers = [
    setInterval(() => void keys.flush(), KEY_USE_MS),
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
    if (!(error instanceof DiskFullError)) logger.error('answers.failed', { error: asError(error) });
  }
}

const runHere = (work: () => Promise<void>): Promise<boolean> => work().then(() => true);

/** False when another node runs it, or that cannot be known. */
async function runRetention({ alone = runHere, logger, retention }: UpkeepPorts): Promise<boolean> {
  try {
    return await alone(() => retention.run());
  } catch (error) {
    logger.warn('history.failed', { error: asError(error) });
    return false;
  }
}

/** The earliest date that JavaScript can represent: a plan may keep more days than that. */
const EARLIEST_MS = -8.64e15;
/** How many plans of shops outside memory are cached. */
const PLANS_REMEMBERED_MAX = 10_000;

export interface RetentionPorts {
  readonly log: EventLog;
  readonly plans: PlanTable;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** The plan of a shop in memory; undefined when the shop is not in memory. */
  readonly loadedPlan: (shopId: string) => string | undefined;
  /** Set when there are other nodes: the log has all that they appended to the shop when it resolves. */
  readonly bringUpToDate?: (shopId: string) => Promise<void>;
}

/**
 * Retention: a plan keeps the history of a number of days (contract section 2). It keeps the versions of this period
 * and the version that was current when the period began. The records before that version are removed from the log,
 * which then begins with a checkpoint. The current version is never removed.
 *
 * Cost: one look-up for a shop with a young history; a few look-ups for other shops with nothing to remove. A removal costs some tens of look-ups, a replay from the nearest checkpoint, and the deletion
 * itself in bounded transactions.
 */
export class Retention {
  readonly #ports: RetentionPorts;
  /** Shop -> its plan as of a record: valid while this is the last record of the shop. */
  readonly #known = new Map<string, { readonly plan: string; readonly sequenceNumber: number }>();

  #isStopped = false;

  constructor(ports: RetentionPorts) {
    this.#ports = ports;
  }

  /** Trims all shops once. A shop that cannot be read is logged and skipped. Never rejects. */
  async run(): Promise<void> {
    try {
      for (const shopId of this.#ports.log.shopIds()) {
        await new Promise((resolve) => setImmediate(resolve));
        if (this.#isStopped) return;
        await this.#trim(shopId).catch((error: unknown) => this.#failed(error, shopId));
      }
    } catch (error) {
      this.#failed(error);
    }
  }

  /** The log is about to close: a removal in progress may stop early, and a later run completes it. */
  stop(): void {
    this.#isStopped = true;
  }

  #failed(error: unknown, shopId?: string): void {
    if (this.#isStopped || error instanceof DiskFullError) return;
    this.#ports.logger.error('history.failed', { shopId, error: asError(error) });
  }

  async #trim(shopId: string): Promise<void> {
    const { log, logger, metrics } = this.#ports;
    const oldest = log.oldestVersion(shopId);
    // Most shops end here: no record is older than the shortest plan allows.
    if (oldest === null || !isOlder(oldest, this.#shortestCutoff())) return;
    // The plan may have changed on another node.
    await this.#ports.bringUpToDate?.(shopId);
    if (log.lastSequenceNumber(shopId) === 0) return;
    const plan = await this.#planOf(shopId);
    const cutoff = this.#cutoffOf(plan);
    if (cutoff === null || !isOlder(oldest, cutoff)) return;
    const first = findLastOlder(log, shopId, oldest, cutoff);
    const upTo = first.sequenceNumber - 1;
    if (upTo <= log.removedUpTo(shopId)) return;
    await this.#checkpointAt(shopId, upTo);
    // The shop may now have a plan that keeps more: the next run decides again.
    if ((await this.#planOf(shopId)) !== plan) return;
    const records = await log.trim(shopId, upTo);
    metrics.values.records_removed += records;
    logger.info('history.trimmed', { shopId, records, firstVersion: first.version.number });
  }

  async #checkpointAt(shopId: string, sequenceNumber: number): Promise<void> {
    const { log } = this.#ports;
    if (log.latestCheckpoint(shopId, sequenceNumber)?.sequenceNumber === sequenceNumber) return;
    const replayed = recoverShop(log, shopId, sequenceNumber);
    if (replayed?.sequenceNumber !== sequenceNumber) throw new Error(`record ${sequenceNumber} is not there`);
    const image = writeImage(replayed.state);
    await log.writeCheckpoint(shopId, { sequenceNumber, image });
  }

  async #planOf(shopId: string): Promise<string> {
    const { log, loadedPlan } = this.#ports;
    const loaded = loadedPlan(shopId);
    if (loaded !== undefined) return loaded;
    const last = log.lastSequenceNumber(shopId);
    const known = this.#known.get(shopId);
    if (known?.sequenceNumber === last) return known.plan;
    const recovered = recoverShop(log, shopId);
    if (recovered === null) throw new Error('the shop is gone');
    const { plan } = recovered.state.settings;
    if (this.#known.size >= PLANS_REMEMBERED_MAX) this.#known.clear();
    this.#known.set(shopId, { plan, sequenceNumber: recovered.sequenceNumber });
    return plan;
  }

  /** ISO time before which versions are removed; null for a plan that keeps everything or is not in the table. */
  #cutoffOf(plan: string): string | null {
    const { plans, clock } = this.#ports;
    const days = limitsOf(plans, plan)?.historyDays ?? null;
    if (days === null) return null;
    // The records hold the answers to repeated requests, so they are kept at least as long as those answers are valid.
    const cutoffMs = clock.nowMs() - Math.max(days * DAY_MS, IDEMPOTENCY_MS);
    return new Date(Math.max(EARLIEST_MS, cutoffMs)).toISOString();
  }

  /** The latest cutoff of all plans; "" when all plans keep everything. */
  #shortestCutoff(): string {
    const cutoffs = Object.keys(this.#ports.plans).map((plan) => this.#cutoffOf(plan) ?? '');
    return cutoffs.sort().at(-1) ?? '';
  }
}

const isOlder = ({ version }: VersionEntry, cutoff: string): boolean => version.createdAt < cutoff;

/** The newest version older than the cutoff; `oldest` is older. */
function findLastOlder(log: EventLog, shopId: string, oldest: VersionEntry, cutoff: string): VersionEntry {
  const last = lastWithin(oldest.version.number, (number) => {
    const entry = log.versionAt(shopId, number);
    return entry !== null && isOlder(entry, cutoff);
  });
  return log.versionAt(shopId, last) ?? oldest;
}
