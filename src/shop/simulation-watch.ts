/**
 * Interface through which actors report the live simulations of their shops to a watcher. Answers never wait for it.
 */
import type { SimulateRequest } from '../domain/cart.ts';
import type { ShopState } from '../domain/shop-event.ts';

/** A request, or its JSON text as a string or as bytes, which can be kept without parsing. */
export type WatchedRequest = SimulateRequest | WatchedText;
export type WatchedText = string | Uint8Array;

export const watchedText = (request: WatchedRequest): WatchedText =>
  typeof request === 'string' || request instanceof Uint8Array ? request : JSON.stringify(request);

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

/** For processes without a watcher. */
export const NO_WATCH: SimulationWatch = {
  open: () => ({ simulated: () => {}, published: () => {}, closed: () => {} }),
};
