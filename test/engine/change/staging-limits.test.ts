/** How much one changeset can hold: at the limit a write is taken, beyond it refused, and nothing is lost. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stagingExcess } from '../../../src/engine/change/decide.ts';
import type { StagedWrite } from '../../../src/engine/domain/shop-event.ts';
import { STAGED_CHARACTERS_MAX, STAGED_WRITES_MAX } from '../../../src/engine/wire/staging.ts';
import { TrialShop } from './trial-shop.ts';

const GROUP = { kind: 'createGroup', body: { name: 'More' } } as const;

/** A shop whose changeset holds these writes as far as its limits look at them. */
function shopHolding(writesOf: (one: StagedWrite) => readonly StagedWrite[]): TrialShop {
  const shop = new TrialShop();
  shop.accept({ kind: 'enterStaging' });
  shop.accept(GROUP);
  const { staging } = shop.state;
  const [one] = staging?.writes ?? [];
  assert.ok(staging && one);
  shop.state = { ...shop.state, staging: { ...staging, writes: writesOf(one) } };
  return shop;
}

const sizeOfNext = (shop: TrialShop): number => {
  const outcome = shop.try(GROUP);
  assert.ok(outcome.ok);
  return outcome.value.state.staging?.writes.at(-1)?.size ?? 0;
};

test('the changeset accepts writes up to the limit, refuses the next, and can still be ended', () => {
  const shop = shopHolding((one) => Array.from({ length: STAGED_WRITES_MAX - 2 }, () => one));
  for (const count of [STAGED_WRITES_MAX - 1, STAGED_WRITES_MAX]) {
    const outcome = shop.try(GROUP);
    assert.ok(outcome.ok);
    shop.state = outcome.value.state;
    assert.equal(shop.state.staging?.writes.length, count);
  }
  shop.refuse(GROUP, 'CONFLICT', 'full', String(STAGED_WRITES_MAX));
  const promoted = shop.try({ kind: 'promoteStaging' });
  assert.ok(promoted.ok);
  assert.equal(promoted.value.events.length, STAGED_WRITES_MAX + 1);
  assert.ok(shop.try({ kind: 'discardStaging' }).ok);
});

test('the changeset accepts characters up to the limit exactly, and refuses one more', () => {
  const next = sizeOfNext(shopHolding((one) => [one]));
  for (const [left, isTaken] of [
    [next + 1, true],
    [next, true],
    [next - 1, false],
  ] as const) {
    const shop = shopHolding((one) => [{ ...one, size: STAGED_CHARACTERS_MAX - left }]);
    if (isTaken) assert.ok(shop.try(GROUP).ok, String(left));
    else shop.refuse(GROUP, 'CONFLICT', 'full');
  }
});

test('a write too large for any changeset is refused without advice to end the active changeset', () => {
  const shop = new TrialShop();
  shop.accept({ kind: 'enterStaging' });
  const { staging } = shop.state;
  assert.ok(staging);
  const counts = { added: 1, modified: 0, removed: 0 };
  const excessOf = (size: number) =>
    stagingExcess({
      ...staging,
      writes: [{ change: {}, description: '', counts, keyId: null, at: '', size }],
    });
  assert.equal(excessOf(STAGED_CHARACTERS_MAX), null);
  assert.match(excessOf(STAGED_CHARACTERS_MAX + 1)?.message ?? 'taken', /in parts/);
});
