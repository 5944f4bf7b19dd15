/** Output for people: colours on a terminal, and trees of text. */
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
  hasColors?(): boolean;
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
