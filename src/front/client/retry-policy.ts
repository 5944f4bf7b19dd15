/**
 * Decides whether a call is repeated and how long it waits before that: bounded, with exponential backoff and jitter,
 * and never before the server's `Retry-After`.
 */

export interface RetryLimits {
  readonly retriesMax: number;
  /** Maximum wait before the first repetition; it doubles with each. */
  readonly backoffMs: number;
  readonly backoffMsMax: number;
}

/** Statuses after which a retry can succeed. */
const PASSING_STATUSES: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);

export const isPassing = (status: number): boolean => PASSING_STATUSES.has(status);

/**
 * Milliseconds to wait before repetition number `repetition` (0-based); `random` is in [0, 1). Uses the whole range
 * below the bound, so that clients that failed at the same time do not retry at the same time.
 */
export function retryDelayMs(
  limits: RetryLimits,
  repetition: number,
  retryAfterMs: number | null,
  random: number,
): number {
  const bound = Math.min(limits.backoffMsMax, limits.backoffMs * 2 ** repetition);
  return Math.max(retryAfterMs ?? 0, Math.round(random * bound));
}

/** Reads `Retry-After`, in seconds or as an HTTP date; returns milliseconds from now, or null for any other text. */
export function parseRetryAfter(text: string | undefined, nowMs: number): number | null {
  if (text === undefined) return null;
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  // An HTTP date starts with a weekday. For other texts the result of Date.parse depends on the engine.
  const atMs = /^[A-Z][a-z]{2},/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs);
}
