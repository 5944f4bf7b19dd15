/**
 * Zone cache: the budget for all texts of a zone that are cached in the maps of its compiled methods and groups. When
 * the budget is exceeded, a new generation begins and the maps are cleared. So neither distinct carts nor replaced
 * methods can occupy the cache permanently.
 */

/** Maximum number of cached characters in one zone. */
export const CACHE_CHARACTERS_MAX = 16 * 1_048_576;

/** Memory of one entry besides its text, in characters: map slot, object and list. */
const ENTRY_CHARACTERS = 100;

export class ZoneCache {
  #charactersLeft = CACHE_CHARACTERS_MAX;
  #generation = 0;

  /** Call between two answers; one answer may exceed the budget. Entries of earlier generations are invalid. */
  startAnswer(): number {
    if (this.#charactersLeft <= 0) {
      this.#generation++;
      this.#charactersLeft = CACHE_CHARACTERS_MAX;
    }
    return this.#generation;
  }

  /** Stores `value`, whose texts have `characters` characters in total. */
  keep<T>(map: Map<number, T>, key: number, value: T, characters: number): void {
    map.set(key, value);
    this.#charactersLeft -= characters + ENTRY_CHARACTERS;
  }
}
