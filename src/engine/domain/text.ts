/**
 * Text: the characters and lengths that texts may have, and how texts are compared. Control characters are refused
 * because no name needs them, and lone surrogates because they would be read back as another character.
 */
import Type from '#typebox';

// No C0, DEL or C1 control, no surrogate without its other half. Schemas compile patterns with the `u` flag,
// so a pair of surrogates is one character here and passes.
const PRINTABLE = '^[^\\u0000-\\u001f\\u007f-\\u009f\\ud800-\\udfff]*$';
/** As `PRINTABLE`, with tabs and line breaks: texts that are compared with these as spaces, or without them. */
const COMPARED = '^[^\\u0000-\\u0008\\u000e-\\u001f\\u007f-\\u009f\\ud800-\\udfff]*$';

const textAccepts = (min: number, max: number, but: string) =>
  `text of ${min} to ${max.toLocaleString('en-US')} characters without control characters${but}`;

const textSchema = (min: number, max: number, pattern: string, but = '') =>
  Type.String({ minLength: min, maxLength: max, pattern, 'x-accepts': textAccepts(min, max, but) });

const printableText = (min: number, max: number) => textSchema(min, max, PRINTABLE);

const BUT_SPACE = ' other than white space';
const comparedText = (min: number, max: number) => textSchema(min, max, COMPARED, BUT_SPACE);

export const NAME_LENGTH_MAX = 200;
export const SUBTITLE_LENGTH_MAX = 500;
export const CONDITION_VALUE_LENGTH_MAX = 10_000;
export const POSTAL_CODES_LENGTH_MAX = 1_048_576;
export const MATCHER_LENGTH_MAX = 255;
export const SERVICE_CODE_LENGTH_MAX = 100;

export const Name = printableText(1, NAME_LENGTH_MAX);
/** For records that need no name. */
export const OptionalName = printableText(0, NAME_LENGTH_MAX);
export const Subtitle = printableText(0, SUBTITLE_LENGTH_MAX);
export const ServiceCode = printableText(1, SERVICE_CODE_LENGTH_MAX);
export const ConditionText = comparedText(0, CONDITION_VALUE_LENGTH_MAX);
/** Accepted condition values, in the words of a refusal: a number stands for its decimal string. */
export const CONDITION_INPUT_ACCEPTS = `${textAccepts(0, CONDITION_VALUE_LENGTH_MAX, BUT_SPACE)}, or a number`;
/** One variant id, product id, sku, tag or vendor that puts an item into a product group. */
export const MatcherText = comparedText(1, MATCHER_LENGTH_MAX);
export const PostalCodesText = comparedText(0, POSTAL_CODES_LENGTH_MAX);

/** Finds no match in most texts, which NFC leaves as they are and which have no white space to join. */
const UNUSUAL = /[^ -~\u00a1-\u02ff]| {2}/;

/**
 * The form in which texts are compared: NFC, trimmed, each run of white space as one space, in lower case (contract sections
 * 3, "Conditions", and 12.5).
 */
export function comparable(text: string): string {
  const plain = UNUSUAL.test(text) ? text.normalize('NFC').replace(/\s+/g, ' ') : text;
  return plain.trim().toLowerCase();
}

/**
 * The tags in a comma-separated text, trimmed, without blank tags (contract section 3, "Conditions"). Does not use `split`,
 * which alone takes longer than this function.
 */
export function splitTags(text: string): readonly string[] {
  let tags: string[] | null = null;
  for (let start = 0; start < text.length; ) {
    const comma = text.indexOf(',', start);
    const end = comma < 0 ? text.length : comma;
    const tag = text.slice(start, end).trim();
    if (tag !== '') {
      if (tags === null) tags = [tag];
      else tags.push(tag);
    }
    start = end + 1;
  }
  return tags ?? NO_TAGS;
}

const NO_TAGS: readonly string[] = [];

/**
 * A name as part of a service code: lower case without accents; each run of characters other than letters and digits
 * becomes one hyphen. Letters of any script stay. Returns "" for a name without letters and digits.
 */
export const slugOf = (name: string, lengthMax: number): string =>
  name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .slice(0, lengthMax)
    // The slug must not end in a hyphen or in half of a surrogate pair.
    .replace(/^-|[-\ud800-\udbff]+$/g, '');

/** The beginning of a text, of at most `lengthMax` code units; never ends in half of a surrogate pair. */
export const beginningOf = (text: string, lengthMax: number): string =>
  text.length <= lengthMax ? text : text.slice(0, lengthMax).replace(/[\ud800-\udbff]$/, '');

const SHOWN_LENGTH_MAX = 64;

/** An unknown name of a client for use in a message: shortened, with `?` for characters that do not print. */
export const shownName = (name: string): string =>
  // Controls, direction marks, lone surrogates, line and paragraph separators.
  name.slice(0, SHOWN_LENGTH_MAX).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '?');
