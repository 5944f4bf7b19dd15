/** Sentences about the state of a part: loading, empty, failed. */

import { Alert, Anchor, Button, EmptyState, Skeleton } from '@mantine/core';
import IconAlertTriangle from '@tabler/icons-react/icons/IconAlertTriangle';
import IconCheck from '@tabler/icons-react/icons/IconCheck';
import IconInfoCircle from '@tabler/icons-react/icons/IconInfoCircle';
import IconX from '@tabler/icons-react/icons/IconX';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { CallFailure } from '../../client/call-outcome.ts';
import { useApp, useSignedIn } from '../app-state.ts';
import { pathText, uncapitalized } from '../labels.ts';
import { linkTo } from '../place.ts';
import { failureText, fieldErrors } from '../service.ts';
import type { Answer } from './use-answer.ts';
import { NEW } from './use-record.ts';

interface NoticeProps {
  readonly kind: 'info' | 'good' | 'warning' | 'bad';
  readonly children: ReactNode;
}

const SIGNS = {
  info: <IconInfoCircle size={18} />,
  good: <IconCheck size={18} />,
  warning: <IconAlertTriangle size={18} />,
  bad: <IconX size={18} />,
};

export function Notice({ kind, children }: NoticeProps) {
  const role = kind === 'bad' ? 'alert' : 'note';
  return (
    <Alert className={`notice ${kind}`} icon={SIGNS[kind]} px="sm" py="xs" role={role}>
      {children}
    </Alert>
  );
}

interface FailureProps {
  readonly failure: CallFailure | null;
  /** What the paths of the fields have before the paths that the failure names. */
  readonly prefix?: string | undefined;
}

export const FailureNotice = ({ failure, prefix = '' }: FailureProps) => {
  const { changeset } = useApp();
  if (failure === null) return null;
  const isForDraft = DRAFT_ONLY.test(failure.message);
  // One was opened since.
  if (isForDraft && changeset.value !== null) return null;
  const refusals = [...fieldErrors(failure)];
  return (
    <Notice kind="bad">
      {refusals.some(([path]) => path !== '') ? (
        <ul className="lines">
          {refusals.map(([path, text]) => (
            <li key={path}>{path === '' ? text : <Refusal path={path} prefix={prefix} text={text} />}</li>
          ))}
        </ul>
      ) : (
        <>
          {failureText(failure)}
          {isForDraft ? (
            <>
              {'. '}
              <Anchor href={linkTo('changeset')} underline="always">
                Open a draft
              </Anchor>
            </>
          ) : null}
        </>
      )}
    </Notice>
  );
};

/** The shop takes no change while no draft is open. */
const DRAFT_ONLY = /this shop takes changes in a/;

/** What is wrong with one field; its name leads to it where the page shows it. */
function Refusal({ path, prefix, text }: { path: string; prefix: string; text: string }) {
  const line = useRef<HTMLSpanElement>(null);
  const [field, setField] = useState<HTMLInputElement | null>(null);
  useEffect(() => {
    setField(line.current === null ? null : fieldAt(line.current, prefix + path));
  }, [path, prefix]);
  const label = field?.labels?.[0]?.textContent;
  const [name, entry] =
    label && field !== null
      ? [label, (prefix + path).slice(field.dataset['path']?.length)]
      : [pathText(path), ''];
  return (
    <span ref={line}>
      {field === null ? (
        <strong>{name}</strong>
      ) : (
        <Anchor component="button" type="button" fw={600} inherit onClick={() => showField(field)}>
          {name}
        </Anchor>
      )}
      : {entry === '' ? '' : `${uncapitalized(pathText(entry))} `}
      {text}
    </span>
  );
}

/** The field of a path, or of the list that it is an entry of: in the form of the notice, else around it. */
function fieldAt(notice: HTMLElement, path: string): HTMLInputElement | null {
  for (const around of ['form', 'section', '[role=dialog]', 'main']) {
    const fields = [...(notice.closest(around)?.querySelectorAll<HTMLInputElement>('[data-path]') ?? [])];
    const found =
      fields.find((field) => field.dataset['path'] === path) ??
      fields.find((field) => path.startsWith(`${field.dataset['path']}/`));
    if (found !== undefined) return found;
  }
  return null;
}

interface LoadingProps {
  readonly what: string;
  /** Why it could not be read. */
  readonly failure?: CallFailure | null;
  /** About as many as it will have. */
  readonly rows?: number;
}

export const Loading = ({ what, failure = null, rows = 2 }: LoadingProps) =>
  failure === null ? (
    <div className="stack loading" aria-busy="true">
      <span className="only-read">Loading {what}…</span>
      {Array.from({ length: rows }, (_, row) => (
        // Rows have no identity but their place.
        <Skeleton key={row} height={18} width={`${90 - ((row * 17) % 40)}%`} />
      ))}
    </div>
  ) : (
    <FailureNotice failure={failure} />
  );

interface AnsweredProps<T> {
  readonly answer: Answer<T>;
  /** What is read, in a sentence: `the history`. */
  readonly what: string;
  readonly children: (value: T) => ReactNode;
}

/** What an answer holds. Until the first answer: that it is read, or why it cannot be, with a button that tries again. */
export function Answered<T>({ answer, what, children }: AnsweredProps<T>) {
  const { value, failure, isLoading, again } = answer;
  const failed =
    failure === null ? null : (
      <div className="stack">
        <FailureNotice failure={failure} />
        {again === undefined ? null : (
          <Button className="start" loading={isLoading} onClick={again}>
            Try again
          </Button>
        )}
      </div>
    );
  if (value === null) return failed ?? <Loading what={what} />;
  return (
    <>
      {failed}
      {children(value)}
    </>
  );
}

interface EmptyProps {
  readonly title: string;
  readonly sentence?: ReactNode;
  readonly icon?: ReactNode;
  /** Buttons or links, the most likely first. */
  readonly children?: ReactNode;
}

/** An empty answer: what there is none of, a sentence that says what to do, and the button that does it. */
export const Empty = ({ title, sentence, icon, children }: EmptyProps) => (
  <EmptyState size="sm" title={title} description={sentence} icon={icon} withIndicatorBackground>
    {children === undefined ? null : <EmptyState.Actions>{children}</EmptyState.Actions>}
  </EmptyState>
);

/** What a shop without zones lacks before a cart gets a rate, with the way to make it. */
export function FirstSteps() {
  const { mayWrite } = useSignedIn();
  return (
    <p>
      The shop has no zone yet, so no cart gets a rate.
      {mayWrite ? (
        <>
          {' '}
          <a href={linkTo('zones', { open: NEW })}>Make the first zone</a> or{' '}
          <a href={linkTo('import')}>import a configuration</a>.
        </>
      ) : null}
    </p>
  );
}

/** Brings a field into view that a fold or another tab may hide, and gives it the focus. */
export function showField(field: HTMLElement): void {
  const fold = field.closest('details');
  if (fold !== null) fold.open = true;
  const panel = field.closest('[role=tabpanel]');
  if (panel !== null && !field.checkVisibility()) {
    const tab = document.getElementById(panel.getAttribute('aria-labelledby') ?? '');
    flushSync(() => tab?.click());
  }
  field.focus();
}
