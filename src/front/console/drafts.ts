/** What was typed into records and is not saved, by page and id of the record. */
import { linkTo, type Place } from './place.ts';

/** Stands for an id: prices that were typed into the table of methods. */
export const PRICES = 'prices';

export class Drafts extends Map<string, unknown> {
  readonly #counted: () => void;

  /** `counted` runs when there are more or fewer, and not at each letter that is typed into one. */
  constructor(counted: () => void) {
    super();
    this.#counted = counted;
  }

  override set(name: string, draft: unknown): this {
    const isNew = !this.has(name);
    super.set(name, draft);
    if (isNew) this.#counted();
    return this;
  }

  override delete(name: string): boolean {
    const isGone = super.delete(name);
    if (isGone) this.#counted();
    return isGone;
  }

  override clear(): void {
    if (this.size === 0) return;
    super.clear();
    this.#counted();
  }

  /** Links to those that the place does not show. Parts of the settings and prices in the table of methods are on no editor. */
  linksElsewhere({ page: shown, parameters }: Place): readonly string[] {
    return [...this.keys()].flatMap((name) => {
      const [page = '', ...rest] = name.split(' ');
      const id = rest.join(' ');
      if (page === 'settings' || id === PRICES) return page === shown ? [] : [linkTo(page)];
      return page === shown && parameters['open'] === id ? [] : [linkTo(page, { open: id })];
    });
  }
}
