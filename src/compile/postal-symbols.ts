/**
 * Postal symbols: canonical codes in an alphabet of 64, so that the children of a trie's node fit in two
 * words of bits. A digit, a capital letter and the space are one symbol each; any other UTF-16 unit is an
 * escape of three, the first of which no other text begins with.
 */

export const SYMBOLS = 64;
const SPACE_SYMBOL = 36;
/** First symbols of escapes: this one and the 15 after it. */
export const ESCAPE_SYMBOL = 48;
/** In `SYMBOL_OF_UNIT`: the unit is written as an escape. */
export const ESCAPED = 255;
/** Symbols that one unit of a text can come to. */
export const SYMBOLS_PER_UNIT_MAX = 3;

/** By UTF-16 unit below 128. */
export const SYMBOL_OF_UNIT: Readonly<Uint8Array> = Uint8Array.from({ length: 128 }, (_, unit) => {
  if (unit >= 0x30 && unit <= 0x39) return unit - 0x30;
  if (unit >= 0x41 && unit <= 0x5a) return unit - 0x41 + 10;
  return unit === 0x20 ? SPACE_SYMBOL : ESCAPED;
});

/** The symbol of a UTF-16 unit, or `ESCAPED`. */
export const symbolOf = (unit: number): number => (unit < 128 ? (SYMBOL_OF_UNIT[unit] as number) : ESCAPED);

/** The symbol at `place`, 0 to 2, of the escape of a unit. */
export const escapeSymbol = (unit: number, place: number): number =>
  place === 0 ? ESCAPE_SYMBOL + (unit >> 12) : (unit >> (12 - 6 * place)) & 63;
