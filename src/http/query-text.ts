/**
 * Query strings, read by hand: the library's own parser decodes in place and takes the first of two values.
 * Parameters that a route does not know are ignored, one that is given twice with different values is
 * refused. Length is bounded by the head of the request (4 KB).
 */
import { invalid, type Outcome, success } from '../domain/failure.ts';

export type QueryValues = Readonly<Record<string, string | undefined>>;

/** What a parameter is decoded to; null when the encoding is malformed. */
function decode(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
}

/** The values of the parameters in `known`; of a parameter that is absent there is no entry. */
export function parseQuery(query: string, known: readonly string[]): Outcome<QueryValues> {
  const values: Record<string, string> = {};
  if (query === '' || known.length === 0) return success(values);
  for (const part of query.split('&')) {
    const equals = part.indexOf('=');
    const name = decode(equals === -1 ? part : part.slice(0, equals));
    if (name === null || !known.includes(name)) continue;
    const value = equals === -1 ? '' : decode(part.slice(equals + 1));
    if (value === null) return invalid(`query parameter ${name} is not percent-encoded UTF-8`);
    if (Object.hasOwn(values, name) && values[name] !== value) {
      return invalid(`query parameter ${name} is given twice with different values`);
    }
    values[name] = value;
  }
  return success(values);
}

/** The segment of a path as the client meant it, or null when its encoding is malformed. */
export function decodePathSegment(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}
