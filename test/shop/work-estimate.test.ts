/** Estimates: more work is never said to be less, and of a large zone only what a cart can meet counts. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type CompiledShop, compileShop } from '../../src/compile/compiled-shop.ts';
import { ITEMS_MAX_DEFAULT, type SimulateRequest } from '../../src/domain/cart.ts';
import { success } from '../../src/domain/failure.ts';
import { evaluate } from '../../src/evaluate/evaluate.ts';
import { simulationMicroseconds } from '../../src/shop/simulating-shop.ts';
import { type EstimatedShop, estimateMicroseconds, recordsIn } from '../../src/shop/work-estimate.ts';
import { cart, FLAT, group, item, method, NOW_MS, rule, SETTINGS, shop } from '../support/small-shop.ts';

const zone = (id: string, ...countries: string[]) => ({ id, name: id, countries, subzones: [] });
const many = (count: number, productGroupId: string, zoneId = 'zone') =>
  Array.from({ length: count }, (_, at) =>
    method(`${zoneId}_${productGroupId}_${at}`, FLAT(1), { productGroupId, zoneId }),
  );

/** `count` methods of a group of their own beside one of the default group. */
const shopOf = (count: number) =>
  shop([method('method_a', FLAT(1)), ...many(count, 'b'), ...many(count, 'b', 'other')], {
    zones: [zone('zone', 'US'), zone('other', 'CA')],
    productGroups: [group('default', { isDefault: true }), group('b', { skus: ['b'] })],
  });

/** The compiled shop, with the zones in use that the requests go to. */
function compiledFor(config: ReturnType<typeof shop>, ...requests: readonly SimulateRequest[]): CompiledShop {
  const compiled = compileShop(config, SETTINGS);
  for (const request of requests) assert.ok(evaluate(compiled, request, NOW_MS).ok);
  return compiled;
}

const light = cart(item());
const heavy = cart(item(), item({ sku: 'b' }));
const to = (country: string, request: SimulateRequest) => ({ ...request, destination: { country } });

describe('the estimate of a simulation', () => {
  it('counts, where a zone is large, the methods of the groups in the cart and no others', () => {
    const compiled = compiledFor(shopOf(1_000), light);
    assert.ok(simulationMicroseconds(compiled, heavy) > 100 * simulationMicroseconds(compiled, light));
  });

  it('uses the cost of the largest place of a zone when that is cheap', () => {
    const compiled = compiledFor(shopOf(50), light);
    const [small, large] = [light, heavy].map((request) => simulationMicroseconds(compiled, request));
    assert.ok((large as number) > 0 && (large as number) < 2 * (small as number));
  });

  it('is small where nothing is sent to, and grows with the items everywhere', () => {
    const compiled = compiledFor(shopOf(50), light);
    assert.ok(simulationMicroseconds(compiled, to('FR', light)) < simulationMicroseconds(compiled, light));
    for (const country of ['US', 'FR', 'us']) {
      const estimates = [1, 63, 64, 65, ITEMS_MAX_DEFAULT].map((count) =>
        simulationMicroseconds(compiled, to(country, cart(...Array(count).fill(item())))),
      );
      assert.deepEqual(
        estimates.toSorted((a, b) => a - b),
        estimates,
      );
      assert.equal(new Set(estimates).size, estimates.length);
    }
  });

  it('grows with rules, with conditions, with their texts and with items that rules report', () => {
    const skuIs = (value: string) => ({
      conditionType: 'product_sku' as const,
      operator: 'equals' as const,
      value,
      scope: 'any_product_in_order' as const,
    });
    const variants = [
      [],
      [rule('a', 'free')],
      [rule('a', 'free', { conditions: [skuIs('x')] })],
      [rule('a', 'free', { conditions: [skuIs('x'.repeat(1_000))] })],
      [rule('a', 'free', { conditions: [skuIs('x'.repeat(1_000)), skuIs('y')] })],
    ];
    const estimates = variants.map((rules) => {
      const compiled = compiledFor(shop([method('method_a', FLAT(1), { rules })]), light);
      return simulationMicroseconds(compiled, light);
    });
    assert.deepEqual(
      estimates.toSorted((a, b) => a - b),
      estimates,
    );
    assert.equal(new Set(estimates).size, estimates.length);
  });
});

describe('the estimate of other work', () => {
  const config = shopOf(50);
  const compiled = compiledFor(config, light);
  const estimated = (replayed: number): EstimatedShop => ({
    records: recordsIn(config),
    history: { replayedFor: (versionId) => (versionId === 'old' ? replayed : 0) },
    compiled: () => success(compiled),
  });
  const costOf = (work: Parameters<typeof estimateMicroseconds>[1], replayed = 0) =>
    estimateMicroseconds(estimated(replayed), work);

  it('of a version includes reading it when it is not in memory', () => {
    const old = { kind: 'readVersion', versionId: 'old' } as const;
    assert.ok(costOf(old, 500) > costOf(old, 1) && costOf(old, 1) > costOf(old));
    const compare = { kind: 'compare', versionA: 'old', versionB: 'old' } as const;
    assert.equal(costOf(compare, 9) - costOf(compare), 2 * (costOf(old, 9) - costOf(old)));
    const reading = { kind: 'readConfig', source: { versionId: 'old' } } as const;
    assert.equal(costOf(reading, 9), costOf(old, 9) - costOf(old));
    assert.equal(costOf(reading), 0);
    const [live, earlier] = (['live', { versionId: 'old' }] as const).map(
      (source) => ({ kind: 'sweep', source, request: light }) as const,
    );
    assert.ok(live !== undefined && earlier !== undefined);
    assert.equal(costOf(earlier), costOf(live));
    assert.ok(costOf(earlier, 9_000) > costOf(live, 9_000));
  });

  it('grows with the bytes of a body', () => {
    const preview = { kind: 'preview', bytes: 1_000, source: 'live', request: undefined } as const;
    for (const work of [preview, { kind: 'unreadSimulation', bytes: 1_000 } as const]) {
      assert.ok(costOf({ ...work, bytes: 2_000 }) > costOf(work));
    }
  });

  it('of a preview with a cart includes its explanation', () => {
    const preview = { kind: 'preview', bytes: 1_000, source: 'live', request: undefined } as const;
    const explainedUs = simulationMicroseconds(compiled, light, 'explained');
    assert.ok(explainedUs > 0);
    assert.equal(costOf({ ...preview, request: light }), costOf(preview) + explainedUs);
  });

  it('of a preview without a cart compiles nothing', () => {
    const preview = { kind: 'preview', bytes: 1_000, source: 'live', request: undefined } as const;
    const compilesNothing = { ...estimated(0), compiled: () => assert.fail('compiled') };
    assert.equal(estimateMicroseconds(compilesNothing, preview), costOf(preview));
  });

  it('counts long texts as several records, and stops at a bound', () => {
    const patterns = (postalCodes: string) => ({
      ...config,
      zones: [{ ...zone('zone', 'US'), subzones: [{ id: 's', name: 'S', postalCodes }] }],
    });
    assert.equal(recordsIn(patterns('1'.repeat(1_000))), recordsIn(patterns('')) + 10);
    const huge = shop(many(30_000, 'default'));
    assert.ok(recordsIn(huge) >= 20_000 && recordsIn(huge) <= 30_100);
  });
});
