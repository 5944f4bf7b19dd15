/**
 * Finds the records of a configuration by their ids (zones and subzones, groups, methods, rules), and checks the rules
 * for references (contract section 3).
 */
import type { BlendedRate, Preference } from '../domain/blended-rate.ts';
import type { ProductGroup } from '../domain/product-group.ts';
import type { PlacedMethod } from '../domain/shop-event.ts';
import type { Zone } from '../domain/zone.ts';

/** The fields of a method that a check of a reference needs. */
type MethodReference = Pick<PlacedMethod, 'id' | 'name' | 'zoneId' | 'productGroupId'>;

export interface References {
  /** Id of the zone to which a zone id or subzone id belongs; undefined when the id is unknown. */
  readonly zoneOf: (id: string) => string | undefined;
  readonly hasGroup: (id: string) => boolean;
  readonly method: (id: string) => MethodReference | undefined;
}

/** The zone to which a zone id or subzone id belongs; undefined when the id is unknown. */
export const zoneWith = (zones: readonly Zone[], id: string): Zone | undefined =>
  zones.find((zone) => zone.id === id || zone.subzones.some((subzone) => subzone.id === id));

/** For a bulk write: uses maps. The methods are added later, because they refer to zones and groups themselves. */
export function mappedReferences(
  zones: readonly Zone[],
  productGroups: readonly ProductGroup[],
): References & { readonly addMethods: (methods: readonly MethodReference[]) => void } {
  const zoneIds = new Map<string, string>();
  for (const zone of zones) {
    zoneIds.set(zone.id, zone.id);
    for (const subzone of zone.subzones) {
      zoneIds.set(subzone.id, zone.id);
    }
  }
  const groupIds = new Set(productGroups.map(({ id }) => id));
  const methodsById = new Map<string, MethodReference>();
  return {
    zoneOf: (id) => zoneIds.get(id),
    hasGroup: (id) => groupIds.has(id),
    method: (id) => methodsById.get(id),
    addMethods(methods) {
      for (const method of methods) {
        methodsById.set(method.id, method);
      }
    },
  };
}

/** Reports a defect of a record: the path of the field below the record, and what is accepted there. */
export type ReportDefect = (line: string) => void;

function checkZoneReference(zoneId: string, { zoneOf }: References, report: ReportDefect): void {
  if (zoneOf(zoneId) === undefined) {
    report(`/zoneId must be the id of a zone or subzone: ${zoneId} does not exist`);
  }
}

export function checkMethodReferences(
  method: Pick<MethodReference, 'zoneId' | 'productGroupId'>,
  references: References,
  report: ReportDefect,
): void {
  checkZoneReference(method.zoneId, references, report);
  if (!references.hasGroup(method.productGroupId)) {
    report(`/productGroupId must be the id of a product group: ${method.productGroupId} does not exist`);
  }
}

/**
 * The reason why a blended rate bound to `zoneId` cannot prefer this method for this group, or null when it can. The
 * method must belong to the group and be bound to that zone, to a subzone of it or, when `zoneId` is a subzone, to its
 * zone (contract section 3).
 */
export function preferenceObstacle(
  zoneId: string,
  productGroupId: string,
  method: MethodReference,
  { zoneOf }: References,
): string | null {
  if (method.productGroupId !== productGroupId) {
    return `method "${method.name}" (${method.id}) belongs to product group ${method.productGroupId}, not ${productGroupId}`;
  }
  const [zoneOfMethod, zone] = [zoneOf(method.zoneId), zoneOf(zoneId)];
  const reachable =
    method.zoneId === zoneId ||
    zoneOfMethod === zoneId ||
    zone === method.zoneId ||
    // An unknown zone is reported elsewhere, so it is no obstacle here.
    zoneOfMethod === undefined ||
    zone === undefined;
  return reachable
    ? null
    : `method "${method.name}" (${method.id}) is bound to ${method.zoneId}, which is neither ${zoneId} nor part of it nor its zone`;
}

/** Checks the references of a blended rate: its zone, and the group and the method of each preference. */
export function checkBlendedReferences(
  blended: Pick<BlendedRate, 'zoneId' | 'preferences'>,
  references: References,
  report: ReportDefect,
): void {
  checkZoneReference(blended.zoneId, references, report);
  const groups = new Set<string>();
  for (const [index, preference] of blended.preferences.entries()) {
    const path = `/preferences/${index}`;
    if (groups.has(preference.productGroupId)) {
      report(`${path}/productGroupId names ${preference.productGroupId} again: a group at most once`);
    }
    groups.add(preference.productGroupId);
    checkPreference(blended.zoneId, preference, references, (line) => report(`${path}${line}`));
  }
}

function checkPreference(
  zoneId: string,
  { productGroupId, preferredMethodId }: Preference,
  references: References,
  report: ReportDefect,
): void {
  if (!references.hasGroup(productGroupId)) {
    report(`/productGroupId must be the id of a product group: ${productGroupId} does not exist`);
    return;
  }
  if (preferredMethodId === null) return;
  const method = references.method(preferredMethodId);
  const obstacle =
    method === undefined
      ? `${preferredMethodId} does not exist`
      : preferenceObstacle(zoneId, productGroupId, method, references);
  if (obstacle !== null) {
    report(`/preferredMethodId must be the id of a method of that group and zone, or null: ${obstacle}`);
  }
}
