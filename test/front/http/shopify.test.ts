/** Shopify's callback over HTTP: its signature, the same rates as `/api/simulate`, and its time budget. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, beforeEach, describe, test } from 'node:test';
import fc from 'fast-check';
import { joinedText } from '../../../src/base/bytes/answer-text.ts';
import { createMetrics } from '../../../src/base/metrics/metrics.ts';
import { ShopifyAnswer } from '../../../src/engine/carriers/shopify-answer.ts';
import { type CompiledShop, compileShop } from '../../../src/engine/compile/compiled-shop.ts';
import type { CartItem, SimulateRequest } from '../../../src/engine/domain/cart.ts';
import { success } from '../../../src/engine/domain/failure.ts';
import type { ShopConfig } from '../../../src/engine/domain/shop-config.ts';
import { evaluate, evaluateToParts } from '../../../src/engine/evaluate/evaluate.ts';
import { compileSchema } from '../../../src/engine/wire/schema-check.ts';
import { NESTING_MAX } from '../../../src/front/http/body/json-body.ts';
import { readCallbacks, readDemoShop } from '../../data/demo-files.ts';
import { shopCase } from '../../support/shop-arbitraries.ts';
import { blend, group, item, method, shop } from '../../support/small-shop.ts';
import { NOW_MS, type Reply, TestServer } from '../../support/test-server.ts';

const SECRET = 'shpss_0123456789abcdef0123456789abcdef';
const metrics = createMetrics();
/** The milliseconds that each reading of the monotonic clock adds to it. */
let stepMs = 0;
let monotonicMs = 0;
let server: TestServer;

before(async () => {
  const clock = { nowMs: () => NOW_MS, monotonicMs: () => (monotonicMs += stepMs) };
  server = await TestServer.start({}, { metrics, clock });
});
after(() => server.stop());
beforeEach(() => {
  stepMs = 0;
  server.shop.state = { ...server.shop.state, shopifySecret: `shop_a:${SECRET}` };
});

const sign = (text: string | Uint8Array, secret = SECRET) =>
  createHmac('sha256', secret).update(text).digest('base64');

function send(body: unknown, signature?: string, shopId = 'shop_a'): Promise<Reply> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const headers = {
    'content-type': 'application/json',
    'x-shopify-hmac-sha256': signature ?? sign(text),
    'x-shopify-shop-domain': 'harbour-goods.myshopify.com',
  };
  return server.call(`/carriers/shopify/${shopId}`, { body: text, headers, key: '' });
}

const answerWith = (compiled: CompiledShop): void => {
  server.shop.simulateWith = (request, nowMs, form) => {
    if (form === undefined || form === 'explained') return evaluate(compiled, request, nowMs);
    const answer = evaluateToParts(compiled, request, nowMs, form);
    return answer.ok ? success(joinedText(answer.value)) : answer;
  };
};

const EMPTY = { rate: { destination: { country: 'US' }, items: [] } };

