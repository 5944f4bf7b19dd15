/** How much a value weighs as JSON, closely enough to bound it, without serialising it twice. */

/** What a number, a literal and a pair of brackets or quotes count for. */
const SCALAR_BYTES = 8;

/**
 * About as many bytes as the JSON of `value` has; stops counting soon after `max`, so that a large value
 * costs no more than a small bound. Strings count their length, field names too.
 */
export function valueBytes(value: unknown, max: number): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return SCALAR_BYTES;
  let bytes = SCALAR_BYTES;
  if (Array.isArray(value)) {
    for (const element of value) {
      bytes += valueBytes(element, max - bytes);
      if (bytes > max) break;
    }
    return bytes;
  }
  // Without a list of the fields, which is most of what it takes otherwise. Plain data inherits none.
  const fields = value as Readonly<Record<string, unknown>>;
  for (const name in fields) {
    bytes += name.length + valueBytes(fields[name], max - bytes);
    if (bytes > max) break;
  }
  return bytes;
}
