/**
 * The history of the shop: versions newest first, what each changed, the difference of any two, and a rollback to any.
 * The open version, the page of the list and the compared versions are in the link.
 */
import { useState } from 'preact/hooks';
import type { Schemas } from '../../client/call-table.ts';
import { useApp, useSignedIn } from '../app-state.ts';
import { Answered } from '../parts/answered.tsx';
import { changeCounts } from '../parts/change-counts.ts';
import { DetailHeading } from '../parts/detail-heading.tsx';
import { CheckField, TextField } from '../parts/field.tsx';
import { NOTHING } from '../parts/record-kind.ts';
import { isAwaited, useAnswer } from '../parts/use-answer.ts';
import { VersionDifference } from '../parts/version-difference.tsx';
import { VersionSentence } from '../parts/version-sentence.tsx';
import { counted } from '../words.ts';
import { VersionPanel } from './version-panel.tsx';

type VersionRow = Schemas['VersionRow'];

export function HistoryPage() {
  const app = useApp();
  const { calls } = useSignedIn();
  const { before = '', batched = '', open = '', from = '', to = '' } = app.place.value.parameters;
  const answer = useAnswer(
    (signal) =>
      calls.listVersions({
        query: { includeBatched: batched === 'apart', ...(before === '' ? {} : { cursor: before }) },
        signal,
      }),
    [before, batched],
  );
  const { value, versionId, isLoading } = answer;
  return (
    <div class={`split ${open === '' && from === '' ? '' : 'with-detail'}`}>
      <div class="panel stack" aria-busy={isLoading}>
        <div class="row between wrap">
          <h1>History</h1>
          <CheckField
            label="Each version of a batch"
            value={batched === 'apart'}
            onValue={(isApart) => app.set({ batched: isApart ? 'apart' : '', open: '' })}
          />
        </div>
        <CompareForm key={`${from} ${to}`} from={from} to={to} />
        <Answered answer={answer} what="the history">
          {({ versions }) => <VersionList versions={versions} liveId={versionId} openId={open} />}
        </Answered>
        <div class="row wrap">
          {before === '' ? null : (
            <button type="button" onClick={() => app.set({ before: '', open: '' }, false)}>
              Newest versions
            </button>
          )}
          {value === null ? null : value.nextCursor === null ? (
            <p class="quiet">There are no older versions.</p>
          ) : (
            <button
              type="button"
              onClick={() => app.set({ before: value.nextCursor ?? '', open: '' }, false)}
            >
              Older versions
            </button>
          )}
        </div>
      </div>
      {isAwaited(answer) ? null : open !== '' ? (
        <div class="panel detail pane">
          <OpenVersion key={open} id={open} listed={value?.versions ?? []} liveId={versionId} />
        </div>
      ) : from === '' ? null : (
        <div class="panel stack detail pane">
          <DetailHeading title={`From ${from} to ${to}`} closed={{ from: '', to: '' }} />
          <VersionDifference from={from} to={to} />
        </div>
      )}
    </div>
  );
}

interface OpenVersionProps {
  readonly id: string;
  readonly listed: readonly VersionRow[];
  readonly liveId: string | null;
}

/** A version of the list; a link may also open one that is on another page of the list. */
function OpenVersion({ id, listed, liveId }: OpenVersionProps) {
  const { calls } = useSignedIn();
  const row = listed.find((version) => version.id === id);
  const answer = useAnswer(
    async (signal) => (row === undefined ? calls.getVersion(id, { signal }) : NOTHING),
    [row === undefined],
  );
  if (row !== undefined) return <VersionPanel version={row} isLive={id === liveId} />;
  return (
    <Answered answer={answer} what="the version">
      {({ version }) => <VersionPanel version={version} isLive={id === liveId} />}
    </Answered>
  );
}

interface VersionListProps {
  readonly versions: readonly VersionRow[];
  readonly liveId: string | null;
  readonly openId: string;
}

function VersionList({ versions, liveId, openId }: VersionListProps) {
  const app = useApp();
  return (
    <ul class="lines versions" aria-label="Versions">
      {versions.map((version) => {
        const { id, batch, changes } = version;
        return (
          <li key={id} class="entry">
            <button
              type="button"
              class="plain rate-name"
              data-row
              aria-expanded={id === openId}
              onClick={() => app.set({ open: id === openId ? '' : id }, false)}
            >
              <VersionSentence version={version} />
            </button>
            <p class="row wrap quiet">
              {changeCounts(changes)}
              {id === liveId ? <span class="badge">live</span> : null}
              {batch === undefined ? null : (
                <span class="badge">batch of {counted(batch.size, 'version')}</span>
              )}
            </p>
          </li>
        );
      })}
    </ul>
  );
}

function CompareForm({ from, to }: { readonly from: string; readonly to: string }) {
  const app = useApp();
  const [typed, setTyped] = useState({ from, to: to || 'live' });
  return (
    <form
      class="row wrap compare"
      aria-label="Compare two versions"
      onSubmit={(event) => {
        event.preventDefault();
        app.set({ from: typed.from.trim(), to: typed.to.trim() || 'live', open: '' }, false);
      }}
    >
      <TextField
        class="inline"
        label="Compare version"
        value={typed.from}
        onValue={(text) => setTyped({ ...typed, from: text })}
        placeholder="number"
      />
      <TextField
        class="inline"
        label="with"
        value={typed.to}
        onValue={(text) => setTyped({ ...typed, to: text })}
        placeholder="number or live"
      />
      <button type="submit">Compare</button>
    </form>
  );
}
