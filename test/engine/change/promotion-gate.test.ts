/** The gate of a shop in its settings, and a promotion that it lets pass or not (contract section 10.2). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readImage, writeImage } from '../../../src/engine/change/state-image.ts';
import type { PromotionGate } from '../../../src/engine/domain/promotion-gate.ts';
import type { ShopUpdate } from '../../../src/engine/wire/write-bodies.ts';
import { shopWithZones, type TrialShop } from './trial-shop.ts';

const GATE: PromotionGate = { checksPass: true, evaluatedMin: 10 };
const set = (promotionGate: ShopUpdate['promotionGate'] & {}) => ({
  kind: 'updateShop' as const,
  body: { promotionGate },
});
const remove = { kind: 'updateShop' as const, body: { promotionGate: null } };

/** A changeset with two writes, and what a gate that lets it pass says of it. */
function stagedShop(gate: PromotionGate | null = GATE) {
  const shop = shopWithZones();
  if (gate !== null) shop.accept(set(gate));
  shop.accept({ kind: 'enterStaging' });
  shop.createMethod({ name: 'One' });
  shop.createMethod({ name: 'Two' });
  const { staging } = shop.state;
  assert.ok(staging !== null);
  return { shop, judged: { stagingId: staging.id, writes: 2, gate, refusal: null } };
}

const descriptions = ({ events }: TrialShop): string[] =>
  events.flatMap((event) => ('version' in event ? [event.version.description] : []));

test('a gate is part of the settings: replaced whole, kept by other writes, removed by null', () => {
  const shop = shopWithZones();
  const before = shop.state.version;
  shop.accept(set(GATE));
  shop.accept({ kind: 'updateShop', body: { name: 'Other' } });
  assert.deepEqual(shop.state.settings.promotionGate, GATE);
  assert.deepEqual(readImage(writeImage(shop.state)), shop.state);
  shop.accept(set({ noLostCarts: true }));
  assert.deepEqual(shop.state.settings.promotionGate, { noLostCarts: true });
  shop.accept(remove);
  assert.ok(!('promotionGate' in shop.state.settings));
  assert.equal(shop.state.version, before);
});

test('a changeset is promoted only if the gate let it pass', () => {
  const { shop, judged } = stagedShop();
  shop.refuse({ kind: 'promoteStaging', judged: { ...judged, refusal: 'it is 1' } }, 'CONFLICT', 'it is 1');
  shop.refuse({ kind: 'promoteStaging' }, 'CONFLICT', 'try again');
  shop.accept({ kind: 'promoteStaging', judged });
  assert.equal(shop.state.staging, null);
  assert.deepEqual(descriptions(shop).slice(-2), ['Method "One" created', 'Method "Two" created']);
});

test('a promotion is refused when a write or another gate came after the gate judged the changeset', () => {
  const { shop, judged } = stagedShop();
  shop.createMethod({ name: 'Three' });
  shop.refuse({ kind: 'promoteStaging', judged }, 'CONFLICT', 'try again');
  const now = { ...judged, writes: 3 };
  shop.accept(set({ noLostCarts: true }));
  shop.refuse({ kind: 'promoteStaging', judged: now }, 'CONFLICT', 'try again');
  shop.accept(set(GATE));
  shop.accept({ kind: 'discardStaging' });
  shop.accept({ kind: 'enterStaging' });
  for (const name of ['One', 'Two', 'Three']) shop.createMethod({ name });
  shop.refuse({ kind: 'promoteStaging', judged: now }, 'CONFLICT', 'try again');
  shop.accept(remove);
  shop.accept({ kind: 'promoteStaging' });
});

test('a gate that is set while a changeset without one is judged refuses it too', () => {
  const { shop, judged } = stagedShop(null);
  shop.accept(set(GATE));
  shop.refuse({ kind: 'promoteStaging', judged }, 'CONFLICT', 'try again');
});

test('a forced promotion passes the gate, and each of its versions says so', () => {
  const { shop, judged } = stagedShop();
  shop.accept({ kind: 'promoteStaging', judged: { ...judged, refusal: 'it is 1' }, isForced: true });
  assert.deepEqual(descriptions(shop).slice(-2), [
    'Method "One" created (promotion forced)',
    'Method "Two" created (promotion forced)',
  ]);
});
