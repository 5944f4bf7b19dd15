/** One bit per page of a data file. Detects pages that are used twice, or that are both used and free. */
import { FIRST_PAGE } from './page-layout.ts';

export class PageClaims {
  readonly #lastPage: number;
  readonly #bits: Uint8Array;

  /** Holds `lastPage / 8` bytes. */
  constructor(lastPage: number) {
    this.#lastPage = lastPage;
    this.#bits = new Uint8Array((lastPage >> 3) + 1);
  }

  /**
   * Marks `pages` pages from `number` on as taken. Returns null, or the defect of the first page that cannot be
   * taken.
   */
  take(number: number, pages: number): string | null {
    if (number < FIRST_PAGE || number + pages - 1 > this.#lastPage) return 'was never allocated';
    for (let page = number; page < number + pages; page++) {
      const bit = 1 << (page & 7);
      const byte = this.#bits[page >> 3] ?? 0;
      if ((byte & bit) !== 0) return 'is used twice';
      this.#bits[page >> 3] = byte | bit;
    }
    return null;
  }
}
