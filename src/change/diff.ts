/**
 * The change that turns one placed configuration into another: applied with `applyChange` it gives the
 * second exactly, order and placement included, and it names no record that both share unchanged.
 */
import type {
  ConfigChange,
  ListChange,
  MethodInChange,
  PlacedConfig,
  PlacedMethod,
  PlacedRule,
} from '../domain/shop-event.ts';
import { finishSteps, NEVER, type ShouldYield, type WorkSteps } from '../pace/work-steps.ts';
import { alignSteps, type Identified, stayingRecords } from './align.ts';
import { type RuleChanges, recordOfEntries } from './rule-changes.ts';
import { sameJson } from './same-json.ts';

type Same<T> = (a: T, b: T) => boolean;

/** null when the lists are equal. `same` compares two records with the same id. */
function* diffList<T extends Identified>(
  from: readonly T[],
  to: readonly T[],
  shouldYield: ShouldYield,
  same: Same<T> = sameJson,
): WorkSteps<ListChange<T> | null> {
  if (from === to) return null;
  const aligned = yield* alignSteps(from, to, shouldYield);
  const { start, fromIndexes, removed } = aligned;
  const stays = stayingRecords(aligned);
  const replaced: T[] = [];
  const placed: { index: number; record: T }[] = [];
  for (const [at, fromIndex] of fromIndexes.entries()) {
    const index = start + at;
    const record = to[index] as T;
    if (stays[at] !== 1) {
      placed.push({ index, record });
      if (shouldYield()) yield;
      continue;
    }
    const old = from[fromIndex] as T;
    if (old === record) continue;
    if (shouldYield()) yield;
    if (!same(old, record)) replaced.push(record);
  }
  if (removed.length + replaced.length + placed.length === 0) return null;
  return {
    ...(removed.length > 0 && { removed: removed.map((index) => from[index]?.id ?? '') }),
    ...(replaced.length > 0 && { replaced }),
    ...(placed.length > 0 && { placed }),
  };
}

/** A method as a change names it. */
export const methodInChange = ({ rules: _, ...fields }: PlacedMethod): MethodInChange => fields;

const sameMethodFields: Same<PlacedMethod> = (a, b) => sameJson(methodInChange(a), methodInChange(b));

function* diffMethods(
  from: readonly PlacedMethod[],
  to: readonly PlacedMethod[],
  shouldYield: ShouldYield,
): WorkSteps<ListChange<MethodInChange> | null> {
  const change = yield* diffList(from, to, shouldYield, sameMethodFields);
  if (change === null) return null;
  const { replaced, placed, ...rest } = change;
  const replacedFields: MethodInChange[] = [];
  for (const method of replaced ?? []) {
    replacedFields.push(methodInChange(method));
    if (shouldYield()) yield;
  }
  const placedFields: { index: number; record: MethodInChange }[] = [];
  for (const { index, record } of placed ?? []) {
    placedFields.push({ index, record: methodInChange(record) });
    if (shouldYield()) yield;
  }
  return {
    ...rest,
    ...(replaced !== undefined && { replaced: replacedFields }),
    ...(placed !== undefined && { placed: placedFields }),
  };
}

/** Changes of rules, by method; of a new method, all its rules are new. */
function* diffRules(
  from: readonly PlacedMethod[],
  to: readonly PlacedMethod[],
  shouldYield: ShouldYield,
): WorkSteps<RuleChanges | null> {
  if (from === to) return null;
  const changes: [methodId: string, change: ListChange<PlacedRule>][] = [];
  const { start, fromIndexes } = yield* alignSteps(from, to, shouldYield);
  for (const [at, fromIndex] of fromIndexes.entries()) {
    const method = to[start + at] as PlacedMethod;
    const old = fromIndex < 0 ? undefined : from[fromIndex];
    if (old === method) continue;
    if (shouldYield()) yield;
    const change = yield* diffList(old?.rules ?? [], method.rules, shouldYield);
    if (change !== null) changes.push([method.id, change]);
  }
  return changes.length === 0 ? null : yield* recordOfEntries(changes, shouldYield);
}

/** Both must be valid: ids unique per kind. Linear but for the records that changed their order. */
export function* diffConfigSteps(
  from: PlacedConfig,
  to: PlacedConfig,
  shouldYield: ShouldYield,
): WorkSteps<ConfigChange> {
  const zones = yield* diffList(from.zones, to.zones, shouldYield);
  const productGroups = yield* diffList(from.productGroups, to.productGroups, shouldYield);
  const methods = yield* diffMethods(from.methods, to.methods, shouldYield);
  const rules = yield* diffRules(from.methods, to.methods, shouldYield);
  const blendedRates = yield* diffList(from.blendedRates, to.blendedRates, shouldYield);
  return {
    ...(zones !== null && { zones }),
    ...(productGroups !== null && { productGroups }),
    ...(methods !== null && { methods }),
    ...(rules !== null && { rules }),
    ...(blendedRates !== null && { blendedRates }),
  };
}

/** The same at once. */
export const diffConfig = (from: PlacedConfig, to: PlacedConfig): ConfigChange =>
  finishSteps(diffConfigSteps(from, to, NEVER));
