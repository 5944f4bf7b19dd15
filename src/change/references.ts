/**
 * Finds the records of a configuration by their ids (zones and subzones, groups, methods, rules), and checks the rules
 * for references (contract section 3).
 */
import type { BlendedRate, Preference } from '../domain/blended-rate.ts';
import type { ProductGroup } from '../domain/product-group.ts';
import type { ConfigChange, PlacedMethod } from '../domain/shop-event.ts';
import type { Zone } from '../domain/zone.ts';
import { finishSteps, NEVER, type ShouldYield, type WorkSteps } from '../pace/work-steps.ts';

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
export function* mappedReferences(
  zones: readonly Zone[],
  productGroups: readonly ProductGroup[],
  shouldYield: ShouldYield,
): WorkSteps<References & { readonly addMethods: (methods: readonly MethodReference[]) => WorkSteps<void> }> {
  const zoneIds = new Map<string, string>();
  for (const zone of zones) {
    zoneIds.set(zone.id, zone.id);
    if (shouldYield()) yield;
    for (const subzone of zone.subzones) {
      zoneIds.set(subzone.id, zone.id);
      if (shouldYield()) yield;
    }
  }
  const groupIds = new Set(productGroups.map(({ id }) => id));
  const methodsById = new Map<string, MethodReference>();
  return {
    zoneOf: (id) => zoneIds.get(id),
    hasGroup: (id) => groupIds.has(id),
    method: (id) => methodsById.get(id),
    *addMethods(methods) {
      for (const method of methods) {
        methodsById.set(method.id, method);
        if (shouldYield()) yield;
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

/** The index follows a change that names at most this many methods. */
const FOLLOWED_MAX = 8;

/**
 * Finds methods by their id and by the id of one of their rules: a search through 5,000 methods and 50,000 rules
 * takes longer than the rest of a write. The writer of a shop owns one index and passes it to each decision.
 *
 * The index describes one list of methods and follows small changes of that list. When it is asked about another list
 * (for example after a discarded changeset), it is rebuilt. The answers are always correct; only their cost varies.
 */
export class MethodIndex {
  /** The list that the maps describe. */
  #methods: readonly PlacedMethod[] = [];
  /**
   * Method id -> index in the list, or near it: when a method is added or removed, those behind it are not renumbered.
   */
  #indexes = new Map<string, number>();
  /** Rule id -> method id. */
  #methodIds = new Map<string, string>();

  /** True when the index is that of this list. */
  describes(methods: readonly PlacedMethod[]): boolean {
    return methods === this.#methods;
  }

  /** Builds the index of these methods. Otherwise the first look-up builds it without yielding. */
  *describeSteps(methods: readonly PlacedMethod[], shouldYield: ShouldYield): WorkSteps<void> {
    const indexes = new Map<string, number>();
    const methodIds = new Map<string, string>();
    for (const [index, { id, rules }] of methods.entries()) {
      indexes.set(id, index);
      for (const rule of rules) methodIds.set(rule.id, id);
      if (shouldYield()) yield;
    }
    this.#methods = methods;
    this.#indexes = indexes;
    this.#methodIds = methodIds;
  }

  /** Index of the method with this id, or -1. */
  indexOf(methods: readonly PlacedMethod[], id: string): number {
    if (!this.describes(methods)) finishSteps(this.describeSteps(methods, NEVER));
    return this.#search(methods, id);
  }

  /** Index of the method that has the rule with this id, or -1. */
  indexOfRule(methods: readonly PlacedMethod[], ruleId: string): number {
    if (!this.describes(methods)) finishSteps(this.describeSteps(methods, NEVER));
    return this.#search(methods, this.#methodIds.get(ruleId) ?? '');
  }

  #search(methods: readonly PlacedMethod[], id: string): number {
    const known = this.#indexes.get(id);
    if (known === undefined) return -1;
    const near = Math.min(known, methods.length - 1);
    for (let distance = 0; distance < methods.length; distance++) {
      for (const index of [near - distance, near + distance]) {
        if (methods[index]?.id !== id) continue;
        if (index !== known) this.#indexes.set(id, index);
        return index;
      }
    }
    return -1;
  }

  /**
   * Updates the index with the change that turned `from` into `to`. After a large change it describes no list, and the
   * next write builds it in steps.
   */
  follow(
    from: readonly PlacedMethod[],
    to: readonly PlacedMethod[],
    { methods: { removed = [], placed = [] } = {}, rules = {} }: ConfigChange,
  ): void {
    if (!this.describes(from)) return;
    const changes = Object.entries(rules);
    if (removed.length + placed.length + changes.length > FOLLOWED_MAX) {
      this.#methods = [];
      this.#indexes = new Map();
      this.#methodIds = new Map();
      return;
    }
    for (const id of removed) {
      for (const rule of from[this.#search(from, id)]?.rules ?? []) this.#methodIds.delete(rule.id);
      this.#indexes.delete(id);
    }
    for (const { index, record } of placed) this.#indexes.set(record.id, index);
    // Remove before adding: one change may move a rule from one method to another.
    for (const [, { removed = [] }] of changes) for (const id of removed) this.#methodIds.delete(id);
    for (const [methodId, { placed = [] }] of changes) {
      for (const { record } of placed) this.#methodIds.set(record.id, methodId);
    }
    this.#methods = to;
  }
}
