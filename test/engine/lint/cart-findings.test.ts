/**
 * Carts of several groups without rates, by example, and against an exhaustive search: on small random shops
 * every cart of every set of groups is sent to every place.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { compileShop } from '../../../src/engine/compile/compiled-shop.ts';
import type { BlendedRate } from '../../../src/engine/domain/blended-rate.ts';
import type { CartItem } from '../../../src/engine/domain/cart.ts';
import type { Finding } from '../../../src/engine/domain/finding.ts';
import type { Rule } from '../../../src/engine/domain/rule.ts';
import type { ShippingMethod } from '../../../src/engine/domain/shipping-method.ts';
import type { ShopConfig } from '../../../src/engine/domain/shop-config.ts';
import type { SimulateAnswer } from '../../../src/engine/wire/answer.ts';
import {
  blended,
  condition,
  group,
  lintConfig,
  method,
  rule,
  SETTINGS,
  shop,
  shownFindings,
  zone,
} from './config-builder.ts';
import { testedShop } from './finding-truth.ts';

const GROUPS = ['rest', 'vip', 'big'] as const;
const productGroups = GROUPS.map((id) => group(id, id === 'rest' ? { isDefault: true } : { tags: [id] }));
const zones = [zone('us', ['US'], { a: '1*', b: '2*' })];
const prefer = (productGroupId: string, preferredMethodId: string | null) => ({
  productGroupId,
  preferredMethodId,
});
const of = (productGroupId: string, id: string, more: Partial<ShippingMethod> = {}) =>
  method(id, { productGroupId, ...more });
const atLeastTwo = condition('cart_unique_items', 'greater_than', 1);
const inB = condition('destination_subzone', 'equals', 'b');

function found(more: Partial<ShopConfig>): readonly Finding[] {
  const findings = shownFindings(shop({ zones, productGroups, ...more }));
  const own = findings.filter(({ code }) => code === 'cart_without_rates');
  for (const { witness } of own) assert.notEqual(witness, null);
  return own;
}

const records = (more: Partial<ShopConfig>): string[] => found(more).map(({ record }) => record.id);

describe('carts of several groups get no rates', () => {
  it('in a subzone that replaces the method which the blended rate of the zone prefers', () => {
    const methods = [of('rest', 'r'), of('vip', 'v'), of('rest', 'own', { zoneId: 'a' })];
    const [finding, ...more] = found({
      methods,
      blendedRates: [blended('x', { preferences: [prefer('rest', 'r')] })],
    });
    assert.deepEqual(more, []);
    assert.deepEqual(finding?.record, { kind: 'subzone', id: 'a', name: 'Subzone a', parentId: 'us' });
    assert.equal(
      finding.message,
      'A cart with items of "Group rest" and "Group vip" gets no rates in subzone "Subzone a", though each of these groups has a method there: blended rate "Blended x" prefers method "Method r" for "Group rest", which is not in force there.',
    );
  });

  it('where each of several blended rates fails for one of the groups', () => {
    const methods = [of('rest', 'r'), of('vip', 'v'), of('big', 'g'), of('vip', 'own', { zoneId: 'a' })];
    const two = (second: string) => [
      blended('x', { preferences: [prefer('vip', 'v')] }),
      blended('y', { preferences: [prefer('rest', second)] }),
    ];
    assert.deepEqual(
      records({ methods: [...methods, of('rest', 'other', { zoneId: 'a' })], blendedRates: two('r') }),
      ['a'],
    );
    assert.deepEqual(records({ methods, blendedRates: two('r') }), []);
  });

  it('is not said where only a condition keeps the preferred method from a cart', () => {
    const hides = (conditions: Rule['conditions'][number]) => ({ rules: [rule('h', 'hide', conditions)] });
    const blendedRates = [blended('x', { preferences: [prefer('vip', 'v')] })];
    for (const condition of [atLeastTwo, inB]) {
      const methods = [of('rest', 'r'), of('vip', 'v', hides(condition)), of('vip', 'v2')];
      assert.deepEqual(records({ methods, blendedRates }), []);
    }
  });

  it('but groups that have no rates by themselves are not reported', () => {
    const methods = [of('rest', 'r'), of('vip', 'v', { rules: [rule('h', 'hide')] })];
    const blendedRates = [blended('x', { preferences: [prefer('vip', 'v')] })];
    assert.deepEqual(records({ methods, blendedRates }), []);
    assert.deepEqual(records({ methods: [of('rest', 'r')], blendedRates }), []);
  });
});

/** A list of elements of `pool`, at most `max`. */
const listOf = <T>(pool: readonly T[], max: number) => fc.array(fc.constantFrom(...pool), { maxLength: max });

