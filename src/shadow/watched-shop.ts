/** One shop whose live simulations are watched: the work that is done while each simulation is answered. */

import { textOf } from '../bytes/text-bytes.ts';
import type { ShopState, StagingState } from '../domain/shop-event.ts';
import { type ShopWatch, type WatchedRequest, watchedText } from '../shop/simulation-watch.ts';
import type { RecentSimulations, ShopRecent } from './recent-simulations.ts';
import type { ShadowBatch } from './shadow-batch.ts';
import type { ShadowTally } from './shadow-tally.ts';

/** Requests of a full batch, which goes to the pool. */
export const BATCH_REQUESTS = 64;

/** One changeset that is being watched. */
export interface ShadowTrial {
  readonly tally: ShadowTally;
  /** The record from which on the changeset is as it is now. */
  editedAt: number;
  /** Requests noted or under way. */
  requests: number;
  isDirty: boolean;
  isWriting: boolean;
  isReplaying: boolean;
  /** The shop is in memory. */
  isWatched: boolean;
}

/** Requests that wait to become a batch. */
export type WaitingBatch = Omit<ShadowBatch, 'kind' | 'texts' | 'times'> & {
  readonly texts: string[];
  readonly times: number[];
};

/** What the watched shops of a process share: the queue of batches and the trial of each changeset. */
export interface ShadowQueue {
  readonly recent: RecentSimulations;
  /** The trial of a changeset, from memory or as it was written down. */
  trialOf(shopId: string, stagingId: string): ShadowTrial;
  /** Counts a request of so many bytes that will wait; false when there is no room for it. */
  admit(trial: ShadowTrial, bytes: number): boolean;
  /** The first request of a batch waits: `sendBatch` of the shop is called after a moment. */
  expectBatch(shop: WatchedShop): void;
  /** Hands counted requests to the pool. The promises resolve once the results hold them; none rejects. */
  send(trial: ShadowTrial, waiting: WaitingBatch): readonly Promise<void>[];
  /** The changeset ended: its results are removed. */
  end(trial: ShadowTrial): void;
  /** The shop left memory; its results stay until they are written. */
  leave(shop: WatchedShop): void;
}

export class WatchedShop implements ShopWatch {
  readonly shopId: string;
  readonly recent: ShopRecent;
  readonly #shadow: ShadowQueue;
  /** null while no changeset is active. */
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
    const watched = watchedText(request);
    this.recent.add(watched, nowMs, isStripped);
    if (this.#trial !== null) this.#gather(this.#trial, textOf(watched), nowMs);
  }

  #gather(trial: ShadowTrial, text: string, nowMs: number): void {
    if (!this.#shadow.admit(trial, Buffer.byteLength(text))) return;
    const { texts, times } = this.#waiting;
    texts.push(text);
    times.push(nowMs);
    if (texts.length === 1) this.#shadow.expectBatch(this);
    if (texts.length < BATCH_REQUESTS || this.#isFullBatchSent) return;
    // After the answers of this turn: handing a batch over takes longer than one of them.
    this.#isFullBatchSent = true;
    setImmediate(() => this.sendBatch());
  }

  /** Hands over what waits, if anything does. */
  sendBatch(): void {
    this.#isFullBatchSent = false;
    const waiting = this.#waiting;
    if (this.#trial === null || waiting.texts.length === 0) return;
    this.#waiting = this.#newBatch();
    this.#shadow.send(this.#trial, waiting);
  }

  published(state: ShopState, sequenceNumber: number): void {
    // What waits was answered before this, and is shown to the changeset as it was then.
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
    const { shopId } = this;
    return { shopId, sequenceNumber: this.#sequenceNumber, isReplay: false, texts: [], times: [] };
  }
}
