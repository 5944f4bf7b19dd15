/** Changesets as clients see them, and their limits (contract section 7). */
import Type, { type Static } from '#typebox';
import { keyLabelOf, type LabelledKeys } from '../domain/api-key.ts';
import { conflict, type Failure } from '../domain/failure.ts';
import { Id, orNull, strict } from '../domain/schema.ts';
import type { StagingState } from '../domain/shop-event.ts';
import { OptionalName, Subtitle } from '../domain/text.ts';
import { ChangeCounts, Comparison, countsOf } from '../domain/version.ts';
import { Effects } from './effects.ts';
import { ShadowResults } from './shadow-results.ts';

/** The live configuration, or that of the active changeset. */
export const View = Type.Enum(['live', 'staged'], { 'x-accepts': 'live or staged' });

/** Failure of a request that needs an active changeset when there is none. */
export const NO_CHANGESET: Failure = conflict('no staging changeset is active');

/** Writes that one changeset can hold. */
export const STAGED_WRITES_MAX = 10_000;
/** Approximate characters of JSON that all writes of one changeset can hold; all of them are kept in memory. */
export const STAGED_CHARACTERS_MAX = 64 * 1024 * 1024;

export const Staging = strict('Staging', {
  id: Id,
  status: Type.Literal('active'),
  baseVersionId: Id,
  /** ISO time. */
  enteredAt: Type.String(),
  name: OptionalName,
  note: Subtitle,
  enteredBy: strict('StagingAuthor', {
    keyId: orNull(Id, { description: 'The key that entered; null when it was the command line' }),
    keyLabel: orNull(Type.String(), {
      description: 'The label of that key; null when the key was revoked or there was none',
    }),
  }),
  changes: ChangeCounts,
  /** The differences that `changes` counts. */
  diff: Comparison,
});

/** A changeset with its shadow results. */
export const ShadowedStaging = strict('ShadowedStaging', {
  ...Staging.properties,
  shadow: ShadowResults,
  /** What it changes for probe carts; in the answer to GET. */
  effects: Type.Optional(Effects),
});
export interface Staging extends Readonly<Omit<Static<typeof Staging>, 'diff'>> {
  readonly diff: Comparison;
}

/** View of a changeset; `diff` is the comparison of the live configuration with the staged one, `keys` are those of the shop. */
export const stagingView = (staging: StagingState, diff: Comparison, keys: LabelledKeys): Staging => ({
  id: staging.id,
  status: 'active',
  baseVersionId: staging.baseVersionId,
  enteredAt: staging.enteredAt,
  name: staging.name ?? '',
  note: staging.note ?? '',
  enteredBy: { keyId: staging.enteredBy, keyLabel: keyLabelOf(staging.enteredBy, keys) },
  changes: countsOf(diff),
  diff,
});
