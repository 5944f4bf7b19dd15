/**
 * Looks up keys that this node does not know, at the authority: those that are asked for during a query are sent
 * together with the next one. Digests that belong to no key are remembered for `MISS_MS`, so that a flood of wrong keys costs
 * the authority a bounded number of queries; a change that may have made a key forgets them.
 */
import type { Authority } from '../log/authority.ts';
import type { KeyHolder } from '../log/event-log.ts';

/** Digests in one query to the authority. */
const ASKED_MAX = 1_000;
const MISS_MS = 10_000;
const MISSES_MAX = 10_000;

interface KeyQuery {
  readonly digest: Buffer;
  readonly answer: (holder: KeyHolder | null) => void;
  readonly failed: (error: unknown) => void;
}

export class KeyLookup {
  readonly #authority: Pick<Authority, 'keys'>;
  readonly #nowMs: () => number;
  #waiting: KeyQuery[] = [];
  #isAsking = false;
  /** Digest in hexadecimal -> until when it is known to belong to no key. */
  readonly #misses = new Map<string, number>();
  /** Shops whose keys may have changed since the query under way was sent, or null for any shop. */
  readonly #changed = new Set<string | null>();

  constructor(authority: Pick<Authority, 'keys'>, monotonicMs: () => number) {
    this.#authority = authority;
    this.#nowMs = monotonicMs;
  }

  /** True for a digest that was found to belong to no key. */
  isMiss(digest: Buffer): boolean {
    if (this.#misses.size === 0) return false;
    return (this.#misses.get(digest.toString('hex')) ?? Number.NEGATIVE_INFINITY) > this.#nowMs();
  }

  /** The holder as of a moment after the call. Rejects with `AuthorityUnavailableError`. */
  ask(digest: Buffer): Promise<KeyHolder | null> {
    return new Promise((answer, failed) => {
      this.#waiting.push({ digest, answer, failed });
      if (!this.#isAsking) void this.#run();
    });
  }

  /**
   * Keys of this shop (null: of any shop) may have been made or revoked. Forgets the misses, and repeats the query under
   * way for those keys.
   */
  changed(shopId: string | null): void {
    this.#misses.clear();
    if (this.#isAsking) this.#changed.add(shopId);
  }

  async #run(): Promise<void> {
    this.#isAsking = true;
    while (this.#waiting.length > 0) {
      const asked = this.#waiting.splice(0, ASKED_MAX);
      this.#changed.clear();
      try {
        this.#answer(asked, await this.#authority.keys(asked.map(({ digest }) => digest)));
      } catch (error) {
        for (const { failed } of asked) failed(error);
      }
    }
    this.#isAsking = false;
  }

  #answer(asked: readonly KeyQuery[], holders: readonly (KeyHolder | null)[]): void {
    for (const [index, question] of asked.entries()) {
      const holder = holders[index] ?? null;
      if (holder !== null && (this.#changed.has(null) || this.#changed.has(holder.shopId))) {
        this.#waiting.push(question);
        continue;
      }
      if (holder === null && this.#changed.size === 0) {
        if (this.#misses.size >= MISSES_MAX) this.#misses.clear();
        this.#misses.set(question.digest.toString('hex'), this.#nowMs() + MISS_MS);
      }
      question.answer(holder);
    }
  }
}
