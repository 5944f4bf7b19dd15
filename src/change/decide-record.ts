/** Writes of product groups, methods, blended rates and checks (contract sections 3 and 10.1). */
import { conflict, type Failure } from '../domain/failure.ts';
import { defaultGroupId } from '../domain/product-group.ts';
import type { ShippingMethod } from '../domain/shipping-method.ts';
import type { PlacedConfig, PlacedGroup, PlacedMethod } from '../domain/shop-event.ts';
import { finishSteps, NEVER } from '../pace/work-steps.ts';
import { extended } from '../runtime/extended.ts';
import { blendedRateView, checkView, groupView, methodWithRulesView } from '../wire/record-view.ts';
import type { ConfigWrites, WriteScope } from './command.ts';
import { asItIs, diffListSteps, methodInChange } from './compare.ts';
import { readBlended, readCheck, readGroup, readMethod } from './record-input.ts';
import { created, type RecordClass, removed, updated } from './record-write.ts';
import { preferenceObstacle, referencesIn } from './references.ts';
import { BLENDED_CODE_FALLBACK, defaultServiceCode, METHOD_CODE_FALLBACK } from './service-code.ts';

/** Exactly one group is the default, and a group in use cannot be deleted. */
const GROUPS: RecordClass<'productGroups'> = {
  kind: 'productGroup',
  list: 'productGroups',
  stored: asItIs,
  result: (group, position) => ({ kind: 'group', group: groupView(group, position) }),
  /** A write that makes another group the default changes two records. */
  edit: (groups, old, group, position) => {
    if (!group.isDefault || old?.isDefault) return null;
    const others = groups.filter(({ id }) => id !== group.id).map(withoutDefault);
    const list = others.toSpliced(position, 0, group);
    const change = finishSteps(diffListSteps(groups, list, asItIs, NEVER));
    const [added, modified] = old === undefined ? [1, 1] : [0, 2];
    return { change, counts: { added, modified, removed: 0 } };
  },
  updateObstacle: (_, old, group) =>
    old.isDefault && !group.isDefault
      ? conflict(`product group "${old.name}" is the default: set isDefault on another group instead`)
      : null,
  removalObstacle: (config, group) => {
    if (group.isDefault) {
      return conflict(`product group "${group.name}" is the default: set isDefault on another group first`);
    }
    const user = groupUser(config, group.id);
    return user === null ? null : conflict(`product group "${group.name}" is used by ${user}`);
  },
};

const withoutDefault = (group: PlacedGroup): PlacedGroup =>
  group.isDefault ? { ...group, isDefault: false } : group;

/** The first record that uses the group, as messages name it, or null. */
function groupUser({ methods, blendedRates }: PlacedConfig, id: string): string | null {
  const method = methods.find(({ productGroupId }) => productGroupId === id);
  if (method !== undefined) return `method "${method.name}" (${method.id})`;
  const blended = blendedRates.find(({ preferences }) =>
    preferences.some(({ productGroupId }) => productGroupId === id),
  );
  return blended === undefined ? null : `a preference of blended rate "${blended.name}" (${blended.id})`;
}

/** An update keeps the rules of a method; deleting the method deletes its rules. */
const METHODS: RecordClass<'methods'> = {
  kind: 'method',
  list: 'methods',
  stored: methodInChange,
  result: (method, position) => ({
    kind: 'method',
    method: methodWithRulesView(method as PlacedMethod & ShippingMethod, position),
  }),
  childrenOf: ({ rules }) => rules.length,
  updateObstacle: brokenPreference,
  removalObstacle: ({ blendedRates }, { id, name }) => {
    const user = blendedRates.find(({ preferences }) =>
      preferences.some(({ preferredMethodId }) => preferredMethodId === id),
    );
    if (user === undefined) return null;
    return conflict(`method "${name}" is preferred by blended rate "${user.name}" (${user.id})`);
  },
};

