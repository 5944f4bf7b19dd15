/**
 * What all threads see at once: for each shop that is lent to a replica the number of its last published record,
 * and a count of the moments at which keys became worthless. One 32-bit word each: the owner of the shops stores
 * it before it acknowledges, a replica loads it with each simulation (measured: 18 ns).
 *
 * A word holds the low 31 bits of a record's number; a replica knows the rest from its own copy, because no copy
 * is 2^30 records behind. A negative word says that the shop is not in memory any more.
 */

/** Words before the slots; a cache line of their own for the count of keys. */
const SLOTS_START = 16;
const KEYS_AT = 0;
const LOW_BITS = 0x7fffffff;
const GONE = -1;

/** The word of a record's number. */
export const wordOf = (sequenceNumber: number): number => sequenceNumber % (LOW_BITS + 1);

export const isGone = (word: number): boolean => word < 0;

/** The number whose word this is and that is nearest to `known`. */
export function sequenceNumberOf(word: number, known: number): number {
  // Shifted to the sign and back: a difference of 31 bits with its sign.
  return known + (((word - wordOf(known)) << 1) >> 1);
}

export class SharedBoard {
  /** To be handed to another thread. */
  readonly memory: SharedArrayBuffer;
  readonly #words: Int32Array;

  /** On memory of another thread, or on new memory for so many slots. */
  constructor(from: SharedArrayBuffer | number) {
    this.memory =
      typeof from === 'number'
        ? new SharedArrayBuffer((SLOTS_START + from) * Int32Array.BYTES_PER_ELEMENT)
        : from;
    this.#words = new Int32Array(this.memory);
  }

  get slots(): number {
    return this.#words.length - SLOTS_START;
  }

  word(slot: number): number {
    return Atomics.load(this.#words, SLOTS_START + slot);
  }

  publish(slot: number, sequenceNumber: number): void {
    Atomics.store(this.#words, SLOTS_START + slot, wordOf(sequenceNumber));
  }

  markGone(slot: number): void {
    Atomics.store(this.#words, SLOTS_START + slot, GONE);
  }

  /** Changes with each `forgetKeys`. */
  get keyEpoch(): number {
    return Atomics.load(this.#words, KEYS_AT);
  }

  /** From now on nobody trusts what it remembers of keys. */
  forgetKeys(): void {
    Atomics.add(this.#words, KEYS_AT, 1);
  }
}
