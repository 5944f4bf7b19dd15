/** The heading of a detail beside a list, with the button that closes it. It is in view once the detail is opened. */
import { useEffect, useRef } from 'preact/hooks';
import { useApp } from '../app-state.ts';

interface DetailHeadingProps {
  readonly title: string;
  /** The parameters of the place that open the detail, each "". */
  readonly closed?: Readonly<Record<string, ''>>;
}

export function DetailHeading({ title, closed = { open: '' } }: DetailHeadingProps) {
  const app = useApp();
  const heading = useRef<HTMLHeadingElement>(null);
  const { open } = app.place.value.parameters;
  // In a narrow window the detail stands below the list that it was opened from, in a wide one the list scrolls in itself.
  useEffect(() => {
    document.querySelector('[data-row][aria-current=true]')?.scrollIntoView({ block: 'nearest' });
    heading.current?.scrollIntoView({ block: 'nearest' });
  }, [open]);
  return (
    <div class="row between">
      <h2 ref={heading}>{title}</h2>
      <button
        type="button"
        class="plain"
        onClick={() => app.set(closed, false)}
        aria-label="Close the detail"
      >
        ✕
      </button>
    </div>
  );
}
