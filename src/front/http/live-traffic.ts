/** Questions to the pool that need to know of live traffic. */
import type { Outcome } from '../../engine/domain/failure.ts';
import type { Question } from '../../shop/pool/question.ts';
import { type LiveTraffic, matchedLately } from '../../shop/reader/live-traffic.ts';
import { answerInPool, answerLater, type LaterAnswer, type PoolAnswer } from './answer.ts';
import type { ShopRequest } from './route.ts';

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
