/** Rows: lists and tables, of thousands of which some are shown at first, and tables whose first column names the rows. */
import { Button, Table } from '@mantine/core';
import { type ReactNode, useState } from 'react';

/** `kind` is a class of the cells, such as `amount`. */
export type Column<R> = readonly [title: string, cell: (row: R) => ReactNode, kind?: string];

interface DataTableProps<R> {
  readonly label: string;
  /** Above the table, where the titles of the columns say nothing: these are only read then. */
  readonly caption?: string;
  readonly columns: readonly Column<R>[];
  readonly rows: readonly R[];
  /** By default the place. */
  readonly keyOf?: (row: R) => string;
  readonly className?: string;
  readonly rowClass?: (row: R) => string;
}

export const DataTable = <R,>({ label, caption, columns, rows, keyOf, ...look }: DataTableProps<R>) => (
  <Table className={look.className ?? ''} aria-label={label} captionSide="top" horizontalSpacing={6}>
    {caption === undefined ? null : <Table.Caption>{caption}</Table.Caption>}
    <Table.Thead className={caption === undefined ? '' : 'only-read'}>
      <Table.Tr>
        {columns.map(([title, , kind = ''], at) => (
          <Table.Th key={at} scope="col" className={kind} title={title}>
            <span className="two-lines">{title}</span>
          </Table.Th>
        ))}
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {rows.map((row, index) => (
        <Table.Tr key={keyOf?.(row) ?? index} className={look.rowClass?.(row) ?? ''}>
          {columns.map(([, cell, kind = ''], at) => {
            const [Cell, scope] = at === 0 ? [Table.Th, 'row'] : [Table.Td, undefined];
            return (
              <Cell key={at} scope={scope} className={kind}>
                {cell(row)}
              </Cell>
            );
          })}
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
);

/** It scrolls where it is wider than the window, with the names of its rows in view; also by the keyboard. */
export const ScrolledTable = <R,>(props: DataTableProps<R>) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls
  <section className="scroll" aria-label={props.label} tabIndex={0}>
    <DataTable {...props} />
  </section>
);

/** A name of any length, in at most two lines. */
export const ShortName = ({ name }: { readonly name: string }) => (
  <span className="two-lines" title={name}>
    {name}
  </span>
);

/** Rows that are shown at first, and again with each "more". */
const STEP = 50;

/** The rows to show, always with those that `isKept` names, and the button for more. */
export function useMore<T>(
  rows: readonly T[],
  step = STEP,
  isKept?: (row: T) => boolean,
): readonly [rows: readonly T[], more: ReactNode] {
  const [count, setCount] = useState(step);
  const left = rows.length - count;
  if (left <= 0) return [rows, null];
  const shown = rows.slice(0, count);
  return [
    isKept === undefined ? shown : [...shown, ...rows.slice(count).filter(isKept)],
    <Button key="more" className="start" onClick={() => setCount(count + step)}>
      Show {Math.min(step, left)} more of {rows.length}
    </Button>,
  ];
}

interface LongListProps<T> {
  readonly rows: readonly T[];
  readonly children: (row: T, index: number) => ReactNode;
  readonly className?: string;
  readonly step?: number;
}

/** Rows are known by their place in the list. */
export function LongList<T>({
  rows,
  children,
  className: name = 'lines entries',
  step = STEP,
}: LongListProps<T>) {
  const [shown, more] = useMore(rows, step);
  return (
    <>
      <ul className={name}>
        {shown.map((row, index) => (
          <li key={index} className="entry">
            {children(row, index)}
          </li>
        ))}
      </ul>
      {more}
    </>
  );
}
