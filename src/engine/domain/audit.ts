/**
 * The audit of a shop: who changed its keys, settings, plan, secrets and changesets (contract section 12.3). The event of such
 * a write carries a note of it, so the audit is part of the log and has no store of its own.
 */
import Type, { type Static } from '#typebox';
import { Id, orNull, strict } from './schema.ts';

export const AUDIT_ACTIONS = [
  'key_created',
  'key_changed',
  'key_revoked',
  'settings_changed',
  'plan_changed',
  'secret_set',
  'secret_removed',
  'changeset_entered',
  'changeset_promoted',
  'changeset_forced',
  'changeset_discarded',
] as const;

const AUDIT_SUBJECT_KINDS = ['key', 'shop', 'secret', 'changeset'] as const;

const fields = (description: string) => orNull(Type.Record(Type.String(), Type.Unknown()), { description });

export const AuditNote = strict('AuditNote', {
  keyId: orNull(Id, { description: 'The key that did it; null when an operator did' }),
  keyLabel: Type.String({
    description: 'The label that the key had then, also after it was revoked; "operator" for an operator',
  }),
  action: Type.Enum(AUDIT_ACTIONS),
  subject: strict('AuditSubject', {
    kind: Type.Enum(AUDIT_SUBJECT_KINDS),
    id: Type.String(),
    name: Type.String(),
  }),
  before: fields('What it was before; of a change only the fields that changed. Null for what was made'),
  after: fields('The same afterwards. Null for what is gone'),
});
export type AuditNote = Readonly<Static<typeof AuditNote>>;

/** The label of who did what no key did. */
export const OPERATOR_LABEL = 'operator';

export const AuditEntry = strict('AuditEntry', {
  id: Id,
  at: Type.String({ description: 'ISO time' }),
  ...AuditNote.properties,
});
export type AuditEntry = Readonly<Static<typeof AuditEntry>>;

/** The id of an entry is the number of its record, which is the same on every node. */
export const auditIdOf = (sequenceNumber: number): string => `audit_${sequenceNumber}`;

const AUDIT_ID = /^audit_([1-9][0-9]{0,14})$/;

/** The number of the record of an entry; null for the id of something else. */
export function numberOfAuditId(id: string): number | null {
  const digits = AUDIT_ID.exec(id)?.[1];
  return digits === undefined ? null : Number(digits);
}
