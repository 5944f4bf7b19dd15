/** Writes of product groups (contract section 3): exactly one is the default, and none in use can go. */

import { conflict, notFound, type Outcome } from '../domain/failure.ts';
import type { ProductGroup } from '../domain/product-group.ts';
import type { PlacedConfig, PlacedGroup } from '../domain/shop-event.ts';
import { extended } from '../runtime/extended.ts';
import { groupView } from '../wire/record-view.ts';
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
import { readGroup } from './group-input.ts';
import { splicedList } from './list-window.ts';
import { firstOfGroup } from './method-index.ts';
import { placeOfMoved, placeOfNew, updatedList } from './place.ts';
import { placeOfId } from './record-places.ts';

const groupResult = (group: ProductGroup, position: number): CommandResult => ({
  kind: 'group',
  group: groupView(group, position),
});

const withoutDefault = (groups: readonly PlacedGroup[]): readonly PlacedGroup[] =>
  groups.map((group) => (group.isDefault ? { ...group, isDefault: false } : group));

export function createGroup(scope: WriteScope, { body }: CommandOf<'createGroup'>): Outcome<ConfigWrite> {
  const { productGroups } = scope.config;
  const id = newId(scope, 'productGroup');
  const defects = new Defects();
  const group = readGroup(id, body, '', defects);
  if (defects.found) return defects.failure();
  const record = extended(group, { placement: scope.placement });
  const index = placeOfNew(productGroups, body.position);
  const description = `Product group "${group.name}" created`;
  const result = groupResult(group, index);
  if (!group.isDefault) {
    return edited({ list: 'productGroups', edit: { index, old: null, record } }, description, result);
  }
  const list = splicedList(withoutDefault(productGroups), index, 0, record);
  return written(scope, { productGroups: list }, description, result);
}

export function updateGroup(scope: WriteScope, { id, body }: CommandOf<'updateGroup'>): Outcome<ConfigWrite> {
  const { productGroups } = scope.config;
  const index = placeOfId(productGroups, id);
  const old = productGroups[index];
  if (old === undefined) return notFound('productGroup', id);
  const defects = new Defects();
  const group = readGroup(id, { ...old, ...body }, '', defects);
  if (defects.found) return defects.failure();
  if (old.isDefault && !group.isDefault) {
    return conflict(`product group "${old.name}" is the default: set isDefault on another group instead`);
  }
  const record = extended(group, { placement: old.placement });
  const position = placeOfMoved(productGroups, index, body.position);
  const description = `Product group "${group.name}" updated`;
  const result = groupResult(group, position);
  const becomesDefault = group.isDefault && !old.isDefault;
  if (position === index && !becomesDefault) {
    return edited({ list: 'productGroups', edit: { index, old, record } }, description, result);
  }
  const others = becomesDefault ? withoutDefault(productGroups) : productGroups;
  const list = updatedList(others, index, record, position, scope.placement);
  return written(scope, { productGroups: list }, description, result);
}

/** Who still needs the group, as a message names it, or null. */
function groupUser({ methods, blendedRates }: PlacedConfig, id: string): string | null {
  const method = firstOfGroup(methods, id);
  if (method !== undefined) return `method "${method.name}" (${method.id})`;
  const blended = blendedRates.find(({ preferences }) =>
    preferences.some(({ productGroupId }) => productGroupId === id),
  );
  return blended === undefined ? null : `a preference of blended rate "${blended.name}" (${blended.id})`;
}

export function deleteGroup(scope: WriteScope, { id }: CommandOf<'deleteGroup'>): Outcome<ConfigWrite> {
  const { productGroups } = scope.config;
  const index = placeOfId(productGroups, id);
  const group = productGroups[index];
  if (group === undefined) return notFound('productGroup', id);
  if (group.isDefault) {
    return conflict(`product group "${group.name}" is the default: set isDefault on another group first`);
  }
  const user = groupUser(scope.config, id);
  if (user !== null) return conflict(`product group "${group.name}" is used by ${user}`);
  const edit = { index, old: group, record: null };
  return edited({ list: 'productGroups', edit }, `Product group "${group.name}" deleted`, deleted(id));
}
