/** What a file would change, its rows with errors, and the replacement. */
import type { Schemas } from '../../client/call-table.ts';
import { useApp, useSignedIn } from '../app-state.ts';
import { changeCounts } from '../parts/change-counts.ts';
import { CopyAsCurl } from '../parts/copy-as-curl.tsx';
import { Difference } from '../parts/difference.tsx';
import { LongList } from '../parts/long-list.tsx';
import { FailureNotice, Loading, Notice } from '../parts/notice.tsx';
import { RefusedWrite } from '../parts/refused-write.tsx';
import { usePreviewed } from '../parts/use-previewed.ts';
import { fieldErrors } from '../service.ts';
import { type ConfigData, countsText } from './config-file.ts';
import { FaultyRows } from './faulty-rows.tsx';

/** Milliseconds that a large configuration may take. */
const DEADLINE_MS = 120_000;

interface ImportPreviewProps {
  readonly name: string;
  readonly data: ConfigData;
  readonly onData: (data: ConfigData) => void;
  readonly onDone: () => void;
}

export function ImportPreview({ name, data, onData, onDone }: ImportPreviewProps) {
  const app = useApp();
  const { calls, mayWrite } = useSignedIn();
  const body = { action: 'execute', data } as const;
  const { answer, shown, refused, write, run } = usePreviewed(
    (signal) => calls.replaceConfig({ action: 'preview', data }, { signal, deadlineMs: DEADLINE_MS }),
    [data, app.view],
  );
  const { value, failure, isLoading } = answer;
  const execute = async (): Promise<void> => {
    const done = await run(body, (writes) => writes.replaceConfig(body, { deadlineMs: DEADLINE_MS }));
    if (done === null) return;
    app.message.value =
      'version' in done && done.version !== null
        ? `Version ${done.version.number} has the configuration of ${name}`
        : `The changeset has the configuration of ${name}`;
    onDone();
  };
  const errors = fieldErrors(failure);
  return (
    <section class="panel stack" aria-label="Preview" aria-busy={isLoading}>
      <h2>Preview of {name}</h2>
      <p class="quiet">
        {countsText(data)}. A kind of record that the file leaves out stays as it is. Of a kind that it has,
        records that are not in it are removed.
      </p>
      {errors.size === 0 ? <FailureNotice failure={failure} /> : null}
      {errors.size === 0 ? null : <FaultyRows data={data} errors={errors} onData={onData} />}
      {failure !== null || value === null ? (
        isLoading && <Loading what="the preview" />
      ) : (
        <>
          <RefusedWrite failure={write.failure} seen={refused} current={shown}>
            and nothing was replaced. The preview below is for the configuration as it is now.
          </RefusedWrite>
          <Consequences preview={value} />
          {isNothing(value) || !mayWrite || shown === null ? null : (
            <div class="row wrap">
              <button type="button" class="primary" aria-busy={write.isBusy} onClick={execute}>
                {app.view === 'staged' ? 'Write it to the changeset' : 'Replace the live configuration'}
              </button>
              <CopyAsCurl run={(recorded) => recorded.replaceConfig(body, { ifMatch: shown })} />
            </div>
          )}
          <Difference difference={value} />
        </>
      )}
    </section>
  );
}

const isNothing = ({ summary: { added, modified, removed } }: Schemas['PreviewAnswer']): boolean =>
  added + modified + removed === 0;

/** How much changes, what the lint would find, and which checks would fail. */
function Consequences({ preview }: { readonly preview: Schemas['PreviewAnswer'] }) {
  const { summary, warnings, checks } = preview;
  const failing = checks.results.filter(({ passed }) => !passed);
  return (
    <>
      {isNothing(preview) ? null : <p>{changeCounts(summary)}.</p>}
      {failing.length === 0 ? null : (
        <Notice kind="bad">
          <p>
            {failing.length} of {checks.passed + checks.failed} checks would fail:
          </p>
          <LongList rows={failing} class="lines">
            {({ name, failures }) => `${name}: ${failures.map(({ reason }) => reason).join(' ')}`}
          </LongList>
        </Notice>
      )}
      {warnings.length === 0 ? null : (
        <details>
          <summary>
            Findings with the file <span class="count">{warnings.length}</span>
          </summary>
          <LongList rows={warnings}>{({ severity, message }) => `${severity}: ${message}`}</LongList>
        </details>
      )}
    </>
  );
}
