/**
 * Keys of every page: `/` goes to the search field, `j` and `k` move through rows, Escape leaves a field or a detail,
 * `?` lists them.
 */
import { useEffect } from 'react';
import { useApp } from './app-state.ts';

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches('input, textarea, select');

/** Moves the focus to the row after or before the focused one; the first where none is. */
function moveRow(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')];
  const at = rows.indexOf(document.activeElement as HTMLElement);
  rows[at < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, at + step))]?.focus();
}

export function useShortcuts(onHelp: () => void): void {
  const app = useApp();
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      // They have keys of their own, which close them before this event has gone up.
      if (document.querySelector('[role=dialog], [role=menu]') !== null) return;
      if (event.target instanceof HTMLElement && event.target.matches('input[aria-expanded=true]')) return;
      if (event.key === 'Escape') {
        if (isTyping(event.target)) {
          // Browsers would empty a search field.
          event.preventDefault();
          (event.target as HTMLElement).blur();
        } else if (app.place.value.parameters['open'] !== undefined) {
          // Back to the row that was open, so that `j` and `k` go on from there.
          document.querySelector<HTMLElement>('[data-row][aria-current=true]')?.focus();
          app.set({ open: '' }, false);
        }
        return;
      }
      if (isTyping(event.target)) return;
      if (event.key === 'j' || event.key === 'k') moveRow(event.key === 'j' ? 1 : -1);
      else if (event.key === '?') onHelp();
      else if (event.key === '/') {
        const search = document.querySelector<HTMLElement>('input[type=search]');
        if (search === null) return;
        event.preventDefault();
        search.focus();
      }
    };
    addEventListener('keydown', onKey, true);
    return () => removeEventListener('keydown', onKey, true);
  }, []);
}
