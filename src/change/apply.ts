/**
 * Turns events into state. The state of a shop changes in no other way, so a live state and a state replayed from the
 * log cannot differ. Records and lists that a change does not name stay the same objects, so their compiled forms are
 * reused.
 */
import {
  type ConfigChange,
  configOfStored,
  type LastChange,
  type ListChange,
  type MethodInChange,
  type PlacedConfig,
  type PlacedMethod,
  type PlacedRule,
  type Placement,
  type RuleInChange,
  type ShopEvent,
  type ShopState,
} from '../domain/shop-event.ts';
import type { RecordKind } from '../domain/version.ts';
import {
  areSteps,
  finishSteps,
  type MaybeSteps,
  mapSteps,
  NEVER,
  type ShouldYield,
  type WorkSteps,
} from '../pace/work-steps.ts';
import { extended } from '../runtime/extended.ts';
import type { Identified } from './align.ts';
import { compareListSteps, differ, unmarked } from './compare.ts';
import type { MethodIndex } from './references.ts';

/** The index of a record in its list by its id, or -1. */
type IndexOf = (id: string) => number;

type Placed<T> = NonNullable<ListChange<T>['placed']>[number];

/** A change that names more records than this finds them by a map of the list. */
const WALKS_MAX = 8;

/** The records of a change up to this number are marked at once, in about a millisecond. */
const ONE_TURN_MAX = 500;

/** Finds `count` records of the list. */
function finderOf(list: readonly Identified[], count: number): IndexOf {
  if (count <= WALKS_MAX) return (id) => list.findIndex((record) => record.id === id);
  const indexes = new Map<string, number>();
  for (const [index, { id }] of list.entries()) indexes.set(id, index);
  return (id) => indexes.get(id) ?? -1;
}

/** The list after the change, in the order that `ListChange` describes; `indexOf` finds records of the list. */
function applyList<T extends Identified>(
  list: readonly T[],
  { removed = [], replaced = [], placed = [] }: ListChange<T> = {},
  indexOf?: IndexOf,
): readonly T[] {
  const count = removed.length + replaced.length + placed.length;
  if (count === 0) return list;
  const find = indexOf ?? finderOf(list, count);
  let kept = list;
  if (replaced.length > 0) {
    const copy = list.slice();
    for (const record of replaced) {
      const index = find(record.id);
      if (index >= 0) copy[index] = record;
    }
    kept = copy;
  }
  return removed.length + placed.length === 0 ? kept : moveRecords(list, kept, removed, placed, find);
}

/** The list without the removed records, with the others in their places; `kept` is `list` with its replaced records. */
function moveRecords<T extends Identified>(
  list: readonly T[],
  kept: readonly T[],
  removed: readonly string[],
  placed: readonly Placed<T>[],
  find: IndexOf,
): readonly T[] {
  const leaves = new Uint8Array(list.length);
  let leaving = 0;
  const leave = (id: string): void => {
    const index = find(id);
    if (index < 0) return;
    leaves[index] = 1;
    leaving++;
  };
  for (const id of removed) leave(id);
  for (const { record } of placed) leave(record.id);
  // Preallocated: in our measurements, growing an array to thousands of elements takes half as long again.
  const result = new Array<T>(list.length - leaving + placed.length);
  let length = 0;
  let next = 0;
  const keepUntil = (index: number): void => {
    for (; length < index && next < list.length; next++) {
      if (leaves[next] === 0) result[length++] = kept[next] as T;
    }
  };
  for (const { index, record } of placed) {
    keepUntil(index);
    result[length++] = record;
  }
  keepUntil(result.length);
  return result;
}

/**
 * As `applyList`, and marks each changed method or rule with the number of the version that changed it (contract
 * section 10.3): the newest version whose comparison with the version before it names the record. A move counts as a
 * comparison counts it (contract section 6).
 */
function applyMarked<C extends Identified & Placement, T extends C & LastChange>(
  kind: 'method' | 'rule',
  list: readonly T[],
  change: ListChange<C>,
  number: number,
  complete: Complete<C, T>,
  shouldYield: ShouldYield,
  indexOf?: IndexOf,
): MaybeSteps<readonly T[]> {
  const { removed = [], replaced = [], placed = [] } = change;
  const count = removed.length + replaced.length + placed.length;
  const find = count <= WALKS_MAX && indexOf !== undefined ? indexOf : finderOf(list, count);
  /** Record with another placement -> its predecessor. */
  let moved: Map<T, T> | undefined;
  const mark = (stored: C): T => {
    const old = list[find(stored.id)];
    if (old?.placement === stored.placement && !differ(kind, old, stored)) {
      return complete(stored, old, old.changedIn);
    }
    const after = complete(stored, old, number);
    if (old !== undefined && old.placement !== stored.placement) {
      moved ??= new Map();
      moved.set(after, old);
    }
    return after;
  };
  const markPlaced = ({ index, record }: Placed<C>): Placed<T> => ({ index, record: mark(record) });
  const settled = (marked: ListChange<T>): MaybeSteps<readonly T[]> => {
    const after = applyList(list, marked, find);
    return moved === undefined ? after : settleSteps(kind, list, after, moved, complete, shouldYield);
  };
  if (count <= ONE_TURN_MAX) {
    return settled({ removed, replaced: replaced.map(mark), placed: placed.map(markPlaced) });
  }
  return (function* () {
    const after = settled({
      removed,
      replaced: yield* mapSteps(replaced, mark, shouldYield),
      placed: yield* mapSteps(placed, markPlaced, shouldYield),
    });
    return areSteps(after) ? yield* after : after;
  })();
}

