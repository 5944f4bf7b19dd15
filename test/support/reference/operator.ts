/** Operators: what each one asks of a value (contract section 3, "Conditions"). */
import { compared, equalsAlternative } from './text.ts';

const NEGATED: Readonly<Record<string, string>> = {
  not_equals: 'equals',
  not_contains: 'contains',
  not_starts_with: 'starts_with',
  not_ends_with: 'ends_with',
  is_not_empty: 'is_empty',
};

/** "A negative operator matches if its positive twin does not." */
export function holds(operator: string, positive: (operator: string) => boolean): boolean {
  const twin = NEGATED[operator];
  return twin === undefined ? positive(operator) : !positive(twin);
}

/** True if a text has the part that a positive operator asks for; both are in the form in which they are compared. */
export function hasPart(operator: string, have: string, part: string): boolean {
  switch (operator) {
    case 'contains':
      return have.includes(part);
    case 'starts_with':
      return have.startsWith(part);
    case 'ends_with':
      return have.endsWith(part);
    default:
      throw new Error(`${operator} is no positive operator of texts and postal codes`);
  }
}

/** A positive text operator on one text: true if any alternative matches. */
export function textMatches(operator: string, text: string, alternatives: readonly string[]): boolean {
  const have = compared(text);
  if (operator === 'is_empty') return have === '';
  return alternatives.some((alternative) =>
    operator === 'equals'
      ? equalsAlternative(have, alternative)
      : hasPart(operator, have, compared(alternative)),
  );
}

/** A positive operator on a number, time or date. `between` takes its two ends as written. */
export function orderedMatches<T extends bigint | string>(
  operator: string,
  have: T,
  alternatives: readonly T[],
): boolean {
  const [first, second] = alternatives;
  if (first === undefined) throw new Error('a condition without a value');
  switch (operator) {
    case 'equals':
      return alternatives.includes(have);
    case 'greater_than':
      return have > first;
    case 'greater_than_or_equal':
      return have >= first;
    case 'less_than':
      return have < first;
    case 'less_than_or_equal':
      return have <= first;
    case 'between':
      if (second === undefined) throw new Error('between takes two values');
      return first <= have && have <= second;
    default:
      throw new Error(`${operator} is no positive operator of numbers, times or dates`);
  }
}

/** A positive operator on a weekday, which has no order and no parts. */
export function dayMatches(operator: string, have: string, alternatives: readonly string[]): boolean {
  if (operator !== 'equals') throw new Error(`${operator} is no positive operator of weekdays`);
  return alternatives.some((alternative) => compared(alternative) === have);
}
