/**
 * The results of a changeset since its last staged write. The gate uses them, because carts that were evaluated earlier
 * say nothing about that write.
 */
import { EVIDENCE_MAX } from '../wire/gate-report.ts';
import type { ShadowSample } from '../wire/shadow-results.ts';
import { SeenPairs, type StoredPairs } from './seen-pairs.ts';
import type { ShadowFindings } from './shadow-batch.ts';
import { sumOf } from './sums.ts';

interface EditCounts {
  readonly evaluated: number;
  readonly different: number;
  readonly lost: number;
}

export interface StoredEditResults extends EditCounts {
  readonly writes: number;
  readonly pairs: StoredPairs;
  /** Absent in texts of earlier releases. */
  readonly lostSamples?: readonly ShadowSample[];
}

export class EditResults {
  /** Number of staged writes of the evaluated changeset. */
  readonly writes: number;
  readonly pairs: SeenPairs;
  #counts: EditCounts;
  #lostSamples: readonly string[];

  constructor(
    writes: number,
    counts = { evaluated: 0, different: 0, lost: 0 },
    pairs = new SeenPairs(),
    lostSamples: readonly string[] = [],
  ) {
    this.writes = writes;
    this.pairs = pairs;
    this.#counts = counts;
    this.#lostSamples = lostSamples;
  }

  get counts(): EditCounts {
    return this.#counts;
  }

  /**
   * Samples of the last lost carts as JSON texts, oldest first, at most `EVIDENCE_MAX`: kept apart from the other samples,
   * among which later differences would replace them.
   */
  get lostSamples(): readonly string[] {
    return this.#lostSamples;
  }

  add({ pairs, lostSamples, ...counts }: ShadowFindings): void {
    this.#count(counts, lostSamples);
    for (const pair of pairs) this.pairs.add(pair);
  }

  /** Those of another node, which count when it evaluated the changeset after the same write. */
  addAll({ writes, counts, lostSamples, pairs }: EditResults): void {
    if (writes !== this.writes) return;
    this.#count(counts, lostSamples);
    this.pairs.addAll(pairs);
  }

  #count({ evaluated, different, lost }: EditCounts, lostSamples: readonly string[]): void {
    this.#counts = sumOf(this.#counts, { evaluated, different, lost });
    if (lostSamples.length > 0)
      this.#lostSamples = [...this.#lostSamples, ...lostSamples].slice(-EVIDENCE_MAX);
  }

  stored(): StoredEditResults {
    const lostSamples = this.#lostSamples.map((text) => JSON.parse(text) as ShadowSample);
    return { ...this.#counts, writes: this.writes, pairs: this.pairs.stored(), lostSamples };
  }

  static of({ writes, pairs, evaluated, different, lost, lostSamples = [] }: StoredEditResults): EditResults {
    const texts = lostSamples.map((sample) => JSON.stringify(sample));
    return new EditResults(writes, { evaluated, different, lost }, SeenPairs.of(pairs), texts);
  }
}
