/**
 * Live coverage: counts which records of each shop in memory the live simulations used, and stores the counts in the
 * log (contract section 10.5). Answering a request only increments numbers; they are collected every second and
 * written every 30 seconds.
 *
 * Promises: `results` includes every simulation that was answered before the call; the stored counts lack at most the
 * last minute. A shop without simulations writes nothing.
 */
import { textOf } from '../bytes/answer-text.ts';
import { type Outcome, success } from '../domain/failure.ts';
import type { PlacedConfig, ShopState } from '../domain/shop-event.ts';
import { UseCounter } from '../evaluate/evaluate.ts';
import { DiskFullError, type EventLog } from '../log/event-log.ts';
import { WorkSlices } from '../pace/work-slices.ts';
import { mapSteps, type ShouldYield, type WorkSteps } from '../pace/work-steps.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Logger } from '../runtime/logger.ts';
import { asError } from '../runtime/thrown-error.ts';
import { readElsewhere } from '../shop/elsewhere.ts';
import type { UseWatch } from '../shop/simulation-watch.ts';
import type { Coverage } from '../wire/coverage.ts';
import { foldUses, RecordMarks, ShopCoverage, type Uses } from './shop-coverage.ts';

const COLLECT_MS = 1_000;
const WRITE_MS = 30_000;

interface CoveragePorts {
  readonly log: Pick<EventLog, 'readShopText' | 'writeShopText' | 'textsElsewhere'>;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly logger: Pick<Logger, 'error'>;
}

/** Makes the results as of the call. */
type CoverageInSteps = (shouldYield: ShouldYield) => WorkSteps<Coverage>;

/** The part of live coverage that routes use. */
export type CoverageAccess = Pick<LiveCoverage, 'results'>;

interface CountedShop {
  readonly shopId: string;
  readonly coverage: ShopCoverage;
  config: () => PlacedConfig;
  counter: UseCounter;
  isInMemory: boolean;
  /** True while counts are not written yet. */
  isDirty: boolean;
  /** Resolves after the last collection and write that was started. */
  work: Promise<void>;
}

export class LiveCoverage implements UseWatch {
  readonly #ports: CoveragePorts;
  readonly #marks = new RecordMarks();
  readonly #slices = new WorkSlices();
  readonly #shops = new Map<string, CountedShop>();
  #collectTimer: NodeJS.Timeout | null = null;
  #writeTimer: NodeJS.Timeout | null = null;

  constructor(ports: CoveragePorts) {
    this.#ports = ports;
  }

  open(shopId: string, config: () => PlacedConfig): UseCounter {
    const shop = this.#shops.get(shopId) ?? this.#load(shopId, config);
    shop.config = config;
    shop.counter = new UseCounter();
    shop.isInMemory = true;
    this.#collectTimer ??= setInterval(() => this.#collectAll(), COLLECT_MS).unref();
    return shop.counter;
  }

  #load(shopId: string, config: () => PlacedConfig): CountedShop {
    const since = new Date(this.#ports.clock.nowMs()).toISOString();
    const shop: CountedShop = {
      shopId,
      coverage: this.#read(shopId) ?? new ShopCoverage(since),
      config,
      counter: new UseCounter(),
      isInMemory: false,
      isDirty: false,
      work: Promise.resolve(),
    };
    this.#shops.set(shopId, shop);
    return shop;
  }

  #read(shopId: string): ShopCoverage | null {
    try {
      const text = this.#ports.log.readShopText('coverage', shopId);
      return text === null ? null : ShopCoverage.read(text);
    } catch (error) {
      // The shop must load even if its counts are damaged; they start at 0.
      this.#ports.logger.error('coverage.unreadable', { shopId, error: asError(error) });
      return null;
    }
  }

  #collectAll(): void {
    for (const shop of this.#shops.values()) void this.#collect(shop);
  }

  /** Adds the uses that were counted before this call. Never rejects. */
  #collect(shop: CountedShop): Promise<void> {
    if (!shop.counter.isUsed) return shop.work;
    const { shouldYield } = this.#slices;
    const steps = foldUses(shop.counter.take(), this.#marks, this.#ports.clock.nowMs(), shouldYield);
    return this.#next(shop, async () => {
      const uses = await this.#slices.run(shop, steps);
      this.#addUses(shop, uses);
    });
  }

  #addUses(shop: CountedShop, uses: Uses): void {
    shop.coverage.add(uses);
    shop.isDirty = true;
    this.#writeLater();
  }

  #writeLater(): void {
    this.#writeTimer ??= setTimeout(() => this.#writeDirty(), WRITE_MS).unref();
  }

  add(shopId: string, uses: Uint8Array): void {
    const shop = this.#shops.get(shopId);
    if (shop !== undefined) this.#addUses(shop, JSON.parse(textOf(uses)) as Uses);
  }

  /** The sum over all nodes; of another node the counts that it wrote last. UNAVAILABLE while they cannot be read. */
  async results({ settings, config }: ShopState): Promise<Outcome<CoverageInSteps>> {
    const shopId = settings.id;
    const shop = this.#shops.get(shopId) ?? this.#load(shopId, () => config);
    const reading = readElsewhere(this.#ports.log, 'coverage', shopId);
    const [elsewhere] = await Promise.all([reading ?? success([]), this.#collect(shop)]);
    if (!elsewhere.ok) return elsewhere;
    const marks = this.#marks;
    return success(function* (shouldYield) {
      const nodes = yield* mapSteps(elsewhere.value, ShopCoverage.read, shouldYield);
      const known = nodes.filter((node) => node !== null);
      return yield* shop.coverage.viewSteps(config, marks, shouldYield, known);
    });
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
    void this.#settle(shop);
  }

  async #settle(shop: CountedShop): Promise<void> {
    await this.#collect(shop);
    await this.#write(shop);
    // The shop may have been loaded again meanwhile.
    const isIdle = !shop.isInMemory && !shop.isDirty && !shop.counter.isUsed;
    if (isIdle && this.#shops.get(shop.shopId) === shop) this.#shops.delete(shop.shopId);
  }

  #writeDirty(): void {
    if (this.#writeTimer !== null) clearTimeout(this.#writeTimer);
    this.#writeTimer = null;
    for (const shop of this.#shops.values()) void this.#write(shop);
  }

  #write(shop: CountedShop): Promise<void> {
    if (!shop.isDirty) return shop.work;
    return this.#next(shop, async () => {
      shop.isDirty = false;
      const { shouldYield } = this.#slices;
      await this.#slices.run(shop, shop.coverage.pruneSteps(shop.config(), shouldYield));
      const text = await this.#slices.run(shop, shop.coverage.textSteps(shouldYield));
      await this.#ports.log.writeShopText('coverage', shop.shopId, text).catch((error: unknown) => {
        shop.isDirty = true;
        this.#writeLater();
        throw error;
      });
    });
  }

  /**
   * Runs `work` after the other work of the shop. A failure is only logged, because counts must not stop the service.
   */
  #next(shop: CountedShop, work: () => Promise<void>): Promise<void> {
    shop.work = shop.work.then(work).catch((error: unknown) => {
      if (!(error instanceof DiskFullError))
        this.#ports.logger.error('coverage.not_written', { shopId: shop.shopId, error: asError(error) });
    });
    return shop.work;
  }

  /** Collects and writes all counts. */
  async close(): Promise<void> {
    if (this.#collectTimer !== null) clearInterval(this.#collectTimer);
    await Promise.all(Array.from(this.#shops.values(), (shop) => this.#settle(shop)));
    if (this.#writeTimer !== null) clearTimeout(this.#writeTimer);
  }
}
