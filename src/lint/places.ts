/**
 * Places: some of the places of a zone, told from a list by a test and not listed again, as a zone may have
 * thousands of places and a method for each.
 */

/** Index of a subzone in its zone, or -1 for the part of the zone that is in no subzone. */
export type PlaceIndex = number;

export class Places implements Iterable<PlaceIndex> {
  readonly #candidates: readonly PlaceIndex[];
  readonly #has: (place: PlaceIndex) => boolean;

  /** Those of the candidates that `has` holds of; it holds of no others. */
  constructor(candidates: readonly PlaceIndex[], has: (place: PlaceIndex) => boolean) {
    this.#candidates = candidates;
    this.#has = has;
  }

  static of(places: readonly PlaceIndex[]): Places {
    const set = new Set(places);
    return new Places(places, (place) => set.has(place));
  }

  has(place: PlaceIndex): boolean {
    return this.#has(place);
  }

  /** In the order of the list. */
  *[Symbol.iterator](): Generator<PlaceIndex> {
    for (const place of this.#candidates) if (this.#has(place)) yield place;
  }

  /** The first places, at most so many. */
  take(count: number): readonly PlaceIndex[] {
    const taken: PlaceIndex[] = [];
    for (const place of this) {
      taken.push(place);
      if (taken.length === count) break;
    }
    return taken;
  }

  get isEmpty(): boolean {
    return this.take(1).length === 0;
  }

  /** Those that are among the others too. */
  common(others: Places): Places {
    const [few, many] =
      this.#candidates.length <= others.#candidates.length ? [this, others] : [others, this];
    return new Places(few.#candidates, (place) => few.#has(place) && many.#has(place));
  }

  /** Those that the test holds of; `listed` has at least these, and is the shorter list of candidates. */
  filter(isFit: (place: PlaceIndex) => boolean, listed: readonly PlaceIndex[] = this.#candidates): Places {
    return new Places(listed, (place) => this.#has(place) && isFit(place));
  }
}
