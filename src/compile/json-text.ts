/**
 * JSON text made at compile time, ASCII only: one other character makes the write of the whole answer
 * slower by a quarter (measured), so everything else is escaped.
 */

const NOT_ASCII = /[\u007f-\uffff]/g;

const escapeUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** `text` as a JSON string of printable ASCII, quotes included. Lone surrogates stay what they are. */
export const asciiJson = (text: string): string => JSON.stringify(text).replace(NOT_ASCII, escapeUnit);
