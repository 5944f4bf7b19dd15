/**
 * Writes of shipping methods (contract section 3). An update keeps the rules of a method; deleting the method deletes
 * its rules.
 */

import { conflict, notFound, type Outcome } from '../domain/failure.ts';
import { defaultGroupId } from '../domain/product-group.ts';
import type { ShippingMethod } from '../domain/shipping-method.ts';
import type { PlacedConfig, PlacedMethod } from '../domain/shop-event.ts';
import { extended } from '../runtime/extended.ts';
import { methodWithRulesView } from '../wire/record-view.ts';
import type { CommandResult } from './command.ts';
import { type CommandOf, type ConfigWrite, deleted, edited, newId, type WriteScope } from './decision.ts';
import { Defects } from './defects.ts';
import { methodInChange } from './diff.ts';
import { indexOfMoved, indexOfNew, insertion, removal, update } from './record-edit.ts';
import { readMethod } from './record-input.ts';
import { type MethodReference, preferenceObstacle, type References, referencesIn } from './references.ts';
import { defaultServiceCode, METHOD_CODE_FALLBACK } from './service-code.ts';

const methodResult = (method: PlacedMethod, position: number): CommandResult => ({
  kind: 'method',
  method: methodWithRulesView(method as PlacedMethod & ShippingMethod, position),
});

export function createMethod(scope: WriteScope, { body }: CommandOf<'createMethod'>): Outcome<ConfigWrite> {
  const { zones, productGroups, methods } = scope.config;
  const id = newId(scope, 'method');
  const defects = new Defects();
  const fields = readMethod(id, body, '', defects, referencesIn(scope), {
    productGroupId: defaultGroupId(productGroups),
    serviceCode: () => defaultServiceCode(zones, methods, body, METHOD_CODE_FALLBACK),
  });
  if (defects.found) return defects.failure();
  const method: PlacedMethod = extended(fields, { placement: scope.placement, rules: [] });
  const index = indexOfNew(methods, body.position);
  const edit = insertion(index, methodInChange(method));
  return edited('methods', edit, `Method "${method.name}" created`, methodResult(method, index));
}

/** The first blended rate that may no longer prefer the changed method, with the reason; null when there is none. */
function brokenPreference(
  { blendedRates }: PlacedConfig,
  method: MethodReference,
  references: References,
): string | null {
  for (const blended of blendedRates) {
    for (const { productGroupId, preferredMethodId } of blended.preferences) {
      if (preferredMethodId !== method.id) continue;
      const obstacle = preferenceObstacle(blended.zoneId, productGroupId, method, references);
      if (obstacle !== null) return `blended rate "${blended.name}" (${blended.id}) prefers it: ${obstacle}`;
    }
  }
  return null;
}

export function updateMethod(
  scope: WriteScope,
  { id, body }: CommandOf<'updateMethod'>,
): Outcome<ConfigWrite> {
  const { methods } = scope.config;
  const index = scope.index.indexOf(methods, id);
  const old = methods[index];
  if (old === undefined) return notFound('method', id);
  const references = referencesIn(scope);
  const defects = new Defects();
  const changesType = body.rateType !== undefined && body.rateType !== old.rateType;
  // A config belongs to one rate type, so a new rate type discards the old config.
  const input = { ...old, ...(changesType && { config: {} }), ...body };
  const fields = readMethod(id, input, '', defects, references, {
    productGroupId: old.productGroupId,
    serviceCode: () => old.serviceCode,
  });
  if (defects.found) return defects.failure();
  if (fields.zoneId !== old.zoneId || fields.productGroupId !== old.productGroupId) {
    const broken = brokenPreference(scope.config, fields, references);
    if (broken !== null) return conflict(`method "${old.name}" cannot move: ${broken}`);
  }
  const method: PlacedMethod = extended(fields, { placement: old.placement, rules: old.rules });
  const target = { position: indexOfMoved(methods, index, body.position), placement: scope.placement };
  const edit = update('method', methods, index, method, target, methodInChange);
  const result = methodResult(method, target.position);
  return edited('methods', edit, `Method "${method.name}" updated`, result);
}

export function deleteMethod(scope: WriteScope, { id }: CommandOf<'deleteMethod'>): Outcome<ConfigWrite> {
  const { methods, blendedRates } = scope.config;
  const method = methods[scope.index.indexOf(methods, id)];
  if (method === undefined) return notFound('method', id);
  const user = blendedRates.find(({ preferences }) =>
    preferences.some(({ preferredMethodId }) => preferredMethodId === id),
  );
  if (user !== undefined) {
    return conflict(`method "${method.name}" is preferred by blended rate "${user.name}" (${user.id})`);
  }
  const edit = removal(method, method.rules.length);
  return edited('methods', edit, `Method "${method.name}" deleted`, deleted(id));
}
