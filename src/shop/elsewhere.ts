/** What other nodes keep about a shop. */
import { type Failure, failure, type Outcome, success } from '../domain/failure.ts';
import { AuthorityUnavailableError } from '../log/authority.ts';
import type { EventLog, ShopTextKind } from '../log/event-log.ts';

/** The authority cannot be reached; nothing was stored. */
export const UNREACHABLE: Failure = {
  ...failure('RATE_LIMITED', 'the database cannot be reached: try again in a moment'),
  retryAfterSeconds: 1,
};

/** The texts of other nodes; null where there are none. RATE_LIMITED when the authority cannot be reached. */
export function readElsewhere(
  log: Pick<EventLog, 'textsElsewhere'>,
  kind: ShopTextKind,
  shopId: string,
): Promise<Outcome<readonly string[]>> | null {
  const texts = log.textsElsewhere?.(kind, shopId);
  if (texts === undefined) return null;
  return texts.then(success, (error: unknown) => {
    if (error instanceof AuthorityUnavailableError) return UNREACHABLE;
    throw error;
  });
}
