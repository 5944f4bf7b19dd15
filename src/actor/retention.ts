/**
 * Retention: a plan keeps the history of so many days (contract section 2). Whatever was in force within them
 * stays: the versions made since, and the one that they began with. Older records are removed from the log,
 * which then begins with a checkpoint: those of versions, and those of changesets, keys and settings behind the
 * version that stays, which stands in front of the beginning then. The current version is never removed.
 *
 * Cost: one look-up for a shop whose history is young, a few and the reading of one record for others that have
 * nothing to remove; some tens for one that has, a replay from its nearest checkpoint, and the removal itself in
 * bounded transactions.
 */
import { writeImageSteps } from '../change/state-image.ts';
import type { PlanTable } from '../domain/plan.ts';
import type { EventLog, VersionEntry } from '../log/event-log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { WorkSlices } from '../pace/work-slices.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Logger } from '../runtime/logger.ts';
import { asError } from '../runtime/thrown-error.ts';
import { recoverShop } from '../shop/recovery.ts';
import { IDEMPOTENCY_MS } from './write-group.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** The earliest moment that a date can be: a plan may keep more days than there were. */
const EARLIEST_MS = -8.64e15;
/** Shops that are not in memory whose plan is remembered. */
const PLANS_REMEMBERED_MAX = 10_000;

export interface RetentionPorts {
  readonly log: EventLog;
  readonly plans: PlanTable;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** The plan of a shop that is in memory. */
  readonly loadedPlan: (shopId: string) => string | undefined;
}

export class Retention {
  readonly #ports: RetentionPorts;
  /** Shop -> its plan as of a record: it cannot have changed while that is the last one. */
  readonly #known = new Map<string, { readonly plan: string; readonly sequenceNumber: number }>();

  readonly #slices = new WorkSlices();
  #isStopped = false;

  constructor(ports: RetentionPorts) {
    this.#ports = ports;
  }

  /** Goes through all shops once. A shop that cannot be read is logged and left as it is. Never rejects. */
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

  /** The log is about to close: a removal under way may be cut short, and is completed by a later one. */
  stop(): void {
    this.#isStopped = true;
  }

  #failed(error: unknown, shopId?: string): void {
    if (!this.#isStopped) this.#ports.logger.error('history.failed', { shopId, error: asError(error) });
  }

