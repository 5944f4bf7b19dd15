/** What answers tell of live traffic, and questions to the pool that need to know of it. */

import type { Outcome } from '../../engine/domain/failure.ts';
import { permits } from '../../engine/domain/permission.ts';
import type { Question } from '../../shop/pool/question.ts';
import { type KeptCart, type LiveTraffic, matchedLately } from '../../shop/reader/live-traffic.ts';
import { answerInPool, answerLater, type LaterAnswer, type PoolAnswer } from './answer.ts';
import type { ShopRequest } from './route.ts';

/** Carts of customers, without what is personal, are shown to keys that may write (contract section 12.3). */
export const seesCarts = ({ grant }: ShopRequest<unknown>): boolean => permits(grant.permission, 'write');

/** The carts that this node kept, for an answer that shows some of them. */
export const shownCarts = (request: ShopRequest<unknown>): readonly KeptCart[] =>
  seesCarts(request) ? request.dependencies.shadow.keptCarts(request.shop.shopId) : [];

/** The carts that this node kept, and the rules that matched on all nodes; without the latter while they cannot be read. */
async function trafficOf({ shop, dependencies }: ShopRequest<unknown>): Promise<LiveTraffic> {
  const { coverage, shadow, clock } = dependencies;
  const counted = await coverage.results(shop.state);
  const matched = counted.ok ? matchedLately(counted.value, clock.nowMs()) : null;
  return { carts: shadow.keptCarts(shop.shopId), matched };
}

/** The answer of the pool to a question about live traffic too. */
export const answerWithTraffic = (
  request: ShopRequest<unknown>,
  question: (traffic: LiveTraffic) => Question,
): Outcome<LaterAnswer<PoolAnswer>> =>
  answerLater(trafficOf(request).then((traffic) => () => answerInPool(question(traffic))));
