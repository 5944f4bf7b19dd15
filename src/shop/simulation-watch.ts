/**
 * Interfaces through which shops report their live simulations: to a watcher, and to counters of what the simulations
 * used (contract section 10.5). Answers never wait for them.
 */
import type { SimulateRequest } from '../domain/cart.ts';
import type { PlacedConfig, ShopState } from '../domain/shop-event.ts';
import { UseCounter } from '../evaluate/evaluate.ts';

/** A request, or its JSON text as a string or as bytes, which can be kept without parsing. */
export type WatchedRequest = SimulateRequest | WatchedText;
export type WatchedText = string | Uint8Array;

export interface SimulationWatch {
  /** A shop was loaded into memory, as of record `sequenceNumber`. */
  open(state: ShopState, sequenceNumber: number): ShopWatch;
}

/** Called in the tick of an answer or a write: must return quickly and must not throw. */
export interface ShopWatch {
  /**
   * The live configuration answered `request` with the clock at `nowMs`. `request` is JSON text if that exists.
   * `isStripped`: the personal fields that no current rule reads were removed from it.
   */
  simulated(request: WatchedRequest, nowMs: number, isStripped?: boolean): void;
  /** From now on `state` answers simulations. */
  published(state: ShopState, sequenceNumber: number): void;
  /** The shop was evicted from memory. */
  closed(): void;
}

export const UNWATCHED: ShopWatch = { simulated: () => {}, published: () => {}, closed: () => {} };

/** For commands, which answer no clients. */
export const NO_WATCH: SimulationWatch = { open: () => UNWATCHED };

export interface UseWatch {
  /** A shop was loaded into memory; `config` gives its live configuration. */
  open(shopId: string, config: () => PlacedConfig): UseCounter;
  /** The shop was evicted from memory. */
  closed(shopId: string): void;
  /** Adds uses that another thread counted: their JSON text in UTF-8. */
  add(shopId: string, uses: Uint8Array): void;
}

/** For threads that hand their counts over, and for commands. */
export const UNWATCHED_USES: UseWatch = {
  open: () => new UseCounter(),
  closed: () => {},
  add: () => {},
};
