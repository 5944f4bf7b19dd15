/** A tree as lines of text, with the branches drawn. */

export interface TextNode {
  /** One line. */
  readonly text: string;
  readonly children?: readonly TextNode[];
}

/** The line of the node and those below it; `drawn` puts the branches into a style. */
export function treeLines(node: TextNode, drawn: (branch: string) => string): string[] {
  const children = node.children ?? [];
  const below = children.flatMap((child, index) => {
    const isLast = index === children.length - 1;
    const [first = '', ...rest] = treeLines(child, drawn);
    return [
      drawn(isLast ? '└─ ' : '├─ ') + first,
      ...rest.map((line) => drawn(isLast ? '   ' : '│  ') + line),
    ];
  });
  return [node.text, ...below];
}
