/**
 * Long work for requests, such as bodies and answers of megabytes. It runs in slices, shop after shop, so that other
 * requests are answered meanwhile. When a client disconnects, its work stops.
 */
import { encodeSteps } from '../bytes/joined-bytes.ts';
import { jsonSteps } from '../bytes/json-steps.ts';
import { type Outcome, success } from '../domain/failure.ts';
import type { ShopState } from '../domain/shop-event.ts';
import { WorkSlices } from '../pace/work-slices.ts';
import type { ShouldYield, WorkSteps } from '../pace/work-steps.ts';
import type { SteppedAnswer, ValueAnswer } from './answer.ts';
import type { Exchange } from './exchange.ts';

/** The key of an answer that requests share: the state that it was made from, and the route. */
interface SharedKey {
  readonly state: ShopState;
  readonly routeName: string;
}

export class SlicedWork {
  readonly #slices = new WorkSlices();
  // By the state, which is replaced with each write. The configuration would not do as a key: a version without a change
  // keeps it.
  readonly #shared = new WeakMap<ShopState, Map<string, WeakRef<Buffer>>>();

  /** For the steps that `run` runs: true when the current slice is used up. */
  get shouldYield(): ShouldYield {
    return this.#slices.shouldYield;
  }

  /**
   * Runs the steps in slices, in the turns of the shop. The first slice, often the only one, runs at once. Calls `use`
   * with the result if the client is still connected.
   */
  run<T>(exchange: Exchange, shopId: string, steps: WorkSteps<T>, use: (made: T) => void): void {
    const made = this.#slices.start(shopId, whileOpen(exchange, steps));
    const useMade = (value: T | null): void => {
      if (value !== null) use(value);
    };
    if (made instanceof Promise) exchange.resume('load', made, useMade);
    else useMade(made);
  }

  /**
   * The JSON text of an answer. An equal answer that is still being sent to another client is used again, so that a large
   * configuration is in memory once, however many slow clients read it. The reference is weak: this is no cache.
   */
  *bytesSteps(answer: ValueAnswer | SteppedAnswer, shared: SharedKey | null): WorkSteps<Outcome<Uint8Array>> {
    const { shouldYield } = this;
    const earlier = this.#find(shared);
    if (earlier !== undefined) return success(earlier);
    const made = answer.kind === 'steps' ? yield* answer.make(shouldYield) : answer.read();
    if (!made.ok) return made;
    // Another request may have made the same bytes meanwhile.
    const known = this.#find(shared);
    if (known !== undefined) return success(known);
    const bytes = yield* encodeSteps(yield* jsonSteps(made.value, shouldYield), shouldYield);
    if (shared !== null) {
      const byRoute = this.#shared.get(shared.state) ?? new Map<string, WeakRef<Buffer>>();
      this.#shared.set(shared.state, byRoute.set(shared.routeName, new WeakRef(bytes)));
    }
    return success(bytes);
  }

  #find(shared: SharedKey | null): Buffer | undefined {
    return shared === null ? undefined : this.#shared.get(shared.state)?.get(shared.routeName)?.deref();
  }
}

/** Runs the steps while the client is connected; returns null when it disconnected. */
function* whileOpen<T>(exchange: Exchange, steps: WorkSteps<T>): WorkSteps<T | null> {
  for (let step = steps.next(); exchange.isOpen; step = steps.next()) {
    if (step.done === true) return step.value;
    yield;
  }
  return null;
}
