/** What the service says against a value, in the words of the fields; other texts stay as they are. */
import { formatWeight } from './amounts.ts';

/** More than any weight that is meant: no bound to tell of. */
const UNBOUND_GRAMS = 10 ** 9;

function weights(_: string, least = '', most = ''): string {
  const [from = 0, to = 0] = [least, most].map((text) => Number(text.replaceAll(',', '')));
  return to < UNBOUND_GRAMS
    ? `a weight from ${formatWeight(from)} to ${formatWeight(to)}`
    : `a weight of ${formatWeight(from)} or more`;
}

const WORDS: readonly (readonly [pattern: RegExp, words: string | ((...found: string[]) => string)])[] = [
  [/^is required(?:\b.*)?$/s, 'is required'],
  [/^must be text of 0 to ([\d,]+) characters.*$/s, 'must have at most $1 characters'],
  [/^must be text of [\d,]+ to ([\d,]+) characters.*$/s, 'must not be empty, and have at most $1 characters'],
  [/\bwhole cents, 0 to [\d,]*\d/g, 'an amount of 0 or more'],
  [/\bwhole grams, ([\d,]+) to ([\d,]*\d)/g, weights],
  [/\ba whole number from ([\d,]+) to ([\d,]+) \(grams[^)]*\)/g, weights],
  [/\ba whole number from 0 to [\d,]+ \(cents[^)]*\)/g, 'an amount of 0 or more'],
  [/\ba whole number, 0 to 9,007,199,254,740,991/g, 'a number of 0 or more'],
  [/\bor null\b/g, 'or empty'],
  // Of a tier: the value itself stands in the field beside it, in its unit.
  [/^must be above min\w+ \(\d+\)$/, 'must be more than “From”'],
  [
    /^must be at least \d+, where the tier before ends.*$/s,
    'must not be less than where the tier before ends',
  ],
  [/^may be null only in the last tier$/, 'may be empty in the last tier only'],
  [/^must not be above maxPrice$/, 'must not be more than “At most”'],
];

export const refusalText = (text: string): string =>
  WORDS.reduce((said, [pattern, words]) => said.replace(pattern, words as string), text);
