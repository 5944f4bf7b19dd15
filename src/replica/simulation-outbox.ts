/**
 * The live simulations of a replica on their way to the active changeset: gathered by shop and handed to the
 * owner in batches, and the recent ones kept for replays. The path of an answer only notes the text.
 *
 * Bounds: `shadowQueueMax` requests and `shadowQueueBytesMax` bytes of them that the owner has not taken yet; more
 * are dropped, and their count goes with the next batch.
 */

import { textOf } from '../bytes/text-bytes.ts';
import type { ShopState } from '../domain/shop-event.ts';
import { BATCH_MS, type SimulationBatch } from '../shadow/live-shadow.ts';
import { type RecentSimulation, RecentSimulations, type ShopRecent } from '../shadow/recent-simulations.ts';
import { BATCH_REQUESTS } from '../shadow/watched-shop.ts';
import {
  type ShopWatch,
  type SimulationWatch,
  type WatchedRequest,
  watchedText,
} from '../shop/simulation-watch.ts';

export interface OutboxLimits {
  readonly replayBytesMax: number;
  readonly shadowQueueMax: number;
  readonly shadowQueueBytesMax: number;
}

export class SimulationOutbox implements SimulationWatch {
  readonly #limits: OutboxLimits;
  readonly #send: (batch: SimulationBatch) => void;
  readonly #recent: RecentSimulations;
  readonly #shops = new Map<string, WatchedCopy>();
  readonly #gathering = new Set<WatchedCopy>();
  #requests = 0;
  #bytes = 0;
  #timer: NodeJS.Timeout | null = null;

  /** `nowMs` stamps what is kept, so that the newest of all threads can be told. */
  constructor(limits: OutboxLimits, nowMs: () => number, send: (batch: SimulationBatch) => void) {
    this.#limits = limits;
    this.#send = send;
    this.#recent = new RecentSimulations(limits.replayBytesMax, nowMs);
  }

  open(state: ShopState, sequenceNumber: number): ShopWatch {
    const shop = new WatchedCopy(this, this.#recent.open(state), state, sequenceNumber);
    this.#shops.set(shop.shopId, shop);
    return shop;
  }

  /** What is kept of a shop, oldest first. */
  async recent(shopId: string): Promise<readonly RecentSimulation[]> {
    const recent = this.#shops.get(shopId)?.recent;
    await (recent?.search() ?? null);
    return recent?.list() ?? [];
  }

  /** The owner has taken this much. */
  taken(requests: number, bytes: number): void {
    this.#requests -= requests;
    this.#bytes -= bytes;
  }

  /** Hands over what waits. */
  flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const shops = [...this.#gathering];
    this.#gathering.clear();
    for (const shop of shops) shop.send();
  }

  /** For the shops: whether there is room for one more request of so many bytes. */
  admit(bytes: number): boolean {
    const { shadowQueueMax, shadowQueueBytesMax } = this.#limits;
    if (this.#requests >= shadowQueueMax || this.#bytes + bytes > shadowQueueBytesMax) return false;
    this.#requests++;
    this.#bytes += bytes;
    return true;
  }

  expectBatch(shop: WatchedCopy): void {
    this.#gathering.add(shop);
    this.#timer ??= setTimeout(() => this.flush(), BATCH_MS).unref();
  }

  post(batch: SimulationBatch): void {
    this.#send(batch);
  }

  leave(shop: WatchedCopy): void {
    this.#gathering.delete(shop);
    if (this.#shops.get(shop.shopId) === shop) this.#shops.delete(shop.shopId);
  }
}

class WatchedCopy implements ShopWatch {
  readonly shopId: string;
  readonly recent: ShopRecent;
  readonly #outbox: SimulationOutbox;
  #stagingId: string | null;
  #sequenceNumber: number;
  #texts: string[] = [];
  #times: number[] = [];
  #dropped = 0;

  constructor(outbox: SimulationOutbox, recent: ShopRecent, state: ShopState, sequenceNumber: number) {
    this.shopId = state.settings.id;
    this.recent = recent;
    this.#outbox = outbox;
    this.#stagingId = state.staging?.id ?? null;
    this.#sequenceNumber = sequenceNumber;
  }

  simulated(request: WatchedRequest, nowMs: number, isStripped = false): void {
    const watched = watchedText(request);
    this.recent.add(watched, nowMs, isStripped);
    if (this.#stagingId !== null) this.#gather(textOf(watched), nowMs);
  }

  #gather(text: string, nowMs: number): void {
    if (this.#texts.length + this.#dropped === 0) this.#outbox.expectBatch(this);
    if (!this.#outbox.admit(Buffer.byteLength(text))) {
      this.#dropped++;
      return;
    }
    this.#texts.push(text);
    this.#times.push(nowMs);
    if (this.#texts.length >= BATCH_REQUESTS) this.send();
  }

  /** Hands over what waits, if anything does. */
  send(): void {
    const [texts, times, dropped] = [this.#texts, this.#times, this.#dropped];
    if (this.#stagingId === null || texts.length + dropped === 0) return;
    this.#texts = [];
    this.#times = [];
    this.#dropped = 0;
    const { shopId } = this;
    const sequenceNumber = this.#sequenceNumber;
    this.#outbox.post({ shopId, stagingId: this.#stagingId, sequenceNumber, texts, times, dropped });
  }

  published(state: ShopState, sequenceNumber: number): void {
    // What waits was answered before this, and is shown to the changeset as it was then.
    this.send();
    this.#stagingId = state.staging?.id ?? null;
    this.#sequenceNumber = sequenceNumber;
    this.recent.changed(state);
  }

  closed(): void {
    this.send();
    this.recent.close();
    this.#outbox.leave(this);
  }
}
