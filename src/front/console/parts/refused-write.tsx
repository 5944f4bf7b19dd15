/** Why a write was refused: what other editors changed since the reader saw the version, or what the service says. */
import type { ComponentChildren } from 'preact';
import type { CallFailure } from '../../client/call-outcome.ts';
import { FailureNotice, Notice } from './notice.tsx';
import { VersionDifference } from './version-difference.tsx';

interface RefusedWriteProps {
  readonly failure: CallFailure | null;
  /** The version that the write was for; "" before the first. */
  readonly seen: string;
  /** The version that is current, once it was read again; null until then. */
  readonly current: string | null;
  /** Says that nothing was done, for a write that came too late. */
  readonly children: ComponentChildren;
}

export function RefusedWrite({ failure, seen, current, children }: RefusedWriteProps) {
  if (failure?.code !== 'CONFLICT' || seen === current) return <FailureNotice failure={failure} />;
  if (current === null) return null;
  return (
    <Notice kind="warning">
      <div class="stack" role="alert">
        <p>
          <strong>The configuration was changed meanwhile</strong>, {children} Others changed:
        </p>
        <VersionDifference from={seen} to={current} />
      </div>
    </Notice>
  );
}
