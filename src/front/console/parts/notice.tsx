/** Sentences about the state of a part: loading, empty, failed. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { CallFailure } from '../../client/call-outcome.ts';
import { pathText, uncapitalized } from '../labels.ts';
import { failureText, fieldErrors } from '../service.ts';

interface NoticeProps {
  readonly kind: 'info' | 'good' | 'warning' | 'bad';
  readonly children: ComponentChildren;
}

const SIGNS = { info: 'i', good: '✓', warning: '!', bad: '✕' } as const;

export const Notice = ({ kind, children }: NoticeProps) => (
  <div class={`notice ${kind}`} role={kind === 'bad' ? 'alert' : undefined}>
    <span class="sign" aria-hidden="true">
      {SIGNS[kind]}
    </span>
    <div>{children}</div>
  </div>
);

interface FailureProps {
  readonly failure: CallFailure | null;
  /** What the paths of the fields have before the paths that the failure names. */
  readonly prefix?: string | undefined;
}

export const FailureNotice = ({ failure, prefix = '' }: FailureProps) => {
  if (failure === null) return null;
  const refusals = [...fieldErrors(failure)];
  return (
    <Notice kind="bad">
      {refusals.some(([path]) => path !== '') ? (
        <ul class="lines">
          {refusals.map(([path, text]) => (
            <li key={path}>{path === '' ? text : <Refusal path={path} prefix={prefix} text={text} />}</li>
          ))}
        </ul>
      ) : (
        failureText(failure)
      )}
    </Notice>
  );
};

interface RefusalProps {
  readonly path: string;
  readonly prefix: string;
  readonly text: string;
}

/** What is wrong with one field; its name leads to it where the page shows it. */
function Refusal({ path, prefix, text }: RefusalProps) {
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
        <button type="button" class="plain to-field" onClick={() => field.focus()}>
          {name}
        </button>
      )}
      : {entry === '' ? '' : `${uncapitalized(pathText(entry))} `}
      {text}
    </span>
  );
}

/** The field of a path, or of the list that it is an entry of: in the form of the notice, else around it. */
function fieldAt(notice: HTMLElement, path: string): HTMLInputElement | null {
  for (const around of ['form', 'section', 'dialog', 'main']) {
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
}

export const Loading = ({ what, failure = null }: LoadingProps) =>
  failure === null ? (
    <p class="quiet loading" aria-busy="true">
      Loading {what}…
    </p>
  ) : (
    <FailureNotice failure={failure} />
  );
