/**
 * Bodies of reads that are the same for everybody who asks: a list, the whole configuration. While one is
 * being sent, whoever else asks gets the same bytes, so that a crowd of slow readers of a configuration of
 * many megabytes costs its memory once. Nothing is kept for its own sake: the bytes go when nobody sends them.
 */
import type { ShopState } from '../domain/shop-event.ts';

export class SharedAnswers {
  // A state never changes, a new one takes its place; so it is the right thing to be remembered by. Not the
  // configuration alone: a version that changes nothing may have the one before it.
  readonly #byState = new WeakMap<ShopState, Map<string, WeakRef<Buffer>>>();

  /** What was made of this state under this name, if it is still about. */
  find(state: ShopState, name: string): Buffer | undefined {
    return this.#byState.get(state)?.get(name)?.deref();
  }

  keep(state: ShopState, name: string, body: Buffer): void {
    const bodies = this.#byState.get(state) ?? new Map<string, WeakRef<Buffer>>();
    this.#byState.set(state, bodies.set(name, new WeakRef(body)));
  }
}
