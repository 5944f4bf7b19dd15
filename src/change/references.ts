/**
 * What the ids in a configuration lead to (zones and subzones, groups, methods) and the rules that a
 * reference has to keep (contract section 3). Each index is built when it is first asked for, so that a
 * write pays only for what its body refers to.
 */
import type { BlendedRate, Preference } from '../domain/blended-rate.ts';
import type { ProductGroup } from '../domain/product-group.ts';
import type { Zone } from '../domain/zone.ts';
import { finishSteps, NEVER, type ShouldYield, type WorkSteps } from '../pace/work-steps.ts';
import { recordOfId } from './record-places.ts';

/** What a reference to a method has to know about it. */
export interface MethodReference {
  readonly id: string;
  readonly name: string;
  readonly zoneId: string;
  readonly productGroupId: string;
}

/** The lists that references lead into. */
export interface ReferencedLists {
  readonly zones: readonly Zone[];
  readonly productGroups: readonly ProductGroup[];
  readonly methods: readonly MethodReference[];
}

/** Stands for an id that could not be read. No id is empty. */
export const UNREAD_ID = '';

/** Kinds of which an id, or whether it is the default one, could not be read: what seems to be missing may be there. */
export interface Unread {
  readonly zones: boolean;
  readonly productGroups: boolean;
  readonly methods: boolean;
  readonly defaultGroup: boolean;
}

export const ALL_READ: Unread = { zones: false, productGroups: false, methods: false, defaultGroup: false };

/** Zone id or subzone id -> id of the zone. */
type ZoneIndex = Map<string, string>;

/** Most writes leave the zones alone: their index is kept for as long as their list is. */
const zoneIndexes = new WeakMap<readonly Zone[], ZoneIndex>();

/** True when `zoneIndexSteps` has something to make. */
export const lacksZoneIndex = (zones: readonly Zone[]): boolean => !zoneIndexes.has(zones);

/** Makes what the first question about a zone would otherwise have to make at once. */
export function* zoneIndexSteps(zones: readonly Zone[], shouldYield: ShouldYield): WorkSteps<ZoneIndex> {
  const known = zoneIndexes.get(zones);
  if (known !== undefined) return known;
  const index: ZoneIndex = new Map();
  for (const zone of zones) {
    index.set(zone.id, zone.id);
    if (shouldYield()) yield;
    for (const subzone of zone.subzones) {
      index.set(subzone.id, zone.id);
      if (shouldYield()) yield;
    }
  }
  zoneIndexes.set(zones, index);
  return index;
}

const zoneIndexOf = (zones: readonly Zone[]): ZoneIndex =>
  zoneIndexes.get(zones) ?? finishSteps(zoneIndexSteps(zones, NEVER));

export class References {
  readonly #lists: ReferencedLists;
  readonly #unread: Unread;
  #groups: ReadonlyMap<string, ProductGroup> | undefined;

  constructor(lists: ReferencedLists, unread: Unread = ALL_READ) {
    this.#lists = lists;
    this.#unread = unread;
  }

  /** Id of the zone that a zone id or subzone id belongs to. */
  zoneOf(id: string): string | undefined {
    return zoneIndexOf(this.#lists.zones).get(id);
  }

  /** The ids of a zone and its subzones. */
  membersOf(zoneId: string): ReadonlySet<string> {
    const zone = this.#lists.zones.find(({ id }) => id === zoneId);
    return new Set([zoneId, ...(zone?.subzones ?? []).map(({ id }) => id)]);
  }

  group(id: string): ProductGroup | undefined {
    this.#groups ??= new Map(this.#lists.productGroups.map((group) => [group.id, group]));
    return this.#groups.get(id);
  }

  method(id: string): MethodReference | undefined {
    return recordOfId(this.#lists.methods, id);
  }

  /** True when there is certainly no zone or subzone of this id. */
  lacksZone(id: string): boolean {
    return this.zoneOf(id) === undefined && id !== UNREAD_ID && !this.#unread.zones;
  }

  lacksGroup(id: string): boolean {
    return this.group(id) === undefined && id !== UNREAD_ID && !this.#unread.productGroups;
  }

  lacksMethod(id: string): boolean {
    return this.method(id) === undefined && !this.#unread.methods;
  }

  /** False when it cannot be told which zone this is, or part of which; where there is certainly none, that says enough. */
  isPlaced(id: string): boolean {
    return this.zoneOf(id) !== undefined;
  }
}

/** Reports a defect of the field at this path below the record. */
export type ReportDefect = (path: string, text: string) => void;

type Binding = Pick<MethodReference, 'zoneId' | 'productGroupId'>;

function checkZoneReference(zoneId: string, references: References, report: ReportDefect): void {
  if (references.lacksZone(zoneId)) {
    report('/zoneId', `must be the id of a zone or subzone: ${zoneId} does not exist`);
  }
}

export function checkMethodReferences(method: Binding, references: References, report: ReportDefect): void {
  checkZoneReference(method.zoneId, references, report);
  if (references.lacksGroup(method.productGroupId)) {
    report('/productGroupId', `must be the id of a product group: ${method.productGroupId} does not exist`);
  }
}

/**
 * Why a blended rate bound to `zoneId` cannot prefer this method for this group, or null when it can: the
 * method must belong to the group and be bound to that zone, a subzone of it or, where `zoneId` is a
 * subzone, its zone (contract section 3).
 */
export function preferenceObstacle(
  zoneId: string,
  productGroupId: string,
  method: MethodReference,
  references: References,
): string | null {
  const isGroupRead = method.productGroupId !== UNREAD_ID && productGroupId !== UNREAD_ID;
  if (isGroupRead && method.productGroupId !== productGroupId) {
    return `method "${method.name}" (${method.id}) belongs to product group ${method.productGroupId}, not ${productGroupId}`;
  }
  const reachable =
    method.zoneId === zoneId ||
    references.zoneOf(method.zoneId) === zoneId ||
    references.zoneOf(zoneId) === method.zoneId ||
    !(references.isPlaced(method.zoneId) && references.isPlaced(zoneId));
  return reachable
    ? null
    : `method "${method.name}" (${method.id}) is bound to ${method.zoneId}, which is neither ${zoneId} nor part of it nor its zone`;
}

/** References of a blended rate: its zone, and of each preference the group and the method. */
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
      report(`${path}/productGroupId`, `names ${preference.productGroupId} again: a group at most once`);
    }
    if (preference.productGroupId !== UNREAD_ID) groups.add(preference.productGroupId);
    checkPreference(blended.zoneId, preference, references, (field, text) => report(`${path}${field}`, text));
  }
}

function checkPreference(
  zoneId: string,
  { productGroupId, preferredMethodId }: Preference,
  references: References,
  report: ReportDefect,
): void {
  if (references.lacksGroup(productGroupId)) {
    report('/productGroupId', `must be the id of a product group: ${productGroupId} does not exist`);
    return;
  }
  if (preferredMethodId === null) return;
  const method = references.method(preferredMethodId);
  if (method === undefined && !references.lacksMethod(preferredMethodId)) return;
  const obstacle =
    method === undefined
      ? `${preferredMethodId} does not exist`
      : preferenceObstacle(zoneId, productGroupId, method, references);
  if (obstacle !== null) {
    report('/preferredMethodId', `must be the id of a method of that group and zone, or null: ${obstacle}`);
  }
}
