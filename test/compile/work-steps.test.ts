/** Compilation in steps: it makes what compilation at once makes, in pieces of bounded work. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { CompiledShop, compileShop, isQuickToCompile } from '../../src/compile/compiled-shop.ts';
import { buildPostalOwners, postalOwnersSteps } from '../../src/compile/postal-owners.ts';
import type { SimulateRequest } from '../../src/domain/cart.ts';
import type { ShippingMethod } from '../../src/domain/shipping-method.ts';
import type { ShopConfig } from '../../src/domain/shop-config.ts';
import { evaluate } from '../../src/evaluate/evaluate.ts';
import { ItemFacts } from '../../src/evaluate/item-facts.ts';
import { PIECE_UNITS, STEP_UNITS, WorkMeter, type WorkSteps } from '../../src/pace/work-steps.ts';
import { shopCase } from '../support/shop-arbitraries.ts';
import { blend, group, item, rule, SETTINGS } from '../support/small-shop.ts';

/** No step is longer than a full one and the piece with which it became full. */
const STEP_MAX = STEP_UNITS + PIECE_UNITS;

/** Runs to the end; every step is within its bound. */
function countSteps(steps: WorkSteps<unknown>): number {
  let count = 1;
  for (let step = steps.next(); step.done !== true; step = steps.next()) {
    assert.ok(step.value >= STEP_UNITS && step.value <= STEP_MAX, `a step of ${step.value} units`);
    count++;
  }
  return count;
}

const prepare = (shop: CompiledShop, { destination }: SimulateRequest): number => {
  const steps = shop.preparation(destination.country, destination.postalCode ?? '');
  return steps === null ? 0 : countSteps(steps);
};

/** The shop with so much more in each zone that no zone is compiled in one step. */
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
  it('answers byte for byte like one at once, whatever was prepared before, also after a change', () => {
    let stepped = 0;
    fc.assert(
      fc.property(shopCase(3), ({ config, settings, carts }) => {
        const large = heavy(config);
        let shop = compileShop(large, settings);
        for (const edited of [large, { ...large, methods: large.methods.toReversed().slice(1) }]) {
          shop = compileShop(edited, settings, shop);
          const atOnce = compileShop(edited, settings);
          for (const { request, nowMs } of carts) {
            stepped += prepare(shop, request);
            assert.equal(prepare(shop, request), 0);
            assert.deepEqual(evaluate(shop, request, nowMs), evaluate(atOnce, request, nowMs));
          }
        }
      }),
      { numRuns: 30, unbiased: true },
    );
    assert.ok(stepped > 60, `${stepped} steps`);
  });

  it('may be begun twice for one zone: the second finds what the first made', () => {
    const shop = compileShop(shopWith(3_000), SETTINGS);
    const [first, second] = [shop.preparation('us', '1'), shop.preparation('US', '2')];
    assert.ok(first !== null && second !== null);
    first.next();
    second.next();
    countSteps(first);
    countSteps(second);
    assert.equal(shop.preparation('US', '3'), null);
  });

  it('is not needed in a shop that is less than one step', () => {
    assert.equal(compileShop(shopWith(20), SETTINGS).preparation('US', '1'), null);
  });
});

