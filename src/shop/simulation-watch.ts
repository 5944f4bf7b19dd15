/** What an actor tells whoever watches the live simulations of its shop. The answers never wait for it. */
import type { SimulateRequest } from '../domain/cart.ts';
import type { ShopState } from '../domain/shop-event.ts';

/** A request; or its JSON text, as a string or as bytes, which take nothing to keep unread. */
export type WatchedRequest = SimulateRequest | WatchedText;
export type WatchedText = string | Uint8Array;

export const watchedText = (request: WatchedRequest): WatchedText =>
  typeof request === 'string' || request instanceof Uint8Array ? request : JSON.stringify(request);

export interface SimulationWatch {
  /** A shop came into memory, as of record `sequenceNumber`. */
  open(state: ShopState, sequenceNumber: number): ShopWatch;
}

/** Called in the tick of an answer or a write: must return at once and never throw. */
export interface ShopWatch {
  /**
   * The live configuration answered `request`, as JSON text when there is one, with the clock at `nowMs`.
   * `isStripped`: what no rule of now reads of a person was taken out of it.
   */
  simulated(request: WatchedRequest, nowMs: number, isStripped?: boolean): void;
  /** From now on simulations are answered from `state`. */
  published(state: ShopState, sequenceNumber: number): void;
  /** The shop left memory. */
  closed(): void;
}

/** For processes in which nobody watches. */
export const NO_WATCH: SimulationWatch = {
  open: () => ({ simulated: () => {}, published: () => {}, closed: () => {} }),
};