/** A record with another placement may be where it was: a rollback can undo moves that cancelled each other out. */
function* settleSteps<C, T extends C & Identified & Placement & LastChange>(
  kind: RecordKind,
  list: readonly T[],
  after: readonly T[],
  moved: ReadonlyMap<T, T>,
  complete: Complete<C, T>,
  shouldYield: ShouldYield,
): WorkSteps<readonly T[]> {
  const { modified } = yield* compareListSteps(kind, list, after, shouldYield);
  const modifiedIds = new Set(modified.map(({ id }) => id));
  return after.map((record) => {
    const old = moved.get(record);
    const isInPlace = old !== undefined && !modifiedIds.has(record.id);
    return isInPlace ? complete(unmarked(record) as T, old, old.changedIn) : record;
  });
}

/** Makes a record of a list from that of a change, the record that it replaces and the version that changed it. */
type Complete<C, T> = (stored: C, old: T | undefined, changedIn: number | undefined) => T;

/** A change holds a method without its rules: an existing method keeps its rules. */
function completeMethod(
  method: MethodInChange,
  old: PlacedMethod | undefined,
  changedIn: number | undefined,
): PlacedMethod {
  const rules = old?.rules ?? [];
  return extended(method, changedIn === undefined ? { rules } : { rules, changedIn });
}

const completeRule = (
  rule: RuleInChange,
  _old: PlacedRule | undefined,
  changedIn: number | undefined,
): PlacedRule => (changedIn === undefined ? rule : extended(rule, { changedIn }));

/**
 * The configuration after the change; a decision or `diffConfigSteps` made the change for `config`. `number` is that of
 * the version, or the one that a promotion will give it. An index of the methods avoids linear searches in a large
 * shop.
 */
export function* applyChangeSteps(
  config: PlacedConfig,
  change: ConfigChange,
  number: number,
  shouldYield: ShouldYield,
  index?: MethodIndex,
): WorkSteps<PlacedConfig> {
  const before = config.methods;
  const indexOf: IndexOf | undefined = index && ((id) => index.indexOf(before, id));
  const zones = applyList(config.zones, change.zones);
  const productGroups = applyList(config.productGroups, change.productGroups);
  const blendedRates = applyList(config.blendedRates, change.blendedRates);
  const checks = applyList(config.checks, change.checks);
  let methods = before;
  if (change.methods !== undefined) {
    const ofMethods = change.methods;
    const marked = applyMarked('method', before, ofMethods, number, completeMethod, shouldYield, indexOf);
    methods = areSteps(marked) ? yield* marked : marked;
  }
  if (change.rules !== undefined) {
    if (shouldYield()) yield;
    const changes = Object.entries(change.rules);
    const isIndexed = methods === before && changes.length <= WALKS_MAX;
    const find = (isIndexed ? indexOf : undefined) ?? finderOf(methods, changes.length);
    const result = methods.slice();
    for (const [methodId, ofRules] of changes) {
      const at = find(methodId);
      const method = methods[at];
      if (method === undefined) continue;
      const rules = applyMarked('rule', method.rules, ofRules, number, completeRule, shouldYield);
      result[at] = extended(method, { rules: areSteps(rules) ? yield* rules : rules });
      if (shouldYield()) yield;
    }
    methods = result;
  }
  return { zones, productGroups, methods, blendedRates, checks };
}

/**
 * The state after an event. `state` is null only before `shopCreated`, the first event of every shop. Throws when the
 * events are in another order, which cannot happen in an undamaged log.
 */
export function* applyEventSteps(
  state: ShopState | null,
  event: ShopEvent,
  shouldYield: ShouldYield,
  index?: MethodIndex,
): WorkSteps<ShopState> {
  if (event.kind === 'shopCreated') {
    if (state !== null) throw new Error(`shop ${state.settings.id} is created a second time`);
    const { settings, config, version } = event;
    return { settings, keys: [], config: configOfStored(config), version, staging: null };
  }
  if (state === null) throw new Error(`a shop's first event is ${event.kind}, not shopCreated`);
  switch (event.kind) {
    case 'configChanged': {
      const { change, version } = event;
      const config = yield* applyChangeSteps(state.config, change, version.number, shouldYield, index);
      return extended(state, { config, version });
    }
    case 'settingsChanged':
      return { ...state, settings: event.settings };
    case 'keyCreated':
      return { ...state, keys: [...state.keys, event.key] };
    case 'keyRevoked':
      return { ...state, keys: state.keys.filter(({ id }) => id !== event.keyId) };
    case 'stagingEntered':
      return { ...state, staging: { ...event.staging, config: state.config, writes: [] } };
    case 'stagedWritten': {
      const { staging } = state;
      if (staging === null) throw new Error(`a staged write of ${state.settings.id} without a changeset`);
      const number = state.version.number + staging.writes.length + 1;
      const config = yield* applyChangeSteps(staging.config, event.write.change, number, shouldYield, index);
      return { ...state, staging: { ...staging, config, writes: [...staging.writes, event.write] } };
    }
    case 'stagingEnded':
      return { ...state, staging: null };
    case 'shopifySecretSet': {
      const { shopifySecret: _earlier, ...rest } = state;
      return event.sealed === null ? rest : { ...rest, shopifySecret: event.sealed };
    }
  }
}

/** As `applyEventSteps`, without yielding. */
export const applyEvent = (state: ShopState | null, event: ShopEvent): ShopState =>
  finishSteps(applyEventSteps(state, event, NEVER));
