/** The heading of a detail beside a list, with the button that closes it. */
import { useApp } from '../app-state.ts';

export function DetailHeading({ title }: { readonly title: string }) {
  const app = useApp();
  return (
    <div class="row between">
      <h2>{title}</h2>
      <button
        type="button"
        class="plain"
        onClick={() => app.set({ open: '' }, false)}
        aria-label="Close the detail"
      >
        ✕
      </button>
    </div>
  );
}
