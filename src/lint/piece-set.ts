/** Piece set: pieces that texts may begin or end with, found by one look-up for each length that a piece has. */
export class PieceSet {
  readonly #pieces: ReadonlySet<string>;
  readonly #lengths: readonly number[];

  constructor(pieces: Iterable<string>) {
    this.#pieces = new Set(pieces);
    this.#lengths = [...new Set([...this.#pieces].map(({ length }) => length))];
  }

  /** Look-ups that a text takes at most. */
  get lookups(): number {
    return this.#lengths.length;
  }

  /** True when the text begins with one of the pieces. */
  beginsIn(text: string): boolean {
    return this.#lengths.some((length) => length <= text.length && this.#pieces.has(text.slice(0, length)));
  }

  /** True when the text ends with one of the pieces. */
  endsIn(text: string): boolean {
    return this.#lengths.some(
      (length) => length <= text.length && this.#pieces.has(text.slice(text.length - length)),
    );
  }
}
