/** One shop whose live simulations are watched: the work that is done when a simulation is answered. */

import { textOf } from '../bytes/answer-text.ts';
import type { ShopState, StagingState } from '../domain/shop-event.ts';
import type { ShopWatch, WatchedRequest } from '../shop/simulation-watch.ts';
import type { RecentSimulations, ShopRecent } from './recent-simulations.ts';
import type { ShadowBatch } from './shadow-batch.ts';
import type { ShadowTally } from './shadow-tally.ts';

/** Number of requests of a full batch. */
export const BATCH_REQUESTS = 64;

/** The results of one changeset and the state of its evaluation. */
export interface ShadowTrial {
  /** If another process keeps the results: the last ones that were fetched. */
  tally: ShadowTally;
  /** The changeset has not changed since this record. */
  editedAt: number;
  /** Number of requests that wait or are being evaluated. */
  requests: number;
  /** Number of dropped requests that were not yet reported to the process that keeps the results. */
  unreported: number;
  isDirty: boolean;
  isWriting: boolean;
  isReplaying: boolean;
  /** True while the shop is in memory. */
  isWatched: boolean;
}

/** Requests that wait for a batch. */
type WaitingBatch = Omit<ShadowBatch, 'texts' | 'times'> & {
  readonly texts: string[];
  readonly times: number[];
};

/** The queue of batches and the trials, which the watched shops of a process share. */
export interface ShadowQueue {
  readonly recent: RecentSimulations;
  /** The trial of a changeset, from memory or from the log. */
  trialOf(shopId: string, stagingId: string): ShadowTrial;
  /** Counts a request that will wait; returns false when the queue is full. */
  admit(trial: ShadowTrial, bytes: number): boolean;
  /** Call with the first request of a batch: the queue calls `sendBatch` of each shop after `BATCH_MS`. */
  expectBatch(): void;
  /** Sends counted requests to the pool. */
  send(trial: ShadowTrial, batch: ShadowBatch): void;
  /** Call when the changeset has ended: removes its results. */
  end(trial: ShadowTrial): void;
  /** Call when the shop was evicted; its results stay in memory until they are written. */
  leave(shop: WatchedShop): void;
}

export class WatchedShop implements ShopWatch {
  readonly shopId: string;
  readonly recent: ShopRecent;
  readonly #shadow: ShadowQueue;
  /** Null while no changeset is active. */
  #trial: ShadowTrial | null = null;
  /** The last changeset that was watched. */
  #staging: StagingState | null = null;
  #sequenceNumber: number;
  #waiting: WaitingBatch;
  #isFullBatchSent = false;

  constructor(shadow: ShadowQueue, state: ShopState, sequenceNumber: number) {
    this.shopId = state.settings.id;
    this.#shadow = shadow;
    this.recent = shadow.recent.open(state);
    this.#sequenceNumber = sequenceNumber;
    this.#waiting = this.#newBatch();
    this.#watch(state);
  }

  get trial(): ShadowTrial | null {
    return this.#trial;
  }

  get sequenceNumber(): number {
    return this.#sequenceNumber;
  }

  simulated(request: WatchedRequest, nowMs: number, isStripped = false): void {
    const isText = typeof request === 'string' || request instanceof Uint8Array;
    const watched = isText ? request : JSON.stringify(request);
    this.recent.add(watched, nowMs, isStripped);
    if (this.#trial !== null) this.#gather(this.#trial, textOf(watched), nowMs);
  }

  #gather(trial: ShadowTrial, text: string, nowMs: number): void {
    if (!this.#shadow.admit(trial, Buffer.byteLength(text))) return;
    const { texts, times } = this.#waiting;
    texts.push(text);
    times.push(nowMs);
    if (texts.length === 1) this.#shadow.expectBatch();
    if (texts.length < BATCH_REQUESTS || this.#isFullBatchSent) return;
    // After the answers of this turn, because sending a batch takes longer than an answer.
    this.#isFullBatchSent = true;
    setImmediate(() => this.sendBatch());
  }

  /** Sends the waiting requests, if any. */
  sendBatch(): void {
    this.#isFullBatchSent = false;
    const waiting = this.#waiting;
    if (this.#trial === null || waiting.texts.length === 0) return;
    this.#waiting = this.#newBatch();
    this.#shadow.send(this.#trial, waiting);
  }

  published(state: ShopState, sequenceNumber: number): void {
    // Waiting requests were answered before this write, so they are evaluated at the earlier record.
    this.sendBatch();
    this.#sequenceNumber = sequenceNumber;
    this.#waiting = this.#newBatch();
    this.recent.changed(state);
    const ended = this.#trial;
    if (ended !== null && ended.tally.stagingId !== state.staging?.id) {
      this.#trial = null;
      this.#shadow.end(ended);
    }
    this.#watch(state);
  }

  closed(): void {
    this.sendBatch();
    this.recent.close();
    if (this.#trial !== null) this.#trial.isWatched = false;
    this.#shadow.leave(this);
  }

  #watch({ config, staging }: ShopState): void {
    if (staging === null) return;
    this.#trial ??= this.#shadow.trialOf(this.shopId, staging.id);
    this.#trial.isWatched = true;
    if (this.#staging !== staging) {
      this.#staging = staging;
      this.#trial.editedAt = this.#sequenceNumber;
      this.#trial.tally.edited(staging.writes.length);
    }
    this.#trial.tally.prune(config, staging.config);
  }

  #newBatch(): WaitingBatch {
    const [{ shopId }, sequenceNumber] = [this, this.#sequenceNumber];
    return { kind: 'shadowBatch', shopId, sequenceNumber, isReplay: false, texts: [], times: [] };
  }
}
