/** Versions: every accepted configuration write makes one (contract section 6). */
import Type, { type Static } from '#typebox';
import { count, type Fixed, Id, orNull, strict, untitled } from './schema.ts';
import { OptionalName, Subtitle } from './text.ts';

export const VERSION_AUTHORS = ['system', 'user', 'import', 'rollback', 'promotion'] as const;
export type VersionAuthor = (typeof VERSION_AUTHORS)[number];

export const ChangeCounts = strict('ChangeCounts', { added: count, modified: count, removed: count });
export type ChangeCounts = Readonly<Static<typeof ChangeCounts>>;

export const Version = strict('Version', {
  id: Id,
  /** 1, 2, ... without gaps within a shop. */
  number: Type.Integer({ minimum: 1 }),
  /** ISO time. */
  createdAt: Type.String(),
  createdBy: Type.Enum(VERSION_AUTHORS),
  /** The key that wrote it; null for the system and the command line. */
  keyId: orNull(Id),
  description: Type.String(),
  batchId: orNull(Type.String()),
  changes: ChangeCounts,
  /** Of a promotion: the texts of the changeset; absent when both are empty. */
  changeset: Type.Optional(strict('VersionChangeset', { name: OptionalName, note: Subtitle })),
});
export type Version = Readonly<Static<typeof Version>>;

/** Kinds of records in a comparison. */
export const RECORD_KINDS = [
  'zone',
  'subzone',
  'productGroup',
  'method',
  'rule',
  'blendedRate',
  'check',
] as const;
export type RecordKind = (typeof RECORD_KINDS)[number];

const entry = {
  kind: Type.Enum(RECORD_KINDS),
  /** null in a preview, where execute will make the id. */
  id: orNull(Id),
  name: Type.String(),
  parentId: Type.Optional(orNull(Id)),
};

export const CompareEntry = strict('CompareEntry', entry);
export type CompareEntry = Readonly<Static<typeof CompareEntry>>;

export const ModifiedEntry = strict('ModifiedEntry', {
  ...entry,
  changes: Type.Array(untitled({ field: Type.String(), from: Type.Unknown(), to: Type.Unknown() })),
});
export type ModifiedEntry = Readonly<Static<typeof ModifiedEntry>>;

/** All differences between two configurations. */
export const Comparison = strict('Comparison', {
  added: Type.Array(CompareEntry),
  modified: Type.Array(ModifiedEntry),
  removed: Type.Array(CompareEntry),
});
export type Comparison = Fixed<typeof Comparison>;
export const NO_DIFFERENCES: Comparison = { added: [], modified: [], removed: [] };

export const countsOf = ({ added, modified, removed }: Comparison): ChangeCounts => ({
  added: added.length,
  modified: modified.length,
  removed: removed.length,
});
