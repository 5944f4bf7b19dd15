/** The mark of an answer that may lack the newest writes, and the refusal of one that is too old to be given. */
import type { Freshness } from '../cluster/lease.ts';
import { type Failure, failure, invalid } from '../domain/failure.ts';
import type { Exchange } from './exchange.ts';

/** How many seconds ago the configuration of an answer was known to be the newest; absent when it is now. */
export const AGE_HEADER = 'X-Config-Age';

/** The version that an answer must show at least, by its id or number. */
export const MIN_VERSION_HEADER = 'X-Min-Config-Version';

export const MALFORMED_MIN_VERSION = invalid(
  `header ${MIN_VERSION_HEADER} must be the id or number of a version`,
);

export const NOT_REACHED: Failure = {
  ...failure(
    'RATE_LIMITED',
    `this node has not reached the version of ${MIN_VERSION_HEADER}: try again in a moment`,
  ),
  retryAfterSeconds: 1,
};

const TOO_OLD: Failure = {
  ...failure('RATE_LIMITED', 'this node has not been up to date for too long: ask another one, or try again'),
  retryAfterSeconds: 1,
};

/** Marks the answer where it must be; the refusal where there is to be none, else null. */
export function markAge(exchange: Exchange, freshness: Freshness): Failure | null {
  if (freshness.kind === 'current') return null;
  if (freshness.kind === 'refused') return TOO_OLD;
  exchange.rateHeaders = [...exchange.rateHeaders, [AGE_HEADER, String(freshness.ageSeconds)]];
  return null;
}
