/** The rate headers of a refusal in an overload. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Failure, failure } from '../../../src/engine/domain/failure.ts';
import { Exchange } from '../../../src/front/http/exchange.ts';
import { standing } from '../../../src/front/http/failure-answer.ts';
import type { ThrottleKind } from '../../../src/front/http/route.ts';
import { RequestThrottle, rateOf, simulationsOf, Throttle } from '../../../src/front/http/throttle.ts';
import type { KeyGrant } from '../../../src/shop/reader/shop-access.ts';
import { FakeShop } from '../../support/fake-shops.ts';
import { RecordedResponse } from '../../support/recorded-response.ts';
import { UNLIMITED } from '../../support/unlimited-plan.ts';

const GRANT: KeyGrant = { shopId: 'shop_a', keyId: 'key_a', permission: 'read', secret: 'x' };
const PLANS = { limited: { ...UNLIMITED, requestsPerMinute: 5, simulationsPerSecond: 3 }, open: UNLIMITED };
const OVERLOADED = standing({ ...failure('RATE_LIMITED', 'overloaded'), retryAfterSeconds: 1 });

class Stage {
  isOverloaded = false;
  readonly shop = new FakeShop('shop_a', []);
  readonly #throttle: RequestThrottle;

  constructor(plan: keyof typeof PLANS) {
    this.shop.state = { ...this.shop.state, settings: { ...this.shop.state.settings, plan } };
    const refuse = (): Failure | null => (this.isOverloaded ? OVERLOADED : null);
    this.#throttle = new RequestThrottle(new Throttle(PLANS, () => 0), { refuse });
  }

  /** A request with a key that passes the gate and the rate; its refusal, or null. */
  ask(counts: ThrottleKind, isLoaded = true): RecordedResponse | null {
    const shop = isLoaded ? this.shop : undefined;
    return this.#answer((exchange) => {
      const rate = rateOf({ counts }, GRANT);
      const overloaded = this.#throttle.refuseOverload(exchange, rate, GRANT.shopId, shop, 0);
      if (overloaded !== null || shop === undefined) return overloaded;
      return this.#throttle.count(exchange, rate, shop);
    });
  }

  /** The same for a callback. */
  callBack(): RecordedResponse | null {
    return this.#answer((exchange) => {
      const rate = simulationsOf(this.shop.shopId);
      return (
        this.#throttle.refuseOverload(exchange, rate, this.shop.shopId, this.shop, 0) ??
        this.#throttle.count(exchange, rate, this.shop)
      );
    });
  }

  #answer(refusalOf: (exchange: Exchange) => Failure | null): RecordedResponse | null {
    const response = new RecordedResponse();
    const exchange = new Exchange(response, {
      unreadBytesMax: 0,
      isDraining: () => false,
      versionOfMalformed: () => null,
      ended: () => {},
      nowMs: () => 0,
      failed: (_, cause) => assert.fail(String(cause)),
    });
    exchange.requestId = 'a-request';
    const refusal = refusalOf(exchange);
    if (refusal === null) return null;
    exchange.refuse(refusal);
    return response;
  }
}

const ratesOf = (response: RecordedResponse | null): readonly (string | undefined)[] => {
  assert.equal(response?.status, 429);
  assert.equal(response.headers.get('retry-after'), '1');
  return [response.headers.get('ratelimit-policy'), response.headers.get('ratelimit')];
};

test('on a limited plan the refusal has rate headers, and the refused request is not counted', () => {
  const stage = new Stage('limited');
  assert.equal(stage.ask('requests'), null);
  stage.isOverloaded = true;
  for (let again = 0; again < 10; again++) {
    assert.deepEqual(ratesOf(stage.ask('requests')), ['"requests";q=5;w=60', '"requests";r=4;t=60']);
    assert.deepEqual(ratesOf(stage.ask('simulations')), ['"simulations";q=3;w=1', '"simulations";r=3;t=1']);
    assert.deepEqual(ratesOf(stage.callBack()), ['"simulations";q=3;w=1', '"simulations";r=3;t=1']);
  }
  stage.isOverloaded = false;
  for (let more = 0; more < 4; more++) assert.equal(stage.ask('requests'), null);
  assert.deepEqual(stage.ask('requests')?.headers.get('ratelimit'), '"requests";r=0;t=60');
});

test('on an unlimited or unknown plan the refusal has no rate headers', () => {
  const stage = new Stage('open');
  stage.isOverloaded = true;
  for (const refused of [stage.ask('requests'), stage.ask('simulations'), stage.callBack()]) {
    assert.deepEqual(ratesOf(refused), [undefined, undefined]);
  }
  const limited = new Stage('limited');
  limited.isOverloaded = true;
  assert.deepEqual(ratesOf(limited.ask('requests', false)), [undefined, undefined]);
});
