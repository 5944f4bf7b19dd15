/** Compilation in steps gives the same result as compilation in one call, and may yield after each record. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { CompiledShop, compileShop } from '../../src/compile/compiled-shop.ts';
import { postalOwnersSteps } from '../../src/compile/postal-owners.ts';
import type { SimulateRequest } from '../../src/domain/cart.ts';
import type { Rule } from '../../src/domain/rule.ts';
import type { ShippingMethod } from '../../src/domain/shipping-method.ts';
import type { ShopConfig } from '../../src/domain/shop-config.ts';
import { ItemFacts } from '../../src/evaluate/cart-facts.ts';
import { evaluate } from '../../src/evaluate/evaluate.ts';
import type { ShouldYield } from '../../src/pace/work-steps.ts';
import { shopCase } from '../support/shop-arbitraries.ts';
import { blend, FLAT, group, item, method, rule, SETTINGS, shop } from '../support/small-shop.ts';
import { countYields, everyNth, runUnderSchedules, runWork } from '../support/yield-schedules.ts';

/** Looks at the rules of one method while it is compiled. */
const LOOKS_AT_ONCE = 3;

/** Compiles the plan of a place; returns how often the work called `shouldYield`. */
function prepare(shop: CompiledShop, country: string, postalCode = ''): number {
  const start = (shouldYield: ShouldYield) => shop.placeSteps({ country, postalCode }, shouldYield);
  return runWork(start, everyNth(7)).questions;
}

const isPrepared = (shop: CompiledShop, { destination }: SimulateRequest): boolean =>
  shop.knownPlaceOf(destination) !== undefined;

/** The shop with many patterns added to each zone. */
function heavy(config: ShopConfig): ShopConfig {
  const bulk = Array.from({ length: 2_500 }, (_, at) => `X${at.toString(36).toUpperCase()}`).join(',');
  return {
    ...config,
    zones: config.zones.map((zone) => ({
      ...zone,
      subzones: [...zone.subzones, { id: `${zone.id}_bulk`, name: 'Bulk', postalCodes: bulk }],
    })),
  };
}

describe('a compilation in steps', () => {
  it('gives the answers of a compilation in one call, byte for byte, whatever was compiled before, also after a change', () => {
    let questions = 0;
    fc.assert(
      fc.property(shopCase(3), ({ config, settings, carts }) => {
        const large = heavy(config);
        let shop = compileShop(large, settings);
        for (const edited of [large, { ...large, methods: large.methods.toReversed().slice(1) }]) {
          shop = compileShop(edited, settings, shop);
          const atOnce = compileShop(edited, settings);
          for (const { request, nowMs } of carts) {
            questions += prepare(shop, request.destination.country, request.destination.postalCode ?? '');
            assert.ok(isPrepared(shop, request));
            assert.deepEqual(evaluate(shop, request, nowMs), evaluate(atOnce, request, nowMs));
          }
        }
      }),
      { numRuns: 30, unbiased: true },
    );
    assert.ok(questions > 30 * 2_500, `${questions} questions`);
  });

  it('has no known place until it has ended, and then the place that it compiled', () => {
    const shop = compileShop(shopWith(10), SETTINGS);
    const destination = { country: 'us', postalCode: '1' };
    assert.equal(shop.knownPlaceOf({ country: 'XX' }), null);
    for (const unknown of [destination, { country: 'US' }])
      assert.equal(shop.knownPlaceOf(unknown), undefined);
    prepare(shop, 'US', '1');
    assert.deepEqual(shop.knownPlaceOf(destination), shop.placeOf(destination));
    assert.equal(shop.placeOf(destination)?.postalCode, '1');
  });

  it('may run twice at once for one zone: the second run reuses the result of the first', () => {
    const shop = compileShop(shopWith(3_000), SETTINGS);
    const [first, second] = [
      shop.placeSteps({ country: 'us', postalCode: '1' }, everyNth(7)),
      shop.placeSteps({ country: 'US', postalCode: '2' }, everyNth(7)),
    ];
    assert.ok(first !== undefined && second !== undefined);
    first.next();
    second.next();
    countYields(first);
    countYields(second);
    assert.ok(shop.knownPlaceOf({ country: 'US', postalCode: '3' }));
  });
});

