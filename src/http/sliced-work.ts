/**
 * Long work for requests: bodies and answers of megabytes, made in slices of one shop after the other, so that other
 * requests are answered in between. When a client disconnects, its work stops.
 */
import { encodeSteps } from '../bytes/joined-bytes.ts';
import { jsonSteps } from '../bytes/json-steps.ts';
import { type Outcome, success } from '../domain/failure.ts';
import type { ShopState } from '../domain/shop-event.ts';
import { WorkSlices } from '../pace/work-slices.ts';
import type { ShouldYield, WorkSteps } from '../pace/work-steps.ts';
import type { SteppedAnswer, ValueAnswer } from './answer.ts';
import type { Exchange } from './exchange.ts';

/** The name under which requests that come together share the bytes of an answer: they are of this state. */
interface SharedName {
  readonly state: ShopState;
  readonly name: string;
}

export class SlicedWork {
  readonly #slices = new WorkSlices();
  // A state never changes, a new one takes its place. The configuration is no such key: a version that changes nothing
  // may have the one before it.
  readonly #shared = new WeakMap<ShopState, Map<string, WeakRef<Buffer>>>();

  /** For the steps that run here: true when the slice under way is used up. */
  get shouldYield(): ShouldYield {
    return this.#slices.shouldYield;
  }

  /**
   * Runs the steps in slices, in the turns of the shop. The first slice, often the only one, runs at once. `use` gets
   * the result if the client is still connected.
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
   * The JSON text of an answer: made, or made already and still being sent to another client, so that many slow readers
   * of a large configuration take its memory once. Nothing is kept for its own sake.
   */
  *bytesSteps(
    answer: ValueAnswer | SteppedAnswer,
    shared: SharedName | null,
  ): WorkSteps<Outcome<Uint8Array>> {
    const { shouldYield } = this;
    const earlier = this.#find(shared);
    if (earlier !== undefined) return success(earlier);
    const made = answer.kind === 'steps' ? yield* answer.make(shouldYield) : answer.read();
    if (!made.ok) return made;
    // Another request may have made the same bytes while this request waited.
    const known = this.#find(shared);
    if (known !== undefined) return success(known);
    const bytes = yield* encodeSteps(yield* jsonSteps(made.value, shouldYield), shouldYield);
    if (shared !== null) this.#keep(shared, bytes);
    return success(bytes);
  }

  #find(shared: SharedName | null): Buffer | undefined {
    return shared === null ? undefined : this.#shared.get(shared.state)?.get(shared.name)?.deref();
  }

  #keep({ state, name }: SharedName, bytes: Buffer): void {
    const byName = this.#shared.get(state) ?? new Map<string, WeakRef<Buffer>>();
    this.#shared.set(state, byName.set(name, new WeakRef(bytes)));
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
