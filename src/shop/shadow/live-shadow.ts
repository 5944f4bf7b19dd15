/**
 * Shadow: each live simulation is evaluated a second time, against the changeset, and the differences are counted (contract
 * section 7). It runs on the event loop after the answers of the same turn, a few carts a turn. `ShadowBudget` bounds how
 * many a second; the others are dropped and counted.
 *
 * Promises: while a changeset is active, each live simulation is counted exactly once, as evaluated or dropped. Results
 * include every simulation that this process answered before they are asked for. They are on disk within a second of a
 * change, and are removed with their changeset.
 *
 * Bounds: at most `WAITING_MAX` carts wait.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Metrics } from '../../base/metrics/metrics.ts';
import type { Clock } from '../../base/runtime/clock.ts';
import type { Logger } from '../../base/runtime/logger.ts';
import { asError } from '../../base/runtime/thrown-error.ts';
import { type Outcome, success } from '../../engine/domain/failure.ts';
import { asksForCarts } from '../../engine/domain/promotion-gate.ts';
import type { ShopState, StagingState } from '../../engine/domain/shop-event.ts';
import type { EditShadowResults, ShadowResults } from '../../engine/wire/shadow-results.ts';
import { NO_CHANGESET } from '../../engine/wire/staging.ts';
import { DiskFullError, type EventLog } from '../../store/log/event-log.ts';
import type { KeptCart } from '../reader/live-traffic.ts';
import { readElsewhere } from '../reader/other-nodes.ts';
import type { ShopWatch, SimulationWatch, WatchedReader } from '../reader/simulation-watch.ts';
import { KEPT_BYTES_MAX, KeptCarts } from './kept-carts.ts';
import type { ReplayResult } from './replay-carts.ts';
import { ShadowBudget } from './shadow-budget.ts';
import { ShadowTally } from './shadow-tally.ts';
import { type ShadowQueue, type Trial, type WatchedCart, WatchedShop } from './watched-shop.ts';

const WAITING_MAX = 1_000;
/** What is taken of the budget in one turn of the event loop. */
const TURN_COST = 16;
/** Time from the first change of results to the start of the write, which must end within the second. */
const WRITE_MS = 750;
/** After this time other nodes have stored the results of what they had answered. */
const ELSEWHERE_MS = 1_500;

export interface ShadowLimits {
  readonly shadowPerSecond: number;
}

interface ShadowPorts {
  readonly log: Pick<EventLog, 'readShopText' | 'writeShopText' | 'textsElsewhere'>;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly limits: ShadowLimits;
  /** Draws the carts that are kept. */
  readonly random?: () => number;
}

/** The part of the shadow that routes use. */
export type ShadowAccess = Pick<
  LiveShadow,
  'results' | 'elsewhere' | 'resultsSinceEdit' | 'keptCarts' | 'addReplay'
>;

interface WaitingCart extends WatchedCart {
  /** What it took of the budget. */
  readonly cost: number;
}

export class LiveShadow implements SimulationWatch, ShadowQueue {
  readonly kept: KeptCarts;
  readonly #ports: ShadowPorts;
  readonly #budget: ShadowBudget;
  readonly #shops = new Map<string, WatchedShop>();
  /** Shops in memory with a changeset. */
  readonly #trying = new Set<WatchedShop>();
  readonly #trials = new Map<string, Trial>();
  readonly #waiting: WaitingCart[] = [];
  #isTurnDue = false;
  #writeTimer: NodeJS.Timeout | null = null;
  /** Resolves after the writes that were begun; never rejects. */
  #written: Promise<void> = Promise.resolve();
  /** An evaluation has failed since the last write; only the first is logged. */
  #hasFailed = false;

  constructor(ports: ShadowPorts) {
    const { limits, clock, random } = ports;
    this.#ports = ports;
    this.#budget = new ShadowBudget(limits.shadowPerSecond, () => clock.monotonicMs());
    this.kept = new KeptCarts(KEPT_BYTES_MAX, random);
  }

  open(reader: WatchedReader): ShopWatch {
    const shop = new WatchedShop(this, reader);
    this.#shops.set(shop.shopId, shop);
    return shop;
  }

  begin(shop: WatchedShop, stagingId: string): Trial {
    const { shopId } = shop;
    this.#trying.add(shop);
    const known = this.#trials.get(shopId);
    if (known?.tally.stagingId === stagingId) return known;
    const trial = {
      tally: this.#storedTally(shopId, stagingId),
      isDirty: false,
      isWriting: false,
      hasEnded: false,
    };
    this.#trials.set(shopId, trial);
    return trial;
  }

  /** The stored results, or empty ones. */
  #storedTally(shopId: string, stagingId: string): ShadowTally {
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

