/** The changeset: its difference, the carts whose rates it changes, its gate, and the ways to promote or discard it. */
import { useEffect, useState } from 'preact/hooks';
import type { CallOutcome } from '../../client/call-outcome.ts';
import type { Schemas } from '../../client/call-table.ts';
import { useApp, useSignedIn } from '../app-state.ts';
import type { Reads } from '../guarded-calls.ts';
import { CopyAsCurl } from '../parts/copy-as-curl.tsx';
import { Difference } from '../parts/difference.tsx';
import { isSame } from '../parts/merged-draft.ts';
import { FailureNotice, Loading, Notice } from '../parts/notice.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import { useWrite } from '../parts/use-write.ts';
import { EffectsPanel } from './effects-panel.tsx';
import { FORCED, ForceDialog } from './force-dialog.tsx';
import { CHANGED_MEANWHILE, type ForeignEdits, foreignEdits } from './foreign-edits.ts';
import { ForeignEditsNotice } from './foreign-edits-notice.tsx';
import { Gate } from './gate.tsx';
import { ShadowPanel } from './shadow-panel.tsx';

type Action = Schemas['StagingAction']['action'];

const DONE: Readonly<Record<Action, string>> = {
  enter: 'A changeset is active',
  promote: 'The changeset is live',
  discard: 'The changeset is discarded',
  replay: 'Recent carts were compared with the changeset',
};

interface Judged {
  readonly staging: Schemas['ShadowedStaging'] | null;
  readonly gate: Schemas['GateReport'] | null;
}

/** The changeset and its gate; the service knows no gate where no changeset is active. */
async function readChangeset(calls: Reads, signal: AbortSignal): Promise<CallOutcome<Judged>> {
  const read = await calls.getStaging({ signal });
  if (!read.ok) return read;
  const { staging } = read.value;
  if (staging === null) return { ...read, value: { staging, gate: null } };
  const gate = await calls.getPromotionGate({ signal });
  return gate.ok ? { ...read, value: { staging, gate: gate.value } } : gate;
}

export function ChangesetPage() {
  const app = useApp();
  const { calls, key, mayWrite } = useSignedIn();
  const [attempt, setAttempt] = useState(0);
  const [isDiscarding, setDiscarding] = useState(false);
  const { value, versionId, failure, isLoading } = useAnswer(
    (signal) => readChangeset(calls, signal),
    [attempt],
  );
  // Another editor may have entered or ended it: the banner and the buttons that save follow.
  useEffect(() => {
    if (value !== null) app.changeset.value = value.staging;
  }, [value]);
  const [isForcing, setForcing] = useState(false);
  const [foreign, setForeign] = useState<ForeignEdits | null>(null);
  const write = useWrite();
  /** Writes to a changeset make no version: only its difference shows whether another editor changed it. */
  const compared = async (shown: Schemas['Comparison']): Promise<CallOutcome<unknown>> => {
    const read = await calls.getStaging();
    const diff = read.ok ? read.value.staging?.diff : undefined;
    if (diff === undefined || isSame(diff, shown)) return read;
    setForeign(foreignEdits(shown, diff));
    return CHANGED_MEANWHILE;
  };
  const act = async (action: Action, body: Schemas['StagingAction'] = { action }): Promise<void> => {
    const shown = action === 'promote' || action === 'discard' ? value?.staging?.diff : undefined;
    setForeign(null);
    const done = await write.run(
      body,
      async (writes) => {
        const read = shown === undefined ? null : await compared(shown);
        return read?.ok === false ? read : writes.changeStaging(body);
      },
      action === 'enter' ? null : versionId,
    );
    setDiscarding(false);
    setForcing(false);
    if (done === null) setAttempt(attempt + 1);
    else app.message.value = DONE[action];
  };
  const button = (action: Action, text: string, kind = '') => (
    <button type="button" class={kind} aria-busy={write.isBusy} onClick={() => act(action)}>
      {text}
    </button>
  );
  if (value === null) return <Loading what="the changeset" failure={failure} />;
  const { staging, gate } = value;
  if (staging === null) {
    return (
      <div class="panel stack">
        <h1>Changeset</h1>
        <p>No changeset is active: what is saved is live at once.</p>
        <p class="quiet">
          In a changeset you change prices beside what is live, see which carts would get other rates, and
          promote it when it is right.
        </p>
        <FailureNotice failure={write.failure} />
        {mayWrite ? (
          <div class="row wrap">
            {button('enter', 'Enter a changeset', 'primary')}
            <CopyAsCurl run={(recorded) => recorded.changeStaging({ action: 'enter' })} />
          </div>
        ) : null}
      </div>
    );
  }
  return (
    <div class="split with-detail" aria-busy={isLoading}>
      <div class="panel stack">
        <h1>Changeset</h1>
        <p class="quiet">Entered {new Date(staging.enteredAt).toLocaleString()}</p>
        {staging.name === '' ? null : <p>{staging.name}</p>}
        {staging.note === '' ? null : <p class="quiet">{staging.note}</p>}
        <FailureNotice failure={failure} />
        {foreign !== null ? (
          <ForeignEditsNotice edits={foreign} />
        ) : write.failure?.code === 'CONFLICT' && gate?.passed === false ? (
          <Notice kind="bad">Not promoted: the gate below does not pass.</Notice>
        ) : (
          <FailureNotice failure={write.failure} />
        )}
        {mayWrite ? (
          <div class="row wrap">
            {button('promote', 'Promote', 'primary')}
            {isDiscarding ? (
              button('discard', 'Discard all changes', 'danger')
            ) : (
              <button type="button" onClick={() => setDiscarding(true)}>
                Discard…
              </button>
            )}
            {button('replay', 'Evaluate recent carts')}
            {gate?.passed === false && key.permission === 'admin' ? (
              <button
                type="button"
                onClick={() => {
                  // The gate may give another answer by now.
                  setAttempt(attempt + 1);
                  setForcing(true);
                }}
              >
                Promote despite the gate…
              </button>
            ) : null}
          </div>
        ) : null}
        {isForcing && gate?.passed === false ? (
          <ForceDialog
            criteria={gate.criteria}
            isBusy={write.isBusy}
            onPromote={() => act('promote', FORCED)}
            onClose={() => setForcing(false)}
          />
        ) : null}
        {mayWrite ? <ActionsAsCurl /> : null}
        {gate === null ? null : <Gate report={gate} />}
        <Difference difference={staging.diff} />
      </div>
      <div class="panel stack">
        {staging.effects === undefined ? null : <EffectsPanel effects={staging.effects} />}
        <ShadowPanel shadow={staging.shadow} onReadAgain={() => setAttempt(attempt + 1)} />
      </div>
    </div>
  );
}

const AS_CURL = [
  ['promote', 'Promote'],
  ['discard', 'Discard all changes'],
  ['replay', 'Evaluate recent carts'],
] as const satisfies readonly (readonly [Action, string])[];

const ActionsAsCurl = () => (
  <details>
    <summary>Copy as curl</summary>
    <div class="row wrap">
      {AS_CURL.map(([action, label]) => (
        <CopyAsCurl
          key={action}
          label={`${label}, as curl`}
          run={(calls) => calls.changeStaging({ action })}
        />
      ))}
    </div>
  </details>
);
