/** Defects of a request body. They are collected so that the refusal of a bulk write can name several of them. */
import { type Failure, invalid } from '../domain/failure.ts';

/** A longer line, which quotes a long value, is cut at this length. */
const DEFECT_LENGTH_MAX = 400;

export class Defects {
  /** How many defects the message names; it only counts the rest. */
  readonly max: number;
  readonly #texts: string[];
  #count: number;

  /** `before`: at most `max` known lines, which come first and are not cut. */
  constructor(max = 1, before: readonly string[] = []) {
    this.max = max;
    this.#texts = [...before];
    this.#count = before.length;
  }

  get found(): boolean {
    return this.#count > 0;
  }

  /** `path` is the JSON path as the client sent it; `text` says what is accepted there. */
  add(path: string, text: string): void {
    this.addLine(`${path} ${text}`);
  }

  /** `line` already begins with its path. */
  addLine(line: string): void {
    this.#count++;
    if (this.#texts.length < this.max) this.#texts.push(shortened(line));
  }

  failure(): Failure {
    const unnamed = this.#count - this.#texts.length;
    const more = this.max > 1 && unnamed > 0 ? [`and ${unnamed} more`] : [];
    return invalid([...this.#texts, ...more].join('; '));
  }
}

function shortened(line: string): string {
  if (line.length <= DEFECT_LENGTH_MAX) return line;
  // Never cut a surrogate pair in half.
  return `${line.slice(0, DEFECT_LENGTH_MAX - 3).replace(/[\ud800-\udbff]$/, '')}...`;
}
