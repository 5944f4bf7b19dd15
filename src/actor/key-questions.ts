/**
 * Questions to the authority about keys that this node does not know: all that come while a query is under way are
 * asked with the next one. Digests that belong to no key are remembered for `MISS_MS`, so that a flood of wrong keys
 * costs the authority a bounded number of queries; any change that may have made a key ends that.
 */
import type { Authority } from '../log/authority.ts';
import type { KeyHolder } from '../log/event-log.ts';

/** Digests in one query. */
const ASKED_MAX = 1_000;
const MISS_MS = 10_000;
const MISSES_MAX = 10_000;

interface Question {
  readonly digest: Buffer;
  readonly answer: (holder: KeyHolder | null) => void;
  readonly failed: (error: unknown) => void;
}

export class KeyQuestions {
  readonly #authority: Pick<Authority, 'keys'>;
  readonly #nowMs: () => number;
  #waiting: Question[] = [];
  #isAsking = false;
  /** Digest in hexadecimal -> until when it is known to belong to no key. */
  readonly #misses = new Map<string, number>();
  /** Counts the changes after which an answer that is under way may be out of date. */
  #changes = 0;

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

  /** Keys may have been made or revoked: what is remembered, and what an answer under way says, does not count. */
  changed(): void {
    this.#changes++;
    this.#misses.clear();
  }

  async #run(): Promise<void> {
    this.#isAsking = true;
    while (this.#waiting.length > 0) {
      const asked = this.#waiting.splice(0, ASKED_MAX);
      const changesBefore = this.#changes;
      try {
        const holders = await this.#authority.keys(asked.map(({ digest }) => digest));
        if (changesBefore === this.#changes) this.#answer(asked, holders);
        else this.#waiting.unshift(...asked);
      } catch (error) {
        for (const { failed } of asked) failed(error);
      }
    }
    this.#isAsking = false;
  }

  #answer(asked: readonly Question[], holders: readonly (KeyHolder | null)[]): void {
    for (const [index, { digest, answer }] of asked.entries()) {
      const holder = holders[index] ?? null;
      if (holder === null) {
        if (this.#misses.size >= MISSES_MAX) this.#misses.clear();
        this.#misses.set(digest.toString('hex'), this.#nowMs() + MISS_MS);
      }
      answer(holder);
    }
  }
}
