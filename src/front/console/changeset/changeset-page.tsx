/** The draft: what would be published, what speaks against it, and its end, published or discarded. */
import { Button, Divider, Group, Menu, Stack } from '@mantine/core';
import IconRocket from '@tabler/icons-react/icons/IconRocket';
import { type ReactNode, useEffect, useState } from 'react';
import type { Schemas } from '../../client/call-table.ts';
import { useApp, useSignedIn } from '../app-state.ts';
import { momentText } from '../english.ts';
import { entryText } from '../parts/change-text.ts';
import { CopyAsCurl } from '../parts/copy-as-curl.tsx';
import { Question } from '../parts/dialog.tsx';
import { Difference } from '../parts/difference.tsx';
import { TextField } from '../parts/field.tsx';
import { isSame } from '../parts/merged-draft.ts';
import { Empty, FailureNotice, Loading, Notice } from '../parts/notice.tsx';
import { MoreMenu, Page } from '../parts/page.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import { useUndo, useWrite, type Write } from '../parts/use-write.ts';
import { linkTo } from '../place.ts';
import { changeCounts, isolated } from '../words.ts';
import { Concerns } from './concerns.tsx';
import { type Evidence, readDraft } from './draft-evidence.ts';
import { entriesOf, type ForeignEdits, foreignEdits } from './foreign-edits.ts';
import { ShadowPanel } from './shadow-panel.tsx';

export function ChangesetPage() {
  const app = useApp();
  const { calls } = useSignedIn();
  const [attempt, setAttempt] = useState(0);
  const write = useWrite();
  const { value, failure, isLoading, ...read } = useAnswer((signal) => readDraft(calls, signal), [attempt]);
  // Another editor may have opened or ended it: the banner and the buttons that save follow.
  useEffect(() => {
    if (value !== null) app.showChangeset(value.evidence?.staging ?? null);
  }, [value]);
  // The banner knows first that a draft was opened here.
  const isJustOpened = isLoading && value?.evidence === null && app.changeset.value !== null;
  if (value === null || isJustOpened) return <Loading what="the draft" failure={failure} />;
  if (value.evidence === null) {
    return (
      <Page title="Draft">
        {write.failure?.mayHaveHappened ? (
          <Notice kind="warning">
            The service did not answer, and the draft is no longer open. The{' '}
            <a href={linkTo('history')}>history</a> says whether it was published.
          </Notice>
        ) : null}
        <OpenDraft />
      </Page>
    );
  }
  return (
    <>
      <FailureNotice failure={failure} />
      <OpenedDraft
        evidence={value.evidence}
        write={write}
        read={read}
        isLoading={isLoading}
        onReadAgain={() => setAttempt((last) => last + 1)}
      />
    </>
  );
}

interface OpenedDraftProps {
  readonly evidence: Evidence;
  readonly write: Write;
  /** The version that was live when the draft was read, and the tag of the draft. */
  readonly read: { readonly versionId: string | null; readonly entityTag: string | null };
  readonly isLoading: boolean;
  readonly onReadAgain: () => void;
}

type Ending = 'promote' | 'discard';

function OpenedDraft({ evidence, write, read, isLoading, onReadAgain }: OpenedDraftProps) {
  const app = useApp();
  const { mayWrite } = useSignedIn();
  const { versionId, entityTag } = read;
  const [ending, setEnding] = useState<Ending | null>(null);
  const { staging } = evidence;
  const hasChanges = entriesOf(staging.diff).length > 0;
  /** What was shown when the draft was last to end. */
  const [shown, setShown] = useState(staging.diff);
  const undoTo = useUndo();
  const end = async (body: Schemas['StagingAction']) => {
    setShown(staging.diff);
    const done = await write.run(body, (writes) => writes.changeStaging(body), entityTag);
    if (done === null) onReadAgain();
    else setEnding(null);
    return done;
  };
  const publish = async (isForced: boolean) => {
    const done = await end(isForced ? { action: 'promote', force: true } : { action: 'promote' });
    if (done === null) return;
    const live = 'version' in done ? done.version.id : null;
    app.say('The draft is published', undoTo(versionId, live, 'the prices are those from before the draft'));
  };
  const discard = async () => {
    if ((await end({ action: 'discard' })) !== null) app.say('The draft is discarded');
  };
  const replay = async () => {
    const body = { action: 'replay' } as const;
    const done = await write.run(body, (writes) => writes.changeStaging(body), entityTag);
    if (done !== null) app.say('Recent carts were compared with the draft');
    onReadAgain();
  };
  const menu = (
    <MoreMenu>
      <Menu.Item color="red" onClick={() => setEnding('discard')}>
        Discard the draft…
      </Menu.Item>
    </MoreMenu>
  );
  const ask = () => {
    write.forget();
    // What is known of it may be old.
    onReadAgain();
    setEnding('promote');
  };
  // Nothing ends the draft while what is shown of it is read anew.
  const isBusy = write.isBusy || isLoading;
  const trouble =
    write.failure?.code !== 'CONFLICT' || isSame(shown, staging.diff) ? (
      <FailureNotice failure={write.failure} />
    ) : (
      <ForeignEditsNotice edits={foreignEdits(shown, staging.diff)} />
    );
  return (
    <Page
      title={staging.name || 'Draft'}
      description={openedText(staging)}
      action={
        mayWrite ? (
          <>
            {hasChanges ? (
              <Button variant="filled" onClick={ask}>
                Publish…
              </Button>
            ) : null}
            {menu}
          </>
        ) : undefined
      }
    >
      {ending === null ? trouble : null}
      <div className="split with-detail" aria-busy={isLoading}>
        <section className="panel stack pane detail" aria-label="Before it is published">
          <h2>Before it is published</h2>
          <Concerns evidence={evidence} />
        </section>
        <div className="stack">
          <section className="panel stack" aria-label="What changes">
            <h2>
              What changes <span className="count">{changeCounts(staging.changes)}</span>
            </h2>
            <Difference difference={staging.diff} />
          </section>
          <section className="panel stack" aria-label="Carts of customers">
            <ShadowPanel
              shadow={staging.shadow}
              onReadAgain={onReadAgain}
              onReplay={mayWrite ? replay : null}
              isBusy={isBusy}
            />
          </section>
        </div>
      </div>
      {ending === 'promote' ? (
        <PublishDialog
          evidence={evidence}
          trouble={trouble}
          isBusy={isBusy}
          onPublish={publish}
          onClose={() => setEnding(null)}
        />
      ) : null}
      {ending === 'discard' ? (
        <Question
          title="Discard this draft?"
          action="Discard all changes"
          keep="Keep the draft"
          isBusy={isBusy}
          curl={(recorded) => recorded.changeStaging({ action: 'discard' })}
          onAction={discard}
          onClose={() => setEnding(null)}
        >
          <p>What was changed in it is gone: {changeCounts(staging.changes)}. What is live stays as it is.</p>
          {trouble}
        </Question>
      ) : null}
    </Page>
  );
}