describe('the signature', () => {
  test('one changed byte of the body, another secret or another shop is refused', async () => {
    const text = JSON.stringify(EMPTY);
    assert.equal((await send(text)).status, 200);
    const { callbacks_unsigned: earlier } = metrics.values;
    assert.equal((await send(`${text} `, sign(text))).status, 401);
    assert.equal((await send(text, sign(text, `${SECRET}x`))).status, 401);
    assert.equal((await send(text, sign(text), 'shop_b')).status, 401);
    assert.equal((await send(text, sign(text).toLowerCase())).status, 401);
    assert.equal((await send(text, sign(text).slice(0, -1))).status, 401);
    assert.equal(metrics.values.callbacks_unsigned, earlier + 5);
    const { shopifySecret: _taken, ...without } = server.shop.state;
    server.shop.state = without;
    assert.equal((await send(text)).status, 401);
  });

  test('a body is not parsed before its signature is verified', async () => {
    assert.equal((await send('not JSON', sign('x'))).status, 401);
    assert.equal((await send('not JSON')).status, 400);
    const refused = await send({ rate: {} });
    assert.equal(refused.status, 400);
    assert.match(refused.text, /\/rate\/destination is required/);
  });

  test('a body is refused for its nesting only after its signature is verified', async () => {
    const nested = (levels: number): string =>
      JSON.stringify(EMPTY).replace(/}$/, `,"more":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`);
    assert.equal((await send(nested(NESTING_MAX))).status, 200);
    const deeper = nested(NESTING_MAX + 1);
    assert.equal((await send(deeper, sign('x'))).status, 401);
    const refused = await send(deeper);
    assert.equal(refused.status, 400);
    assert.match(refused.text, /nested at most 64 levels deep/);
  });

  test('a shop that must be loaded first answers the same, also a body in many parts', async () => {
    server.shops.unloaded.add('shop_a');
    const long = { ...EMPTY, padding: 'x'.repeat(300_000) };
    assert.equal((await send(long)).status, 200);
    server.shops.unloaded.add('shop_a');
    assert.equal((await send(long, sign('x'))).status, 401);
    assert.equal((await send(EMPTY, sign(JSON.stringify(EMPTY)), 'shop_none')).status, 401);
  });

  test('a secret that cannot be opened is 500 and an error line without the secret, never a forged callback', async () => {
    server.shop.state = { ...server.shop.state, shopifySecret: `elsewhere:${SECRET}` };
    const { callbacks_unsigned: earlier } = metrics.values;
    const refused = await send(EMPTY);
    assert.equal(refused.status, 500);
    assert.match(refused.text, /"INTERNAL_ERROR"/);
    assert.equal(metrics.values.callbacks_unsigned, earlier);
    const line = server.log.find(({ event }) => event === 'callback.secret_unreadable');
    const { requestId, ...fields } = line?.fields ?? {};
    assert.equal(requestId, refused.headers['x-request-id']);
    assert.deepEqual(fields, {
      ...{ shopId: 'shop_a', keyId: null, verb: 'POST', route: 'answerShopifyCarrierService' },
      ...{ status: '500', code: 'INTERNAL_ERROR' },
    });
  });
});

describe('the answer', () => {
  const { config } = readDemoShop() as { config: ShopConfig };
  const settings = { currency: 'USD', timezone: 'America/Los_Angeles' };

  test('to a recorded callback has rates in the format of Shopify', async () => {
    answerWith(compileShop(config, settings));
    const check = compileSchema(ShopifyAnswer);
    for (const [name, callback] of readCallbacks()) {
      const reply = await send(callback);
      assert.equal(reply.status, 200, reply.text);
      assert.equal(reply.headers['content-type'], 'application/json');
      assert.deepEqual(check.defects(reply.body, 5), [], name);
      const { rates } = reply.body as ShopifyAnswer;
      assert.equal(rates.length === 0, name === 'nothing-to-offer', name);
      if (name === 'jp-yen') for (const rate of rates) assert.match(rate.total_price, /^(?:0|[0-9]+00)$/);
    }
  });

  test('to a random cart has the rates of /api/simulate, with unique codes', async () => {
    const currency = fc.constantFrom('USD', 'EUR', 'JPY');
    const property = fc.asyncProperty(shopCase(4), currency, async (random, code) => {
      answerWith(compileShop(random.config, random.settings));
      for (const { request } of random.carts) {
        const cart = { ...sentByShopify(request), currency: code };
        const simulated = await server.call('/api/simulate', { body: cart, key: 'shop_a-read' });
        const answered = await send(callbackOf(cart));
        assert.equal(answered.status, simulated.status, answered.text);
        if (simulated.status !== 200) continue;
        const { rates } = simulated.body as { rates: Record<string, string | number>[] };
        const offered = (answered.body as ShopifyAnswer).rates;
        assert.deepEqual(
          offered.map((each) => ({
            service_name: each.service_name,
            total_price: each.total_price,
            description: each.description,
            currency: each.currency,
            dates: [
              each.min_delivery_date?.slice(0, '2026-11-18 00:00:00 '.length),
              each.max_delivery_date?.slice(0, '2026-11-18'.length),
            ],
          })),
          rates.map((rate) => ({
            service_name: rate['serviceName'],
            total_price: String(BigInt(rate['totalPrice'] ?? 0) * (code === 'JPY' ? 100n : 1n)),
            description: rate['description'],
            currency: rate['currency'],
            dates: [
              rate['minDeliveryDate'] && `${rate['minDeliveryDate']} 00:00:00 `,
              rate['maxDeliveryDate'],
            ],
          })),
        );
        const codes = new Set(offered.map((rate) => rate.service_code));
        assert.equal(codes.size, rates.length);
        assert.ok(rates.every((rate) => codes.has(String(rate['serviceCode']))));
      }
    });
    await fc.assert(property, { numRuns: 120, unbiased: true });
  });

  test('asks for a phone number where a method or a component of a blended rate requires one', async () => {
    const FLAT = { rateType: 'flat', config: { price: 500 } } as const;
    const groups = [group('heavy', { skus: ['H'] }), group('default', { isDefault: true })];
    const methods = [
      method('pallet', FLAT, { productGroupId: 'heavy', phoneRequired: true }),
      method('parcel', FLAT, { phoneRequired: false }),
      method('express', FLAT, { phoneRequired: true, delivery: { minDays: 1, maxDays: 2 } }),
    ];
    const preferences = (methodId: string) => [{ productGroupId: 'default', preferredMethodId: methodId }];
    const blendedRates = [
      blend({ id: 'a', name: 'a', preferences: preferences('parcel') }),
      blend({ id: 'b', name: 'b', preferences: preferences('express') }),
    ];
    const askedFor = async (...skus: readonly string[]) => {
      const cart = { destination: { country: 'US' }, items: skus.map((sku) => item({ sku })) };
      const plain = await server.call('/api/simulate', { body: cart, key: 'shop_a-read' });
      assert.ok(!plain.text.includes('phone'), plain.text);
      const { rates } = (await send(callbackOf(cart))).body as ShopifyAnswer;
      return rates.map((each) => [each.service_name, each.phone_required]);
    };
    const answering = (fields: Partial<ShopConfig>) =>
      answerWith(compileShop(shop(methods, { productGroups: groups, ...fields }), settings));
    answering({});
    assert.deepEqual(await askedFor('S'), [
      ['parcel', undefined],
      ['express', true],
    ]);
    answering({ blendedRates });
    assert.deepEqual(await askedFor('S', 'H'), [
      ['a', true],
      ['b', true],
    ]);
    const quiet = methods.map((each) => ({ ...each, phoneRequired: false }));
    answerWith(compileShop(shop(quiet, { productGroups: groups, blendedRates }), settings));
    assert.deepEqual(await askedFor('S', 'H'), [
      ['a', undefined],
      ['b', undefined],
    ]);
  });
});

