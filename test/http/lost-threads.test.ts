/** A heavy request whose thread is lost reads the earlier versions that it needs in slices before it is answered here. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { cachedVersionsOf } from '../../src/shop/work-estimate.ts';
import type { HeavyAccess } from '../../src/worker/heavy-work.ts';
import { TestServer } from '../support/test-server.ts';

const CART = {
  destination: { country: 'US', postalCode: '12345' },
  items: [{ quantity: 1, grams: 1, price: 1 }],
};

let server: TestServer;
const order: string[] = [];

/** Every request is heavy, and every thread is lost. */
const heavy: HeavyAccess = {
  heavyFromUs: 0,
  answer: async ({ state }, _question, answerHere, prepare) => {
    await prepare?.();
    order.push('answered');
    return { outcome: answerHere(), versionId: state.version.id, isOfBody: false, isFromThread: false };
  },
  answerUnread: async () => null,
};

before(async () => {
  server = await TestServer.start({}, { heavy });
  server.shop.readAhead = async (work) => {
    await new Promise((resolve) => setImmediate(resolve));
    order.push(...cachedVersionsOf(work).map((id) => `read ${id}`));
  };
});
after(() => server.stop());

for (const { path, body } of [
  { path: '/api/simulate/sweep', body: { request: CART, vary: 'cart_total', from: 0, to: 9, version: '1' } },
  { path: '/api/simulate/batch?version=1', body: { requests: [CART] } },
  { path: '/api/checks', body: { action: 'run', version: '1' } },
  { path: '/api/versions', body: { action: 'compare', versionA: 'staged', versionB: '1' } },
  { path: '/api/versions', body: { action: 'bisect', request: CART, from: '1' } },
]) {
  test(`POST ${path} ${JSON.stringify(body).slice(0, 40)} reads version 1 before its answer`, async () => {
    order.length = 0;
    const versionId = server.shop.history.idOf('1');
    const { status, text } = await server.call(path, { verb: 'POST', body });
    assert.ok(status === 200 || status === 404, text);
    const read = order.filter((step) => step !== 'read staged');
    assert.deepEqual(read, [`read ${versionId}`, 'answered']);
  });
}
