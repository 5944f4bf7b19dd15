/**
 * Live coverage: counts which records of each shop in memory the live simulations used, and stores the counts in the
 * log (contract section 10.5). Answering a request only increments numbers; they are collected every second and
 * written every 30 seconds.
 *
 * Promises: `results` includes every simulation that was answered before the call; the stored counts lack at most the
 * last minute. A shop without simulations writes nothing.
 */

import type { Clock } from '../../base/runtime/clock.ts';
import type { Logger } from '../../base/runtime/logger.ts';
import { asError } from '../../base/runtime/thrown-error.ts';
import { type Outcome, success } from '../../engine/domain/failure.ts';
import type { ShopState } from '../../engine/domain/shop-event.ts';
import { UseCounter } from '../../engine/evaluate/evaluate.ts';
import type { Coverage } from '../../engine/wire/coverage.ts';
import { DiskFullError, type EventLog } from '../../store/log/event-log.ts';
import { readElsewhere } from '../reader/other-nodes.ts';
import type { Uses, UseWatch } from '../reader/simulation-watch.ts';
import { RecordMarks, ShopCoverage } from './shop-coverage.ts';

const COLLECT_MS = 1_000;
const WRITE_MS = 30_000;

interface CoveragePorts {
  readonly log: Pick<EventLog, 'readShopText' | 'writeShopText' | 'textsElsewhere'>;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly logger: Pick<Logger, 'error'>;
}

/** The part of live coverage that routes use. */
export type CoverageAccess = Pick<LiveCoverage, 'results'>;

interface CountedShop {
  readonly shopId: string;
  readonly coverage: ShopCoverage;
  state: () => ShopState;
  counter: UseCounter;
  isInMemory: boolean;
  /** True while counts are not written yet. */
  isDirty: boolean;
}

export class LiveCoverage implements UseWatch {
  readonly #ports: CoveragePorts;
  readonly #marks = new RecordMarks();
  readonly #shops = new Map<string, CountedShop>();
  #collectTimer: NodeJS.Timeout | null = null;
  #writeTimer: NodeJS.Timeout | null = null;
  /** Resolves after the writes that were begun; never rejects. */
  #written: Promise<void> = Promise.resolve();

  constructor(ports: CoveragePorts) {
    this.#ports = ports;
  }

  open(shopId: string, state: () => ShopState): UseCounter {
    const shop = this.#shops.get(shopId) ?? this.#load(shopId, state);
    shop.state = state;
    shop.counter = new UseCounter();
    shop.isInMemory = true;
    this.#collectTimer ??= setInterval(() => this.#collectAll(), COLLECT_MS).unref();
    return shop.counter;
  }

  #load(shopId: string, state: () => ShopState): CountedShop {
    const since = new Date(this.#ports.clock.nowMs()).toISOString();
    const coverage = this.#read(shopId) ?? new ShopCoverage(since, this.#marks);
    const shop = { shopId, coverage, state, counter: new UseCounter(), isInMemory: false, isDirty: false };
    this.#shops.set(shopId, shop);
    return shop;
  }

  #read(shopId: string): ShopCoverage | null {
    try {
      const text = this.#ports.log.readShopText('coverage', shopId);
      return text === null ? null : ShopCoverage.read(text, this.#marks);
    } catch (error) {
      // The shop must load even if its counts are damaged; they start at 0.
      this.#ports.logger.error('coverage.unreadable', { shopId, error: asError(error) });
      return null;
    }
  }

  #collectAll(): void {
    for (const shop of this.#shops.values()) this.#collect(shop);
  }

  #collect(shop: CountedShop): void {
    if (!shop.counter.isUsed) return;
    shop.coverage.collect(shop.counter.take(), shop.state().settings, this.#ports.clock.nowMs());
    this.#changed(shop);
  }

  #changed(shop: CountedShop): void {
    shop.isDirty = true;
    this.#writeTimer ??= setTimeout(() => this.#writeAll(), WRITE_MS).unref();
  }

  add(shopId: string, uses: Uses): void {
    const shop = this.#shops.get(shopId);
    if (shop === undefined) return;
    shop.coverage.add(uses);
    this.#changed(shop);
  }

  /** The sum over all nodes; of another node the counts that it wrote last. UNAVAILABLE while they cannot be read. */
  async results(state: ShopState): Promise<Outcome<Coverage>> {
    const shopId = state.settings.id;
    const elsewhere = (await readElsewhere(this.#ports.log, 'coverage', shopId)) ?? success([]);
    if (!elsewhere.ok) return elsewhere;
    const shop = this.#shops.get(shopId) ?? this.#load(shopId, () => state);
    this.#collect(shop);
    const others = elsewhere.value.flatMap((text) => ShopCoverage.read(text, this.#marks) ?? []);
    return success(shop.coverage.view(state, this.#ports.clock.nowMs(), others));
  }

  /** The `max` shops in memory with the most simulations. */
  largest(max: number): readonly { readonly shopId: string; readonly simulations: number }[] {
    return Array.from(this.#shops.values(), ({ shopId, coverage: { simulations } }) => ({
      shopId,
      simulations,
    }))
      .sort((a, b) => b.simulations - a.simulations)
      .slice(0, max);
  }

  closed(shopId: string): void {
    const shop = this.#shops.get(shopId);
    if (shop === undefined) return;
    shop.isInMemory = false;
    this.#settle(shop);
  }

  /** Collects and writes the counts of the shop, and forgets them if it is not in memory. */
  #settle(shop: CountedShop): void {
    this.#collect(shop);
    this.#written = this.#written.then(async () => {
      await this.#write(shop);
      // The shop may have been loaded again meanwhile.
      const isIdle = !shop.isInMemory && !shop.isDirty && !shop.counter.isUsed;
      if (isIdle && this.#shops.get(shop.shopId) === shop) this.#shops.delete(shop.shopId);
    });
  }

  #writeAll(): void {
    this.#writeTimer = null;
    for (const shop of this.#shops.values()) if (shop.isDirty) this.#settle(shop);
  }

  /** Never rejects: a failure is only logged, because counts must not stop the service. */
  async #write(shop: CountedShop): Promise<void> {
    const { shopId, coverage } = shop;
    if (!shop.isDirty) return;
    shop.isDirty = false;
    coverage.prune(shop.state(), this.#ports.clock.nowMs());
    try {
      await this.#ports.log.writeShopText('coverage', shopId, coverage.text());
    } catch (error) {
      if (!(error instanceof DiskFullError)) {
        this.#ports.logger.error('coverage.not_written', { shopId, error: asError(error) });
      }
      this.#changed(shop);
    }
  }

  /** Collects and writes all counts. */
  async close(): Promise<void> {
    if (this.#collectTimer !== null) clearInterval(this.#collectTimer);
    for (const shop of this.#shops.values()) this.#settle(shop);
    await this.#written;
    if (this.#writeTimer !== null) clearTimeout(this.#writeTimer);
  }
}
