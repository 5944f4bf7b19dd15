/** The keys of the shop: created with their secret shown once, and revoked after a confirmation. */
import { useState } from 'preact/hooks';
import type { Schemas } from '../../client/call-table.ts';
import { useApp, useSignedIn } from '../app-state.ts';
import { Answered } from '../parts/answered.tsx';
import { isCopied } from '../parts/clipboard.ts';
import { CopyAsCurl } from '../parts/copy-as-curl.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { ChoiceField, FieldErrors, TextField } from '../parts/field.tsx';
import { FailureNotice, Notice } from '../parts/notice.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import { useWrite } from '../parts/use-write.ts';
import { fieldErrors } from '../service.ts';

type Key = Schemas['KeyRecord'];
type Permission = Key['permission'];

const PERMISSIONS = [
  ['simulate', 'simulate – asks for live rates and nothing else: for a checkout'],
  ['read', 'read – asks for rates, reads everything but keys'],
  ['write', 'write – also changes the configuration'],
  ['admin', 'admin – also changes keys and settings'],
] as const satisfies readonly (readonly [Permission, string])[];

export function KeysPanel() {
  const { calls, key: own } = useSignedIn();
  const [created, setCreated] = useState<{ readonly label: string; readonly secret: string } | null>(null);
  const [revokedId, setRevokedId] = useState('');
  const answer = useAnswer(
    (signal) => calls.listKeys({ signal }),
    // Read again before a key is revoked: it may have been used meanwhile.
    [revokedId],
  );
  const revoked = answer.value?.keys.find(({ id }) => id === revokedId);
  return (
    <section class="panel stack in-order" aria-label="Keys" aria-busy={answer.isLoading}>
      <h2>Keys</h2>
      <Answered answer={answer} what="the keys">
        {({ keys }) => (
          <ul class="lines entries">
            {keys.map((key) => (
              <li key={key.id} class="row between">
                <div>
                  <strong>{key.label}</strong> <span class="badge">{key.permission}</span>{' '}
                  {key.id === own.id ? <span class="badge">this key</span> : null}
                  <p class="quiet">
                    <code>{key.prefix}…</code> made {new Date(key.createdAt).toLocaleDateString()},{' '}
                    {key.lastUsedAt === null
                      ? 'never used'
                      : `last used ${new Date(key.lastUsedAt).toLocaleString()}`}
                  </p>
                </div>
                <button
                  type="button"
                  aria-label={`Revoke ${key.label}…`}
                  onClick={() => setRevokedId(key.id)}
                >
                  Revoke…
                </button>
              </li>
            ))}
          </ul>
        )}
      </Answered>
      <CreateForm onCreated={setCreated} />
      {created === null ? null : <SecretDialog {...created} onClose={() => setCreated(null)} />}
      {revoked === undefined ? null : (
        <RevokeDialog apiKey={revoked} isOwn={revoked.id === own.id} onClose={() => setRevokedId('')} />
      )}
    </section>
  );
}

interface CreateFormProps {
  readonly onCreated: (created: { readonly label: string; readonly secret: string }) => void;
}

function CreateForm({ onCreated }: CreateFormProps) {
  const [label, setLabel] = useState('');
  const [permission, setPermission] = useState<Permission>('read');
  const write = useWrite();
  const create = async (event: Event): Promise<void> => {
    event.preventDefault();
    const body = { label, permission };
    const created = await write.run(body, (writes) => writes.createKey(body));
    if (created === null) return;
    setLabel('');
    onCreated({ label, secret: created.secret });
  };
  return (
    <FieldErrors.Provider value={fieldErrors(write.failure)}>
      <form class="stack" aria-label="Create a key" onSubmit={create}>
        <TextField
          label="Label of a new key"
          path="/label"
          value={label}
          onValue={setLabel}
          placeholder="Checkout"
        />
        <ChoiceField
          label="What it may do"
          path="/permission"
          value={permission}
          options={PERMISSIONS}
          onValue={setPermission}
        />
        <FailureNotice failure={write.failure} />
        <div class="row wrap">
          <button type="submit" class="primary" aria-busy={write.isBusy}>
            Create the key
          </button>
          <CopyAsCurl run={(recorded) => recorded.createKey({ label, permission })} />
        </div>
      </form>
    </FieldErrors.Provider>
  );
}

interface SecretDialogProps {
  readonly label: string;
  readonly secret: string;
  readonly onClose: () => void;
}

function SecretDialog({ label, secret, onClose }: SecretDialogProps) {
  const [text, setText] = useState('Copy the key');
  const copy = async (): Promise<void> =>
    setText((await isCopied(secret)) ? 'Copied' : 'Not copied: select the key above');
  return (
    <Dialog title={`The key ${label}`} onClose={onClose}>
      <div class="stack">
        <Notice kind="warning">
          The key is shown only now. Everyone with the key can do what it permits.
        </Notice>
        <code class="secret">{secret}</code>
        <div class="row wrap">
          <button type="button" class="primary" onClick={copy}>
            {text}
          </button>
          <button type="button" onClick={onClose}>
            I have kept it
          </button>
        </div>
      </div>
    </Dialog>
  );
}

interface RevokeDialogProps {
  readonly apiKey: Key;
  readonly isOwn: boolean;
  readonly onClose: () => void;
}

function RevokeDialog({ apiKey: { id, label, lastUsedAt }, isOwn, onClose }: RevokeDialogProps) {
  const app = useApp();
  const write = useWrite();
  const revoke = async (): Promise<void> => {
    const done = await write.run({ id }, (writes) => writes.revokeKey(id));
    if (done === null) return;
    app.message.value = `Revoked the key ${label}`;
    onClose();
    if (isOwn) app.signOut();
  };
  return (
    <Dialog title={`Revoke ${label}?`} onClose={onClose}>
      <div class="stack">
        <p>
          Requests with this key are refused from then on, and it cannot be given back.{' '}
          {lastUsedAt === null
            ? 'It was never used.'
            : `It was last used on ${new Date(lastUsedAt).toLocaleString()}.`}
        </p>
        {isOwn ? <Notice kind="warning">It is the key of this page, which signs out.</Notice> : null}
        <FailureNotice failure={write.failure} />
        <div class="row wrap">
          <button type="button" class="danger" aria-busy={write.isBusy} onClick={revoke}>
            Revoke the key
          </button>
          <CopyAsCurl run={(recorded) => recorded.revokeKey(id)} />
          <button type="button" onClick={onClose}>
            Keep it
          </button>
        </div>
      </div>
    </Dialog>
  );
}
