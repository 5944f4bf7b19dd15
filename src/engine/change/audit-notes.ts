/** The notes that the audit keeps of writes, in their events (contract section 12.3). */
import { type ApiKey, keyLabelOf } from '../domain/api-key.ts';
import { type AuditNote, OPERATOR_LABEL } from '../domain/audit.ts';
import type { ShopSettings } from '../domain/shop.ts';
import type { ShopState, StagingState } from '../domain/shop-event.ts';
import { settingsView } from '../wire/record-view.ts';
import type { DecisionContext } from './command.ts';
import { sameJson } from './diff.ts';

/** Who writes: the key of the request, or an operator. */
type By = Pick<DecisionContext, 'keyId'>;

type What = Omit<AuditNote, keyof By | 'keyLabel'>;

const noteOf = ({ keys }: ShopState, { keyId }: By, what: What): AuditNote => ({
  keyId,
  keyLabel: keyId === null ? OPERATOR_LABEL : (keyLabelOf(keyId, keys) ?? keyId),
  ...what,
});

type Fields = Readonly<Record<string, unknown>>;

/** The note of a change: only the fields that differ. Undefined when none does. */
function noteOfChange(
  state: ShopState,
  by: By,
  { action, subject }: Pick<What, 'action' | 'subject'>,
  [from, to]: readonly [Fields, Fields],
): AuditNote | undefined {
  const changed = Object.keys(to).filter((field) => !sameJson(from[field], to[field]));
  if (changed.length === 0) return undefined;
  const of = (fields: Fields) => Object.fromEntries(changed.map((field) => [field, fields[field]]));
  return noteOf(state, by, { action, subject, before: of(from), after: of(to) });
}

const keySubject = ({ id, label }: ApiKey): What['subject'] => ({ kind: 'key', id, name: label });
const keyFields = ({ label, permission, expiresAt }: ApiKey) => ({
  label,
  permission,
  expiresAt: expiresAt ?? null,
});

export const keyCreatedNote = (state: ShopState, by: By, key: ApiKey): AuditNote =>
  noteOf(state, by, {
    action: 'key_created',
    subject: keySubject(key),
    before: null,
    after: keyFields(key),
  });

export const keyChangedNote = (state: ShopState, by: By, key: ApiKey, changed: ApiKey) =>
  noteOfChange(state, by, { action: 'key_changed', subject: keySubject(key) }, [
    keyFields(key),
    keyFields(changed),
  ]);

export const keyRevokedNote = (state: ShopState, by: By, key: ApiKey): AuditNote =>
  noteOf(state, by, {
    action: 'key_revoked',
    subject: keySubject(key),
    before: keyFields(key),
    after: null,
  });

export function settingsNote(
  state: ShopState,
  by: By,
  action: 'settings_changed' | 'plan_changed',
  settings: ShopSettings,
) {
  const { id, name } = state.settings;
  const subject = { kind: 'shop', id, name } as const;
  return noteOfChange(state, by, { action, subject }, [settingsView(state.settings), settingsView(settings)]);
}

/** Of a secret only whether there is one. */
export const shopifySecretNote = (state: ShopState, by: By, isSet: boolean): AuditNote =>
  noteOf(state, by, {
    action: isSet ? 'secret_set' : 'secret_removed',
    subject: { kind: 'secret', id: 'shopify', name: 'Shopify' },
    before: { isSet: state.shopifySecret !== undefined },
    after: { isSet },
  });

type Changeset = Pick<StagingState, 'id' | 'name' | 'note' | 'baseVersionId'>;

const changesetSubject = ({ id, name = '' }: Changeset): What['subject'] => ({ kind: 'changeset', id, name });

export const changesetEnteredNote = (state: ShopState, by: By, staging: Changeset): AuditNote =>
  noteOf(state, by, {
    action: 'changeset_entered',
    subject: changesetSubject(staging),
    before: null,
    after: { note: staging.note ?? '', baseVersionId: staging.baseVersionId },
  });

/** `promoted` is the version that is live afterwards with the batch of the promotion; null for a discarded changeset. */
export const changesetEndedNote = (
  state: ShopState,
  by: By,
  action: 'changeset_promoted' | 'changeset_forced' | 'changeset_discarded',
  staging: StagingState,
  promoted: { readonly versionId: string; readonly batchId: string } | null,
): AuditNote =>
  noteOf(state, by, {
    action,
    subject: changesetSubject(staging),
    before: { note: staging.note ?? '', writes: staging.writes.length },
    after: promoted,
  });
