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
  type Placement,
  type ShopEvent,
  type ShopState,
} from '../domain/shop-event.ts';
import { finishSteps, NEVER, type ShouldYield, type WorkSteps } from '../pace/work-steps.ts';
import { extended } from '../runtime/extended.ts';
import type { Identified } from './align.ts';
import { asItIs, compareListSteps, fieldChanges, unmarked } from './compare.ts';
import type { MethodIndex } from './references.ts';

/** The index of a record in its list by its id, or -1. */
type IndexOf = (id: string) => number;

const walkOf =
  (list: readonly Identified[]): IndexOf =>
  (id) =>
    list.findIndex((record) => record.id === id);

/** For more records than this, look-ups use a map of the list. */
const WALKS_MAX = 8;

function* mapOf(list: readonly Identified[], shouldYield: ShouldYield): WorkSteps<IndexOf> {
  const indexes = new Map<string, number>();
  for (const [index, { id }] of list.entries()) {
    indexes.set(id, index);
    if (shouldYield()) yield;
  }
  return (id) => indexes.get(id) ?? -1;
}

/**
 * The list after the change, in the order that `ListChange` describes. `adopt` completes a record of the change with
 * fields of the record that it replaces.
 */
function* applyList<C extends Identified, T extends C>(
  list: readonly T[],
  { removed = [], replaced = [], placed = [] }: ListChange<C>,
  adopt: (record: C, old: T | undefined) => T,
  shouldYield: ShouldYield,
  indexOf: IndexOf = walkOf(list),
): WorkSteps<readonly T[]> {
  const names = removed.length + replaced.length + placed.length;
  const find = names > WALKS_MAX ? yield* mapOf(list, shouldYield) : indexOf;
  let kept = list;
  if (replaced.length > 0) {
    const copy = list.slice();
    for (const record of replaced) {
      const index = find(record.id);
      if (index >= 0) copy[index] = adopt(record, list[index]);
      if (shouldYield()) yield;
    }
    kept = copy;
  }
  if (removed.length + placed.length === 0) return kept;
  const leaves = new Uint8Array(list.length);
  let leaving = 0;
  const leave = (id: string): T | undefined => {
    const index = find(id);
    if (index < 0) return undefined;
    leaves[index] = 1;
    leaving++;
    return list[index];
  };
  for (const id of removed) {
    leave(id);
    if (shouldYield()) yield;
  }
  const coming: T[] = [];
  for (const { record } of placed) {
    coming.push(adopt(record, leave(record.id)));
    if (shouldYield()) yield;
  }
  // Preallocated: in our measurements, growing an array to 20,000 elements takes half as long again.
  const result = new Array<T>(list.length - leaving + placed.length);
  let length = 0;
  let next = 0;
  const keepUntil = (index: number): void => {
    for (; length < index && next < list.length; next++) {
      if (leaves[next] === 0) result[length++] = kept[next] as T;
    }
  };
  for (const [at, { index }] of placed.entries()) {
    keepUntil(index);
    result[length++] = coming[at] as T;
    if (shouldYield()) yield;
  }
  keepUntil(result.length);
  return result;
}

type MarkedRecord = Identified & Placement & LastChange;

/**
 * As `applyList`, and marks each changed method or rule with the number of the version that changed it (contract
 * section
 * 10.3): the newest version whose comparison with the version before it names the record. A move counts as a comparison
 * counts it (contract section 6).
 */
function* applyMarked<C extends Identified, T extends C & MarkedRecord>(
  kind: 'method' | 'rule',
  list: readonly T[],
  change: ListChange<C>,
  number: number,
  complete: (record: C, old: T | undefined) => T,
  shouldYield: ShouldYield,
  indexOf?: IndexOf,
): WorkSteps<readonly T[]> {
  /** Record with another placement and the same fields -> its predecessor. */
  let moved: Map<T, T> | undefined;
  const adopt = (stored: C, old: T | undefined): T => {
    const record = complete(stored, old);
    if (old === undefined || fieldChanges(kind, old, record).length > 0) return marked(record, number);
    if (old.placement === record.placement) return marked(record, old.changedIn);
    const after = marked(record, number);
    moved ??= new Map();
    moved.set(after, old);
    return after;
  };
  const after = yield* applyList(list, change, adopt, shouldYield, indexOf);
  if (moved === undefined) return after;
  // A record with another placement may be where it was: a rollback can undo moves that cancelled each other out.
  const { modified } = yield* compareListSteps(kind, list, after, shouldYield);
  const modifiedIds = new Set(modified.map(({ id }) => id));
  return after.map((record) => {
    const old = moved?.get(record);
    if (old === undefined || modifiedIds.has(record.id)) return record;
    return marked(unmarked(record) as T, old.changedIn);
  });
}

const marked = <T extends MarkedRecord>(record: T, changedIn: number | undefined): T =>
  changedIn === undefined ? record : extended(record, { changedIn });

/** A change holds a method without its rules: an existing method keeps its rules. */
const withRulesOf = (method: MethodInChange, old: PlacedMethod | undefined): PlacedMethod =>
  extended(method, { rules: old?.rules ?? [] });

function* applyRules(
  methods: readonly PlacedMethod[],
  rules: NonNullable<ConfigChange['rules']>,
  number: number,
  shouldYield: ShouldYield,
  indexOf: IndexOf = walkOf(methods),
): WorkSteps<readonly PlacedMethod[]> {
  const changes = Object.entries(rules);
  const find = changes.length > WALKS_MAX ? yield* mapOf(methods, shouldYield) : indexOf;
  const result = methods.slice();
  for (const [methodId, change] of changes) {
    const index = find(methodId);
    const method = methods[index];
    if (method === undefined) continue;
    const after = yield* applyMarked('rule', method.rules, change, number, asItIs, shouldYield);
    result[index] = extended(method, { rules: after });
    if (shouldYield()) yield;
  }
  return result;
}

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
  // Most changes name one list: the steps of a list that is not named would cost more than the rest of the change.
  let { zones, productGroups, methods, blendedRates, checks } = config;
  if (change.zones !== undefined) zones = yield* applyList(zones, change.zones, asItIs, shouldYield);
  if (change.productGroups !== undefined) {
    productGroups = yield* applyList(productGroups, change.productGroups, asItIs, shouldYield);
  }
  if (change.methods !== undefined) {
    methods = yield* applyMarked('method', before, change.methods, number, withRulesOf, shouldYield, indexOf);
  }
  if (change.rules !== undefined) {
    const isIndexed = methods === before;
    methods = yield* applyRules(methods, change.rules, number, shouldYield, isIndexed ? indexOf : undefined);
  }
  if (change.blendedRates !== undefined) {
    blendedRates = yield* applyList(blendedRates, change.blendedRates, asItIs, shouldYield);
  }
  if (change.checks !== undefined) checks = yield* applyList(checks, change.checks, asItIs, shouldYield);
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
