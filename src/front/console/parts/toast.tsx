/** The last action in one sentence. It disappears by itself, unless it has the pointer or the focus, and can be closed. */
import { useEffect, useRef } from 'preact/hooks';
import { useApp } from '../app-state.ts';

const SHOWN_MS = 8_000;

export function Toast() {
  const { message } = useApp();
  const text = message.value;
  const toast = useRef<HTMLDivElement>(null);
  const close = (): void => {
    message.value = '';
  };
  useEffect(() => {
    if (text === '') return;
    const timer = setInterval(() => {
      if (toast.current?.matches(':hover, :focus-within') === false) close();
    }, SHOWN_MS);
    return () => clearInterval(timer);
  }, [text]);
  return (
    <div class={`toast ${text === '' ? 'empty' : ''}`} ref={toast}>
      {/* Rendered even when empty, because screen readers announce changes of what is already there. */}
      <p role="status">{text}</p>
      {text === '' ? null : (
        <button type="button" class="plain" aria-label="Close the message" onClick={close}>
          ✕
        </button>
      )}
    </div>
  );
}
