/** One version, or the versions of a batch: what it changed, a link to the tester, and a rollback to it. */
import { useState } from 'preact/hooks';
import type { Schemas } from '../../client/call-table.ts';
import { useApp, useSignedIn } from '../app-state.ts';
import { Answered } from '../parts/answered.tsx';
import { DetailHeading } from '../parts/detail-heading.tsx';
import { Difference } from '../parts/difference.tsx';
import { Notice } from '../parts/notice.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import { VersionDifference } from '../parts/version-difference.tsx';
import { VersionSentence } from '../parts/version-sentence.tsx';
import { linkTo } from '../place.ts';
import { RollbackDialog } from './rollback-dialog.tsx';

interface VersionPanelProps {
  readonly version: Schemas['VersionRow'];
  readonly isLive: boolean;
}

export function VersionPanel({ version, isLive }: VersionPanelProps) {
  const app = useApp();
  const { mayWrite } = useSignedIn();
  const [isAsked, setAsked] = useState(false);
  const { number, batch } = version;
  const size = batch?.size ?? 1;
  return (
    <section class="stack" aria-label={`Version ${number}`}>
      <DetailHeading title={`Version ${number}`} />
      <p>
        <VersionSentence version={version} />
      </p>
      <div class="row wrap">
        <a href={linkTo('tester', { columns: `live,${number}` })}>Test a cart with version {number}</a>
        {isLive || !mayWrite || app.changeset.value !== null ? null : (
          <button type="button" onClick={() => setAsked(true)}>
            Roll back to version {number}…
          </button>
        )}
      </div>
      {!isLive && app.changeset.value !== null ? (
        <Notice kind="info">
          Nothing can be rolled back while a changeset is active: promote or discard it first.
        </Notice>
      ) : null}
      <h3 class="column-title">{size > 1 ? `What its ${size} versions changed` : 'What it changed'}</h3>
      {size > 1 ? (
        <VersionDifference from={String(number - size)} to={String(number)} />
      ) : (
        <OwnDifference id={version.id} />
      )}
      {isAsked ? <RollbackDialog version={version} onClose={() => setAsked(false)} /> : null}
    </section>
  );
}

/** The difference that the version itself keeps, because the version before it may be gone. */
function OwnDifference({ id }: { readonly id: string }) {
  const { calls } = useSignedIn();
  const answer = useAnswer((signal) => calls.getVersion(id, { signal }), [id]);
  return (
    <Answered answer={answer} what="the version">
      {({ version }) => <Difference difference={version.diff} />}
    </Answered>
  );
}
