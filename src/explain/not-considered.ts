/**
 * Not considered: the methods of the matched zone and its subzones that were not evaluated, each with the
 * reason (contract sections 4.5 and 5.2).
 */
import type { NotConsidered } from '../wire/explained-answer.ts';
import type { Scene } from './search-case.ts';

/** In position order; together with the evaluated methods these are all of the zone and its subzones. */
export function notConsidered({ shop, zone, facts, plan }: Scene): readonly NotConsidered[] {
  const { methods, zone: zoneRecord } = zone.records;
  const groupsInCart = new Set(facts.groups.map(({ index }) => shop.groupIds[index]));
  const replacedGroups = new Set(
    methods
      .filter((method) => method.enabled && method.zoneId === plan.subzoneId)
      .map((method) => method.productGroupId),
  );
  return methods.flatMap((method) => {
    const { id: methodId, name: methodName, zoneId, productGroupId } = method;
    const because = (reason: NotConsidered['reason']): NotConsidered[] => [{ methodId, methodName, reason }];
    if (!method.enabled) return because('disabled');
    if (zoneId !== zoneRecord.id && zoneId !== plan.subzoneId) return because('other_subzone');
    if (zoneId === zoneRecord.id && replacedGroups.has(productGroupId)) return because('replaced_by_subzone');
    return groupsInCart.has(productGroupId) ? [] : because('group_not_in_cart');
  });
}
