/**
 * Change weight: how much work a record is to a change, in the units of work steps, told from its size alone.
 * Rough on purpose: only its order of magnitude decides anything, and never an answer.
 */

/** A look at a record by its id. */
export const LOOK_UNITS = 16;
/** One entry of an index by id. */
export const ENTRY_UNITS = 32;
/** One record of a list that is copied by a write of one record, over all its copies. */
export const COPY_UNITS = 2;
/** A record that is put in, out or in the place of another, in a list of few. */
export const CHANGED_UNITS = 128;
const RECORD_UNITS = 128;
const ELEMENT_UNITS = 64;
/** One character of a subzone's patterns, read to be checked. */
export const POSTAL_CHECK_UNITS = 6;

/** To read a record, or to compare it with another, without a look at records below it. */
export function recordUnits(record: object): number {
  let units = RECORD_UNITS;
  for (const value of Object.values(record)) if (Array.isArray(value)) units += ELEMENT_UNITS * value.length;
  return units;
}
