/**
 * The results of a changeset since its last staged write. The gate uses them, because carts that were evaluated earlier
 * say nothing about that write.
 */
import { SeenPairs, type StoredPairs } from './seen-pairs.ts';
import type { ShadowFindings } from './shadow-batch.ts';

interface EditCounts {
  readonly evaluated: number;
  readonly different: number;
  readonly lost: number;
}

export interface StoredEditResults extends EditCounts {
  readonly writes: number;
  readonly pairs: StoredPairs;
}

export class EditResults {
  /** Number of staged writes of the evaluated changeset. */
  readonly writes: number;
  readonly pairs: SeenPairs;
  #counts: EditCounts;

  constructor(writes: number, counts = { evaluated: 0, different: 0, lost: 0 }, pairs = new SeenPairs()) {
    this.writes = writes;
    this.pairs = pairs;
    this.#counts = counts;
  }

  get counts(): EditCounts {
    return this.#counts;
  }

  add({ pairs, ...counts }: ShadowFindings): void {
    this.#count(counts);
    for (const pair of pairs) this.pairs.add(pair);
  }

  #count({ evaluated, different, lost }: EditCounts): void {
    const before = this.#counts;
    this.#counts = {
      evaluated: before.evaluated + evaluated,
      different: before.different + different,
      lost: before.lost + lost,
    };
  }

  /** Those of another node, which count when it evaluated the changeset after the same write. */
  addAll({ writes, counts, pairs }: EditResults): void {
    if (writes !== this.writes) return;
    this.#count(counts);
    this.pairs.addAll(pairs);
  }

  stored(): StoredEditResults {
    return { ...this.#counts, writes: this.writes, pairs: this.pairs.stored() };
  }

  static of({ writes, pairs, evaluated, different, lost }: StoredEditResults): EditResults {
    return new EditResults(writes, { evaluated, different, lost }, SeenPairs.of(pairs));
  }
}
