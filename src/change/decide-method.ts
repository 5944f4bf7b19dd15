/** Writes of shipping methods (contract section 3). A method keeps its rules; deleting it takes them along. */

import { conflict, notFound, type Outcome } from '../domain/failure.ts';
import { defaultGroupId } from '../domain/product-group.ts';
import type { ShippingMethod } from '../domain/shipping-method.ts';
import type { PlacedConfig, PlacedMethod } from '../domain/shop-event.ts';
import { extended } from '../runtime/extended.ts';
import { methodWithRulesView } from '../wire/record-view.ts';
import type { CommandResult } from './command.ts';
import {
  type CommandOf,
  type ConfigWrite,
  deleted,
  edited,
  newId,
  type WriteScope,
  written,
} from './decision.ts';
import { Defects } from './defects.ts';
import { codesInZone } from './method-index.ts';
import { readMethod } from './method-input.ts';
import { placeOfMoved, placeOfNew, updatedList } from './place.ts';
import { placeOfId } from './record-places.ts';
import { type MethodReference, preferenceObstacle, References } from './references.ts';
import { defaultServiceCode, METHOD_CODE_FALLBACK } from './service-code.ts';

const methodResult = (method: PlacedMethod, position: number): CommandResult => ({
  kind: 'method',
  method: methodWithRulesView(method as PlacedMethod & ShippingMethod, position),
});

export function createMethod(scope: WriteScope, { body }: CommandOf<'createMethod'>): Outcome<ConfigWrite> {
  const { config } = scope;
  const id = newId(scope, 'method');
  const references = new References(config);
  const defects = new Defects();
  const fields = readMethod(id, body, '', defects, references, {
    productGroupId: defaultGroupId(config.productGroups),
    serviceCode: () =>
      defaultServiceCode(
        (zoneId) => codesInZone(config.methods, zoneId),
        references,
        body.zoneId,
        body.name,
        METHOD_CODE_FALLBACK,
      ),
  });
  if (defects.found) return defects.failure();
  const method: PlacedMethod = extended(fields, { placement: scope.placement, rules: [] });
  const index = placeOfNew(config.methods, body.position);
  const edit = { index, old: null, record: method };
  return edited({ list: 'methods', edit }, `Method "${method.name}" created`, methodResult(method, index));
}

/** The blended rate that could no longer prefer the method as it now is, and why; null when all still can. */
function brokenPreference(
  config: PlacedConfig,
  method: MethodReference,
  references: References,
): string | null {
  for (const blended of config.blendedRates) {
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
  const { config } = scope;
  const index = placeOfId(config.methods, id);
  const old = config.methods[index];
  if (old === undefined) return notFound('method', id);
  const references = new References(config);
  const defects = new Defects();
  const changesType = body.rateType !== undefined && body.rateType !== old.rateType;
  // The config of another rate type is of no use to this one.
  const input = { ...old, ...(changesType && { config: {} }), ...body };
  const fields = readMethod(id, input, '', defects, references, {
    productGroupId: old.productGroupId,
    serviceCode: () => old.serviceCode,
  });
  if (defects.found) return defects.failure();
  if (fields.zoneId !== old.zoneId || fields.productGroupId !== old.productGroupId) {
    const broken = brokenPreference(config, fields, references);
    if (broken !== null) return conflict(`method "${old.name}" cannot move: ${broken}`);
  }
  const method: PlacedMethod = extended(fields, { placement: old.placement, rules: old.rules });
  const position = placeOfMoved(config.methods, index, body.position);
  const description = `Method "${method.name}" updated`;
  const result = methodResult(method, position);
  if (position === index) {
    return edited({ list: 'methods', edit: { index, old, record: method } }, description, result);
  }
  const list = updatedList(config.methods, index, method, position, scope.placement);
  return written(scope, { methods: list }, description, result);
}

export function deleteMethod(scope: WriteScope, { id }: CommandOf<'deleteMethod'>): Outcome<ConfigWrite> {
  const { methods, blendedRates } = scope.config;
  const index = placeOfId(methods, id);
  const method = methods[index];
  if (method === undefined) return notFound('method', id);
  const user = blendedRates.find(({ preferences }) =>
    preferences.some(({ preferredMethodId }) => preferredMethodId === id),
  );
  if (user !== undefined) {
    return conflict(`method "${method.name}" is preferred by blended rate "${user.name}" (${user.id})`);
  }
  const edit = { index, old: method, record: null };
  return edited({ list: 'methods', edit }, `Method "${method.name}" deleted`, deleted(id));
}
