/** Rates of a plan: exact in every window, absent for plans without limits (contract section 2). */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, beforeEach, describe, test } from 'node:test';
import fc from 'fast-check';
import type { Failure } from '../../../src/engine/domain/failure.ts';
import type { PlanTable } from '../../../src/engine/domain/plan.ts';
import type { ThrottleKind } from '../../../src/front/http/route.ts';
import { THROTTLES, Throttle } from '../../../src/front/http/throttle.ts';
import { readText } from '../../house/project-files.ts';
import { CART, NOW_MS, type Reply, TestServer } from '../../support/test-server.ts';
import { UNLIMITED } from '../../support/unlimited-plan.ts';

const PLANS: PlanTable = {
  open: UNLIMITED,
  tight: { ...UNLIMITED, requestsPerMinute: 5, simulationsPerSecond: 2 },
  shut: { ...UNLIMITED, requestsPerMinute: 0 },
};

class Clock {
  ms = 1_000_000;
  readonly throttle = new Throttle(PLANS, () => this.ms);
}

const isFree = (refusal: Failure | null): boolean => refusal === null;

describe('throttle', () => {
  test('lets exactly the limit through within a window, and again as the window slides', () => {
    const clock = new Clock();
    const tryAt = (ms: number) => {
      clock.ms = 1_000_000 + ms;
      return isFree(clock.throttle.judge('requests', 'key', 'tight'));
    };
    assert.deepEqual([0, 0, 10_000, 20_000, 30_000].map(tryAt), [true, true, true, true, true]);
    assert.deepEqual([30_000, 59_999].map(tryAt), [false, false]);
    assert.deepEqual([60_000, 60_000, 60_000, 69_999].map(tryAt), [true, true, false, false]);
    assert.deepEqual([70_000, 70_000].map(tryAt), [true, false]);
  });

  test('a request passes after the seconds that the refusal names', () => {
    const clock = new Clock();
    for (let sent = 0; sent < 5; sent++) {
      clock.throttle.judge('requests', 'key', 'tight');
      clock.ms += 1_500.5;
    }
    const refusal = clock.throttle.judge('requests', 'key', 'tight');
    assert.equal(refusal?.code, 'RATE_LIMITED');
    assert.equal(refusal?.retryAfterSeconds, 53);
    assert.match(refusal?.message ?? '', /the plan tight allows 5 requests per minute and API key/);
    clock.ms += 53_000;
    assert.ok(isFree(clock.throttle.judge('requests', 'key', 'tight')));
  });

  test('several requests at once pass if all fit; otherwise the refusal says when they will', () => {
    const clock = new Clock();
    const judge = (requests: number) => clock.throttle.judge('requests', 'key', 'tight', requests);
    assert.ok(isFree(judge(2)));
    clock.ms += 10_000;
    assert.ok(isFree(judge(2)));
    assert.equal(judge(2)?.retryAfterSeconds, 50);
    assert.equal(judge(4)?.retryAfterSeconds, 60);
    const never = judge(6);
    assert.equal(never?.code, 'RATE_LIMITED');
    assert.match(never?.message ?? '', /: send at most 5 at once$/);
    assert.ok(isFree(judge(1)));
    clock.ms += 50_000;
    assert.ok(isFree(judge(2)));
    assert.ok(!isFree(judge(1)));
  });

  test('the refusal of a batch above the share of this process names the share', () => {
    let share = 2;
    const throttle = new Throttle(
      PLANS,
      () => 1_000_000,
      () => share,
    );
    const refusalOf = (requests: number) => throttle.judge('requests', 'key', 'tight', requests);
    const refusal = refusalOf(3);
    assert.equal(refusal?.code, 'RATE_LIMITED');
    assert.match(refusal?.message ?? '', /: send at most 2 at once to this server, or try again in 60 s$/);
    assert.equal(refusalOf(2), null);
    share = 0;
    assert.match(refusalOf(1)?.message ?? '', /API key: try again in 60 s$/);
  });

  test('each rate of each plan: the last request within it is let through, the next one is not', () => {
    const plans: PlanTable = JSON.parse(readText('data/plans.json'));
    for (const [plan, limits] of Object.entries(plans)) {
      for (const kind of Object.keys(THROTTLES) as ThrottleKind[]) {
        const { limit, windowMs } = THROTTLES[kind];
        const most = limits[limit];
        if (most === null) continue;
        let ms = 0;
        const throttle = new Throttle(plans, () => ms);
        const count = (): number => {
          let free = 0;
          for (let sent = 0; sent < most + 5; sent++) {
            if (isFree(throttle.judge(kind, 'owner', plan))) free++;
          }
          return free;
        };
        assert.equal(count(), most, `${plan} ${limit}`);
        ms = windowMs - 1;
        assert.equal(count(), 0);
        ms = windowMs;
        assert.equal(count(), most);
      }
    }
  });

  test('owners and kinds are counted separately', () => {
    const { throttle } = new Clock();
    const spend = (owner: string) => {
      while (isFree(throttle.judge('requests', owner, 'tight')));
    };
    spend('one');
    assert.equal(throttle.usage('requests', 'one', 'tight'), 5);
    assert.equal(throttle.usage('requests', 'two', 'tight'), 0);
    assert.ok(isFree(throttle.judge('requests', 'two', 'tight')));
    assert.ok(isFree(throttle.judge('simulations', 'one', 'tight')));
  });

  test('a plan without a rate, or one that is not in the table, is not counted', () => {
    const { throttle } = new Clock();
    for (const plan of ['open', 'gone', '__proto__', 'toString']) {
      assert.equal(throttle.judge('requests', 'key', plan), null);
      assert.equal(throttle.usage('requests', 'key', plan), null);
    }
  });

  test('a limit of zero lets nothing through; a lowered limit waits until enough requests have left the window', () => {
    const clock = new Clock();
    assert.ok(!isFree(clock.throttle.judge('requests', 'key', 'shut')));
    for (let sent = 0; sent < 5; sent++) clock.throttle.judge('requests', 'other', 'tight');
    assert.equal(clock.throttle.judge('requests', 'other', 'shut')?.retryAfterSeconds, 60);
  });

  test('idle owners are forgotten when there are many, busy ones are not', () => {
    let ms = 0;
    const throttle = new Throttle(PLANS, () => ms, undefined, 4);
    const spend = (owner: string) => {
      while (isFree(throttle.judge('requests', owner, 'tight')));
    };
    for (let owner = 0; owner < 4; owner++) throttle.judge('requests', `idle ${owner}`, 'tight');
    ms = 60_000;
    spend('busy');
    for (let owner = 0; owner < 20; owner++) throttle.judge('requests', `new ${owner}`, 'tight');
    assert.ok(!isFree(throttle.judge('requests', 'busy', 'tight')));
    assert.equal(throttle.usage('requests', 'idle 0', 'tight'), 0);
  });

  test('no window of any run has more requests than the limit, and no request that fits is refused', () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 200 });
    fc.assert(
      fc.property(gaps, fc.integer({ min: 1, max: 40 }), (run, limit) => {
        let ms = 0;
        const plans = { any: { ...UNLIMITED, requestsPerMinute: limit } };
        const throttle = new Throttle(plans, () => ms);
        const passed: number[] = [];
        for (const gap of run) {
          ms += gap;
          const recent = passed.filter((at) => at > ms - 60_000).length;
          assert.equal(throttle.usage('requests', 'key', 'any'), recent);
          const free = isFree(throttle.judge('requests', 'key', 'any'));
          assert.equal(free, recent < limit);
          if (free) passed.push(ms);
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe('over HTTP', () => {
  let server: TestServer;
  let ms = 0;
  before(async () => {
    server = await TestServer.start(
      {},
      { plans: PLANS, clock: { nowMs: () => NOW_MS, monotonicMs: () => ms } },
    );
  });
  after(() => server.stop());
  beforeEach(() => {
    ms += 3_600_000;
    setPlan('tight');
  });

  const setPlan = (plan: string): void => {
    const { state } = server.shop;
    server.shop.state = { ...state, settings: { ...state.settings, plan } };
  };
  const statuses = (replies: readonly Reply[]): number[] => replies.map(({ status }) => status);
  const repeat = async (times: number, send: () => Promise<Reply>): Promise<Reply[]> => {
    const replies: Reply[] = [];
    for (let time = 0; time < times; time++) replies.push(await send());
    return replies;
  };

  test('a key over its rate gets 429 with Retry-After; another key is not affected', async () => {
    const replies = await repeat(6, () => server.call('/api/zones'));
    assert.deepEqual(statuses(replies), [200, 200, 200, 200, 200, 429]);
    const last = replies[5];
    assert.equal(last?.headers['retry-after'], '60');
    assert.match(last?.text ?? '', /"code":"RATE_LIMITED"/);
    assert.equal((await server.call('/api/zones', { key: 'shop_a-read' })).status, 200);
    ms += 60_000;
    assert.equal((await server.call('/api/zones')).status, 200);
  });

  test('writes, refusals and every path count against one rate; simulations do not', async () => {
    const replies = [
      await server.call('/api/groups', { body: { name: 'Heavy' } }),
      await server.call('/api/groups', { body: { name: 1 } }),
      await server.call('/api/zones/none'),
      await server.call('/api/simulate', { body: CART }),
      await server.call('/api/keys'),
      await server.call('/api/shop'),
      await server.call('/api/shop'),
    ];
    assert.deepEqual(statuses(replies), [201, 400, 404, 200, 200, 200, 429]);
  });

  test('simulations count per shop, whatever the key and the path', async () => {
    const replies = [
      await server.call('/api/simulate', { body: CART }),
      await server.call('/simulate', { body: CART, key: 'shop_a-read' }),
      await server.call('/api/simulate', { body: CART, key: 'shop_a-write' }),
    ];
    assert.deepEqual(statuses(replies), [200, 200, 429]);
    assert.equal(replies[2]?.headers['retry-after'], '1');
    assert.equal((await server.call('/api/simulate', { body: CART, key: 'shop_b-read' })).status, 200);
  });

  test('a batch counts as its requests, all or none, after its body has arrived', async () => {
    const batch = (count: number) =>
      server.call('/api/simulate/batch', { body: { requests: Array.from({ length: count }, () => CART) } });
    const replies = [
      await batch(3),
      await server.call('/api/simulate/batch', { body: {} }),
      await batch(1),
      await batch(2),
      await batch(1),
      await server.call('/api/simulate', { body: CART }),
    ];
    assert.deepEqual(statuses(replies), [429, 400, 200, 429, 200, 429]);
    assert.equal(
      replies[0]?.message,
      'the plan tight allows 2 simulations per second: send at most 2 at once',
    );
    assert.equal(replies[0]?.headers['retry-after'], '1');
    assert.equal(replies[3]?.headers['retry-after'], '1');
    ms += 1_000;
    assert.deepEqual(statuses([await batch(2), await batch(1)]), [200, 429]);
  });

  test("a checkout's callback is a simulation of the shop; one that is not signed counts for nothing", async () => {
    const { state } = server.shop;
    server.shop.state = { ...state, shopifySecret: 'shop_a:shpss_secret' };
    const body = JSON.stringify({ rate: { destination: { country: 'US' }, items: [] } });
    const callBack = (secret: string) => {
      const signature = createHmac('sha256', secret).update(body).digest('base64');
      const headers = { 'content-type': 'application/json', 'x-shopify-hmac-sha256': signature };
      return server.call('/carriers/shopify/shop_a', { body, headers, key: '' });
    };
    const replies = [
      ...(await repeat(3, () => callBack('another'))),
      await callBack('shpss_secret'),
      await server.call('/api/simulate', { body: CART }),
      await callBack('shpss_secret'),
    ];
    server.shop.state = state;
    assert.deepEqual(statuses(replies), [401, 401, 401, 200, 200, 429]);
    assert.equal(replies[5]?.headers['retry-after'], '1');
  });

  test('a request without the permission counts, a request without a key does not', async () => {
    const replies = [
      ...(await repeat(6, () => server.call('/api/keys', { key: 'shop_a-read' }))),
      ...(await repeat(2, () => server.call('/api/keys', { key: 'nobody' }))),
    ];
    assert.deepEqual(statuses(replies), [403, 403, 403, 403, 403, 429, 401, 401]);
  });

  test('a body is not read for a request over the rate', async () => {
    await repeat(5, () => server.call('/api/zones'));
    const reply = await server.call('/api/config', { body: '{' });
    assert.equal(reply.status, 429);
  });

  test('a key counts as the same key in every spelling of its header, and a path with every query', async () => {
    const authorizations = ['Bearer', 'bearer', 'BEARER ', ''].map((scheme) =>
      `${scheme} shop_a-admin`.trim(),
    );
    const paths = ['/api/zones', '/api/zones?x=1', '/api/zones?', '/api/groups', '/api/methods/none'];
    const replies: Reply[] = [];
    for (const authorization of authorizations) {
      for (const path of paths)
        replies.push(await server.call(path, { key: '', headers: { authorization } }));
    }
    assert.equal(replies.filter(({ status }) => status !== 429).length, 5);
  });

  test('many connections share one rate', async () => {
    const replies = await Promise.all(Array.from({ length: 40 }, () => server.call('/api/zones')));
    assert.equal(replies.filter(({ status }) => status === 200).length, 5);
  });

  test('the first requests to a shop that is not in memory also count', async () => {
    server.shops.unloaded.add('shop_a');
    const replies = await repeat(6, () => server.call('/api/zones'));
    assert.deepEqual(statuses(replies), [200, 200, 200, 200, 200, 429]);
  });

  test('an unlimited plan limits nothing; /api/shop shows the usage of a limited plan', async () => {
    const { shop } = (await server.call('/api/shop')).body as {
      shop: { usage: { requestsPerMinute: number; simulationsPerSecond: number } };
    };
    assert.deepEqual([shop.usage.requestsPerMinute, shop.usage.simulationsPerSecond], [1, 0]);
    setPlan('open');
    for (const reply of await repeat(8, () => server.call('/api/zones'))) {
      assert.equal(reply.status, 200);
    }
  });
});
