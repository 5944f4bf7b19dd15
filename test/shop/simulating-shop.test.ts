/** What is compiled of a large shop in steps, while it changes, is what would be compiled of it at once. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type CompiledShop, compileShop } from '../../src/compile/compiled-shop.ts';
import type { ShippingMethod } from '../../src/domain/shipping-method.ts';
import type { ShopConfig } from '../../src/domain/shop-config.ts';
import type { ShopState } from '../../src/domain/shop-event.ts';
import { evaluate } from '../../src/evaluate/evaluate.ts';
import type { WorkSteps } from '../../src/pace/work-steps.ts';
import { CompiledConfigs, simulationMicroseconds } from '../../src/shop/simulating-shop.ts';
import { accepted, openShop, request } from '../actor/shop-stage.ts';
import { cart, FLAT, item, method, NOW_MS, SETTINGS, shop } from '../support/small-shop.ts';
import { everyNth } from '../support/yield-schedules.ts';

const METHODS = 3_000;
const CART = cart(item());

const LARGE = shop(
  Array.from({ length: METHODS }, (_, at) => method(`m${at}`, FLAT(at), { enabled: at < 20 })),
);

const stateOf = (methods: readonly ShippingMethod[], versionId: string): ShopState =>
  ({
    config: { ...LARGE, methods },
    settings: SETTINGS,
    version: { id: versionId },
    staging: null,
  }) as unknown as ShopState;

const answersOf = (state: ShopState, compiled = compileShop(state.config as ShopConfig, SETTINGS)) => [
  evaluate(compiled, CART, NOW_MS),
  simulationMicroseconds(compiled, CART),
];

function liveOf(configs: CompiledConfigs, state: ShopState): CompiledShop {
  const live = configs.of('live', state);
  assert.ok(live.ok);
  return live.value;
}

/** Takes up to so many steps. Returns whether they are over. */
function take(steps: WorkSteps<unknown>, count: number): boolean {
  for (let taken = 0; taken < count; taken++) {
    if (steps.next().done === true) return true;
  }
  return false;
}

const changes: readonly ((methods: readonly ShippingMethod[]) => readonly ShippingMethod[])[] = [
  (methods) => methods.toReversed(),
  (methods) => methods.slice(1),
  (methods) => methods.map((one, index) => (index === 3 ? { ...one, name: 'Other' } : one)),
  (methods) => methods.map((one) => ({ ...one })),
  (methods) => methods.slice(0, 10),
];

test('interleaved preparations with changes in between give the same result as one compilation', () => {
  const turn = fc.record({ who: fc.nat(2), steps: fc.nat(6), change: fc.option(fc.nat(changes.length - 1)) });
  const property = fc.property(fc.array(turn, { minLength: 5, maxLength: 25 }), (turns) => {
    const configs = new CompiledConfigs(() => null);
    let state = stateOf(LARGE.methods, 'version_0');
    const underWay: (WorkSteps<unknown> | null)[] = [null, null, null];
    for (const [at, { who, steps, change }] of turns.entries()) {
      const begun = underWay[who] ?? configs.preparation('live', state, CART.destination, everyNth(500));
      underWay[who] = take(begun, steps) ? null : begun;
      if (change !== null) {
        const changed = changes[change]?.(state.config.methods as readonly ShippingMethod[]) ?? [];
        state = stateOf(changed, `version_${at + 1}`);
      }
    }
    assert.deepEqual(answersOf(state, liveOf(configs, state)), answersOf(state));
    for (const steps of underWay) if (steps !== null) take(steps, Number.POSITIVE_INFINITY);
    assert.deepEqual(answersOf(state, liveOf(configs, state)), answersOf(state));
  });
  fc.assert(property, { numRuns: 60 });
});

test('the estimate of a cart is that of its place and groups, and explained it is many times as much', async () => {
  const { shop } = await openShop();
  const placed = shop.prepare('live', CART);
  assert.ok(!(placed instanceof Promise) && placed.ok);
  const plain = shop.simulationCost(placed.value, CART, 'all');
  assert.equal(plain, simulationMicroseconds(placed.value.shop, CART));
  assert.ok(shop.simulationCost(placed.value, CART, 'explained') > 10 * plain);
});

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
