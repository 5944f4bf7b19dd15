/** The keys of the shop: created with their secret shown once, and revoked after a confirmation. */
import { Button, Code, Group } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Schemas } from '../../client/call-table.ts';
import { useApp, useSignedIn } from '../app-state.ts';
import { dayText, momentText } from '../english.ts';
import { PERMISSIONS } from '../labels.ts';
import { isoOfLocal, localOfIso } from '../local-time.ts';
import { CopyAsCurl, isCopied } from '../parts/copy-as-curl.tsx';
import { Dialog, Question } from '../parts/dialog.tsx';
import { ChoiceField, FieldErrors, TextField } from '../parts/field.tsx';
import { Answered, FailureNotice, Notice } from '../parts/notice.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import { useWrite } from '../parts/use-write.ts';
import { fieldErrors } from '../service.ts';
import { capitalized } from '../words.ts';

type Key = Schemas['KeyRecord'];
type Permission = Key['permission'];

interface Created {
  readonly label: string;
  readonly secret: string;
}

/** What the least and the others are for. */
const USES: Readonly<Record<Permission, string>> = {
  simulate: 'for a checkout',
  read: 'and ask for rates, everything but keys',
  write: 'and all of methods, zones, groups and checks',
  admin: 'also keys and settings',
};
const CHOICES = (Object.keys(USES) as Permission[]).map(
  (permission) => [permission, `${capitalized(PERMISSIONS[permission])}: ${USES[permission]}`] as const,
);

export function KeysPanel() {
  const { calls, key: own } = useSignedIn();
  /** The first of them is shown: one may be made while that of another is. */
  const [created, setCreated] = useState<readonly Created[]>([]);
  const [revokedId, setRevokedId] = useState('');
  const [changed, setChanged] = useState<Key | null>(null);
  const answer = useAnswer(
    (signal) => calls.listKeys({ signal }),
    // Read again before a key is revoked: it may have been used meanwhile.
    [revokedId],
  );
  const revoked = answer.value?.keys.find(({ id }) => id === revokedId);
  return (
    <section className="panel stack in-order" aria-label="Keys" aria-busy={answer.isLoading}>
      <h2>Keys</h2>
      <Answered answer={answer} what="the keys">
        {({ keys }) => (
          <ul className="lines entries">
            {keys.map((key) => (
              <li key={key.id} className="row wrap between key">
                <div>
                  <strong>{key.label}</strong> <span className="badge">{PERMISSIONS[key.permission]}</span>{' '}
                  {key.id === own.id ? <span className="badge">this key</span> : null}
                  <EndBadge {...key} />
                  <p className="quiet">
                    <code>{key.prefix}…</code> made {dayText(key.createdAt)},{' '}
                    {key.lastUsedAt === null ? 'never used' : `last used ${momentText(key.lastUsedAt)}`}
                  </p>
                </div>
                <Group gap="xs" wrap="nowrap">
                  <Button aria-label={`Change ${key.label}…`} onClick={() => setChanged(key)}>
                    Change…
                  </Button>
                  <Button aria-label={`Revoke ${key.label}…`} onClick={() => setRevokedId(key.id)}>
                    Revoke…
                  </Button>
                </Group>
              </li>
            ))}
          </ul>
        )}
      </Answered>
      <CreateForm onCreated={(made) => setCreated((others) => [...others, made])} />
      {created.slice(0, 1).map((made) => (
        <SecretDialog key={made.secret} {...made} onClose={() => setCreated(created.slice(1))} />
      ))}
      {changed === null ? null : <ChangeDialog apiKey={changed} onClose={() => setChanged(null)} />}
      {revoked === undefined ? null : (
        <RevokeDialog apiKey={revoked} isOwn={revoked.id === own.id} onClose={() => setRevokedId('')} />
      )}
    </section>
  );
}

function EndBadge({ expiresAt }: Pick<Key, 'expiresAt'>) {
  if (expiresAt === null) return null;
  const hasEnded = Date.parse(expiresAt) <= Date.now();
  return (
    <span className={`badge ${hasEnded ? 'bad' : 'warning'}`}>
      {hasEnded ? 'ended' : 'ends'} {momentText(expiresAt)}
    </span>
  );
}

const EndField = ({ value, onValue }: { value: string | null; onValue: (value: string | null) => void }) => (
  <TextField
    label="Ends (your time; empty: never)"
    path="/expiresAt"
    type="datetime-local"
    value={value === null ? '' : localOfIso(value)}
    onValue={(text) => onValue(isoOfLocal(text) || null)}
  />
);

