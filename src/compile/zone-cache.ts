/**
 * Zone cache: the one budget for what the answers of a zone keep for later answers, in maps that belong to its compiled
 * methods and groups. When the budget is used up, a new generation begins, and the maps are emptied: so neither carts
 * that are all different nor methods that were replaced can fill the cache for good.
 */

/** Characters of kept texts in one zone. */
export const CACHE_CHARACTERS_MAX = 16 * 1_048_576;

/** Memory of one entry beside its text, in characters: its share of the map, its object, its list. */
const ENTRY_CHARACTERS = 100;

export class ZoneCache {
  #charactersLeft = CACHE_CHARACTERS_MAX;
  #generation = 0;

  /** Called between two answers, so one answer may go beyond the budget. Entries of earlier generations are void. */
  startAnswer(): number {
    if (this.#charactersLeft <= 0) {
      this.#generation++;
      this.#charactersLeft = CACHE_CHARACTERS_MAX;
    }
    return this.#generation;
  }

  /** Keeps `value`, whose texts have so many characters. */
  keep<T>(map: Map<number, T>, key: number, value: T, characters: number): void {
    map.set(key, value);
    this.#charactersLeft -= characters + ENTRY_CHARACTERS;
  }
}
