/** Promotes a changeset that the gate does not let pass: says which criteria fail, and what the history will record. */
import type { Schemas } from '../../client/call-table.ts';
import { CopyAsCurl } from '../parts/copy-as-curl.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Criteria } from './gate.tsx';

interface ForceDialogProps {
  readonly criteria: Schemas['GateReport']['criteria'];
  readonly isBusy: boolean;
  readonly onPromote: () => void;
  readonly onClose: () => void;
}

export const FORCED = { action: 'promote', force: true } as const;

export function ForceDialog({ criteria, isBusy, onPromote, onClose }: ForceDialogProps) {
  const failing = criteria.filter(({ passed }) => !passed);
  return (
    <Dialog title="Promote despite the gate?" onClose={onClose}>
      <div class="stack">
        <p>{failing.length === 1 ? 'One criterion does' : `${failing.length} criteria do`} not hold:</p>
        <Criteria criteria={failing} />
        <p>
          The changeset becomes live all the same. Each of its versions in the history names this key and says
          “promotion forced”.
        </p>
        <div class="row wrap buttons">
          <button type="button" class="danger" aria-busy={isBusy} onClick={onPromote}>
            Promote all the same
          </button>
          <CopyAsCurl run={(calls) => calls.changeStaging(FORCED)} />
          <button type="button" onClick={onClose}>
            Keep the changeset
          </button>
        </div>
      </div>
    </Dialog>
  );
}
