/**
 * Interfaces through which shops report their live simulations: to a watcher, and to counters of what the simulations
 * used (contract section 10.5). Answers never wait for them.
 */
import type { CompiledShop } from '../../engine/compile/compiled-shop.ts';
import type { SimulateRequest } from '../../engine/domain/cart.ts';
import type { Outcome } from '../../engine/domain/failure.ts';
import type { ShopState } from '../../engine/domain/shop-event.ts';
import { UseCounter } from '../../engine/evaluate/evaluate.ts';

/** A shop in memory, as a watcher sees it. */
export interface WatchedReader {
  readonly shopId: string;
  /** The state that answers simulations. */
  readonly state: ShopState;
  /** A configuration of a state that answers simulations or did so a moment ago. CONFLICT without a changeset. */
  compiledAt(source: 'live' | 'staged', state: ShopState): Outcome<CompiledShop>;
}

export interface SimulationWatch {
  /** A shop was loaded into memory. */
  open(shop: WatchedReader): ShopWatch;
}

/** Called in the tick of an answer or a write: must return quickly and must not throw. */
export interface ShopWatch {
  /** The live configuration answered `request`, which nobody changes any more, with the clock at `nowMs`. */
  simulated(request: SimulateRequest, nowMs: number): void;
  /** From now on `state` answers simulations. */
  published(state: ShopState): void;
  /** The shop was evicted from memory. */
  closed(): void;
}

export const UNWATCHED: ShopWatch = { simulated: () => {}, published: () => {}, closed: () => {} };

/** For processes without a watcher. */
export const NO_WATCH: SimulationWatch = { open: () => UNWATCHED };

/** How often one record was used: its name, a mark of what it matches, the time of the last use, and the counts. */
export type UseRow = readonly [key: string, mark: string, lastMs: number, ...counts: number[]];

/**
 * What live simulations were answered on one day: the day since 1970, how many there were, how many had no rate, the step of the
 * prices in cents, and each price with the number of simulations whose cheapest rate had it.
 */
export type DayRow = readonly [
  day: number,
  simulations: number,
  withoutRate: number,
  step: number,
  ...prices: number[],
];

/** How often live simulations used the records of a shop, and what they were answered on each day. */
export interface Uses {
  readonly simulations: number;
  readonly days: readonly DayRow[];
  readonly records: readonly UseRow[];
}

export interface UseWatch {
  /** A shop was loaded into memory; `state` gives what answers its simulations. */
  open(shopId: string, state: () => ShopState): UseCounter;
  /** The shop was evicted from memory. */
  closed(shopId: string): void;
  /** Adds uses that another thread counted. */
  add(shopId: string, uses: Uses): void;
}

/** For threads that hand their counts over, and for commands. */
export const UNWATCHED_USES: UseWatch = {
  open: () => new UseCounter(),
  closed: () => {},
  add: () => {},
};
