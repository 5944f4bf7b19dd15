import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accepted, openShop, request } from '../actor/shop-stage.ts';

test('the compiled form of a changeset is dropped with it', async () => {
  const { shop } = await openShop();
  accepted(await shop.write(request({ kind: 'enterStaging' })));
  const { state } = shop;
  const compiled = () => {
    const made = shop.compiled('staged');
    assert.ok(made.ok);
    return made.value;
  };
  const before = compiled();
  shop.publish(state, shop.sequenceNumber);
  assert.equal(compiled(), before);
  accepted(await shop.write(request({ kind: 'discardStaging' })));
  const refused = shop.compiled('staged');
  assert.ok(!refused.ok && refused.code === 'CONFLICT');
  shop.publish(state, shop.sequenceNumber);
  assert.notEqual(compiled(), before);
});
