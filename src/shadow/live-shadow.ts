/**
 * Shadow: also evaluates every live simulation against the changeset, and counts the differences (contract section 7).
 * Answering a request only queues its text. Worker threads evaluate batches later; requests that do not fit in the
 * queue are dropped and counted. A replay, which a client waits for, runs in the threads that answer, one batch after
 * another, so that other answers wait for one batch at most.
 *
 * Promises: while a changeset is active, each live simulation is counted exactly once, as evaluated or dropped. Results
 * are on disk within a second of a change, and are removed with their changeset.
 *
 * Bounds: at most `shadowQueueMax` requests, with `shadowQueueBytesMax` bytes, wait or are being evaluated; one shop
 * may have half of the requests.
 */

import { bytesOfTexts } from '../bytes/answer-text.ts';
import { type Outcome, rateLimited, success } from '../domain/failure.ts';
import type { ShopState, StagingState } from '../domain/shop-event.ts';
import { DiskFullError, type EventLog } from '../log/event-log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { settledWithin } from '../pace/settled-within.ts';
import { WorkSlices } from '../pace/work-slices.ts';
import type { ShouldYield, WorkSteps } from '../pace/work-steps.ts';
import type { Logger } from '../runtime/logger.ts';
import { asError } from '../runtime/thrown-error.ts';
import { readElsewhere } from '../shop/elsewhere.ts';
import type { ShopWatch, SimulationWatch } from '../shop/simulation-watch.ts';
import type { EditShadowResults, ShadowResults } from '../wire/shadow-results.ts';
import { NO_CHANGESET } from '../wire/staging.ts';
import type { ShadowBatch, ShadowBatchResult } from './shadow-batch.ts';
import { ShadowTally } from './shadow-tally.ts';
import {
  BATCH_REQUESTS,
  RecentSimulations,
  type ShadowQueue,
  type ShadowTrial,
  WatchedShop,
} from './watched-shop.ts';

/** A partly filled batch is sent to the pool after this time. */
const BATCH_MS = 20;
/** Time from the first change of results to the start of the write, which must end within the second. */
const WRITE_MS = 750;
/** Time limit for running batches when the process stops. */
const CLOSE_MS = 1_000;

export interface ShadowLimits {
  readonly shadowQueueMax: number;
  readonly shadowQueueBytesMax: number;
  readonly replayBytesMax: number;
}

export interface ShadowPorts {
  readonly log: Pick<EventLog, 'readShopText' | 'writeShopText' | 'textsElsewhere'>;
  /** Threads in the background. */
  readonly pool: { run(batch: ShadowBatch): Promise<ShadowBatchResult> };
  /** Threads that clients wait for, for replays. */
  readonly answerPool: ShadowPorts['pool'];
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly limits: ShadowLimits;
}

/** Makes the results as of the call. */
type ResultsInSteps = (shouldYield: ShouldYield) => WorkSteps<ShadowResults>;

/** The part of the shadow that routes use. */
export type ShadowAccess = Pick<LiveShadow, 'results' | 'elsewhere' | 'resultsSinceEdit' | 'replay'>;

export class LiveShadow implements SimulationWatch, ShadowQueue {
  readonly recent: RecentSimulations;
  readonly #ports: ShadowPorts;
  readonly #shops = new Map<string, WatchedShop>();
  readonly #trials = new Map<string, ShadowTrial>();
  readonly #underWay = new Set<Promise<void>>();
  readonly #slices = new WorkSlices();
  #requests = 0;
  #bytes = 0;
  #batchTimer: NodeJS.Timeout | null = null;
  #writeTimer: NodeJS.Timeout | null = null;
  /** Batches that failed since the last write; only the first is logged. */
  #failedBatches = 0;

  constructor(ports: ShadowPorts) {
    this.#ports = ports;
    this.recent = new RecentSimulations(ports.limits.replayBytesMax);
  }

  open(state: ShopState, sequenceNumber: number): ShopWatch {
    const shop = new WatchedShop(this, state, sequenceNumber);
    this.#shops.set(shop.shopId, shop);
    return shop;
  }

  /** Returns a function that makes the results of the active changeset; CONFLICT without one. */
  results({ settings, config, staging }: ShopState, elsewhere: readonly string[]): Outcome<ResultsInSteps> {
    if (staging === null) return NO_CHANGESET;
    const tally = this.#tallyFor(settings.id, staging).plus(elsewhere);
    return success((shouldYield) => tally.viewSteps(config, staging.config, shouldYield));
  }