/** When and by whom it was opened, and its note. */
function openedText({ enteredAt, enteredBy, note }: Evidence['staging']): string {
  const by = enteredBy.keyLabel === null ? '' : ` by ${isolated(enteredBy.keyLabel)}`;
  return `Opened ${momentText(enteredAt)}${by}. ${note}`.trim();
}

/** Says what another editor changed in the changeset while it was shown. */
const ForeignEditsNotice = ({ edits: { made, undone } }: { edits: ForeignEdits }) => (
  <Notice kind="warning">
    <div className="stack" role="alert">
      <h2>Another editor changed the draft meanwhile</h2>
      <p>It is neither published nor discarded. This is new:</p>
      {entriesOf(made).length === 0 ? null : <Difference difference={made} />}
      {undone.length === 0 ? null : <p>As it is live again: {undone.map(entryText).join(', ')}.</p>}
      <p>Below is all that it changes now.</p>
    </div>
  </Notice>
);

interface PublishDialogProps {
  readonly evidence: Evidence;
  /** Why the last attempt was refused. */
  readonly trouble: ReactNode;
  readonly isBusy: boolean;
  readonly onPublish: (isForced: boolean) => void;
  readonly onClose: () => void;
}

/** Asks once before the draft becomes live, with everything that speaks against it in the question. */
function PublishDialog({ evidence, trouble, isBusy, onPublish, onClose }: PublishDialogProps) {
  const { key } = useSignedIn();
  const { staging, gate } = evidence;
  const isForced = !gate.passed;
  const mayPublish = gate.passed || key.permission === 'admin';
  const text = isForced ? 'Publish despite the rules' : 'Publish';
  return (
    <Question
      title="Publish this draft?"
      action={mayPublish ? text : null}
      color={isForced ? 'red' : 'accent'}
      keep="Keep the draft"
      isBusy={isBusy}
      curl={(calls) => calls.changeStaging({ action: 'promote', ...(isForced ? { force: true } : {}) })}
      onAction={() => onPublish(isForced)}
      onClose={onClose}
    >
      <p>
        It becomes live for every customer at once: {changeCounts(staging.changes)}.
        {isForced && mayPublish
          ? ' The history says that it was published despite the rules, and with which key.'
          : ''}
      </p>
      <Difference difference={staging.diff} step={5} />
      <Divider />
      <Concerns evidence={evidence} />
      {trouble}
      {mayPublish ? null : (
        <Notice kind="info">
          The rules for publishing do not hold. Mend what is named above, or ask somebody whose key may do
          everything.
        </Notice>
      )}
    </Question>
  );
}

/** Opens a draft, with a name and a note for those who look at it later. */
function OpenDraft() {
  const app = useApp();
  const { mayWrite, shop } = useSignedIn();
  const [name, setName] = useState('');
  const [note, setNote] = useState('');
  const write = useWrite();
  const body = {
    action: 'enter',
    ...(name.trim() === '' ? {} : { name: name.trim() }),
    ...(note.trim() === '' ? {} : { note: note.trim() }),
  } as const;
  const open = async () => {
    const done = await write.run(body, (writes) => writes.changeStaging(body));
    if (done !== null) app.say('A draft is open: what you save goes to it');
  };
  return (
    <div className="panel">
      <Empty
        title={`No draft is open: ${shop.directWrites ? 'what is saved is live at once' : 'this shop takes changes in one only'}`}
        sentence="In a draft you change prices beside what is live, see which carts would get other rates, and publish it when it is right."
        icon={<IconRocket size={28} stroke={1.6} />}
      >
        {mayWrite ? (
          <Stack
            component="form"
            gap="sm"
            ta="start"
            w="min(24rem, 65vw)"
            onSubmit={(event) => {
              event.preventDefault();
              void open();
            }}
          >
            <TextField label="Name" hint="Such as: Winter prices" value={name} onValue={setName} />
            <TextField label="Note" lines={2} value={note} onValue={setNote} />
            <FailureNotice failure={write.failure} />
            <Group gap="xs">
              <Button variant="filled" type="submit" loading={write.isBusy}>
                Open a draft
              </Button>
              <CopyAsCurl run={(recorded) => recorded.changeStaging(body)} />
            </Group>
          </Stack>
        ) : null}
      </Empty>
    </div>
  );
}
