/** One shop in memory whose live simulations are watched: what happens on the path of each answer. */
import { type ShopWatch, type WatchedRequest, watchedText } from '../actor/simulation-watch.ts';
import type { ShopState } from '../domain/shop-event.ts';
import { textOf } from '../runtime/text-bytes.ts';
import { BATCH_REQUESTS, type LiveShadow, type ShadowTrial, type WaitingBatch } from './live-shadow.ts';
import type { ShopRecent } from './recent-simulations.ts';

export class WatchedShop implements ShopWatch {
  readonly shopId: string;
  readonly recent: ShopRecent;
  readonly #shadow: LiveShadow;
  /** null while no changeset is active. */
  #trial: ShadowTrial | null = null;
  #sequenceNumber: number;
  #waiting: WaitingBatch;
  #isFullBatchSent = false;

  constructor(shadow: LiveShadow, state: ShopState, sequenceNumber: number) {
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
    this.#trial.tally.prune(config, staging.config);
  }

  #newBatch(): WaitingBatch {
    const { shopId } = this;
    return { shopId, sequenceNumber: this.#sequenceNumber, isReplay: false, texts: [], times: [] };
  }
}
