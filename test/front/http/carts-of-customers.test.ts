/** Carts of customers are shown to keys that may write only: samples, evidence of the gate, effects (contract section 12.3). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openShadowStage, simulate, write } from '../../shop/shadow/shadow-stage.ts';
import { CART, type Reply, TestServer } from '../../support/test-server.ts';

/** No probe cart is made with it. */
const PRICE = 1_234_567;
const GATE = { noLostCarts: true, differentPercentMax: 0 };

interface WithEffects {
  readonly effects: { readonly probes: number };
}

/** Of the whole answer, or of its changeset. */
function probesOf({ body }: Reply): number {
  const { staging, effects } = body as WithEffects & { readonly staging?: WithEffects };
  return (staging?.effects ?? effects).probes;
}

test('a key that may only read gets the numbers of a changeset, and no cart of a customer', async (context) => {
  const { stage, shop } = await openShadowStage(context);
  const { directory: shops, shadow } = stage;
  const server = await TestServer.start({}, { shops, shadow });
  context.after(() => server.stop());
  await write(shop, { kind: 'updateShop', body: { promotionGate: GATE } });
  await write(shop, { kind: 'enterStaging' });
  const [method] = shop.state.config.methods;
  assert.ok(method !== undefined);
  const { id, name, zoneId, rateType } = method;
  const removed = { methods: [] };
  await write(shop, { kind: 'executeConfig', data: removed });
  const [item] = CART.items;
  simulate(shop, { ...CART, items: [{ ...item, price: PRICE }] } as never);

  const dearer = [{ id, name, zoneId, rateType, config: { price: 900 } }];
  const compare = { action: 'compare', versionA: 'live', versionB: 'staged', effects: true };
  const questions: readonly (readonly [string, object?])[] = [
    ['/api/staging'],
    ['/api/staging/gate'],
    ['/api/versions', compare],
    ['/api/config', { action: 'preview', data: { methods: dearer } }],
  ];
  for (const [path, body] of questions) {
    const ask = (permission: string) =>
      server.call(path, { key: `shop_a-${permission}`, ...(body && { body }) });
    const [reader, writer] = [await ask('read'), await ask('write')];
    assert.deepEqual([reader.status, writer.status], [200, 200], reader.text + writer.text);
    assert.equal(probesOf(writer), probesOf(reader) + 1, path);
    assert.equal(writer.text.includes(String(PRICE)), path.startsWith('/api/staging'), writer.text);
    assert.ok(!reader.text.includes(String(PRICE)), `${path}: ${reader.text}`);
  }

  const { staging } = (await server.call('/api/staging', { key: 'shop_a-read' })).body as {
    readonly staging: { readonly shadow: { readonly lost: number; readonly samples: readonly object[] } };
  };
  assert.deepEqual([staging.shadow.lost, staging.shadow.samples], [1, []]);
  const gate = (await server.call('/api/staging/gate', { key: 'shop_a-read' })).body as {
    readonly criteria: readonly object[];
  };
  assert.deepEqual(gate.criteria, [
    { criterion: 'noLostCarts', limit: 0, actual: 1, passed: false, evidence: [] },
    { criterion: 'differentPercentMax', limit: 0, actual: 100, passed: false, evidence: [] },
  ]);
});
