/** A value that pages share: whoever subscribed is told when it is replaced. */
export class Shared<T> {
  #value: T;
  readonly #changed: () => void;

  /** `changed` runs after each change. */
  constructor(value: T, changed: () => void) {
    this.#value = value;
    this.#changed = changed;
  }

  get value(): T {
    return this.#value;
  }

  set value(next: T) {
    if (Object.is(next, this.#value)) return;
    this.#value = next;
    this.#changed();
  }
}
