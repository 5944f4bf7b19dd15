/** Lists of thousands of rows: some are shown at first, more when they are asked for. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

/** Rows that are shown at first, and again with each "more". */
const STEP = 50;

/** The rows to show, always with those that `isKept` names, and the button for more. */
export function useMore<T>(
  rows: readonly T[],
  step = STEP,
  isKept?: (row: T) => boolean,
): readonly [rows: readonly T[], more: ComponentChildren] {
  const [count, setCount] = useState(step);
  const left = rows.length - count;
  if (left <= 0) return [rows, null];
  const shown = rows.slice(0, count);
  return [
    isKept === undefined ? shown : [...shown, ...rows.slice(count).filter(isKept)],
    <button type="button" class="start" onClick={() => setCount(count + step)}>
      Show {Math.min(step, left)} more of {rows.length}
    </button>,
  ];
}

interface LongListProps<T> {
  readonly rows: readonly T[];
  readonly children: (row: T, index: number) => ComponentChildren;
  readonly class?: string;
  readonly step?: number;
}

/** Rows are known by their place in the list. */
export function LongList<T>({
  rows,
  children,
  class: name = 'lines entries',
  step = STEP,
}: LongListProps<T>) {
  const [shown, more] = useMore(rows, step);
  return (
    <>
      <ul class={name}>
        {shown.map((row, index) => (
          <li key={index} class="entry">
            {children(row, index)}
          </li>
        ))}
      </ul>
      {more}
    </>
  );
}
