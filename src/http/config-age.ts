/**
 * A node that cannot reach its database answers from the configuration it last read, and says how old that is; beyond a
 * limit it refuses. A client that needs a certain version names it in its request.
 */
import type { Freshness } from '../cluster/lease.ts';
import { type Failure, failure, invalid } from '../domain/failure.ts';
import type { Exchange } from './exchange.ts';

/** Seconds since the node last knew that it had the newest configuration; absent while it knows. */
export const AGE_HEADER = 'X-Config-Age';

/** The oldest version that the client accepts an answer from, by id or number. */
export const MIN_VERSION_HEADER = 'X-Min-Config-Version';

export const MALFORMED_MIN_VERSION = invalid(
  `header ${MIN_VERSION_HEADER} must be the id or number of a version`,
);

export const NOT_REACHED = failure(
  'RATE_LIMITED',
  `this node has not reached the version of ${MIN_VERSION_HEADER}: try again in a moment`,
);

const TOO_OLD = failure(
  'RATE_LIMITED',
  'this node has not been up to date for too long: ask another one, or try again',
);

/** Adds the age to the headers of the answer when there is one; the refusal when it is too old, else null. */
export function markAge(exchange: Exchange, freshness: Freshness): Failure | null {
  if (freshness.kind === 'current') return null;
  if (freshness.kind === 'refused') return TOO_OLD;
  exchange.rateHeaders = [...exchange.rateHeaders, [AGE_HEADER, String(freshness.ageSeconds)]];
  return null;
}
