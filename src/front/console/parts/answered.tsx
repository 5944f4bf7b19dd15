/** What an answer holds. Until the first answer: that it is read, or why it cannot be. */
import type { ComponentChildren } from 'preact';
import { FailureNotice, Loading } from './notice.tsx';
import type { Answer } from './use-answer.ts';

interface AnsweredProps<T> {
  readonly answer: Answer<T>;
  /** What is read, in a sentence: `the history`. */
  readonly what: string;
  readonly children: (value: T) => ComponentChildren;
}

export function Answered<T>({ answer: { value, failure }, what, children }: AnsweredProps<T>) {
  if (value === null) return <Loading what={what} failure={failure} />;
  return (
    <>
      <FailureNotice failure={failure} />
      {children(value)}
    </>
  );
}
