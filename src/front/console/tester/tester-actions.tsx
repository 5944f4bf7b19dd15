/** What can be done with the cart beside reading its rates: compare configurations, save it as a check, copy the call. */
import { Button } from '@mantine/core';
import IconX from '@tabler/icons-react/icons/IconX';
import { type FormEvent, useState } from 'react';
import { useApp, useSignedIn } from '../app-state.ts';
import { CopyAsCurl } from '../parts/copy-as-curl.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { ChoiceField, FieldErrors, TextField } from '../parts/field.tsx';
import { FailureNotice } from '../parts/notice.tsx';
import { useWrite } from '../parts/use-write.ts';
import { fieldErrors } from '../service.ts';
import { counted } from '../words.ts';
import { type Column, columnTitle, isCurrent } from './answers.ts';
import { type Cart, cartName, momentOf } from './cart.ts';

const NO_ANSWER = 'Not saved: there is no answer for the cart as it is now';

interface TesterActionsProps {
  readonly cart: Cart;
  readonly at: string;
  readonly sources: readonly string[];
  /** Those of the sources that were asked; none while the cart cannot be answered. */
  readonly columns: readonly Column[];
}

export function TesterActions({ cart, at, sources, columns }: TesterActionsProps) {
  const app = useApp();
  const { mayWrite } = useSignedIn();
  const [isSaving, setSaving] = useState(false);
  const answered = columns.filter(({ answer }) => answer.value !== null);
  const ask = (): void => {
    if (columns.some(isCurrent)) setSaving(true);
    else app.refuse(NO_ANSWER);
  };
  return (
    <div className="row between wrap">
      <h2>Rates</h2>
      <div className="row wrap">
        <CompareField sources={sources} />
        {mayWrite ? <Button onClick={ask}>Save as check…</Button> : null}
        <CopyAsCurl
          run={(calls) =>
            calls.simulate(cart, { query: { explain: 'full', ...momentOf(at) }, simulationSource: 'test' })
          }
        />
      </div>
      {isSaving && answered.length > 0 ? (
        <CheckDialog cart={cart} at={at} columns={answered} onClose={() => setSaving(false)} />
      ) : null}
    </div>
  );
}

function CompareField({ sources }: { sources: readonly string[] }) {
  const app = useApp();
  const [typed, setTyped] = useState('');
  const set = (chosen: readonly string[]): void => app.set({ columns: chosen.join(',') });
  return (
    <form
      className="row wrap compare"
      aria-label="Configurations"
      onSubmit={(event) => {
        event.preventDefault();
        const source = typed.trim().replace(/^version /i, '');
        if (/^[\w-]+$/.test(source) && !sources.includes(source)) set([...sources, source]);
        setTyped('');
      }}
    >
      {sources.length < 2
        ? null
        : sources.map((source) => (
            <Button
              key={source}
              variant="light"
              size="compact-sm"
              rightSection={<IconX size={14} />}
              aria-label={`Remove the column ${columnTitle(source)}`}
              onClick={() => set(sources.filter((other) => other !== source))}
            >
              {columnTitle(source)}
            </Button>
          ))}
      <div className="cell">
        <TextField
          label="Compare with version"
          value={typed}
          onValue={setTyped}
          placeholder="Compare with…"
        />
      </div>
    </form>
  );
}

interface CheckDialogProps {
  readonly cart: Cart;
  readonly at: string;
  /** At least one, each with an answer. */
  readonly columns: readonly Column[];
  readonly onClose: () => void;
}

function CheckDialog({ cart, at, columns, onClose }: CheckDialogProps) {
  const app = useApp();
  const [name, setName] = useState(cartName(cart));
  const write = useWrite();
  // The check goes to the changeset while one is active, and guards what that offers.
  const [source, setSource] = useState(
    () => (columns.find((column) => column.source === 'staged') ?? columns[0])?.source ?? '',
  );
  const chosen = columns.find((column) => column.source === source);
  const offered = chosen?.answer.value?.rates ?? [];
  const rates = offered.map(({ serviceCode, totalPrice }) => ({ serviceCode, totalPrice }));
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const check = {
      name,
      request: cart,
      at: at === '' ? null : at,
      expectations: [{ kind: 'rates' as const, rates }],
    };
    if (chosen === undefined || !isCurrent(chosen)) return app.refuse(NO_ANSWER);
    const saved = await write.run(check, (writes) => writes.createOrRunChecks(check), null, app.destination);
    if (saved === null) return;
    app.say(`Saved the check ${name}`);
    onClose();
  };
  return (
    <Dialog title="Save as check" onClose={onClose}>
      <FieldErrors.Provider value={fieldErrors(write.failure)}>
        <form className="stack" onSubmit={save}>
          <TextField label="Name" path="/name" value={name} onValue={setName} />
          {columns.length < 2 ? null : (
            <ChoiceField
              label="Expected are the rates of"
              value={source}
              options={columns.map((column) => [column.source, columnTitle(column.source)])}
              onValue={setSource}
            />
          )}
          <p>
            The check expects exactly the {counted(rates.length, 'rate')} of this cart, at the same prices. It
            runs on each preview and before a draft is published.
          </p>
          <FailureNotice failure={write.failure} />
          <Button variant="filled" type="submit" aria-busy={write.isBusy}>
            Save the check
          </Button>
        </form>
      </FieldErrors.Provider>
    </Dialog>
  );
}