describe('no step does more than its share', () => {
  it('of the patterns of a zone, however they are written', () => {
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
      // Longer than the codes whose exact patterns and prefixes are segments.
      (code) => `9${code}000000-9${code}000009`,
      (code, at) => (at % 2 === 0 ? `${code}*` : `${at % 4}${code}${at % 10}`),
      (code) => `${code}0-${code}9`,
      (code, at) => (at === 0 ? '100000-999999' : `0${code}`),
      (code, at) => (at < 4 ? `${at}*` : `${at % 4}${code}${at % 10}`),
    ];
    for (const kind of kinds) {
      const subzones = [{ postalCodes: numbers.map(kind).join(', ') }];
      const steps = countSteps(postalOwnersSteps(subzones, 'plain', new WorkMeter()));
      assert.ok(steps > 5, `${steps} steps for ${subzones[0]?.postalCodes.slice(0, 30)}`);
    }
  });

  it('of a text of commas', () => {
    const commas = [{ postalCodes: ','.repeat(3 * STEP_UNITS) }];
    assert.ok(countSteps(postalOwnersSteps(commas, 'plain', new WorkMeter())) > 6);
  });

  it('of one pattern that fills a subzone', () => {
    const subzones = [1, 2, 3].map((digit) => ({ postalCodes: '1'.repeat(100_000) + digit }));
    const steps = postalOwnersSteps(subzones, 'plain', new WorkMeter());
    for (let step = steps.next(); step.done !== true; step = steps.next()) {
      assert.ok(step.value <= STEP_UNITS + 5 * 100_000);
    }
    assert.equal(buildPostalOwners(subzones, 'plain').find(`${'1'.repeat(100_000)}2`), 1);
  });

  it('of the rules of one method, and of methods that are not in force', () => {
    const rules = Array.from({ length: 700 }, (_, at) => rule(`rule_${at}`, 'free'));
    const ruled = compileShop(
      shopWith(1, (method) => ({ ...method, rules })),
      SETTINGS,
    );
    const disabled = compileShop(
      shopWith(10_000, (method) => ({ ...method, enabled: false })),
      SETTINGS,
    );
    for (const shop of [ruled, disabled]) {
      const steps = shop.preparation('US', '');
      assert.ok(steps !== null && countSteps(steps) > 1);
    }
    const edited = rules.with(350, rule('rule_350', 'hide'));
    const [method] = ruled.config.methods;
    assert.ok(method !== undefined);
    const after = compileShop({ ...ruled.config, methods: [{ ...method, rules: edited }] }, SETTINGS, ruled);
    const steps = after.preparation('US', '');
    assert.ok(steps !== null);
    assert.equal(countSteps(steps), 1, 'one rule was edited');
  });

  it('of the texts of groups, whose index is one and the same for all who make it at a time', () => {
    const listing = (id: string) =>
      group(id, { skus: Array.from({ length: 3_000 }, (_, at) => `${id} ${at}`) });
    const productGroups = [group('default', { isDefault: true }), listing('a'), listing('b')];
    for (const methods of [1, 3_000]) {
      const shop = compileShop({ ...shopWith(methods), productGroups }, SETTINGS);
      const [first, second, nowhere] = ['US', 'us', 'CA'].map((country) => shop.preparation(country, ''));
      assert.ok(first && second && nowhere);
      first.next();
      second.next();
      assert.ok(countSteps(first) > 1);
      const index = shop.groups;
      assert.equal(index.groupOf(new ItemFacts(item({ sku: 'b 2999' }))), 2);
      countSteps(second);
      countSteps(nowhere);
      assert.equal(shop.groups, index);
      assert.equal(shop.preparation('US', ''), null);
    }
  });

  it('of the zones of a shop, their places and countries', () => {
    const zones = Array.from({ length: 5_000 }, (_, at) => ({
      id: `zone_${at}`,
      name: 'Z',
      countries: at === 4_999 ? ['US'] : ['CA', 'MX'],
      subzones: [],
    }));
    const config = { ...shopWith(1, (method) => ({ ...method, zoneId: 'zone_4999' })), zones };
    assert.ok(countSteps(CompiledShop.steps(config, SETTINGS, undefined, new WorkMeter())) > 2);
    const compiled = compileShop(config, SETTINGS);
    assert.equal(compiled.zoneOf('US')?.records.zone.id, 'zone_4999');
    assert.equal(compiled.zoneOf('MX')?.records.zone.id, 'zone_0');
  });

  it('of counting how much there is in a zone, which is the same for all who count it at a time', () => {
    const listing = group('a', { skus: Array.from({ length: 6_000 }, (_, at) => `a ${at}`) });
    for (const productGroups of [[], [listing]]) {
      const shop = compileShop({ ...shopWith(3_000), productGroups }, SETTINGS);
      const [first, second] = [shop.estimation('US'), shop.estimation('us')];
      assert.ok(first && second);
      second.next();
      assert.ok(countSteps(first) > 1);
      const size = shop.sizeOf('US');
      countSteps(second);
      assert.deepEqual(shop.sizeOf('US'), size);
      assert.equal(shop.estimation('US'), null);
      assert.equal(shop.estimation('CA'), null, 'no zone has the country');
    }
  });

  it('of a change: only a small one is compiled at once', () => {
    const config = shopWith(3_000);
    const before = compileShop(config, SETTINGS);
    const rates = Array.from({ length: 300 }, (_, at) => blend({ id: `blend_${at}` }));
    const isQuick = (fields: Partial<ShopConfig>) => isQuickToCompile({ ...config, ...fields }, before);
    assert.ok(isQuick({}));
    assert.ok(isQuick({ methods: config.methods.slice(1), blendedRates: rates.slice(0, 9) }));
    assert.ok(!isQuick({ blendedRates: rates }));
    assert.ok(!isQuick({ methods: config.methods.toReversed() }));
    assert.ok(!isQuick({ zones: [...config.zones] }));
    assert.ok(!isQuickToCompile(config, undefined) && isQuickToCompile(shopWith(10), undefined));
  });

  it('of telling how much there is: what comes behind too much for one step is not looked at', () => {
    let looks = 0;
    const large = group('large', { tags: Array<string>(STEP_UNITS).fill('t') });
    const behind = {
      ...group('behind'),
      get skus() {
        looks++;
        return [];
      },
    };
    const zone = {
      id: 'zone',
      name: 'Zone',
      countries: ['US'],
      get subzones() {
        looks++;
        return [];
      },
    };
    const shop = compileShop({ ...shopWith(0), productGroups: [large, behind], zones: [zone] }, SETTINGS);
    looks = 0;
    assert.notEqual(shop.preparation('US', ''), null);
    assert.equal(looks, 0);
  });

  it('of the methods of a zone: so many are looked into between two steps and no more', () => {
    let looks = 0;
    const config = shopWith(20_000, (method) => ({
      ...method,
      get rules() {
        looks++;
        return [];
      },
    }));
    const steps = compileShop(config, SETTINGS).preparation('US', '');
    assert.ok(steps !== null);
    const perStep: number[] = [];
    for (let done = false; !done; done = steps.next().done === true) {
      perStep.push(looks);
      looks = 0;
    }
    assert.ok(perStep.length > 20, `${perStep.length} steps`);
    assert.ok(Math.max(...perStep) < 2_000, `${Math.max(...perStep)} looks in one step`);
  });
});

function shopWith(
  methods: number,
  change: (method: ShippingMethod) => ShippingMethod = (same) => same,
): ShopConfig {
  return {
    zones: [{ id: 'zone', name: 'Zone', countries: ['US'], subzones: [] }],
    productGroups: [],
    methods: Array.from({ length: methods }, (_, at) =>
      change({
        id: `method_${at}`,
        name: 'M',
        subtitle: '',
        serviceCode: 'm',
        zoneId: 'zone',
        productGroupId: 'group',
        rateType: 'free',
        config: {},
        enabled: true,
        freeShippingThreshold: null,
        rules: [],
      }),
    ),
    blendedRates: [],
  };
}
