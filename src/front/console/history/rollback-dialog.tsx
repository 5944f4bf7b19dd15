/** Goes back to a version after showing what that changes in the live configuration. */
import type { Schemas } from '../../client/call-table.ts';
import { useApp, useSignedIn } from '../app-state.ts';
import { Answered } from '../parts/answered.tsx';
import { CopyAsCurl } from '../parts/copy-as-curl.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Difference } from '../parts/difference.tsx';
import { RefusedWrite } from '../parts/refused-write.tsx';
import { usePreviewed } from '../parts/use-previewed.ts';

interface RollbackDialogProps {
  readonly version: Schemas['VersionRow'];
  readonly onClose: () => void;
}

export function RollbackDialog({ version, onClose }: RollbackDialogProps) {
  const app = useApp();
  const { calls } = useSignedIn();
  const body = { action: 'rollback', targetVersionId: version.id } as const;
  const { answer, shown, refused, write, run } = usePreviewed(
    (signal) =>
      calls.changeVersion({ action: 'compare', versionA: 'live', versionB: version.id }, { signal }),
    [version.id],
  );
  const rollBack = async (): Promise<void> => {
    const done = await run(body, (writes) => writes.changeVersion(body));
    if (done === null) return;
    if ('version' in done) {
      app.message.value = `Version ${done.version.number} has the configuration of version ${version.number}`;
    }
    onClose();
    app.set({ open: '', before: '' });
  };
  return (
    <Dialog title={`Roll back to version ${version.number}`} onClose={onClose}>
      <div class="stack">
        <p>This is what changes for customers. Later versions are kept.</p>
        <Answered answer={answer} what="the difference">
          {(difference) => (
            <div aria-busy={answer.isLoading}>
              <Difference difference={difference} />
            </div>
          )}
        </Answered>
        <RefusedWrite failure={write.failure} seen={refused} current={shown}>
          and nothing was rolled back. The difference above is for the configuration as it is now.
        </RefusedWrite>
        {shown === null ? null : (
          <div class="row buttons">
            <button type="button" class="danger" aria-busy={write.isBusy} onClick={rollBack}>
              Roll back
            </button>
            <CopyAsCurl run={(recorded) => recorded.changeVersion(body, { ifMatch: shown })} />
          </div>
        )}
      </div>
    </Dialog>
  );
}