  async #trim(shopId: string): Promise<void> {
    const { log, logger, metrics } = this.#ports;
    const oldest = log.oldestVersion(shopId);
    // Most shops end here: nothing is older than what the shortest plan keeps.
    if (oldest === null || !isOlder(oldest, this.#shortestCutoff())) return;
    const plan = await this.#planOf(shopId);
    const cutoff = this.#cutoffOf(plan);
    if (cutoff === null || !isOlder(oldest, cutoff)) return;
    const first = findLastOlder(log, shopId, oldest, cutoff);
    const removed = log.removedUpTo(shopId);
    const last = await this.#lastOlderRecord(shopId, first, removed, cutoff);
    const isAlone = last > first.sequenceNumber;
    const upTo = isAlone ? last : first.sequenceNumber - 1;
    if (upTo <= removed && first.version.number === oldest.version.number) return;
    // Nothing stands before the first record of all.
    if (isAlone && first.sequenceNumber > 1) await this.#checkpointAt(shopId, first.sequenceNumber - 1);
    await this.#checkpointAt(shopId, upTo);
    // It may have been put on a plan that keeps more meanwhile: the next run knows.
    if ((await this.#planOf(shopId)) !== plan) return;
    const records = await log.trim(shopId, upTo, isAlone ? first.version.number : undefined);
    metrics.values.records_removed += records;
    logger.info('history.trimmed', { shopId, records, firstVersion: first.version.number });
  }

  /**
   * Number of the newest record older than the cutoff, found by halving: of those behind the version `first` and
   * before the next one, but for the shop's last; the version's own when there is none.
   */
  async #lastOlderRecord(
    shopId: string,
    first: VersionEntry,
    removed: number,
    cutoff: string,
  ): Promise<number> {
    const { log } = this.#ports;
    const next = log.versionAt(shopId, first.version.number + 1)?.sequenceNumber;
    const cutoffMs = Date.parse(cutoff);
    let older = Math.max(first.sequenceNumber, removed);
    let younger = Math.min(next ?? Number.POSITIVE_INFINITY, log.lastSequenceNumber(shopId));
    // Most have nothing there that is old enough: the first one tells.
    for (let at = older + 1; at < younger; at = Math.floor((older + younger) / 2)) {
      if (at <= older) break;
      if (await this.#isRecordOlder(shopId, at, cutoffMs)) older = at;
      else younger = at;
    }
    return older;
  }

  async #isRecordOlder(shopId: string, sequenceNumber: number, cutoffMs: number): Promise<boolean> {
    for await (const { atMs } of this.#ports.log.readInSteps(shopId, sequenceNumber - 1, sequenceNumber)) {
      return atMs < cutoffMs;
    }
    throw new Error(`record ${sequenceNumber} is not there`);
  }

  async #checkpointAt(shopId: string, sequenceNumber: number): Promise<void> {
    const { log } = this.#ports;
    if ((await log.latestImage(shopId, sequenceNumber))?.sequenceNumber === sequenceNumber) return;
    const replayed = await recoverShop(log, shopId, this.#slices, sequenceNumber);
    if (replayed?.sequenceNumber !== sequenceNumber) throw new Error(`record ${sequenceNumber} is not there`);
    const image = await this.#slices.start(this, writeImageSteps(replayed.state, this.#slices.shouldYield));
    await log.writeCheckpoint(shopId, { sequenceNumber, image });
  }

  async #planOf(shopId: string): Promise<string> {
    const { log, loadedPlan } = this.#ports;
    const loaded = loadedPlan(shopId);
    if (loaded !== undefined) return loaded;
    const last = log.lastSequenceNumber(shopId);
    const known = this.#known.get(shopId);
    if (known?.sequenceNumber === last) return known.plan;
    const recovered = await recoverShop(log, shopId, this.#slices);
    if (recovered === null) throw new Error('the shop is gone');
    const { plan } = recovered.state.settings;
    if (this.#known.size >= PLANS_REMEMBERED_MAX) this.#known.clear();
    this.#known.set(shopId, { plan, sequenceNumber: recovered.sequenceNumber });
    return plan;
  }

  /** ISO time before which versions go; null for a plan that keeps everything, or that is not in the table. */
  #cutoffOf(plan: string): string | null {
    const { plans, clock } = this.#ports;
    const days = Object.hasOwn(plans, plan) ? (plans[plan]?.historyDays ?? null) : null;
    if (days === null) return null;
    // Answers to repeated requests stand in the records, so those are kept as long as they are.
    const cutoffMs = clock.nowMs() - Math.max(days * DAY_MS, IDEMPOTENCY_MS);
    return new Date(Math.max(EARLIEST_MS, cutoffMs)).toISOString();
  }

  /** The latest cutoff of any plan; "" when all plans keep everything. */
  #shortestCutoff(): string {
    const cutoffs = Object.keys(this.#ports.plans).map((plan) => this.#cutoffOf(plan) ?? '');
    return cutoffs.sort().at(-1) ?? '';
  }
}

const isOlder = ({ version }: VersionEntry, cutoff: string): boolean => version.createdAt < cutoff;

/** The newest version older than the cutoff, found by steps that double, then halve; `oldest` is older. */
function findLastOlder(log: EventLog, shopId: string, oldest: VersionEntry, cutoff: string): VersionEntry {
  let last = oldest;
  const advance = (step: number): boolean => {
    const next = log.versionAt(shopId, last.version.number + step);
    if (next === null || !isOlder(next, cutoff)) return false;
    last = next;
    return true;
  };
  let step = 1;
  while (advance(step)) step *= 2;
  for (; step >= 1; step = Math.floor(step / 2)) advance(step);
  return last;
}
