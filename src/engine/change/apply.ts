/**
 * Turns events into state. The state of a shop changes in no other way, so a live state and a state replayed from the
 * log cannot differ. Records and lists that a change does not name stay the same objects, so their compiled forms are
 * reused.
 */

import { extended } from '../../base/runtime/extended.ts';
import type { ApiKey } from '../domain/api-key.ts';
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
import type { Identified } from './align.ts';
import { asItIs, differ, modifiedIds, unmarked } from './diff.ts';

/**
 * The list after the change, in the order that `ListChange` describes. `complete` makes a record of the list from that of
 * the change and from its predecessor.
 */
function applyList<C extends Identified, T extends Identified>(
  list: readonly T[],
  change: ListChange<C> | undefined,
  complete: (stored: C, old: T | undefined) => T,
): readonly T[] {
  if (change === undefined) return list;
  const { removed = [], replaced = [], placed = [] } = change;
  const replacements = new Map(replaced.map((stored) => [stored.id, stored]));
  /** Records that leave their place, by id; undefined for those that were not in the list. */
  const leaving = new Map<string, T | undefined>();
  for (const id of removed) leaving.set(id, undefined);
  for (const { record } of placed) leaving.set(record.id, undefined);
  const kept: T[] = [];
  for (const record of list) {
    const stored = replacements.get(record.id);
    if (stored !== undefined) kept.push(complete(stored, record));
    else if (leaving.size > 0 && leaving.has(record.id)) leaving.set(record.id, record);
    else kept.push(record);
  }
  if (placed.length === 0) return kept;
  const result: T[] = [];
  let next = 0;
  for (const { index, record } of placed) {
    for (; result.length < index && next < kept.length; next++) result.push(kept[next] as T);
    result.push(complete(record, leaving.get(record.id)));
  }
  return result.concat(kept.slice(next));
}

/**
 * As `applyList`, and marks each changed method or rule with the number of the version that changed it (contract
 * section 10.3): the newest version whose comparison with the version before it names the record. A move counts as a
 * comparison counts it (contract section 6).
 */
function applyMarked<C extends Identified & Placement, T extends C & LastChange>(
  kind: 'method' | 'rule',
  list: readonly T[],
  change: ListChange<C> | undefined,
  number: number,
  complete: Complete<C, T>,
): readonly T[] {
  /** Record with another placement -> its predecessor. */
  const moved = new Map<T, T>();
  const after = applyList<C, T>(list, change, (stored, old) => {
    if (old?.placement === stored.placement && !differ(kind, old, stored)) {
      return complete(stored, old, old.changedIn);
    }
    const record = complete(stored, old, number);
    if (old !== undefined && old.placement !== stored.placement) moved.set(record, old);
    return record;
  });
  return moved.size === 0 ? after : settled(kind, list, after, moved, complete);
}

/** A record with another placement may be where it was: a rollback can undo moves that cancelled each other out. */
function settled<C, T extends C & Identified & Placement & LastChange>(
  kind: RecordKind,
  list: readonly T[],
  after: readonly T[],
  moved: ReadonlyMap<T, T>,
  complete: Complete<C, T>,
): readonly T[] {
  const named = modifiedIds(kind, list, after);
  return after.map((record) => {
    const old = moved.get(record);
    const isInPlace = old !== undefined && !named.has(record.id);
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
 * The configuration after the change; a decision or `diffConfigs` made the change for `config`. `number` is that of the
 * version, or the one that a promotion will give it.
 */
export function applyChange(config: PlacedConfig, change: ConfigChange, number: number): PlacedConfig {
  const ofRules = new Map(Object.entries(change.rules ?? {}));
  const methods = applyMarked('method', config.methods, change.methods, number, completeMethod);
  return {
    zones: applyList(config.zones, change.zones, asItIs),
    productGroups: applyList(config.productGroups, change.productGroups, asItIs),
    methods:
      change.rules === undefined
        ? methods
        : methods.map((method) => {
            const ofMethod = ofRules.get(method.id);
            if (ofMethod === undefined) return method;
            return extended(method, {
              rules: applyMarked('rule', method.rules, ofMethod, number, completeRule),
            });
          }),
    blendedRates: applyList(config.blendedRates, change.blendedRates, asItIs),
    checks: applyList(config.checks, change.checks, asItIs),
  };
}

/**
 * The state after an event. `state` is null only before `shopCreated`, the first event of every shop. Throws when the
 * events are in another order, which cannot happen in an undamaged log.
 */
export function applyEvent(state: ShopState | null, event: ShopEvent): ShopState {
  if (event.kind === 'shopCreated') {
    if (state !== null) throw new Error(`shop ${state.settings.id} is created a second time`);
    const { settings, config, version } = event;
    return { settings, keys: [], config: configOfStored(config), version, staging: null };
  }
  if (state === null) throw new Error(`a shop's first event is ${event.kind}, not shopCreated`);
  switch (event.kind) {
    case 'configChanged': {
      const { change, version } = event;
      const config = applyChange(state.config, change, version.number);
      return extended(state, { config, version });
    }
    case 'settingsChanged':
      return { ...state, settings: event.settings };
    case 'keyCreated':
      return { ...state, keys: [...state.keys, event.key] };
    case 'keyChanged': {
      const { keyId, label, expiresAt } = event;
      const changed = ({ expiresAt: _earlier, ...key }: ApiKey): ApiKey => ({
        ...key,
        label,
        ...(expiresAt === null ? {} : { expiresAt }),
      });
      return { ...state, keys: state.keys.map((key) => (key.id === keyId ? changed(key) : key)) };
    }
    case 'keyRevoked':
      return { ...state, keys: state.keys.filter(({ id }) => id !== event.keyId) };
    case 'stagingEntered':
      return { ...state, staging: { ...event.staging, config: state.config, writes: [] } };
    case 'stagedWritten': {
      const { staging } = state;
      if (staging === null) throw new Error(`a staged write of ${state.settings.id} without a changeset`);
      const number = state.version.number + staging.writes.length + 1;
      const config = applyChange(staging.config, event.write.change, number);
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
