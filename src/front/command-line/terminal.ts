/** Output for people: colours and a progress line on a terminal, and trees of text. */
import { inspect } from 'node:util';

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

/** Applies a style to a text, or returns it unchanged. */
export type Paint = (style: Style, text: string) => string;

export const paintNothing: Paint = (_, text) => text;

export const paintAnsi: Paint = (style, text) => {
  const [on, off] = inspect.colors[style] ?? [0, 0];
  return `\u001b[${on}m${text}\u001b[${off}m`;
};

/** The fields of a stream that identify a terminal; `hasColors` respects `NO_COLOR` and `TERM`. */
export interface Terminal {
  readonly isTTY?: boolean;
  readonly columns?: number;
  hasColors?(): boolean;
  write(text: string): unknown;
}

export const paintFor = (stream: Terminal): Paint =>
  stream.isTTY === true && stream.hasColors?.() === true ? paintAnsi : paintNothing;

/** "1 item", "2 items". */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

export interface TextNode {
  /** One line. */
  readonly text: string;
  readonly children?: readonly TextNode[];
}

/** The line of the node and those below it, with the branches drawn. */
export function treeLines(node: TextNode, paint: Paint): string[] {
  const children = node.children ?? [];
  const below = children.flatMap((child, index) => {
    const isLast = index === children.length - 1;
    const [first = '', ...rest] = treeLines(child, paint);
    return [
      paint('dim', isLast ? '└─ ' : '├─ ') + first,
      ...rest.map((line) => paint('dim', isLast ? '   ' : '│  ') + line),
    ];
  });
  return [node.text, ...below];
}

const BAR_WIDTH = 24;
const REDRAW_MS = 100;
const CLEAR_LINE = '\r\u001b[2K';

type ShowProgress = (done: number, total: number) => void;

/**
 * The progress line of a long command on standard error, only when that is a terminal. Drawn at most ten times a second;
 * `end` removes it.
 */
export class Progress {
  readonly #what: string;
  readonly #unit: string;
  readonly #stream: Terminal;
  readonly #nowMs: () => number;
  #drawnAtMs = Number.NEGATIVE_INFINITY;

  constructor(what: string, unit: string, stream: Terminal = process.stderr, nowMs = Date.now) {
    this.#what = what;
    this.#unit = unit;
    this.#stream = stream;
    this.#nowMs = nowMs;
  }

  readonly show: ShowProgress = (done, total) => {
    const nowMs = this.#nowMs();
    if (this.#stream.isTTY !== true || nowMs - this.#drawnAtMs < REDRAW_MS) return;
    this.#drawnAtMs = nowMs;
    const count = `${done.toLocaleString('en-US')} of ${total.toLocaleString('en-US')} ${this.#unit}`;
    const line = `${this.#what} ${barOf(done, total)} ${count}`;
    // A line that wraps cannot be overwritten.
    this.#stream.write(CLEAR_LINE + line.slice(0, Math.max(10, (this.#stream.columns || 80) - 1)));
  };

  end(): void {
    if (this.#drawnAtMs !== Number.NEGATIVE_INFINITY) this.#stream.write(CLEAR_LINE);
    this.#drawnAtMs = Number.NEGATIVE_INFINITY;
  }
}

function barOf(done: number, total: number): string {
  const share = total <= 0 ? 1 : Math.min(1, done / total);
  const full = Math.floor(share * BAR_WIDTH);
  return `[${'#'.repeat(full)}${'.'.repeat(BAR_WIDTH - full)}] ${String(Math.floor(share * 100)).padStart(3)}%`;
}

/** Shows progress while `work` runs and removes it afterwards, also after an error. */
export async function withProgress<T>(
  what: string,
  unit: string,
  work: (show: ShowProgress) => Promise<T>,
): Promise<T> {
  const progress = new Progress(what, unit);
  try {
    return await work(progress.show);
  } finally {
    progress.end();
  }
}
