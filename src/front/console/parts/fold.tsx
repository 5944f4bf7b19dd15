/** A part of a form that folds into one line. It opens when the service refuses a field of it. */
import { type ReactNode, useContext, useEffect, useState } from 'react';
import { FieldErrors } from './field.tsx';

interface FoldProps {
  /** Of its fields, in the errors of the API. */
  readonly path: string;
  readonly isOpenAtFirst: boolean;
  readonly summary: ReactNode;
  readonly children: ReactNode;
}

export function Fold({ path, isOpenAtFirst, summary, children }: FoldProps) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  // Fields that were shown are kept: one may hold a text that is no value yet.
  const [wasOpen, setWasOpen] = useState(isOpen);
  if (isOpen && !wasOpen) setWasOpen(true);
  const hasError = [...useContext(FieldErrors).keys()].some((of) => of.startsWith(`${path}/`));
  useEffect(() => {
    if (hasError) setOpen(true);
  }, [hasError]);
  return (
    <details className="boxed" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{summary}</summary>
      {wasOpen ? <div className="stack">{children}</div> : null}
    </details>
  );
}
