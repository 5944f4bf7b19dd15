/** A version in one sentence: its number, when it was made, with which key, and what it did. */
import type { ReactNode } from 'react';
import { changesetOfTag } from '../../../engine/domain/view-tag.ts';
import type { CallFailure } from '../../client/call-outcome.ts';
import type { Schemas } from '../../client/call-table.ts';
import { useSignedIn } from '../app-state.ts';
import { momentText } from '../english.ts';
import { isolated } from '../words.ts';
import { draftText, ownText } from './change-text.ts';
import { Difference } from './difference.tsx';
import { FailureNotice, Loading, Notice } from './notice.tsx';
import { useAnswer } from './use-answer.ts';

const ORIGINS = {
  system: 'made by the service',
  user: 'saved',
  import: 'saved at once',
  rollback: 'rolled back',
  promotion: 'published',
} as const;

type VersionRecord = Schemas['VersionRecord'];

/** `saved with the key “Demo admin”` */
export function originText(version: VersionRecord): string {
  const author = version.keyLabel ?? version.keyId;
  return `${ORIGINS[version.createdBy]}${author === null ? '' : ` with the key “${isolated(author)}”`}`;
}

export const VersionSentence = ({ version }: { version: VersionRecord }) => (
  <>
    Version {version.number}, {momentText(version.createdAt)}, {originText(version)}
    {draftText(version)}: <strong>{ownText(version)}</strong>
  </>
);

/** What turns one version into another, each named by its id, its number, or `live`. */
export function VersionDifference({ from, to }: { from: string; to: string }) {
  const { calls } = useSignedIn();
  const { value, failure, isLoading } = useAnswer(
    (signal) => calls.changeVersion({ action: 'compare', versionA: from, versionB: to }, { signal }),
    [from, to],
  );
  if (failure !== null) return <FailureNotice failure={failure} />;
  if (value === null) return <Loading what="the difference" />;
  return (
    <div aria-busy={isLoading}>
      <Difference difference={value} />
    </div>
  );
}

interface RefusedWriteProps {
  readonly failure: CallFailure | null;
  /** The tag that the write was for; "" before the first. */
  readonly seen: string;
  /** The tag that is current, once it was read again; null until then. */
  readonly current: string | null;
  /** Says that nothing was done, for a write that came too late. */
  readonly children: ReactNode;
}

/** Why a write was refused: what other editors changed since the reader saw the version, or what the service says. */
export function RefusedWrite({ failure, seen, current, children }: RefusedWriteProps) {
  // The states of a draft cannot be compared.
  const isLive = [seen, current ?? ''].every((tag) => changesetOfTag(tag) === null);
  if (failure?.code !== 'CONFLICT' || seen === current || !isLive) return <FailureNotice failure={failure} />;
  if (current === null) return null;
  return (
    <Notice kind="warning">
      <div className="stack" role="alert">
        <p>
          <strong>The configuration was changed meanwhile</strong>, {children} Others changed:
        </p>
        <VersionDifference key={`${seen} ${current}`} from={seen} to={current} />
      </div>
    </Notice>
  );
}
