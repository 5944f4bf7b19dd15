/** Postal codes that match a pattern, those at its bounds, and those just beyond. */
import {
  canonicalPostalCode,
  type PostalForm,
  type PostalPattern,
  postalFormOf,
  readPostalPattern,
} from '../domain/postal-code.ts';
import { formatMayMatch, postalFormatOf } from '../domain/postal-format.ts';

/** Codes of one pattern. */
const EXAMPLES_MAX = 3;

/** False only for a code that the country does not write; "" is no code. */
export const isWrittenIn = (country: string, code: string): boolean =>
  code === '' ||
  formatMayMatch(postalFormatOf(country), {
    kind: 'exact',
    code: canonicalPostalCode(postalFormOf(country), code),
  });

/** Codes that may match the pattern, as a customer may write them, those that the country writes first. */
export function postalExamples(country: string, text: string): readonly string[] {
  const form = postalFormOf(country);
  const pattern = readPostalPattern(form, text);
  const codes = pattern === null ? [] : exampleCodes(form, pattern);
  const [written, others] = [true, false].map((isWanted) =>
    codes.filter((code) => isWrittenIn(country, code) === isWanted),
  ) as [string[], string[]];
  return [...written, ...others].slice(0, EXAMPLES_MAX);
}

/** As `postalExamples`, with the codes before and after the bounds of a range. */
export function postalBounds(country: string, text: string): readonly string[] {
  const codes = postalExamples(country, text);
  const pattern = readPostalPattern(postalFormOf(country), text);
  if (pattern === null || !('from' in pattern)) return codes;
  const { kind, from, to } = pattern;
  const beyond = [Number(from) - 1, Number(to) + 1].filter((number) => number >= 0);
  return [
    ...codes,
    ...beyond.map((number) => {
      if (kind === 'districts') return `${pattern.area}${number} 1AA`;
      return `${String(number).padStart(from.length, '0')}${kind === 'beginnings' ? ' AB' : ''}`;
    }),
  ];
}

/** A character that is equal to its upper case and that no country uses in its codes. */
const RARE = '\u2300';

/**
 * Codes that may match the pattern, likely ones first. They are padded differently, so that at least one of them matches no
 * longer prefix.
 */
export function exampleCodes(form: PostalForm, pattern: PostalPattern): readonly string[] {
  switch (pattern.kind) {
    case 'exact':
      return [pattern.code];
    case 'range': {
      const middle = Math.floor((Number(pattern.from) + Number(pattern.to)) / 2);
      return [pattern.from, pattern.to, String(middle).padStart(pattern.from.length, '0')];
    }
    case 'beginnings':
      return ['', 'AB', RARE].flatMap((tail) => [pattern.from + tail, pattern.to + tail]);
    case 'districts':
      return [' 1AA', 'A 1AA', ''].flatMap((tail) =>
        [pattern.from, pattern.to].map((number) => `${pattern.area}${Number(number)}${tail}`),
      );
    case 'prefix':
      return form === 'uk' ? ukExamples(pattern.prefix) : plainExamples(pattern.prefix);
  }
}

const plainExamples = (prefix: string): string[] => [
  prefix.padEnd(5, '1'),
  prefix.padEnd(5, '0'),
  prefix,
  ...['1', '01', '9', 'A', RARE].map((tail) => prefix + tail),
  // A code of ten characters or more is not a ZIP+4 code.
  prefix.padEnd(10, RARE),
];

function ukExamples(prefix: string): string[] {
  const space = prefix.indexOf(' ');
  if (space >= 0) {
    const missing = Math.max(0, space + 4 - prefix.length);
    return ['1AA', '9ZZ', '0BB', RARE.repeat(3)].map((tail) => prefix + tail.slice(3 - missing));
  }
  return [
    ...['', '1', 'A', RARE].map((tail) => `${prefix}${tail} 1AA`),
    prefix,
    prefix + RARE,
    prefix.padEnd(8, RARE),
    `${prefix}${RARE.repeat(8)}`,
  ];
}
