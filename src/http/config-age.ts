/**
 * A node that cannot reach its database answers from the configuration that it read last and adds its age; beyond a limit
 * it refuses. A client that needs a certain version names it in its request.
 */
import type { Freshness } from '../cluster/lease.ts';
import { type Failure, invalid, unavailable } from '../domain/failure.ts';
import type { Exchange } from './exchange.ts';

/** Seconds since the configuration was known to be the newest; absent while it is. */
export const AGE_HEADER = 'X-Config-Age';

/** The oldest version, by id or number, from which the client accepts an answer. */
export const MIN_VERSION_HEADER = 'X-Min-Config-Version';

export const MALFORMED_MIN_VERSION = invalid(
  `header ${MIN_VERSION_HEADER} must be the id or number of a version`,
);

export const NOT_REACHED = unavailable(
  `this node has not reached the version of ${MIN_VERSION_HEADER}: try again in a moment`,
);

const TOO_OLD = unavailable('this node has not been up to date for too long: ask another one, or try again');

/** Adds the age to the headers of the answer if it is not current; the refusal if it is too old, else null. */
export function markAge(exchange: Exchange, freshness: Freshness): Failure | null {
  if (freshness.kind === 'current') return null;
  if (freshness.kind === 'refused') return TOO_OLD;
  exchange.rateHeaders = [...exchange.rateHeaders, [AGE_HEADER, String(freshness.ageSeconds)]];
  return null;
}
