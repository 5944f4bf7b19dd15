/** What must hold in every state that a shop can reach, written as plainly as the contract says it. */
import assert from 'node:assert/strict';
import { BlendedRate } from '../../../src/engine/domain/blended-rate.ts';
import { Check } from '../../../src/engine/domain/check.ts';
import { findConditionDefect } from '../../../src/engine/domain/condition.ts';
import { findExpectationDefect } from '../../../src/engine/domain/expectation.ts';
import { parseIsoTime } from '../../../src/engine/domain/iso-time.ts';
import type { PlanTable } from '../../../src/engine/domain/plan.ts';
import { parsePostalPattern, splitPostalPatterns } from '../../../src/engine/domain/postal-code.ts';
import { ProductGroup } from '../../../src/engine/domain/product-group.ts';
import {
  findRateConfigDefect,
  RATE_TYPE_NAMES,
  RATE_TYPES,
  type RateConfig,
} from '../../../src/engine/domain/rate-type.ts';
import { isAdjusting } from '../../../src/engine/domain/rule.ts';
import { ShippingMethod } from '../../../src/engine/domain/shipping-method.ts';
import type {
  LastChange,
  PlacedConfig,
  PlacedMethod,
  ShopState,
} from '../../../src/engine/domain/shop-event.ts';
import { Version } from '../../../src/engine/domain/version.ts';
import { Zone } from '../../../src/engine/domain/zone.ts';
import { compileSchema, type SchemaCheck } from '../../../src/engine/wire/schema-check.ts';

const zoneCheck: SchemaCheck<unknown> = compileSchema(Zone);
const groupCheck: SchemaCheck<unknown> = compileSchema(ProductGroup);
const methodCheck: SchemaCheck<unknown> = compileSchema(ShippingMethod);
const blendedCheck: SchemaCheck<unknown> = compileSchema(BlendedRate);
const checkCheck: SchemaCheck<unknown> = compileSchema(Check);
const versionCheck: SchemaCheck<unknown> = compileSchema(Version);
const rateConfigChecks = new Map<string, SchemaCheck<unknown>>(
  RATE_TYPE_NAMES.map((rateType) => [rateType, compileSchema(RATE_TYPES[rateType])]),
);

type Placed = { readonly id: string; readonly placement: number };

function assertSchema(schema: SchemaCheck<unknown>, value: unknown): void {
  assert.ok(schema.check(value), `${JSON.stringify(value)}: ${schema.defects(value, 5).join('; ')}`);
}

const bare = <T extends Placed & LastChange>({ placement: _, changedIn: _number, ...record }: T) => record;

function assertUnique(ids: readonly string[], what: string): void {
  assert.equal(new Set(ids).size, ids.length, `ids of ${what} are unique: ${ids.join(', ')}`);
}

function assertMethod(
  method: PlacedMethod,
  zoneIds: ReadonlySet<string>,
  groupIds: ReadonlySet<string>,
): void {
  assertSchema(methodCheck, { ...bare(method), rules: method.rules.map(bare) });
  const rateConfigCheck = rateConfigChecks.get(method.rateType);
  assert.ok(rateConfigCheck);
  assertSchema(rateConfigCheck, method.config);
  assert.equal(findRateConfigDefect(method as unknown as RateConfig), null);
  assert.ok(zoneIds.has(method.zoneId), `${method.id} is bound to a zone`);
  assert.ok(groupIds.has(method.productGroupId), `${method.id} belongs to a group`);
  for (const rule of method.rules) {
    assert.equal(rule.adjustmentValue !== undefined, isAdjusting(rule.action));
    assert.equal(rule.adjustmentType !== undefined, isAdjusting(rule.action));
    if (rule.adjustmentType === 'percentage') assert.ok((rule.adjustmentValue ?? 0) <= 1000);
    for (const condition of rule.conditions) assert.equal(findConditionDefect(condition), null);
  }
}

