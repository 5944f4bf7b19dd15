/**
 * Goes back to a version after showing what that changes in the live configuration. What was shown is what is done: when
 * another editor saved something meanwhile, the service refuses, and the difference is read again.
 */
import { useState } from 'preact/hooks';
import type { Schemas } from '../../client/call-table.ts';
import { useApp, useSignedIn } from '../app-state.ts';
import { CopyAsCurl } from '../parts/copy-as-curl.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Difference } from '../parts/difference.tsx';
import { FailureNotice, Loading } from '../parts/notice.tsx';
import { RefusedWrite } from '../parts/refused-write.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import { useWrite } from '../parts/use-write.ts';

interface RollbackDialogProps {
  readonly version: Schemas['VersionRow'];
  readonly onClose: () => void;
}

export function RollbackDialog({ version, onClose }: RollbackDialogProps) {
  const app = useApp();
  const { calls } = useSignedIn();
  const [attempt, setAttempt] = useState(0);
  const [refused, setRefused] = useState('');
  const write = useWrite();
  const { value, versionId, failure, isLoading } = useAnswer(
    (signal) =>
      calls.changeVersion({ action: 'compare', versionA: 'live', versionB: version.id }, { signal }),
    [version.id, attempt],
  );
  const rollBack = async (seen: string): Promise<void> => {
    const body = { action: 'rollback', targetVersionId: version.id } as const;
    const done = await write.run(body, (writes) => writes.changeVersion(body), seen);
    if (done === null) {
      setRefused(seen);
      setAttempt(attempt + 1);
      return;
    }
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
        <FailureNotice failure={failure} />
        {value === null || !('modified' in value) ? (
          isLoading ? (
            <Loading what="the difference" />
          ) : null
        ) : (
          <div aria-busy={isLoading}>
            <Difference difference={value} />
          </div>
        )}
        <RefusedWrite failure={write.failure} seen={refused} current={isLoading ? null : versionId}>
          and nothing was rolled back. The difference above is that to the configuration as it is now.
        </RefusedWrite>
        {versionId === null || isLoading ? null : (
          <div class="row buttons">
            <button type="button" class="danger" aria-busy={write.isBusy} onClick={() => rollBack(versionId)}>
              Roll back
            </button>
            <CopyAsCurl
              run={(recorded) =>
                recorded.changeVersion(
                  { action: 'rollback', targetVersionId: version.id },
                  { ifMatch: versionId },
                )
              }
            />
          </div>
        )}
      </div>
    </Dialog>
  );
}
