/** Keys of every page: `/` goes to the search field, `j` and `k` move through rows, Escape leaves a field or a detail. */
import { useEffect } from 'preact/hooks';
import { useApp } from './app-state.ts';

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches('input, textarea, select');

/** Moves the focus to the row after or before the focused one; the first where none is. */
function moveRow(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')];
  const at = rows.indexOf(document.activeElement as HTMLElement);
  rows[at < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, at + step))]?.focus();
}

export function useShortcuts(): void {
  const app = useApp();
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (document.querySelector('dialog[open]') !== null) return;
      if (event.key === 'Escape') {
        if (isTyping(event.target)) (event.target as HTMLElement).blur();
        else if (app.place.value.parameters['open'] !== undefined) {
          // Back to the row that was open, so that `j` and `k` go on from there.
          document.querySelector<HTMLElement>('[data-row][aria-current=true]')?.focus();
          app.set({ open: '' }, false);
        }
        return;
      }
      if (isTyping(event.target)) return;
      if (event.key === 'j' || event.key === 'k') moveRow(event.key === 'j' ? 1 : -1);
      else if (event.key === '/') {
        const search = document.querySelector<HTMLElement>('input[type=search]');
        if (search === null) return;
        event.preventDefault();
        search.focus();
      }
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}
