/**
 * The header `traceparent` of W3C Trace Context: in which trace, and below which span of it, a caller made a request. A
 * malformed one is ignored, as that specification says.
 */

export interface TraceParent {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
  readonly isSampled: boolean;
}

/** Version, trace, parent and flags. A version after 00 may have more after a further dash. */
const FORM = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const ONLY_ZEROS = /^0+$/;
const SAMPLED = 1;

/** Null for a text that is malformed or names no trace, and for "". */
export function parseTraceParent(text: string): TraceParent | null {
  const [, version, traceId = '', spanId = '', flags = '', rest] = FORM.exec(text) ?? [];
  if (version === undefined || version === 'ff') return null;
  if (version === '00' && rest !== undefined) return null;
  if (ONLY_ZEROS.test(traceId) || ONLY_ZEROS.test(spanId)) return null;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & SAMPLED) !== 0 };
}
