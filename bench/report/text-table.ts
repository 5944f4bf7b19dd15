/** Tables for a terminal: columns as wide as their widest cell, numbers to the right. */

export interface Column {
  readonly title: string;
  readonly align: 'left' | 'right';
}

export const left = (title: string): Column => ({ title, align: 'left' });
export const right = (title: string): Column => ({ title, align: 'right' });

/** One line per row, without a trailing newline. A row may be shorter than the list of columns. */
export function formatTable(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const widths = columns.map(({ title }, at) =>
    Math.max(title.length, ...rows.map((row) => (row[at] ?? '').length)),
  );
  const line = (cells: readonly string[]): string =>
    columns
      .map(({ align }, at) => {
        const cell = cells[at] ?? '';
        const width = widths[at] ?? 0;
        return align === 'left' ? cell.padEnd(width) : cell.padStart(width);
      })
      .join('  ')
      .trimEnd();
  const titles = columns.map(({ title }) => title);
  const rule = widths.map((width) => '-'.repeat(width)).join('  ');
  return [line(titles), rule, ...rows.map(line)].join('\n');
}