const only = <T extends object, K extends keyof T>(record: T, names: readonly K[]) =>
  Object.fromEntries(names.filter((name) => name in record).map((name) => [name, record[name]])) as Pick<
    T,
    K
  >;

/** The fields of a cart that Shopify sends; of items it sends no dimensions. */
function sentByShopify(request: SimulateRequest): SimulateRequest {
  const street = ['name', 'address1', 'address2', 'address3', 'phone', 'company'] as const;
  const names = ['name', 'sku', 'quantity', 'grams', 'price', 'vendor', 'properties'] as const;
  return {
    ...only(request, ['locale', 'customer', 'orderTotals']),
    destination: only(request.destination, ['country', 'province', 'city', 'postalCode', ...street]),
    items: request.items.map((item) => only(item, [...names, 'productId', 'variantId', 'requiresShipping'])),
  };
}

/** The callback of Shopify for this cart. */
function callbackOf({
  destination,
  items,
  currency,
  locale,
  customer,
  orderTotals,
}: SimulateRequest): unknown {
  const { postalCode, company, ...address } = destination;
  const amount = (cents: number | null | undefined) =>
    typeof cents === 'number' && currency === 'JPY' ? cents * 100 : cents;
  const text = (id: CartItem['sku']) => (typeof id === 'number' ? String(id) : id);
  return {
    rate: {
      origin: { country: 'US', fax: null },
      destination: { ...address, postal_code: postalCode, company_name: company, fax: null, email: null },
      items: items.map(({ productId, variantId, requiresShipping, sku, price, ...item }) => ({
        ...item,
        sku: text(sku),
        price: currency === 'JPY' ? price * 100 : price,
        product_id: text(productId),
        variant_id: text(variantId),
        requires_shipping: requiresShipping,
        taxable: true,
      })),
      currency,
      locale,
      customer: customer && { id: text(customer.id), tags: customer.tags },
      order_totals: orderTotals && {
        subtotal_price: amount(orderTotals.subtotalPrice),
        total_price: amount(orderTotals.totalPrice),
        discount_amount: amount(orderTotals.discountAmount),
      },
    },
  };
}

describe('the budget', () => {
  test('an answer after the budget is a refusal, and is counted', async () => {
    const { callbacks_late: earlier } = metrics.values;
    stepMs = 51;
    const late = await send(EMPTY);
    assert.equal(late.status, 404);
    assert.match(late.text, /"NOT_FOUND".*50 ms/);
    assert.equal(metrics.values.callbacks_late, earlier + 1);
    stepMs = 50;
    assert.equal((await send(EMPTY)).status, 200);
  });
});
