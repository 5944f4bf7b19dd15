/** The table of places by product groups. */
import type { ComponentChildren } from 'preact';

interface Named {
  readonly id: string;
  readonly name: string;
}

interface GridTableProps<R, G extends Named> {
  readonly label: string;
  readonly groups: readonly G[];
  readonly rows: readonly R[];
  /** The zone or subzone of a row. */
  readonly placeOf: (row: R) => Named;
  readonly isZone?: (row: R) => boolean;
  readonly cell: (row: R, group: G, at: number) => ComponentChildren;
}

export function GridTable<R, G extends Named>({
  label,
  groups,
  rows,
  placeOf,
  isZone = () => true,
  cell,
}: GridTableProps<R, G>) {
  return (
    // Focusable, so that the keyboard can scroll it where it is wider than the window.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls
    <section class="scroll" aria-label={label} tabIndex={0}>
      <table class="grid" aria-label={label}>
        <thead>
          <tr>
            <th scope="col">Zone</th>
            {groups.map(({ id, name }) => (
              <th key={id} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const { id, name } = placeOf(row);
            return (
              <tr key={id} class={isZone(row) ? 'zone' : ''}>
                <th scope="row">{name}</th>
                {groups.map((group, at) => (
                  <td key={group.id}>{cell(row, group, at)}</td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}
