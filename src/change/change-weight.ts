/**
 * Change weight: how much work a record is to a change, in the units of work steps, told from its size alone.
 * Rough on purpose: only its order of magnitude decides anything, and never an answer.
 */

/** A look at a record by its id. */
export const LOOK_UNITS = 16;
/** One entry of an index by id. */
export const ENTRY_UNITS = 32;
/** One field of a record of thousands, of whose fields the first thousand take the longest. */
export const FIELD_UNITS = 128;
/** One record of a list that a write makes anew, over all its copies. */
export const COPY_UNITS = 2;
/** The same for a write of one record, which copies the list once. Measured with 20,000 records: 3 ns each. */
export const ONE_COPY_UNITS = 0.4;
/** A record that is put in, out or in the place of another, in a list of few. */
export const CHANGED_UNITS = 128;
/** Two lists that are lined up, beside what there is in them. */
export const LINE_UP_UNITS = 128;
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
