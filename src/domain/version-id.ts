/**
 * The id of a version ends with its number, so that the log finds it without an index of ids. Earlier releases made ids
 * that do not; those are indexed.
 */
import type { IdMaker } from './id.ts';

/** A new id for the version with this number. */
export const versionIdOf = (ids: IdMaker, number: number): string => `${ids.next('version')}_${number}`;

const NUMBER_AT_END = /_([1-9][0-9]{0,15})$/;

/** The number that the id of a version ends with; null when it does not. */
export function numberInVersionId(id: string): number | null {
  const digits = NUMBER_AT_END.exec(id)?.[1];
  return digits === undefined ? null : Number(digits);
}

/** True for a version that can be found by what its id ends with. */
export const namesItsNumber = ({ id, number }: { readonly id: string; readonly number: number }): boolean =>
  numberInVersionId(id) === number;
