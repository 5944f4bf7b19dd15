/**
 * Approximate length of the JSON of a value, computed without making the JSON. It bounds memory.
 * A number or a literal counts as 8 characters, and an escaped character as one.
 */
const SCALAR_LENGTH = 8;
const QUOTES_LENGTH = 2;
const BRACKETS_LENGTH = 2;
const COMMA_LENGTH = 1;
/** Quotes, colon and comma. */
const FIELD_LENGTH = 4;

/** Stops counting once the length is above `max`, so that a large value costs no more than a small bound. */
export function jsonLength(value: unknown, max: number): number {
  let length = 0;
  const uncounted: unknown[] = [value];
  while (uncounted.length > 0 && length <= max) {
    const next = uncounted.pop();
    if (typeof next === 'string') length += next.length + QUOTES_LENGTH;
    else if (typeof next !== 'object' || next === null) length += SCALAR_LENGTH;
    else {
      length += BRACKETS_LENGTH;
      if (Array.isArray(next)) {
        length += next.length * COMMA_LENGTH;
        if (length <= max) for (const element of next) uncounted.push(element);
      } else {
        // `for in` avoids a list of the field names, which would take most of the time. Plain data inherits no fields.
        const fields = next as Readonly<Record<string, unknown>>;
        for (const name in fields) {
          length += name.length + FIELD_LENGTH;
          if (length > max) break;
          uncounted.push(fields[name]);
        }
      }
    }
  }
  return length;
}
