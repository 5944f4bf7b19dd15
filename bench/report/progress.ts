/**
 * One line that says what is being measured. It goes to stderr, so that the tables on stdout can be piped;
 * where stderr is no terminal, a line is written only when a part begins.
 */

export class Progress {
  readonly #out: NodeJS.WriteStream;
  #part = '';

  constructor(out: NodeJS.WriteStream = process.stderr) {
    this.#out = out;
  }

  /** `place` is like `3/17`. */
  begin(place: string, title: string): void {
    this.#part = `[${place}] ${title}`;
    if (this.#out.isTTY) this.#show(this.#part);
    else this.#out.write(`${this.#part}\n`);
  }

  step(text: string): void {
    if (this.#out.isTTY) this.#show(`${this.#part}: ${text}`);
  }

  clear(): void {
    if (this.#out.isTTY) this.#out.write('\r\x1b[K');
  }

  #show(text: string): void {
    const width = Math.max(20, (this.#out.columns ?? 80) - 1);
    this.#out.write(`\r\x1b[K${text.slice(0, width)}`);
  }
}
