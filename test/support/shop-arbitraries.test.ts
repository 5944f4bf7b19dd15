/**
 * Holds the random shops and carts to two promises: everything they make is valid, and every outcome that
 * a simulation can have is common among them. Without the second a property test proves little.
 */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import fc from 'fast-check';
import { BlendedRate } from '../../src/engine/domain/blended-rate.ts';
import { SimulateRequest } from '../../src/engine/domain/cart.ts';
import {
  CONDITION_TYPE_NAMES,
  findConditionDefect,
  OPERATOR_NAMES,
  SCOPE_NAMES,
} from '../../src/engine/domain/condition.ts';
import { parsePostalPattern, splitPostalPatterns } from '../../src/engine/domain/postal-code.ts';
import { ProductGroup } from '../../src/engine/domain/product-group.ts';
import { findRateConfigDefect, RATE_TYPE_NAMES, RATE_TYPES } from '../../src/engine/domain/rate-type.ts';
import { RULE_ACTIONS } from '../../src/engine/domain/rule.ts';
import { ShippingMethod } from '../../src/engine/domain/shipping-method.ts';
import { Zone } from '../../src/engine/domain/zone.ts';
import { METHOD_REASONS, SimulateAnswer } from '../../src/engine/wire/answer.ts';
import { compileSchema } from '../../src/engine/wire/schema-check.ts';
import { type Counts, countOutcomes } from './arbitrary/outcome-counts.ts';
import { referenceSimulate } from './reference/simulate.ts';
import { type ShopCart, type ShopCase, shopCase } from './shop-arbitraries.ts';

const SEED = 20_261_118;
const CARTS_PER_SHOP = 5;
/** Of one shop with mixed carts: they are mixed from so many, and so many of them are looked at. */
const CARTS_TO_MIX = 20;
const MIXED_PER_SHOP = 180;
const SHOPS = 400;

let cases: readonly ShopCase[] = [];
/** Other shops, with the carts that are mixed, and the same shops with mixed carts only. */
let casesToMix: readonly ShopCase[] = [];
let mixedCases: readonly ShopCase[] = [];
before(() => {
  cases = fc.sample(shopCase(CARTS_PER_SHOP), { seed: SEED, numRuns: SHOPS });
  casesToMix = fc.sample(shopCase(CARTS_TO_MIX, MIXED_PER_SHOP), { seed: SEED, numRuns: SHOPS });
  // From all over their list, as neighbours in it share a palette.
  const isTaken = (_: ShopCart, index: number) => index % (MIXED_PER_SHOP / CARTS_TO_MIX) === 0;
  mixedCases = casesToMix.map((each) => ({ ...each, carts: each.mixed.filter(isTaken) }));
});

describe('random shops', () => {
  it('hold only records that their schemas accept', () => {
    const checks = {
      zones: compileSchema(Zone),
      productGroups: compileSchema(ProductGroup),
      methods: compileSchema(ShippingMethod),
      blendedRates: compileSchema(BlendedRate),
    };
    for (const { config } of cases) {
      for (const zone of config.zones) assert.deepEqual(checks.zones.defects(zone), []);
      for (const group of config.productGroups) assert.deepEqual(checks.productGroups.defects(group), []);
      for (const method of config.methods) assert.deepEqual(checks.methods.defects(method), []);
      for (const blended of config.blendedRates) assert.deepEqual(checks.blendedRates.defects(blended), []);
      assert.equal(config.productGroups.filter((group) => group.isDefault).length, 1);
    }
  });

  it('hold only conditions, rate configs and postal patterns without a defect', () => {
    const rateChecks = new Map(RATE_TYPE_NAMES.map((type) => [type, compileSchema(RATE_TYPES[type])]));
    for (const { config } of cases) {
      for (const method of config.methods) {
        assert.deepEqual(rateChecks.get(method.rateType)?.defects(method.config), []);
        assert.equal(findRateConfigDefect(method), null);
        for (const condition of method.rules.flatMap((rule) => rule.conditions)) {
          assert.equal(findConditionDefect(condition), null, JSON.stringify(condition));
        }
      }
      for (const { postalCodes } of config.zones.flatMap((zone) => zone.subzones)) {
        for (const pattern of splitPostalPatterns(postalCodes)) {
          assert.equal(typeof parsePostalPattern(pattern), 'object', pattern);
        }
      }
    }
  });

  it('bind every record to places and groups that exist, and prefer only methods that may be preferred', () => {
    for (const { config } of cases) {
      const groupIds = new Set(config.productGroups.map((group) => group.id));
      const placesByZone = config.zones.map((zone) => [zone.id, ...zone.subzones.map(({ id }) => id)]);
      const places = placesByZone.flat();
      for (const method of config.methods) {
        assert.ok(places.includes(method.zoneId) && groupIds.has(method.productGroupId));
      }
      for (const blended of config.blendedRates) {
        const reachable = placesByZone.find((each) => each.includes(blended.zoneId)) ?? [];
        for (const { productGroupId, preferredMethodId } of blended.preferences) {
          assert.ok(groupIds.has(productGroupId));
          if (preferredMethodId === null) continue;
          const method = config.methods.find((each) => each.id === preferredMethodId);
          assert.equal(method?.productGroupId, productGroupId);
          const isOwn = method?.zoneId === blended.zoneId;
          const isZoneOrSubzone = reachable[0] === blended.zoneId || reachable[0] === method?.zoneId;
          assert.ok(isOwn || (isZoneOrSubzone && reachable.includes(method?.zoneId ?? '')));
        }
      }
    }
  });
});

