/** Postal codes that match a pattern, those at its bounds, and those just beyond. */
import { exampleCodes } from '../candidates/postal-atom.ts';
import { type PostalForm, readPostalPattern } from '../domain/postal-code.ts';

/** Codes that probably match the pattern, as a customer may write them; none for a pattern with a defect. */
export function postalExamples(form: PostalForm, text: string): readonly string[] {
  const pattern = readPostalPattern(form, text);
  return pattern === null ? [] : exampleCodes(form, pattern).slice(0, 3);
}

/** As `postalExamples`, with the codes before and after the bounds of a range. */
export function postalBounds(form: PostalForm, text: string): readonly string[] {
  const codes = postalExamples(form, text);
  const pattern = readPostalPattern(form, text);
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