  /**
   * The results of other nodes for the active changeset, at most a second old, for `results`; null without other nodes or a
   * changeset. UNAVAILABLE while they cannot be read.
   */
  elsewhere({ settings, staging }: ShopState): Promise<Outcome<readonly string[]>> | null {
    if (staging === null) return null;
    return readElsewhere(this.#ports.log, 'shadowResults', settings.id);
  }

  /** The results since the last staged write of the active changeset; CONFLICT without one. */
  async resultsSinceEdit(state: ShopState): Promise<Outcome<EditShadowResults>> {
    const { settings, staging } = state;
    if (staging === null) return NO_CHANGESET;
    const elsewhere = await this.elsewhere(state);
    if (elsewhere?.ok === false) return elsewhere;
    const tally = this.#tallyFor(settings.id, staging).plus(elsewhere?.value ?? []);
    const { shouldYield } = this.#slices;
    return success(await this.#slices.start(tally, tally.editSteps(staging.config, shouldYield)));
  }

  /** The tally of a changeset. It is not stored as a trial, because the state of the caller may be outdated. */
  #tallyFor(shopId: string, { id, writes }: StagingState): ShadowTally {
    const known = this.#trials.get(shopId)?.tally;
    if (known?.stagingId === id) return known;
    const tally = this.#tallyOf(shopId, id);
    tally.edited(writes.length);
    return tally;
  }

  /**
   * Evaluates the shop's recent live simulations against the active changeset; resolves when the results include them.
   * CONFLICT without a changeset, RATE_LIMITED while another replay of the shop runs.
   */
  async replay(shopId: string): Promise<Outcome<null>> {
    const shop = this.#shops.get(shopId);
    const trial = shop?.trial ?? null;
    if (shop === undefined || trial === null) return NO_CHANGESET;
    if (trial.isReplaying) return REPLAY_RUNS;
    trial.isReplaying = true;
    try {
      return await this.#replay(shop, trial);
    } finally {
      trial.isReplaying = false;
      this.#forgetWhenDone(trial);
    }
  }

  async #replay(shop: WatchedShop, trial: ShadowTrial): Promise<Outcome<null>> {
    const { shopId } = shop;
    const recent = await this.#slices.start(shop.recent, shop.recent.listSteps(this.#slices.shouldYield));
    for (let from = 0; from < recent.length; from += BATCH_REQUESTS) {
      // The changeset may have ended meanwhile.
      if (shop.trial !== trial) return NO_CHANGESET;
      const batch = recent.slice(from, from + BATCH_REQUESTS);
      const [texts, times] = [batch.map(({ text }) => text), batch.map(({ nowMs }) => nowMs)];
      this.count(trial, texts.length, bytesOfTexts(texts));
      const { sequenceNumber } = shop;
      await this.#start(trial, { kind: 'shadowBatch', shopId, sequenceNumber, isReplay: true, texts, times });
    }
    // The shop may have been evicted and loaded again after the changeset ended.
    const now = this.#shops.get(shopId);
    if (now !== undefined && now.trial?.tally.stagingId !== trial.tally.stagingId) return NO_CHANGESET;
    return success(null);
  }

  trialOf(shopId: string, stagingId: string): ShadowTrial {
    const known = this.#trials.get(shopId);
    if (known?.tally.stagingId === stagingId) return known;
    const tally = this.#tallyOf(shopId, stagingId);
    const flags = { isDirty: false, isReplaying: false, isWatched: false };
    const trial: ShadowTrial = { tally, editedAt: 0, requests: 0, writes: 0, ...flags };
    this.#trials.set(shopId, trial);
    return trial;
  }