/** CONFLICT when a blended rate may no longer prefer the changed method. */
function brokenPreference(scope: WriteScope, old: PlacedMethod, method: PlacedMethod): Failure | null {
  if (method.zoneId === old.zoneId && method.productGroupId === old.productGroupId) return null;
  const references = referencesIn(scope);
  for (const { id, name, zoneId, preferences } of scope.config.blendedRates) {
    for (const { productGroupId, preferredMethodId } of preferences) {
      if (preferredMethodId !== method.id) continue;
      const obstacle = preferenceObstacle(zoneId, productGroupId, method, references);
      if (obstacle === null) continue;
      return conflict(
        `method "${old.name}" cannot move: blended rate "${name}" (${id}) prefers it: ${obstacle}`,
      );
    }
  }
  return null;
}

const BLENDED_RATES: RecordClass<'blendedRates'> = {
  kind: 'blendedRate',
  list: 'blendedRates',
  stored: asItIs,
  result: (blended, position) => ({ kind: 'blendedRate', blendedRate: blendedRateView(blended, position) }),
};

const CHECKS: RecordClass<'checks'> = {
  kind: 'check',
  list: 'checks',
  stored: asItIs,
  result: (check, position) => ({ kind: 'check', check: checkView(check, position) }),
};

type RecordName = 'Group' | 'Method' | 'Blended' | 'Check';

export const RECORD_WRITES: ConfigWrites<`${'create' | 'update' | 'delete'}${RecordName}`> = {
  createGroup: (scope, { body }) =>
    created(scope, GROUPS, body.position, (id, defects) => readGroup(id, body, '', defects)),
  updateGroup: (scope, command) =>
    updated(scope, GROUPS, command, (old, defects) =>
      readGroup(old.id, { ...old, ...command.body }, '', defects),
    ),
  deleteGroup: (scope, { id }) => removed(scope, GROUPS, id),

  createMethod: (scope, { body }) =>
    created(scope, METHODS, body.position, (id, defects) => {
      const { zones, productGroups, methods } = scope.config;
      const fields = readMethod(id, body, '', defects, referencesIn(scope), {
        productGroupId: defaultGroupId(productGroups),
        serviceCode: () => defaultServiceCode(zones, methods, body, METHOD_CODE_FALLBACK),
      });
      return extended(fields, { rules: [] });
    }),
  updateMethod: (scope, command) =>
    updated(scope, METHODS, command, (old, defects) => {
      const { body } = command;
      const changesType = body.rateType !== undefined && body.rateType !== old.rateType;
      // A config belongs to one rate type, so a new rate type discards the old config.
      const input = { ...old, ...(changesType && { config: {} }), ...body };
      const fields = readMethod(old.id, input, '', defects, referencesIn(scope), {
        productGroupId: old.productGroupId,
        serviceCode: () => old.serviceCode,
      });
      return extended(fields, { rules: old.rules });
    }),
  deleteMethod: (scope, { id }) => removed(scope, METHODS, id),

  createBlended: (scope, { body }) =>
    created(scope, BLENDED_RATES, body.position, (id, defects) => {
      const { zones, blendedRates } = scope.config;
      const serviceCode = () => defaultServiceCode(zones, blendedRates, body, BLENDED_CODE_FALLBACK);
      const report = (path: string, text: string) => defects.add(path, text);
      return readBlended(id, body, referencesIn(scope), serviceCode, report);
    }),
  updateBlended: (scope, command) =>
    updated(scope, BLENDED_RATES, command, (old, defects) => {
      const { body } = command;
      const report = (path: string, text: string) => {
        // The stored preferences are valid, so only a changed zone can break them.
        if (path === '/zoneId' || body.preferences !== undefined) defects.add(path, text);
        else defects.add('/zoneId', `does not suit the preferences as they are: ${path} ${text}`);
      };
      return readBlended(old.id, { ...old, ...body }, referencesIn(scope), () => old.serviceCode, report);
    }),
  deleteBlended: (scope, { id }) => removed(scope, BLENDED_RATES, id),

  createCheck: (scope, { body }) =>
    created(scope, CHECKS, body.position, (id, defects) => readCheck(id, body, '', defects)),
  updateCheck: (scope, command) =>
    updated(scope, CHECKS, command, (old, defects) =>
      readCheck(old.id, { ...old, ...command.body }, '', defects),
    ),
  deleteCheck: (scope, { id }) => removed(scope, CHECKS, id),
};
