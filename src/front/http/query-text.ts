/**
 * Parses query strings. The parser of the library is not used, because it takes the first of two values. A parameter that
 * the route does not have is refused, and so is one with two different values. The head of the request bounds the length
 * (4 KB).
 */
import { type Failure, invalid, type Outcome, success } from '../../engine/domain/failure.ts';
import { shownName } from '../../engine/domain/text.ts';

export type QueryValues = Readonly<Record<string, string | undefined>>;

/** Decodes a parameter; null when the encoding is malformed. */
function decode(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
}

const malformed = (name: string): Failure =>
  invalid(`query parameter ${shownName(name)} is not percent-encoded UTF-8`);

const unknown = (name: string, known: readonly string[]): Failure =>
  invalid(
    `query parameter ${name === '' ? '""' : shownName(name)} is not accepted here: ` +
      `this route takes ${known.length === 0 ? 'none' : known.join(', ')}`,
  );

/** The values of the parameters, whose names must be in `known`. An absent parameter has no entry. */
export function parseQuery(query: string, known: readonly string[]): Outcome<QueryValues> {
  const values: Record<string, string> = {};
  for (const part of query.split('&')) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    const encodedName = equals === -1 ? part : part.slice(0, equals);
    const name = decode(encodedName);
    if (name === null) return malformed(encodedName);
    if (!known.includes(name)) return unknown(name, known);
    const value = equals === -1 ? '' : decode(part.slice(equals + 1));
    if (value === null) return malformed(name);
    if (Object.hasOwn(values, name) && values[name] !== value) {
      return invalid(`query parameter ${name} is given twice with different values`);
    }
    values[name] = value;
  }
  return success(values);
}