  /** The stored results, or empty ones. */
  #tallyOf(shopId: string, stagingId: string): ShadowTally {
    let stored: ShadowTally | null = null;
    try {
      const text = this.#ports.log.readShopText('shadowResults', shopId);
      stored = text === null ? null : ShadowTally.read(text, shopId, stagingId);
    } catch (error) {
      // The shop must load even if its results are damaged; they start empty.
      this.#ports.logger.error('shadow.unreadable', { shopId, error: asError(error) });
    }
    return stored ?? new ShadowTally(shopId, stagingId);
  }

  admit(trial: ShadowTrial, bytes: number): boolean {
    const { shadowQueueMax, shadowQueueBytesMax } = this.#ports.limits;
    const isFull =
      this.#requests >= shadowQueueMax ||
      trial.requests >= shadowQueueMax / 2 ||
      this.#bytes + bytes > shadowQueueBytesMax;
    if (isFull) {
      this.#drop(trial, 1);
      return false;
    }
    this.count(trial, 1, bytes);
    return true;
  }

  /** Counts requests that are queued; negative numbers for requests that are done. */
  count(trial: ShadowTrial, requests: number, bytes: number): void {
    trial.requests += requests;
    this.#requests += requests;
    this.#bytes += bytes;
  }

  expectBatch(): void {
    this.#batchTimer ??= setTimeout(() => this.#sendGathered(), BATCH_MS).unref();
  }

  #sendGathered(): void {
    if (this.#batchTimer !== null) clearTimeout(this.#batchTimer);
    this.#batchTimer = null;
    for (const shop of this.#shops.values()) shop.sendBatch();
  }

  send(trial: ShadowTrial, { texts, times, ...rest }: ShadowBatch): void {
    for (let from = 0; from < texts.length; from += BATCH_REQUESTS) {
      const to = from + BATCH_REQUESTS;
      void this.#start(trial, { ...rest, texts: texts.slice(from, to), times: times.slice(from, to) });
    }
  }

  /** Resolves when the results include the batch. Never rejects. */
  async #start(trial: ShadowTrial, batch: ShadowBatch): Promise<void> {
    const running = this.#run(trial, batch);
    this.#underWay.add(running);
    await running;
    this.#underWay.delete(running);
  }

  async #run(trial: ShadowTrial, batch: ShadowBatch): Promise<void> {
    try {
      const { pool, answerPool } = this.#ports;
      const result = await (batch.isReplay ? answerPool : pool).run(batch);
      this.#ports.metrics.values.shadow_evaluated += batch.texts.length;
      trial.tally.add(result, batch.isReplay, batch.sequenceNumber >= trial.editedAt);
      this.#changed(trial);
    } catch (error) {
      if (this.#failedBatches === 0) {
        this.#ports.logger.warn('shadow.batch_lost', { shopId: batch.shopId, error: asError(error) });
      }
      this.#failedBatches++;
      this.#drop(trial, batch.texts.length);
    }
    this.count(trial, -batch.texts.length, -bytesOfTexts(batch.texts));
    this.#forgetWhenDone(trial);
  }

  #drop(trial: ShadowTrial, requests: number): void {
    this.#ports.metrics.values.shadow_dropped += requests;
    trial.tally.drop(requests);
    this.#changed(trial);
  }

  #changed(trial: ShadowTrial): void {
    if (trial.isDirty || this.#trials.get(trial.tally.shopId) !== trial) return;
    trial.isDirty = true;
    this.#writeTimer ??= setTimeout(() => void this.#write(), WRITE_MS).unref();
  }

  async #write(): Promise<void> {
    if (this.#writeTimer !== null) clearTimeout(this.#writeTimer);
    this.#writeTimer = null;
    this.#failedBatches = 0;
    const dirty = [...this.#trials.values()].filter(({ isDirty }) => isDirty);
    await Promise.all(dirty.map((trial) => this.#writeOne(trial)));
  }

  async #writeOne(trial: ShadowTrial): Promise<void> {
    trial.isDirty = false;
    trial.writes++;
    const { tally } = trial;
    const text = await this.#slices.start(trial, tally.textSteps(this.#slices.shouldYield));
    // The changeset may have ended meanwhile.
    const isCurrent = this.#trials.get(tally.shopId) === trial;
    const isStored = !isCurrent || (await this.#store(tally.shopId, text));
    if (!isStored) this.#changed(trial);
    trial.writes--;
    this.#forgetWhenDone(trial);
  }

  /** Never rejects: a failure is only logged, because results must not stop the service. */
  async #store(shopId: string, text: string | null): Promise<boolean> {
    try {
      await this.#ports.log.writeShopText('shadowResults', shopId, text);
      return true;
    } catch (error) {
      if (!(error instanceof DiskFullError))
        this.#ports.logger.error('shadow.not_written', { shopId, error: asError(error) });
      return false;
    }
  }

  end(trial: ShadowTrial): void {
    const { shopId } = trial.tally;
    trial.isWatched = false;
    if (this.#trials.get(shopId) === trial) this.#trials.delete(shopId);
    // The record that ends the changeset has removed the stored results; this removes results of a later write.
    void this.#store(shopId, null);
  }

  leave(shop: Parameters<ShadowQueue['leave']>[0]): void {
    if (this.#shops.get(shop.shopId) === shop) this.#shops.delete(shop.shopId);
    if (shop.trial !== null) this.#forgetWhenDone(shop.trial);
  }

  #forgetWhenDone(trial: ShadowTrial): void {
    const { isWatched, isDirty, isReplaying, writes, requests, tally } = trial;
    if (isWatched || isDirty || isReplaying || writes > 0 || requests > 0) return;
    if (this.#trials.get(tally.shopId) === trial) this.#trials.delete(tally.shopId);
  }

  /** Sends the waiting requests, waits at most `CLOSE_MS` for their batches, and writes the results. */
  async close(): Promise<void> {
    this.#sendGathered();
    await settledWithin(CLOSE_MS, Promise.all(this.#underWay));
    await this.#write();
  }
}

const REPLAY_RUNS = rateLimited('a replay of this shop is under way');
