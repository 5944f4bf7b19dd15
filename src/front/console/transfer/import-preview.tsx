/** What a file would change, its rows with errors, and the replacement. */
import { Button } from '@mantine/core';
import { useApp, useSignedIn } from '../app-state.ts';
import { Consequences, isNothing } from '../parts/consequences.tsx';
import { CopyAsCurl } from '../parts/copy-as-curl.tsx';
import { Difference } from '../parts/difference.tsx';
import { FailureNotice, Loading } from '../parts/notice.tsx';
import { LARGE_MS, usePreviewed } from '../parts/use-replacement.ts';
import { RefusedWrite } from '../parts/versions.tsx';
import { fieldErrors } from '../service.ts';
import { type ConfigData, countsText } from './config-file.ts';
import { FaultyRows } from './faulty-rows.tsx';

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
    async (signal) => {
      // A preview has no tag of its own.
      const read = await calls.getStaging({ signal });
      if (!read.ok) return read;
      const preview = await calls.replaceConfig(
        { action: 'preview', data },
        { signal, deadlineMs: LARGE_MS },
      );
      return preview.ok ? { ...preview, entityTag: read.entityTag } : preview;
    },
    [data, app.view],
  );
  const { value, failure, isLoading } = answer;
  const execute = async (): Promise<void> => {
    const done = await run(body, (writes) => writes.replaceConfig(body, { deadlineMs: LARGE_MS }));
    if (done === null) return;
    app.say(
      'version' in done && done.version !== null
        ? `Version ${done.version.number} has the configuration of ${name}`
        : `The draft has the configuration of ${name}`,
    );
    onDone();
  };
  const errors = fieldErrors(failure);
  return (
    <section className="panel stack" aria-label="Preview" aria-busy={isLoading}>
      <h2>Preview of {name}</h2>
      <p className="quiet">
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
            <div className="row wrap">
              <Button variant="filled" aria-busy={write.isBusy} onClick={execute}>
                {app.view === 'staged' ? 'Write it to the draft' : 'Replace the live configuration'}
              </Button>
              <CopyAsCurl run={(recorded) => recorded.replaceConfig(body, { ifMatch: shown })} />
            </div>
          )}
          <Difference difference={value} />
        </>
      )}
    </section>
  );
}
