/**
 * The bytes of answers that requests share: an equal answer that is still being sent to another client is used again, so
 * that a large configuration is in memory once, however many slow clients read it. The references are weak: this is no
 * cache.
 */
import { type Outcome, success } from '../../engine/domain/failure.ts';
import type { ShopState } from '../../engine/domain/shop-event.ts';
import type { ValueAnswer } from './answer.ts';

export class SharedAnswers {
  // By the state, which is replaced with each write. The configuration would not do as a key: a version without a change
  // keeps it.
  readonly #shared = new WeakMap<ShopState, Map<string, WeakRef<Buffer>>>();

  /** The JSON text of the answer that this route gives to every request in this state. */
  bytesOf(answer: ValueAnswer, state: ShopState, routeName: string): Outcome<Buffer> {
    const known = this.#shared.get(state)?.get(routeName)?.deref();
    if (known !== undefined) return success(known);
    const made = jsonBytes(answer);
    if (!made.ok) return made;
    const byRoute = this.#shared.get(state) ?? new Map<string, WeakRef<Buffer>>();
    this.#shared.set(state, byRoute.set(routeName, new WeakRef(made.value)));
    return made;
  }
}

export function jsonBytes({ read }: ValueAnswer): Outcome<Buffer> {
  const made = read();
  return made.ok ? success(Buffer.from(JSON.stringify(made.value))) : made;
}