interface ChangeDialogProps {
  readonly apiKey: Key;
  readonly onClose: () => void;
}

/** The label and the end of a key; what it may do is decided when it is made. */
function ChangeDialog({ apiKey: { id, label: before, expiresAt: end }, onClose }: ChangeDialogProps) {
  const app = useApp();
  const [label, setLabel] = useState(before);
  const [expiresAt, setEnd] = useState(end);
  const write = useWrite();
  // What another admin changed meanwhile stays.
  const body = { ...(label === before ? {} : { label }), ...(expiresAt === end ? {} : { expiresAt }) };
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (Object.keys(body).length === 0) return onClose();
    const done = await write.run([id, body], (writes) => writes.updateKey(id, body));
    if (done === null) return;
    app.say(`Changed the key ${label}`);
    onClose();
  };
  return (
    <Dialog title={`Change ${before}`} onClose={onClose}>
      <FieldErrors.Provider value={fieldErrors(write.failure)}>
        <form className="stack" onSubmit={save}>
          <TextField label="Label" path="/label" value={label} onValue={setLabel} />
          <EndField value={expiresAt} onValue={setEnd} />
          <FailureNotice failure={write.failure} />
          <div className="row wrap">
            <Button variant="filled" type="submit" aria-busy={write.isBusy}>
              Change the key
            </Button>
            <CopyAsCurl run={(recorded) => recorded.updateKey(id, body)} />
          </div>
        </form>
      </FieldErrors.Provider>
    </Dialog>
  );
}

interface CreateFormProps {
  readonly onCreated: (created: Created) => void;
}

function CreateForm({ onCreated }: CreateFormProps) {
  const [label, setLabel] = useState('');
  const [permission, setPermission] = useState<Permission>('simulate');
  const [expiresAt, setEnd] = useState<string | null>(null);
  const write = useWrite();
  const body = { label, permission, expiresAt };
  const create = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const created = await write.run(body, (writes) => writes.createKey(body));
    if (created === null) return;
    // What was typed meanwhile is of the next one.
    setLabel((now) => (now === label ? '' : now));
    setEnd((now) => (now === expiresAt ? null : now));
    onCreated({ label, secret: created.secret });
  };
  return (
    <FieldErrors.Provider value={fieldErrors(write.failure)}>
      <form className="stack" aria-label="Create a key" onSubmit={create}>
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
          options={CHOICES}
          onValue={setPermission}
        />
        <EndField value={expiresAt} onValue={setEnd} />
        <FailureNotice failure={write.failure} />
        <div className="row wrap">
          <Button variant="filled" type="submit" aria-busy={write.isBusy}>
            Create the key
          </Button>
          <CopyAsCurl run={(recorded) => recorded.createKey(body)} />
        </div>
      </form>
    </FieldErrors.Provider>
  );
}

function SecretDialog({ label, secret, onClose }: Created & { readonly onClose: () => void }) {
  const [text, setText] = useState('Copy the key');
  const copy = async (): Promise<void> =>
    setText((await isCopied(secret)) ? 'Copied' : 'Not copied: select the key above');
  return (
    <Dialog title={`The key ${label}`} isFirm onClose={onClose}>
      <Notice kind="warning">The key is shown only now. Everyone with the key can do what it permits.</Notice>
      <Code p="sm" fz="md" style={{ userSelect: 'all' }}>
        {secret}
      </Code>
      <div className="row wrap">
        <Button variant="filled" onClick={copy}>
          {text}
        </Button>
        <Button onClick={onClose}>Done, I stored it</Button>
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
    app.say(`Revoked the key ${label}`);
    onClose();
    if (isOwn) app.signOut();
  };
  return (
    <Question
      title={`Revoke ${label}?`}
      action="Revoke the key"
      keep="Keep it"
      isBusy={write.isBusy}
      curl={(recorded) => recorded.revokeKey(id)}
      onAction={revoke}
      onClose={onClose}
    >
      <p>
        Requests with this key are refused from then on, and it cannot be given back.{' '}
        {lastUsedAt === null ? 'It was never used.' : `It was last used on ${momentText(lastUsedAt)}.`}
      </p>
      {isOwn ? <Notice kind="warning">It is the key of this page, which signs out.</Notice> : null}
      <FailureNotice failure={write.failure} />
    </Question>
  );
}
