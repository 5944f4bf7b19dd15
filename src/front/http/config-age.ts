/**
 * A node that cannot reach its database answers from the configuration that it read last and adds its age; beyond a limit
 * it refuses.
 */

import { type Failure, unavailable } from '../../engine/domain/failure.ts';
import type { Freshness } from '../../store/cluster/lease.ts';
import type { Exchange } from './exchange.ts';
import type { ShopRoute } from './route.ts';

const TOO_OLD = unavailable('this node has not been up to date for too long: ask another one, or try again');

/**
 * The greatest age at which a key still reads: it may have been revoked since. Simulations go on, because a checkout
 * cannot wait for the database, and they show nothing but prices.
 */
const KEY_AGE_SECONDS_MAX = 60;

const UNCONFIRMED_KEY = unavailable(
  'this node has not been able to confirm the API key for more than a minute, and only simulates: ask another one, or try again',
);

/** Adds the age to the headers of the answer if it is not current; the refusal if it is too old, else null. */
export function markAge(exchange: Exchange, freshness: Freshness): Failure | null {
  if (freshness.kind === 'current') return null;
  if (freshness.kind === 'refused') return TOO_OLD;
  exchange.configAge = String(freshness.ageSeconds);
  return null;
}

/** Marks the answer to a read; refuses it if it is too old, or if its key was confirmed too long ago. */
export function markRead(
  exchange: Exchange,
  { counts }: Pick<ShopRoute, 'counts'>,
  freshness: Freshness | undefined,
): Failure | null {
  if (freshness === undefined) return null;
  const isKeyOld = freshness.kind === 'old' && freshness.ageSeconds > KEY_AGE_SECONDS_MAX;
  return isKeyOld && counts !== 'simulations' ? UNCONFIRMED_KEY : markAge(exchange, freshness);
}

/** The version of the shop of a refused request, with its age; null before the shop is found, and when it is too old. */
export function versionWithAge(
  exchange: Exchange,
  freshness: ((shopId: string) => Freshness) | undefined,
): string | null {
  if (exchange.shop === null) return null;
  const { settings, version } = exchange.shop.state;
  const found = freshness?.(settings.id);
  return found === undefined || markAge(exchange, found) === null ? version.id : null;
}
