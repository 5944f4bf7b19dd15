/** Text in the form that the reference compares (contract section 3, "Conditions"). */

/**
 * "Text is compared trimmed and in lower case; a missing or null field is ''", "in NFC; a run of white space counts as one
 * space" (contract section 12.5).
 */
export const compared = (text: string | null | undefined): string =>
  (text ?? '')
    .normalize('NFC')
    .split(/\s/)
    .filter((word) => word !== '')
    .join(' ')
    .toLowerCase();

/** An id-like field of an item may be an integer: it counts as its decimal string (contract section 5). */
export const fieldText = (field: string | number | null | undefined): string =>
  field === null || field === undefined ? '' : String(field);

/** "A comma separates alternatives; `\,` is a literal comma. Alternatives are trimmed, empty ones dropped." */
export const alternativesOf = (value: string): string[] =>
  value
    .split(/(?<!\\),/)
    .map((piece) => piece.replaceAll('\\,', ',').trim())
    .filter((piece) => piece.length > 0);

/**
 * "In equals a trailing `*` makes the alternative a prefix (a lone `*` matches anything that is not empty)."
 * Both sides are compared trimmed and in lower case; `have` is already.
 */
export function equalsAlternative(have: string, alternative: string): boolean {
  const want = compared(alternative);
  if (want === '*') return have !== '';
  if (want.endsWith('*')) return have.startsWith(want.slice(0, -1));
  return have === want;
}

/** "properties.tag, comma-separated": trimmed, empty ones dropped. */
export const tagsOf = (tag: string | null | undefined): string[] =>
  (tag ?? '')
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
