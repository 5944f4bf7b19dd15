/**
 * Writes of product groups (contract section 3): exactly one group is the default, and a group in use cannot be
 * deleted.
 */

import { conflict, notFound, type Outcome } from '../domain/failure.ts';
import type { ProductGroup } from '../domain/product-group.ts';
import type { PlacedConfig, PlacedGroup } from '../domain/shop-event.ts';
import { finishSteps, NEVER } from '../pace/work-steps.ts';
import { extended } from '../runtime/extended.ts';
import { groupView } from '../wire/record-view.ts';
import type { CommandResult } from './command.ts';
import { type CommandOf, type ConfigWrite, deleted, edited, newId, type WriteScope } from './decision.ts';
import { Defects } from './defects.ts';
import { asItIs, diffListSteps } from './diff.ts';
import { indexOfMoved, indexOfNew, insertion, removal, update } from './record-edit.ts';
import { readGroup } from './record-input.ts';

const groupResult = (group: ProductGroup, position: number): CommandResult => ({
  kind: 'group',
  group: groupView(group, position),
});

const withoutDefault = (groups: readonly PlacedGroup[]): readonly PlacedGroup[] =>
  groups.map((group) => (group.isDefault ? { ...group, isDefault: false } : group));

/** A write that makes another group the default changes two records. */
function markMoved(from: readonly PlacedGroup[], to: readonly PlacedGroup[], isNew: boolean) {
  const change = finishSteps(diffListSteps(from, to, asItIs, NEVER));
  return { change, counts: { added: isNew ? 1 : 0, modified: isNew ? 1 : 2, removed: 0 } };
}

export function createGroup(scope: WriteScope, { body }: CommandOf<'createGroup'>): Outcome<ConfigWrite> {
  const { productGroups } = scope.config;
  const id = newId(scope, 'productGroup');
  const defects = new Defects();
  const group = readGroup(id, body, '', defects);
  if (defects.found) return defects.failure();
  const record = extended(group, { placement: scope.placement });
  const index = indexOfNew(productGroups, body.position);
  const edit = group.isDefault
    ? markMoved(productGroups, withoutDefault(productGroups).toSpliced(index, 0, record), true)
    : insertion(index, record);
  return edited('productGroups', edit, `Product group "${group.name}" created`, groupResult(group, index));
}

export function updateGroup(scope: WriteScope, { id, body }: CommandOf<'updateGroup'>): Outcome<ConfigWrite> {
  const { productGroups } = scope.config;
  const index = productGroups.findIndex((group) => group.id === id);
  const old = productGroups[index];
  if (old === undefined) return notFound('productGroup', id);
  const defects = new Defects();
  const group = readGroup(id, { ...old, ...body }, '', defects);
  if (defects.found) return defects.failure();
  if (old.isDefault && !group.isDefault) {
    return conflict(`product group "${old.name}" is the default: set isDefault on another group instead`);
  }
  const record = extended(group, { placement: old.placement });
  const target = {
    position: indexOfMoved(productGroups, index, body.position),
    placement: scope.placement,
  };
  let edit = update('productGroup', productGroups, index, record, target, asItIs);
  if (group.isDefault && !old.isDefault) {
    const others = withoutDefault(productGroups).toSpliced(index, 1);
    const placement = target.position === index ? old.placement : scope.placement;
    const list = others.toSpliced(target.position, 0, { ...record, placement });
    edit = markMoved(productGroups, list, false);
  }
  const result = groupResult(group, target.position);
  return edited('productGroups', edit, `Product group "${group.name}" updated`, result);
}

/** The first record that uses the group, as messages name it, or null. */
function groupUser({ methods, blendedRates }: PlacedConfig, id: string): string | null {
  const method = methods.find(({ productGroupId }) => productGroupId === id);
  if (method !== undefined) return `method "${method.name}" (${method.id})`;
  const blended = blendedRates.find(({ preferences }) =>
    preferences.some(({ productGroupId }) => productGroupId === id),
  );
  return blended === undefined ? null : `a preference of blended rate "${blended.name}" (${blended.id})`;
}

export function deleteGroup(scope: WriteScope, { id }: CommandOf<'deleteGroup'>): Outcome<ConfigWrite> {
  const group = scope.config.productGroups.find((candidate) => candidate.id === id);
  if (group === undefined) return notFound('productGroup', id);
  if (group.isDefault) {
    return conflict(`product group "${group.name}" is the default: set isDefault on another group first`);
  }
  const user = groupUser(scope.config, id);
  if (user !== null) return conflict(`product group "${group.name}" is used by ${user}`);
  return edited('productGroups', removal(group), `Product group "${group.name}" deleted`, deleted(id));
}
