/** A list that begins with some of its rows and shows more when asked: thousands at once would freeze the page. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

/** Rows that are added at a time. */
const STEP = 50;

interface LongListProps<T> {
  readonly rows: readonly T[];
  readonly children: (row: T, index: number) => ComponentChildren;
  readonly class?: string;
}

/** Rows are known by their place in the list. */
export function LongList<T>({ rows, children, class: name = 'lines entries' }: LongListProps<T>) {
  const [shown, setShown] = useState(STEP);
  const more = Math.min(STEP, rows.length - shown);
  return (
    <>
      <ul class={name}>
        {rows.slice(0, shown).map((row, index) => (
          <li key={index} class="entry">
            {children(row, index)}
          </li>
        ))}
      </ul>
      {more > 0 ? (
        <button type="button" class="remove" onClick={() => setShown(shown + STEP)}>
          Show {more} more of {rows.length}
        </button>
      ) : null}
    </>
  );
}