describe('random carts', () => {
  it('are requests that the schema accepts and that survive JSON', () => {
    const check = compileSchema(SimulateRequest);
    for (const { request } of [...cases, ...mixedCases].flatMap((each) => each.carts)) {
      assert.deepEqual(check.defects(request), []);
      assert.deepEqual(JSON.parse(JSON.stringify(request)), request);
    }
  });

  it('get answers of the shape that is published', () => {
    const check = compileSchema(SimulateAnswer);
    for (const { config, settings, carts } of [...cases, ...mixedCases]) {
      for (const { request, nowMs } of carts) {
        const result = referenceSimulate(config, settings, request, nowMs);
        if (result.status === 200) assert.deepEqual(check.defects(result.answer), []);
      }
    }
  });
});

describe(`among ${SHOPS * CARTS_PER_SHOP} random pairs`, () => {
  assertCommon(() => cases);
});

describe(`among ${SHOPS * CARTS_TO_MIX} pairs of a random shop and a mixed cart`, () => {
  assertCommon(() => mixedCases);

  it('every outcome is about as common as among the random carts of those shops', () => {
    const counts = countOutcomes(mixedCases);
    const rarer = [...countOutcomes(casesToMix)].filter(([key, of]) => (counts.get(key) ?? 0) < of / 2 - 10);
    assert.deepEqual(
      rarer.map(([key, of]) => `${key}: ${counts.get(key) ?? 0} instead of ${of}`),
      [],
      `seed ${SEED}`,
    );
  });

  it('hardly two carts of a shop are the same', () => {
    for (const { mixed } of mixedCases) {
      const texts = new Set(mixed.map((cart) => JSON.stringify(cart)));
      assert.ok(texts.size >= 0.99 * mixed.length, `${texts.size} of ${mixed.length}`);
    }
  });

  it('the same seed mixes the same carts', () => {
    const again = fc.sample(shopCase(CARTS_TO_MIX, MIXED_PER_SHOP), { seed: SEED, numRuns: 20 });
    assert.deepEqual(again, casesToMix.slice(0, 20));
  });
});

/** Tests that every outcome is common in a sample. */
function assertCommon(sample: () => readonly ShopCase[]): void {
  let counts: Counts = new Map();
  before(() => {
    counts = countOutcomes(sample());
  });
  const atLeast = (wanted: number, keys: readonly string[]) => {
    const rare = keys.filter((key) => (counts.get(key) ?? 0) < wanted);
    assert.deepEqual(
      rare.map((key) => `${key}: ${counts.get(key) ?? 0}`),
      [],
      `seed ${SEED}: each must occur at least ${wanted} times`,
    );
  };
  const bothWays = (kind: string, names: readonly string[]) =>
    names.flatMap((name) => [`${kind} ${name} matched`, `${kind} ${name} unmatched`]);

  it('every condition type is often true and often false', () => {
    atLeast(20, bothWays('type', CONDITION_TYPE_NAMES));
  });
  it('every operator is often matched and often unmatched', () => {
    atLeast(20, bothWays('operator', OPERATOR_NAMES));
  });
  it('every scope of a product condition is often matched and often unmatched', () => {
    atLeast(20, bothWays('scope', SCOPE_NAMES));
  });
  it('every action is often matched and often unmatched', () => {
    atLeast(100, bothWays('action', RULE_ACTIONS));
  });
  it('every rate type prices many visible methods', () => {
    atLeast(
      50,
      RATE_TYPE_NAMES.map((type) => `visible ${type}`),
    );
  });
  it('every reason of a method and of a blended rate occurs', () => {
    atLeast(
      50,
      METHOD_REASONS.map((reason) => `method ${reason}`),
    );
    atLeast(20, ['blended available', 'blended preferred_method_unavailable', 'blended group_without_rate']);
  });
  it('zones, subzones and replacement by subzones occur', () => {
    atLeast(100, ['no zone', 'no subzone', 'subzone without own methods', 'group replaced by subzone']);
    atLeast(10, [
      'group kept beside a replaced one',
      'blended rates of the subzone',
      'blended rates of the zone',
    ]);
  });
  it('carts of every kind occur', () => {
    atLeast(20, ['nothing to ship', 'over 32 items', 'several groups without blended rates']);
    atLeast(200, ['one group', 'several groups', 'item without shipping']);
    atLeast(10, ['status 400', 'total beyond the limit', 'price beyond the limit']);
  });
  it('thresholds are met, missed and met exactly', () => {
    atLeast(50, ['threshold met', 'threshold missed', 'free by threshold alone']);
    atLeast(10, ['threshold met exactly', 'threshold missed by a cent', 'blended threshold met']);
  });
  it('rates tie, and matched items are listed and empty', () => {
    atLeast(50, [
      'equal rates',
      'matched items listed',
      'matched items empty',
      'matched items of an unmatched rule',
    ]);
  });
}
