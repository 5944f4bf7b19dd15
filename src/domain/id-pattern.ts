/**
 * The form of every id. It stands apart from the schema of an id, because to load what schemas are made with takes
 * longer than to load all of the log, which needs only this.
 */

export const ID_LENGTH_MAX = 64;

/** Source of the regular expression that an id matches as a whole. */
export const ID_PATTERN = `^[A-Za-z0-9_-]{1,${ID_LENGTH_MAX}}$`;

const PATTERN = new RegExp(ID_PATTERN);

export const isId = (text: string): boolean => PATTERN.test(text);
