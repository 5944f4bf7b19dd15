/**
 * Versions that writes make, and their ids. The id of a version ends with its number, so that the log finds the version
 * without an index of ids. Earlier releases made ids without the number; the log indexes those.
 */
import type { IdMaker } from './id.ts';
import type { Version } from './version.ts';

/** A new id for the version with this number. */
export const versionIdOf = (ids: IdMaker, number: number): string => `${ids.next('version')}_${number}`;

const NUMBER_AT_END = /_([1-9][0-9]{0,15})$/;

/** The number at the end of the id of a version; null when the id has none. */
export function numberInVersionId(id: string): number | null {
  const digits = NUMBER_AT_END.exec(id)?.[1];
  return digits === undefined ? null : Number(digits);
}

/** True when the id of the version ends with its number. */
export const namesItsNumber = ({ id, number }: { readonly id: string; readonly number: number }): boolean =>
  numberInVersionId(id) === number;

/**
 * The version that a write makes after `previous`. Its time is never earlier than that of `previous`, even if the clock
 * was set back.
 */
export const versionAfter = (
  previous: Version,
  ids: IdMaker,
  { now, keyId }: { readonly now: string; readonly keyId: string | null },
  { createdBy, description, batchId, changes }: VersionFields,
): Version => ({
  id: versionIdOf(ids, previous.number + 1),
  number: previous.number + 1,
  createdAt: now < previous.createdAt ? previous.createdAt : now,
  createdBy,
  keyId,
  description,
  batchId,
  changes,
});
type VersionFields = Pick<Version, 'createdBy' | 'description' | 'batchId' | 'changes'>;
