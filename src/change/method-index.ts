/**
 * What writes ask of all methods at once: which of them has a rule (rules are addressed by id alone), which
 * service codes a zone has, which of them use a product group. A walk over the 20,000 methods and 100,000 rules
 * of a large shop costs more than the rest of a write; so an index is made on the first question and then
 * handed on from each list of methods to the next.
 *
 * It hangs on a list by identity: a list that has none, or that gave its own away, gets a new one when it
 * is asked. Answers never depend on that, only their cost does.
 */
import type { ConfigChange, ListChange, MethodInChange, PlacedMethod } from '../domain/shop-event.ts';
import { finishSteps, NEVER, type ShouldYield, type WorkSteps } from '../pace/work-steps.ts';
import { lacksPlaces, placeSteps, recordOfId } from './record-places.ts';
import type { RuleChangeEntries } from './rule-changes.ts';

/** Method ids of one zone, subzone or group, with their service codes. */
type MethodCodes = Map<string, string>;

interface MethodIndex {
  /** Rule id -> method id. */
  readonly homes: Map<string, string>;
  readonly byZone: Map<string, MethodCodes>;
  readonly byGroup: Map<string, MethodCodes>;
}

const indexByList = new WeakMap<readonly PlacedMethod[], MethodIndex>();

/** A change of more methods or rules makes a new index cheaper than the old one carried on. */
const CARRIED_MAX = 512;
/** So few users are compared by their place; of more, one is found soon by a walk. */
const COMPARED_USERS_MAX = 64;

function indexOf(methods: readonly PlacedMethod[]): MethodIndex {
  return indexByList.get(methods) ?? finishSteps(methodIndexSteps(methods, NEVER));
}

/** True when `writeIndexSteps` may have something to make. */
export const lacksWriteIndex = (methods: readonly PlacedMethod[]): boolean =>
  lacksPlaces(methods) || !indexByList.has(methods);

/** Makes the indexes that the first write to these methods needs. */
export function* writeIndexSteps(
  methods: readonly PlacedMethod[],
  shouldYield: ShouldYield,
): WorkSteps<void> {
  if (lacksPlaces(methods)) yield* placeSteps(methods, shouldYield);
  if (!indexByList.has(methods)) yield* methodIndexSteps(methods, shouldYield);
}

function* methodIndexSteps(
  methods: readonly PlacedMethod[],
  shouldYield: ShouldYield,
): WorkSteps<MethodIndex> {
  const index: MethodIndex = { homes: new Map(), byZone: new Map(), byGroup: new Map() };
  for (const method of methods) {
    addMethod(index, method);
    for (const { id } of method.rules) index.homes.set(id, method.id);
    if (shouldYield()) yield;
  }
  indexByList.set(methods, index);
  return index;
}

function addMethod(index: MethodIndex, { id, zoneId, productGroupId, serviceCode }: MethodInChange): void {
  codesOf(index.byZone, zoneId).set(id, serviceCode);
  codesOf(index.byGroup, productGroupId).set(id, serviceCode);
}

function codesOf(index: Map<string, MethodCodes>, key: string): MethodCodes {
  let codes = index.get(key);
  if (codes === undefined) {
    codes = new Map();
    index.set(key, codes);
  }
  return codes;
}

function removeMethod(index: MethodIndex, { id, zoneId, productGroupId }: MethodInChange): void {
  index.byZone.get(zoneId)?.delete(id);
  index.byGroup.get(productGroupId)?.delete(id);
}

/** The id of the method that has this rule, or undefined. The first question to a list is linear. */
export const findRuleHome = (methods: readonly PlacedMethod[], ruleId: string): string | undefined =>
  indexOf(methods).homes.get(ruleId);

/** The service codes of the methods that are bound to this zone or subzone. */
export const codesInZone = (methods: readonly PlacedMethod[], zoneId: string): Iterable<string> =>
  indexOf(methods).byZone.get(zoneId)?.values() ?? [];

/** The first method of the group in position order, or undefined. */
export function firstOfGroup(methods: readonly PlacedMethod[], groupId: string): PlacedMethod | undefined {
  const users = indexOf(methods).byGroup.get(groupId);
  if (users === undefined || users.size === 0) return undefined;
  if (users.size > COMPARED_USERS_MAX)
    return methods.find(({ productGroupId }) => productGroupId === groupId);
  const places = [...users.keys()].map((id) => methods.indexOf(recordOfId(methods, id) as PlacedMethod));
  return methods[Math.min(...places)];
}

/** How many records of one list a change names. */
export const namedIn = ({ removed, replaced, placed }: ListChange<unknown>): number =>
  (removed?.length ?? 0) + (replaced?.length ?? 0) + (placed?.length ?? 0);

/** How many methods and rules a change names. */
export function namedRecords(methods: ConfigChange['methods'], rules: RuleChangeEntries): number {
  let named = methods === undefined ? 0 : namedIn(methods);
  for (const [, change] of rules) named += namedIn(change);
  return named;
}

const NO_METHODS: readonly PlacedMethod[] = [];

/** The methods that `change` removes or replaces, as they are in `methods`; null when there is no index to carry. */
export function methodsTouched(
  methods: readonly PlacedMethod[],
  change: ConfigChange['methods'],
  ruleChanges: RuleChangeEntries,
): readonly PlacedMethod[] | null {
  if (!indexByList.has(methods) || namedRecords(change, ruleChanges) > CARRIED_MAX) return null;
  if (change === undefined) return NO_METHODS;
  const { removed = [], replaced = [], placed = [] } = change;
  const ids = [...removed, ...replaced.map(({ id }) => id), ...placed.map(({ record }) => record.id)];
  return ids.map((id) => recordOfId(methods, id)).filter((method) => method !== undefined);
}

/**
 * Hands the index of `from` on to `to`, which `change` makes of it; `touched` is what `methodsTouched` gave before.
 * Linear in the change.
 */
export function carryMethodIndex(
  from: readonly PlacedMethod[],
  to: readonly PlacedMethod[],
  change: ConfigChange['methods'],
  ruleChanges: RuleChangeEntries,
  touched: readonly PlacedMethod[] | null,
): void {
  const index = indexByList.get(from);
  if (index === undefined || touched === null || from === to) return;
  indexByList.delete(from);
  indexByList.set(to, index);
  if (change !== undefined) {
    for (const method of touched) removeMethod(index, method);
    for (const method of change.replaced ?? []) addMethod(index, method);
    for (const { record } of change.placed ?? []) addMethod(index, record);
    const gone = new Set(change.removed);
    for (const { id, rules } of touched)
      if (gone.has(id)) for (const rule of rules) index.homes.delete(rule.id);
  }
  for (const [, { removed: goneRules = [] }] of ruleChanges)
    for (const id of goneRules) index.homes.delete(id);
  // After every removal: a rule may leave one method and turn up under another in the same change.
  for (const [methodId, { placed = [] }] of ruleChanges) {
    for (const { record } of placed) index.homes.set(record.id, methodId);
  }
}
