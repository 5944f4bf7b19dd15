/** What other nodes keep about a shop. */
import { type Outcome, success, unavailable } from '../../engine/domain/failure.ts';
import { AuthorityUnavailableError } from '../../store/log/authority.ts';
import type { EventLog, ShopTextKind } from '../../store/log/event-log.ts';

/** The authority cannot be reached; nothing was stored. */
export const UNREACHABLE = unavailable('the database cannot be reached: try again in a moment');

/** The texts of other nodes; null where there are none. UNAVAILABLE when the authority cannot be reached. */
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
