/** The mark of an answer that may lack the newest writes, and the refusal of one that is too old to be given. */
import type { Freshness } from '../cluster/freshness.ts';
import { type Failure, failure } from '../domain/failure.ts';
import type { Exchange } from './exchange.ts';

/** How many seconds ago the configuration of an answer was known to be the newest; absent when it is now. */
export const AGE_HEADER = 'X-Config-Age';

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
