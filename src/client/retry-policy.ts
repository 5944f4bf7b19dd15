/**
 * When a call is sent again and how long it waits before: bounded, with exponential backoff and jitter, and
 * never before a `Retry-After` of the server.
 */

export interface RetryLimits {
  /** Repetitions after the first request. */
  readonly retriesMax: number;
  /** Longest wait before the first repetition; it doubles with each. */
  readonly backoffMs: number;
  readonly backoffMsMax: number;
}

/** Statuses after which a retry can succeed. */
const PASSING_STATUSES: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);

export const isPassing = (status: number): boolean => PASSING_STATUSES.has(status);

/**
 * Milliseconds to wait before repetition number `repetition` (0-based); `random` is in [0, 1). The whole
 * range below the bound is used, so that clients that failed together do not return together.
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

/** `Retry-After` as milliseconds from now: whole seconds or an HTTP date; null for anything else. */
export function parseRetryAfter(text: string | undefined, nowMs: number): number | null {
  if (text === undefined) return null;
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  // A date has a letter; what Date.parse makes of other texts depends on the engine.
  const atMs = /^[A-Z][a-z]{2},/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs);
}