  add(cart: WatchedCart): void {
    const { shop, trial } = cart;
    const cost = shop.costOf(cart);
    const isFull = this.#waiting.length >= WAITING_MAX;
    if (isFull || !this.#budget.take(shop.share, this.#trying.size, cost)) this.#drop(trial);
    else {
      this.#waiting.push({ ...cart, cost });
      this.#expectTurn();
    }
  }

  #expectTurn(): void {
    if (this.#isTurnDue) return;
    this.#isTurnDue = true;
    setImmediate(() => this.#turn());
  }

  #turn(): void {
    this.#isTurnDue = false;
    let cost = 0;
    while (cost < TURN_COST && this.#waiting.length > 0) cost += this.#evaluateNext();
    if (this.#waiting.length > 0) this.#expectTurn();
  }

  /** Evaluates what waits. */
  #settle(): void {
    while (this.#waiting.length > 0) this.#evaluateNext();
  }

  /** Returns what the cart took of the budget. */
  #evaluateNext(): number {
    const cart = this.#waiting.shift();
    if (cart === undefined || cart.trial.hasEnded) return 0;
    const { shop, trial, state, cost } = cart;
    try {
      const comparison = shop.compare(cart);
      if (comparison === null) return cost;
      trial.tally.add(comparison, state.staging?.writes.length ?? 0);
      this.#ports.metrics.values.shadow_evaluated++;
      this.#changed(trial);
    } catch (error) {
      if (!this.#hasFailed) {
        this.#ports.logger.error('shadow.failed', { shopId: shop.shopId, error: asError(error) });
      }
      this.#hasFailed = true;
      this.#drop(trial);
    }
    return cost;
  }

  #drop(trial: Trial): void {
    this.#ports.metrics.values.shadow_dropped++;
    trial.tally.drop();
    this.#changed(trial);
  }

  /** The results of the active changeset, with those of other nodes; CONFLICT without one. */
  results({ settings, config, staging }: ShopState, elsewhere: readonly string[]): Outcome<ShadowResults> {
    if (staging === null) return NO_CHANGESET;
    this.#settle();
    return success(this.#tallyFor(settings.id, staging).plus(elsewhere).view(config, staging.config));
  }

  /**
   * The results of other nodes for the active changeset, at most a second old, for `results`; null without other nodes or a
   * changeset. UNAVAILABLE while they cannot be read.
   */
  elsewhere({ settings, staging }: ShopState): Promise<Outcome<readonly string[]>> | null {
    return staging === null ? null : readElsewhere(this.#ports.log, 'shadowResults', settings.id);
  }

  /**
   * The results since the last staged write of the active changeset, with every simulation that was answered before the
   * call, also by other nodes; CONFLICT without a changeset.
   */
  async resultsSinceEdit(state: ShopState): Promise<Outcome<EditShadowResults>> {
    const { settings, staging } = state;
    if (staging === null) return NO_CHANGESET;
    const isCluster = this.#ports.log.textsElsewhere !== undefined;
    if (isCluster && asksForCarts(settings.promotionGate ?? null)) await delay(ELSEWHERE_MS);
    const elsewhere = (await this.elsewhere(state)) ?? success([]);
    if (!elsewhere.ok) return elsewhere;
    this.#settle();
    return success(this.#tallyFor(settings.id, staging).plus(elsewhere.value).sinceEdit(staging.config));
  }

  /** The tally of a changeset. It is not stored as a trial, because the state of the caller may be outdated. */
  #tallyFor(shopId: string, { id, writes }: StagingState): ShadowTally {
    const known = this.#trials.get(shopId)?.tally;
    if (known?.stagingId === id) return known;
    const tally = this.#storedTally(shopId, id);
    tally.edited(writes.length);
    return tally;
  }

  /** The kept carts of a shop that this process answered. */
  keptCarts(shopId: string): readonly KeptCart[] {
    return this.#shops.get(shopId)?.carts.list() ?? [];
  }

  /** Adds a replay to the results of its changeset; CONFLICT when that has ended. */
  addReplay(shopId: string, stagingId: string, replayed: ReplayResult): Outcome<null> {
    const trial = this.#trials.get(shopId);
    if (trial?.tally.stagingId !== stagingId) return NO_CHANGESET;
    trial.tally.addReplay(replayed);
    this.#changed(trial);
    return success(null);
  }

  #changed(trial: Trial): void {
    if (trial.isDirty || trial.hasEnded) return;
    trial.isDirty = true;
    this.#writeTimer ??= setTimeout(() => this.#write(), WRITE_MS).unref();
  }

  #write(): void {
    if (this.#writeTimer !== null) clearTimeout(this.#writeTimer);
    this.#writeTimer = null;
    this.#hasFailed = false;
    for (const trial of this.#trials.values()) {
      if (trial.isDirty) this.#written = this.#written.then(() => this.#writeOne(trial));
    }
  }

  async #writeOne(trial: Trial): Promise<void> {
    const { shopId } = trial.tally;
    if (trial.hasEnded || !trial.isDirty) return;
    trial.isDirty = false;
    trial.isWriting = true;
    this.#shops.get(shopId)?.prune();
    if (!(await this.#store(shopId, trial.tally.text()))) this.#changed(trial);
    trial.isWriting = false;
    this.#forgetIdle(trial);
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

  end(shop: WatchedShop, trial: Trial): void {
    const { shopId } = shop;
    this.#trying.delete(shop);
    trial.hasEnded = true;
    if (this.#trials.get(shopId) === trial) this.#trials.delete(shopId);
    // The record that ends the changeset has removed the stored results; this removes those of a write that was under way.
    this.#written = this.#written.then(async () => {
      if (!this.#trials.has(shopId)) await this.#store(shopId, null);
    });
  }

  leave(shop: WatchedShop): void {
    const { shopId } = shop;
    this.#settle();
    this.#trying.delete(shop);
    if (this.#shops.get(shopId) === shop) this.#shops.delete(shopId);
    const trial = this.#trials.get(shopId);
    if (trial !== undefined) this.#forgetIdle(trial);
  }

  /** Results of a shop that is not in memory stay until they are written. */
  #forgetIdle(trial: Trial): void {
    const { shopId } = trial.tally;
    if (trial.isDirty || trial.isWriting || this.#shops.has(shopId)) return;
    if (this.#trials.get(shopId) === trial) this.#trials.delete(shopId);
  }

  /** Evaluates what waits, and writes the results. */
  async close(): Promise<void> {
    this.#settle();
    this.#write();
    await this.#written;
  }
}