describe('a compilation may yield', () => {
  it('after each pattern of a zone, however it is written', () => {
    const numbers = Array.from({ length: 40_000 }, (_, at) =>
      String((at * 7_919) % 100_000).padStart(5, '0'),
    );
    const kinds: readonly ((code: string, at: number) => string)[] = [
      (code) => code,
      (code) => `${code.slice(0, 3)}*`,
      (code) => `${code}-99999`,
      (code) => `0${code.slice(1)}-${code.slice(1)}x`,
      (code) => `é${code}`,
      () => '12345',
      // Longer than the codes that are stored as segments of numbers.
      (code) => `9${code}000000-9${code}000009`,
      (code, at) => (at % 2 === 0 ? `${code}*` : `${at % 4}${code}${at % 10}`),
      (code) => `${code}0-${code}9`,
      (code, at) => (at === 0 ? '100000-999999' : `0${code}`),
      (code, at) => (at < 4 ? `${at}*` : `${at % 4}${code}${at % 10}`),
    ];
    for (const kind of kinds) {
      const subzones = [{ postalCodes: numbers.map(kind).join(', ') }];
      const { questions } = runWork(
        (shouldYield) => postalOwnersSteps(subzones, 'plain', shouldYield),
        everyNth(1_000),
      );
      const perPattern = questions / numbers.length;
      assert.ok(perPattern >= 1, `${perPattern} for ${subzones[0]?.postalCodes.slice(0, 30)}`);
    }
  });

  it('after each empty pattern of a text of commas', () => {
    const commas = [{ postalCodes: ','.repeat(1_000) }];
    const { questions } = runUnderSchedules((shouldYield) => postalOwnersSteps(commas, 'plain', shouldYield));
    assert.ok(questions >= 1_000, `${questions} questions`);
  });

  it('between any two of many unordered ranges, and their owners stay the same', () => {
    const codeOf = (at: number): string => String((at * 7_919) % 100_000).padStart(5, '0');
    const indexes = Array.from({ length: 5_000 }, (_, at) => at);
    const subzones = [0, 1].map((half) => ({
      postalCodes: indexes
        .filter((at) => at % 2 === half)
        .map((at) => `${codeOf(at)}-${codeOf(at)}`)
        .join(', '),
    }));
    const { value } = runWork(
      (shouldYield) => postalOwnersSteps(subzones, 'plain', shouldYield),
      everyNth(1),
    );
    assert.deepEqual(
      indexes.map((at) => value.find(codeOf(at))),
      indexes.map((at) => at % 2),
    );
  });

  it('after a single pattern that is as long as a subzone allows', () => {
    const subzones = [1, 2, 3].map((digit) => ({ postalCodes: '1'.repeat(100_000) + digit }));
    const { value, questions } = runUnderSchedules((shouldYield) =>
      postalOwnersSteps(subzones, 'plain', shouldYield),
    );
    assert.ok(questions >= 3);
    assert.equal(value.find(`${'1'.repeat(100_000)}2`), 1);
  });

  it('after each rule of one method, and after each method that is not in force', () => {
    let looks = 0;
    const watched = (id: string) => ({
      ...rule(id, 'free'),
      get conditions(): Rule['conditions'] {
        looks++;
        return [];
      },
    });
    const rules: Rule[] = Array.from({ length: 700 }, (_, at) => watched(`rule_${at}`));
    const ruled = compileShop(
      shopWith(1, (method) => ({ ...method, rules })),
      SETTINGS,
    );
    const disabled = compileShop(
      shopWith(10_000, (method) => ({ ...method, enabled: false })),
      SETTINGS,
    );
    assert.ok(prepare(ruled, 'US') >= 700);
    assert.ok(prepare(disabled, 'US') >= 10_000);
    const edited = rules.with(350, rule('rule_350', 'hide'));
    const [method] = ruled.config.methods;
    assert.ok(method !== undefined);
    const after = compileShop({ ...ruled.config, methods: [{ ...method, rules: edited }] }, SETTINGS, ruled);
    looks = 0;
    prepare(after, 'US');
    assert.equal(looks, 0, 'a rule that was not edited is compiled again');
  });

  it('after each text of a group, and unchanged groups keep their index', () => {
    const listing = (id: string) =>
      group(id, { skus: Array.from({ length: 3_000 }, (_, at) => `${id} ${at}`) });
    const productGroups = [group('default', { isDefault: true }), listing('a'), listing('b')];
    const config = { ...shopWith(1), productGroups };
    const { value: shop, questions } = runWork(
      (shouldYield) => CompiledShop.steps(config, SETTINGS, undefined, shouldYield),
      everyNth(7),
    );
    assert.ok(questions >= 6_000, `${questions} questions`);
    assert.equal(shop.groups.groupOf(new ItemFacts(item({ sku: 'b 2999' }))), 2);
    assert.equal(compileShop({ ...config, methods: [] }, SETTINGS, shop).groups, shop.groups);
  });

  it('after each zone of a shop, with its places and countries', () => {
    const zones = Array.from({ length: 5_000 }, (_, at) => ({
      id: `zone_${at}`,
      name: 'Z',
      countries: at === 4_999 ? ['US'] : ['CA', 'MX'],
      subzones: [],
    }));
    const config = { ...shopWith(1, (method) => ({ ...method, zoneId: 'zone_4999' })), zones };
    const { questions } = runWork(
      (shouldYield) => CompiledShop.steps(config, SETTINGS, undefined, shouldYield),
      everyNth(7),
    );
    assert.ok(questions >= 10_000, `${questions} questions`);
    const compiled = compileShop(config, SETTINGS);
    assert.equal(compiled.zoneOf('US')?.records.zone.id, 'zone_4999');
    assert.equal(compiled.zoneOf('MX')?.records.zone.id, 'zone_0');
  });

  it('after each record of a change; without a change it reads no record', () => {
    const config = shopWith(3_000);
    const before = compileShop(config, SETTINGS);
    const rates = Array.from({ length: 300 }, (_, at) => blend({ id: `blend_${at}` }));
    const questionsOf = (changed: ShopConfig): number =>
      runWork((shouldYield) => CompiledShop.steps(changed, { ...SETTINGS }, before, shouldYield), everyNth(7))
        .questions;
    assert.equal(questionsOf(config), 0);
    assert.ok(questionsOf({ ...config, blendedRates: rates }) >= 3_300);
    assert.ok(questionsOf({ ...config, methods: config.methods.toReversed() }) >= 3_000);
    assert.ok(questionsOf({ ...config, zones: [...config.zones] }) >= 3_000);
  });

  it('after each method of a zone: between two yields it reads the rules of one method', () => {
    let looks = 0;
    const config = shopWith(20_000, (method) => ({
      ...method,
      get rules() {
        looks++;
        return [];
      },
    }));
    const steps = compileShop(config, SETTINGS).placeSteps({ country: 'US' }, everyNth(1));
    const perSlice: number[] = [];
    for (let done = false; !done; done = steps.next().done === true) {
      perSlice.push(looks);
      looks = 0;
    }
    assert.ok(perSlice.length > 20_000, `${perSlice.length} slices`);
    assert.ok(Math.max(...perSlice) <= LOOKS_AT_ONCE, `${Math.max(...perSlice)} looks in one slice`);
  });
});

const shopWith = (
  count: number,
  change: (method: ShippingMethod) => ShippingMethod = (same) => same,
): ShopConfig =>
  shop(
    Array.from({ length: count }, (_, at) => change(method(`method_${at}`, FLAT(0)))),
    { zones: [{ id: 'zone', name: 'Zone', countries: ['US'], subzones: [] }], productGroups: [] },
  );
