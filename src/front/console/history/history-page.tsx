/**
 * The history of the shop: versions newest first, what each changed, the difference of any two, and a rollback to any.
 * The open version, the page of the list and the compared versions are in the link.
 */
import { Button, Tabs, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import type { Schemas } from '../../client/call-table.ts';
import { useApp, useSignedIn } from '../app-state.ts';
import { momentText, timeText } from '../english.ts';
import { type Comparison, countsOf, differenceText, ownText, rowText } from '../parts/change-text.ts';
import { Question } from '../parts/dialog.tsx';
import { Difference } from '../parts/difference.tsx';
import { CheckField, TextField } from '../parts/field.tsx';
import { Answered, Notice } from '../parts/notice.tsx';
import { DetailHeading, Page } from '../parts/page.tsx';
import { NOTHING } from '../parts/record-kind.ts';
import { WAITING } from '../parts/referred-records.ts';
import { isAwaited, useAnswer } from '../parts/use-answer.ts';
import { usePreviewed } from '../parts/use-replacement.ts';
import { originText, RefusedWrite, VersionDifference } from '../parts/versions.tsx';
import { linkTo } from '../place.ts';
import { changeCounts, counted } from '../words.ts';
import { AuditList } from './audit-list.tsx';
import { byDay } from './by-day.ts';

type VersionRow = Schemas['VersionRow'];

/** Of so many versions the list reads at once what they changed. Each is a request, and a plan has a limit for a minute. */
const TOLD = 8;
/** Milliseconds that the pointer is on another version before that is read. */
const POINTED_MS = 150;

export function HistoryPage() {
  const app = useApp();
  const { key } = useSignedIn();
  const { show = 'versions' } = app.place.value.parameters;
  if (key.permission !== 'admin') {
    return (
      <Page title="History">
        <Versions />
      </Page>
    );
  }
  return (
    <Page title="History">
      <Tabs
        value={show}
        onChange={(tab) =>
          app.set({ show: tab === 'versions' ? '' : (tab ?? ''), open: '', from: '', to: '' }, false)
        }
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="versions">Versions</Tabs.Tab>
          <Tabs.Tab value="audit">Keys, settings, drafts</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="versions">
          <Versions />
        </Tabs.Panel>
        <Tabs.Panel value="audit">
          <AuditList />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

function Versions() {
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
    <div className={`split ${open === '' && from === '' ? '' : 'with-detail'}`}>
      <div className="panel stack" aria-busy={isLoading}>
        <div className="row between wrap">
          <CompareForm key={`${from} ${to}`} from={from} to={to} />
          <CheckField
            label="Each version of a batch"
            value={batched === 'apart'}
            onValue={(isApart) => app.set({ batched: isApart ? 'apart' : '', open: '' })}
          />
        </div>
        <Answered answer={answer} what="the history">
          {({ versions }) => <VersionList versions={versions} liveId={versionId} openId={open} />}
        </Answered>
        <div className="row wrap">
          {before === '' ? null : (
            <Button onClick={() => app.set({ before: '', open: '' }, false)}>Newest versions</Button>
          )}
          {value === null ? null : value.nextCursor === null ? (
            <p className="quiet">There are no older versions.</p>
          ) : (
            <Button onClick={() => app.set({ before: value.nextCursor ?? '', open: '' }, false)}>
              Older versions
            </Button>
          )}
        </div>
      </div>
      {isAwaited(answer) ? null : open !== '' ? (
        <div className="panel detail pane">
          <OpenVersion key={open} id={open} listed={value?.versions ?? []} liveId={versionId} />
        </div>
      ) : from === '' ? null : (
        <div className="panel stack detail pane">
          <DetailHeading title={`From ${from} to ${to}`} closed={{ from: '', to: '' }} />
          <VersionDifference key={`${from} ${to}`} from={from} to={to} />
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
  const newest = versions.slice(0, TOLD);
  return byDay(versions, ({ createdAt }) => createdAt).map(([day, made]) => (
    <section key={day} aria-label={day}>
      <h2 className="section-title">{day}</h2>
      <ul className="lines versions" aria-label={`Versions of ${day}`}>
        {made.map((version) => (
          <VersionLine
            key={version.id}
            {...{ version }}
            isLive={version.id === liveId}
            isOpen={version.id === openId}
            isNew={newest.includes(version)}
          />
        ))}
      </ul>
    </section>
  ));
}

interface VersionProps {
  readonly version: VersionRow;
  readonly isLive: boolean;
}

/** How many versions a row stands for, and what they did. Each of a batch can be listed apart. */
function useRow(version: VersionRow) {
  const isApart = useApp().place.value.parameters['batched'] === 'apart';
  const size = isApart ? 1 : (version.batch?.size ?? 1);
  const titleOf = (counts: Schemas['ChangeCounts'] | null): string =>
    isApart ? ownText(version) : rowText(version, counts);
  return { size, titleOf };
}

/** `Version 5`, `Versions 4–5` */
const numbersText = (number: number, size: number): string =>
  size === 1 ? `Version ${number}` : `Versions ${number - size + 1}–${number}`;

interface VersionLineProps extends VersionProps {
  readonly isOpen: boolean;
  readonly isNew: boolean;
}

/** A version, or all of a batch, with what it changed: that is read of new ones, and of others once they are pointed at. */
function VersionLine({ version, isLive, isOpen, isNew }: VersionLineProps) {
  const app = useApp();
  const { calls, shop } = useSignedIn();
  const [isPointedAt, setPointedAt] = useState(false);
  const { size, titleOf } = useRow(version);
  const { id, number, changes, createdAt } = version;
  const from = String(number - size);
  const isTold = (isNew || isPointedAt) && number > size;
  const { value, failure } = useAnswer<Comparison>(
    async (signal) =>
      isTold
        ? calls.changeVersion({ action: 'compare', versionA: from, versionB: String(number) }, { signal })
        : NOTHING,
    [isTold, from, number],
    isPointedAt ? POINTED_MS : 0,
  );
  return (
    <li>
      <UnstyledButton
        data-row
        aria-expanded={isOpen}
        onPointerEnter={() => setPointedAt(true)}
        onPointerLeave={() => setPointedAt(value !== null)}
        onFocus={() => setPointedAt(true)}
        onClick={() => app.set({ open: isOpen ? '' : id }, false)}
      >
        <span className="quiet">{numbersText(number, size)}</span>
        <span>
          <strong>{titleOf(value && countsOf(value))}</strong>{' '}
          {isLive ? <span className="badge good">live</span> : null}
          <span className="quiet change">
            {value !== null
              ? differenceText(value, shop.currency)
              : isNew && isTold && failure === null
                ? WAITING
                : size === 1
                  ? changeCounts(changes)
                  : counted(size, 'version')}
          </span>
        </span>
        <span className="quiet">
          {version.keyLabel ?? version.keyId ?? 'Operator'}, {timeText(createdAt)}
        </span>
      </UnstyledButton>
    </li>
  );
}

function CompareForm({ from, to }: { from: string; to: string }) {
  const app = useApp();
  const [typed, setTyped] = useState({ from, to: to || 'live' });
  return (
    <form
      className="row wrap compare"
      aria-label="Compare two versions"
      onSubmit={(event) => {
        event.preventDefault();
        app.set({ from: typed.from.trim(), to: typed.to.trim() || 'live', open: '' }, false);
      }}
    >
      <TextField
        className="inline"
        label="Compare version"
        value={typed.from}
        onValue={(text) => setTyped({ ...typed, from: text })}
        placeholder="number"
      />
      <TextField
        className="inline"
        label="with"
        value={typed.to}
        onValue={(text) => setTyped({ ...typed, to: text })}
        placeholder="number or live"
      />
      <Button type="submit">Compare</Button>
    </form>
  );
}

/** One version, or the versions of a batch: what it changed, a link to the tester, and a rollback to it. */
function VersionPanel({ version, isLive }: VersionProps) {
  const app = useApp();
  const { mayWrite } = useSignedIn();
  const [isAsked, setAsked] = useState(false);
  const { size, titleOf } = useRow(version);
  const { number, changeset } = version;
  /** Where the button leads: to this version, or from the live one to the version before it. */
  const target = isLive ? number - size : number;
  const mayAsk = mayWrite && app.changeset.value === null && target > 0;
  return (
    <section className="stack" aria-label={`Version ${number}`}>
      <DetailHeading title={titleOf(null)} />
      <p className="quiet">
        {numbersText(number, size)}, {momentText(version.createdAt)}, {originText(version)}. {changeset?.note}
      </p>
      <div className="row wrap">
        {!mayAsk ? null : (
          <Button onClick={() => setAsked(true)}>
            {isLive ? 'Undo this version…' : `Go back to version ${number}…`}
          </Button>
        )}
        <a href={linkTo('tester', { columns: `live,${number}` })}>Test a cart with version {number}</a>
      </div>
      {app.changeset.value === null ? null : (
        <Notice kind="info">Nothing can be undone while a draft is open: publish or discard it first.</Notice>
      )}
      {size > 1 ? (
        <VersionDifference from={String(number - size)} to={String(number)} />
      ) : (
        <OwnDifference id={version.id} />
      )}
      {size === 1 ? null : (
        <a href={linkTo('history', { batched: 'apart', open: version.id })}>Show its {size} versions apart</a>
      )}
      {isAsked ? <RollbackDialog number={target} onClose={() => setAsked(false)} /> : null}
    </section>
  );
}

/** The difference that the version itself keeps, because the version before it may be gone. */
function OwnDifference({ id }: { id: string }) {
  const { calls } = useSignedIn();
  const answer = useAnswer((signal) => calls.getVersion(id, { signal }), [id]);
  return (
    <Answered answer={answer} what="the version">
      {({ version }) => <Difference difference={version.diff} />}
    </Answered>
  );
}

/** Goes back to a version after showing what that changes in the live configuration. */
export function RollbackDialog({ number, onClose }: { number: number; onClose: () => void }) {
  const app = useApp();
  const { calls } = useSignedIn();
  const { page, parameters } = app.place.value;
  const body = { action: 'rollback', targetVersionId: String(number) } as const;
  const { answer, shown, refused, write, run } = usePreviewed(
    (signal) =>
      calls.changeVersion({ action: 'compare', versionA: 'live', versionB: String(number) }, { signal }),
    [number],
  );
  const rollBack = async (): Promise<void> => {
    const done = await run(body, (writes) => writes.changeVersion(body));
    if (done === null) return;
    if ('version' in done) {
      app.say(`Version ${done.version.number} has the configuration of version ${number}`);
    }
    onClose();
    app.setOf(page, parameters['open'] ?? '', { open: '', before: '' });
  };
  return (
    <Question
      title={`Go back to version ${number}?`}
      action="Go back"
      isBusy={write.isBusy}
      isDisabled={shown === null}
      curl={(recorded) => recorded.changeVersion(body, shown === null ? {} : { ifMatch: shown })}
      onAction={rollBack}
      onClose={onClose}
    >
      <p>This is what changes for customers. Later versions are kept.</p>
      <Answered answer={answer} what="the difference">
        {(difference) => (
          <div aria-busy={answer.isLoading}>
            <Difference difference={difference} />
          </div>
        )}
      </Answered>
      <RefusedWrite failure={write.failure} seen={refused} current={shown}>
        and nothing was changed. The difference above is for the configuration as it is now.
      </RefusedWrite>
    </Question>
  );
}
