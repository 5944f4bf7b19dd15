/** Sentences about the state of a part: loading, empty, failed. */
import type { ComponentChildren } from 'preact';
import type { CallFailure } from '../../client/call-outcome.ts';
import { failureText } from '../service.ts';

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

export const FailureNotice = ({ failure }: { readonly failure: CallFailure | null }) =>
  failure === null ? null : <Notice kind="bad">{failureText(failure)}</Notice>;

export const Loading = ({ what }: { readonly what: string }) => (
  <p class="quiet" aria-busy="true">
    Loading {what}…
  </p>
);
