/** A changeset as clients see it (contract section 7), and how much one can hold. */
import Type, { type Static } from 'typebox';
import { conflict, type Failure } from './failure.ts';
import { Id } from './id.ts';
import { ShadowResults } from './shadow.ts';
import type { StagingState } from './shop-event.ts';
import { ChangeCounts, Comparison, countsOf } from './version.ts';

/** What asks for a changeset when there is none is refused so. */
export const NO_CHANGESET: Failure = conflict('no staging changeset is active');

/** Writes that one changeset can hold. */
export const STAGED_WRITES_MAX = 10_000;
/** About the characters of JSON that the writes of one changeset can hold together; all of them are kept in memory. */
export const STAGED_CHARACTERS_MAX = 64 * 1024 * 1024;

export const Staging = Type.Object(
  {
    id: Id,
    status: Type.Literal('active'),
    baseVersionId: Id,
    /** ISO time. */
    enteredAt: Type.String(),
    /** The key that entered; null when it was the command line. */
    enteredBy: Type.Union([Id, Type.Null()]),
    changes: ChangeCounts,
    /** The differences that `changes` counts. */
    diff: Comparison,
  },
  { additionalProperties: false, title: 'Staging' },
);

/** With what it would have done to live simulations. */
export const ShadowedStaging = Type.Object(
  { ...Staging.properties, shadow: ShadowResults },
  { additionalProperties: false, title: 'ShadowedStaging' },
);
export interface Staging extends Readonly<Omit<Static<typeof Staging>, 'diff'>> {
  readonly diff: Comparison;
}

/** `diff`: what turns the live configuration into the staged one. */
export const stagingView = (staging: StagingState, diff: Comparison): Staging => ({
  id: staging.id,
  status: 'active',
  baseVersionId: staging.baseVersionId,
  enteredAt: staging.enteredAt,
  enteredBy: staging.enteredBy,
  changes: countsOf(diff),
  diff,
});
