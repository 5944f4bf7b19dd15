/**
 * The change from one configuration to another: `applyChangeSteps` turns the first into the second, including order and
 * placements. The change does not name records that are the same in both.
 */
import type {
  ConfigChange,
  ListChange,
  MethodInChange,
  PlacedConfig,
  PlacedMethod,
  PlacedRule,
  RuleInChange,
} from '../domain/shop-event.ts';
import type { ShouldYield, WorkSteps } from '../pace/work-steps.ts';
import { alignSteps, type Identified, stayingRecords } from './align.ts';
import { sameJson } from './same-json.ts';

/** A record as a change holds it. */
type Stored<T, C> = (record: T) => C;

export const asItIs = <T>(record: T): T => record;

/** The rules of a method are stored as separate changes. */
export const methodInChange = ({ rules: _, changedIn: _number, ...fields }: PlacedMethod): MethodInChange =>
  fields;

export const ruleInChange = ({ changedIn: _, ...fields }: PlacedRule): RuleInChange => fields;

/** Null when the lists are equal. */
export function* diffListSteps<T extends Identified, C>(
  from: readonly T[],
  to: readonly T[],
  stored: Stored<T, C>,
  shouldYield: ShouldYield,
): WorkSteps<ListChange<C> | null> {
  if (from === to) return null;
  const aligned = yield* alignSteps(from, to, shouldYield);
  const { start, fromIndexes, removed } = aligned;
  const stays = stayingRecords(aligned);
  const replaced: C[] = [];
  const placed: { index: number; record: C }[] = [];
  for (const [at, fromIndex] of fromIndexes.entries()) {
    const index = start + at;
    const record = to[index] as T;
    if (shouldYield()) yield;
    if (stays[at] !== 1) {
      placed.push({ index, record: stored(record) });
      continue;
    }
    const old = from[fromIndex] as T;
    if (old !== record && !sameJson(stored(old), stored(record))) replaced.push(stored(record));
  }
  if (removed.length + replaced.length + placed.length === 0) return null;
  return {
    ...(removed.length > 0 && { removed: removed.map((index) => from[index]?.id ?? '') }),
    ...(replaced.length > 0 && { replaced }),
    ...(placed.length > 0 && { placed }),
  };
}

/** Changes of rules, by method; for a new method all rules are new. Null when no rule changed. */
function* diffRules(
  from: readonly PlacedMethod[],
  to: readonly PlacedMethod[],
  shouldYield: ShouldYield,
): WorkSteps<NonNullable<ConfigChange['rules']> | null> {
  if (from === to) return null;
  const changes: [methodId: string, change: ListChange<RuleInChange>][] = [];
  const { start, fromIndexes } = yield* alignSteps(from, to, shouldYield);
  for (const [at, fromIndex] of fromIndexes.entries()) {
    const method = to[start + at] as PlacedMethod;
    if (shouldYield()) yield;
    const change = yield* diffListSteps(
      from[fromIndex]?.rules ?? [],
      method.rules,
      ruleInChange,
      shouldYield,
    );
    if (change !== null) changes.push([method.id, change]);
  }
  // `Object.fromEntries` defines the fields, so a method may have the id `__proto__`.
  return changes.length === 0 ? null : Object.fromEntries(changes);
}

/** Both configurations must be valid, with unique ids per kind. Linear except for records whose order changed. */
export function* diffConfigSteps(
  from: PlacedConfig,
  to: PlacedConfig,
  shouldYield: ShouldYield,
): WorkSteps<ConfigChange> {
  const zones = yield* diffListSteps(from.zones, to.zones, asItIs, shouldYield);
  const productGroups = yield* diffListSteps(from.productGroups, to.productGroups, asItIs, shouldYield);
  const methods = yield* diffListSteps(from.methods, to.methods, methodInChange, shouldYield);
  const rules = yield* diffRules(from.methods, to.methods, shouldYield);
  const blendedRates = yield* diffListSteps(from.blendedRates, to.blendedRates, asItIs, shouldYield);
  const checks = yield* diffListSteps(from.checks, to.checks, asItIs, shouldYield);
  return {
    ...(zones !== null && { zones }),
    ...(productGroups !== null && { productGroups }),
    ...(methods !== null && { methods }),
    ...(rules !== null && { rules }),
    ...(blendedRates !== null && { blendedRates }),
    ...(checks !== null && { checks }),
  };
}
