/** Estimates: more work is never said to be less, and only what a cart can meet counts. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compileShop } from '../../src/compile/compiled-shop.ts';
import { ITEMS_MAX_DEFAULT, type SimulateRequest } from '../../src/domain/cart.ts';
import { estimateMicroseconds } from '../../src/evaluate/estimate.ts';
import { cart, FLAT, group, item, method, SETTINGS, shop } from '../support/small-shop.ts';

const CLOSELY = 0;
const ROUGHLY = Number.POSITIVE_INFINITY;

const zone = (id: string, ...countries: string[]) => ({ id, name: id, countries, subzones: [] });
const many = (id: string, productGroupId: string, zoneId = 'zone') =>
  Array.from({ length: 50 }, (_, at) => method(`${id}_${at}`, FLAT(1), { productGroupId, zoneId }));

const config = shop([method('method_a', FLAT(1)), ...many('method_b', 'b'), ...many('other', 'b', 'other')], {
  zones: [zone('zone', 'US'), zone('other', 'CA')],
  productGroups: [group('default', { isDefault: true }), group('b', { skus: ['b'] })],
});
const compiled = compileShop(config, SETTINGS);

const light = cart(item());
const heavy = cart(item(), item({ sku: 'b' }));
const of = (request: SimulateRequest, closerLookUs: number) =>
  estimateMicroseconds(compiled, request, closerLookUs);
const to = (country: string, request: SimulateRequest) => ({ ...request, destination: { country } });

describe('an estimate', () => {
  it('counts, at a closer look, the methods of the groups in the cart and no others', () => {
    assert.ok(of(heavy, CLOSELY) > 5 * of(light, CLOSELY));
    assert.equal(of(heavy, CLOSELY), of(heavy, ROUGHLY));
    assert.ok(of(light, ROUGHLY) > 5 * of(light, CLOSELY));
  });

  it('looks more closely only where the size of the zone is enough to make it costly', () => {
    const most = of(light, ROUGHLY);
    assert.equal(of(light, most + 1), most);
    assert.equal(of(light, most), of(light, CLOSELY));
  });

  it('is small where nothing is sent to, and grows with the items everywhere', () => {
    assert.ok(of(to('FR', light), CLOSELY) < of(light, CLOSELY));
    for (const country of ['US', 'FR', 'us']) {
      const counts = [1, 63, 64, 65, ITEMS_MAX_DEFAULT];
      const estimates = counts.map((count) => of(to(country, cart(...Array(count).fill(item()))), CLOSELY));
      assert.deepEqual(
        estimates.toSorted((a, b) => a - b),
        estimates,
      );
      assert.equal(new Set(estimates).size, counts.length);
    }
  });

  it('is of the configuration at hand after an edit, and counts no zone anew that the edit left alone', () => {
    const methods = config.methods.filter(({ id }) => !id.startsWith('method_b'));
    const before = compiled.sizeOf('CA');
    const sizeBefore = compiled.sizeOf('US');
    const after = compileShop({ ...config, methods }, SETTINGS, compiled);
    assert.ok(before !== null);
    assert.equal(after.sizeOf('CA'), before);
    assert.equal(after.sizeOf('CA'), before);
    assert.notEqual(after.sizeOf('US'), sizeBefore);
    assert.deepEqual(
      after.sizeOf('US')?.most,
      compileShop({ ...config, methods }, SETTINGS).sizeOf('US')?.most,
    );
    assert.equal(estimateMicroseconds(after, heavy, CLOSELY) < of(heavy, CLOSELY), true);
    const everywhere = compileShop({ ...config, zones: [zone('zone', '*')] }, SETTINGS, after);
    assert.deepEqual(everywhere.sizeOf('FR')?.most, sizeBefore?.most);
  });
});
