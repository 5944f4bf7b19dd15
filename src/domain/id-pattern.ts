/**
 * Pattern of every id. The schema of an id is in another file: the log needs the pattern alone, and loading the schema
 * library takes longer than loading the log.
 */

export const ID_LENGTH_MAX = 64;

/** Source of the regular expression that an id matches as a whole. */
export const ID_PATTERN = `^[A-Za-z0-9_-]{1,${ID_LENGTH_MAX}}$`;

const PATTERN = new RegExp(ID_PATTERN);

export const isId = (text: string): boolean => PATTERN.test(text);
