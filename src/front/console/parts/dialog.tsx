/** A native dialog that is open while it is shown: the browser keeps the focus inside, and Escape closes it. */
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby={titleId} onClose={onClose}>
      <header class="row between">
        <h2 id={titleId}>{title}</h2>
        <button type="button" class="plain" onClick={onClose} aria-label="Close">
          ✕
        </button>
      </header>
      {children}
    </dialog>
  );
}