const RULES: readonly Rule[] = [
  rule('always', 'hide'),
  rule('two', 'hide', atLeastTwo),
  rule('pieces', 'hide', condition('cart_quantity', 'greater_than_or_equal', 2)),
  rule('other', 'hide', condition('product_group', 'not_equals', 'vip')),
  rule('alone', 'show', condition('product_group', 'equals', 'vip', 'all_products_in_order')),
  rule('in-a', 'hide', condition('destination_subzone', 'equals', 'a')),
  rule('only-a', 'show', condition('destination_subzone', 'equals', 'a')),
  rule('not-b', 'hide', condition('destination_subzone', 'not_equals', 'b')),
];
const PLACES = ['us', 'a', 'b'] as const;

const methodsOf = fc
  .array(
    fc.record({
      productGroupId: fc.constantFrom(...GROUPS),
      zoneId: fc.constantFrom('us', 'us', ...PLACES),
      enabled: fc.constantFrom(true, true, true, false),
      rules: fc.oneof({ weight: 15, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: listOf(RULES, 2) }),
    }),
    { minLength: 2, maxLength: 6 },
  )
  .map((list) => list.map((more, i) => method(`m${i}`, more)));

const smallShops = methodsOf.chain((methods) => {
  const preferences = fc.subarray([...GROUPS]).chain((ids) =>
    fc.tuple(
      ...ids.map((id) => {
        const own = methods.filter(({ productGroupId }) => productGroupId === id);
        return fc.constantFrom(null, ...own.map((each) => each.id)).map((chosen) => prefer(id, chosen));
      }),
    ),
  );
  const blendedRates = fc
    .array(fc.record({ zoneId: fc.constantFrom('us', 'us', ...PLACES), preferences }), { maxLength: 2 })
    .map((list) => list.map((more, i): BlendedRate => blended(`b${i}`, more)));
  return blendedRates.map((each) => shop({ zones, productGroups, methods, blendedRates: each }));
});

const itemOf = (id: string, quantity: number): CartItem => ({
  quantity,
  grams: 100,
  price: 100,
  ...(id === 'rest' ? {} : { properties: { tag: id } }),
});
const CODES = { us: '9', a: '1', b: '2' } as const;
const SETS = [['rest'], ['vip'], ['big'], ['rest', 'vip'], ['rest', 'big'], ['vip', 'big'], [...GROUPS]];
/** Pieces of the items of a cart. Rules tell one piece from several, and one item from several. */
const QUANTITIES = [1, 2];

const clock = compileShop(shop(), SETTINGS);

/** The places at which a set of groups gets no rates, though each of the groups alone has a visible method. */
function placesWithoutRates(config: ShopConfig): string[] {
  const { simulate } = testedShop(config, SETTINGS, clock);
  const answersTo = (place: (typeof PLACES)[number], groups: readonly string[]): SimulateAnswer[] =>
    QUANTITIES.flatMap((quantity) => {
      const destination = { country: 'US', postalCode: CODES[place] };
      return simulate({ destination, items: groups.map((id) => itemOf(id, quantity)) }, 0) ?? [];
    });
  const isSeen = ({ methodEvaluations }: SimulateAnswer) => methodEvaluations.some(({ visible }) => visible);
  return PLACES.filter((place) => {
    const seen = new Set(GROUPS.filter((id) => answersTo(place, [id]).some(isSeen)));
    return SETS.some(
      (groups) =>
        groups.length > 1 &&
        groups.every((id) => seen.has(id as (typeof GROUPS)[number])) &&
        answersTo(place, groups).every(({ rates }) => rates.length === 0),
    );
  });
}

describe('an exhaustive search over the carts of small shops', () => {
  it('confirms every finding, and finds every defect that rests on no condition', () => {
    let proved = 0;
    const property = fc.property(smallShops, (config) => {
      const expected = placesWithoutRates(config);
      const findings = lintConfig(config, SETTINGS, clock).filter(
        ({ code }) => code === 'cart_without_rates',
      );
      const places = findings.map(({ record }) => record.id);
      const hasOwn = (place: string) =>
        [...config.methods, ...config.blendedRates].some(
          ({ enabled, zoneId }) => enabled && zoneId === place,
        );
      for (const place of places) assert.ok(expected.includes(place), `${place} has rates`);
      // What conditions keep from some carts is not claimed.
      const isPlain = config.methods.every(({ rules }) => rules.every(({ id }) => id === 'always'));
      for (const place of isPlain ? expected : []) {
        // A subzone without records of its own is reported with its zone.
        const told = places.includes(place) || (!hasOwn(place) && places.includes('us'));
        assert.ok(told, `not found at ${place}`);
      }
      if (isPlain) proved += expected.length;
    });
    fc.assert(property, { numRuns: 1_200 });
    assert.ok(proved > 50, `${proved} places`);
  });
});