function assertPreferences(config: PlacedConfig): void {
  for (const { zoneId, preferences } of config.blendedRates) {
    assertUnique(
      preferences.map(({ productGroupId }) => productGroupId),
      'preferred groups',
    );
    const zone = config.zones.find(
      ({ id, subzones }) => id === zoneId || subzones.some((s) => s.id === zoneId),
    );
    assert.ok(zone, `${zoneId} exists`);
    const offered = zone.id === zoneId ? [zoneId, ...zone.subzones.map(({ id }) => id)] : [zoneId, zone.id];
    for (const { productGroupId, preferredMethodId } of preferences) {
      assert.ok(config.productGroups.some(({ id }) => id === productGroupId));
      if (preferredMethodId === null) continue;
      const method = config.methods.find(({ id }) => id === preferredMethodId);
      assert.equal(method?.productGroupId, productGroupId);
      assert.ok(offered.includes(method?.zoneId ?? ''), `${preferredMethodId} is offered in ${zoneId}`);
    }
  }
}

/** Everything of contract section 3 that a configuration must keep. */
export function assertValidConfig(config: PlacedConfig): void {
  for (const zone of config.zones) {
    assertSchema(zoneCheck, bare(zone));
    for (const { postalCodes } of zone.subzones) {
      for (const pattern of splitPostalPatterns(postalCodes)) {
        assert.notEqual(typeof parsePostalPattern(pattern), 'string', pattern);
      }
    }
  }
  for (const group of config.productGroups) assertSchema(groupCheck, bare(group));
  assert.equal(config.productGroups.filter(({ isDefault }) => isDefault).length, 1, 'one default group');

  const zoneIds = config.zones.flatMap(({ id, subzones }) => [id, ...subzones.map((subzone) => subzone.id)]);
  const groupIds = config.productGroups.map(({ id }) => id);
  assertUnique(zoneIds, 'zones and subzones');
  assertUnique(groupIds, 'groups');
  assertUnique(
    config.methods.map(({ id }) => id),
    'methods',
  );
  assertUnique(
    config.methods.flatMap(({ rules }) => rules.map(({ id }) => id)),
    'rules',
  );
  assertUnique(
    config.blendedRates.map(({ id }) => id),
    'blended rates',
  );
  assertUnique(
    config.checks.map(({ id }) => id),
    'checks',
  );
  for (const check of config.checks) {
    assertSchema(checkCheck, bare(check));
    for (const expectation of check.expectations) assert.equal(findExpectationDefect(expectation), null);
    assert.ok(check.at === null || parseIsoTime(check.at) !== null);
  }
  for (const method of config.methods) assertMethod(method, new Set(zoneIds), new Set(groupIds));
  for (const blended of config.blendedRates) assertSchema(blendedCheck, bare(blended));
  assertPreferences(config);
}

export function assertValidState(state: ShopState): void {
  const { config, version } = state;
  assertValidConfig(config);
  assertSchema(versionCheck, version);
  const lists: readonly (readonly Placed[])[] = [
    config.zones,
    config.productGroups,
    config.methods,
    ...config.methods.map(({ rules }) => rules),
    config.blendedRates,
    config.checks,
  ];
  for (const { id, placement } of lists.flat()) {
    assert.ok(placement >= 1 && placement <= version.number, `${id} was placed by a version`);
  }
}

/** Holds for as long as neither plan nor table was made smaller. */
export function assertWithinPlan(state: ShopState, plans: PlanTable): void {
  const limits = plans[state.settings.plan];
  assert.ok(limits);
  const { config } = state;
  const counts: readonly (readonly [number, number | null])[] = [
    [config.zones.length, limits.zones],
    [config.productGroups.length, limits.groups],
    [config.methods.length, limits.methods],
    [config.blendedRates.length, limits.blendedRates],
    [config.checks.length, limits.checks],
    [state.keys.length, limits.keys],
    [Math.max(0, ...config.methods.map(({ rules }) => rules.length)), limits.rulesPerMethod],
  ];
  for (const [count, limit] of counts) assert.ok(limit === null || count <= limit, `${count} <= ${limit}`);
}
