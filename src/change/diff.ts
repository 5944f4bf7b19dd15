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
import { alignLists, type Identified, stayingRecords } from './align.ts';
import { sameJson } from './same-json.ts';

type Same<T> = (a: T, b: T) => boolean;

/** null when the lists are equal. `same` compares two records with the same id. */
function diffList<T extends Identified>(
  from: readonly T[],
  to: readonly T[],
  same: Same<T> = sameJson,
): ListChange<T> | null {
  if (from === to) return null;
  const { fromIndexes, removed } = alignLists(from, to);
  const stays = stayingRecords(fromIndexes);
  const replaced: T[] = [];
  const placed: { index: number; record: T }[] = [];
  for (let index = 0; index < to.length; index++) {
    const record = to[index] as T;
    if (stays[index] !== 1) {
      placed.push({ index, record });
      continue;
    }
    const old = from[fromIndexes[index] as number] as T;
    if (old !== record && !same(old, record)) replaced.push(record);
  }
  if (removed.length + replaced.length + placed.length === 0) return null;
  return {
    ...(removed.length > 0 && { removed: removed.map((index) => from[index]?.id ?? '') }),
    ...(replaced.length > 0 && { replaced }),
    ...(placed.length > 0 && { placed }),
  };
}

const methodInChange = ({ rules: _, ...fields }: PlacedMethod): MethodInChange => fields;

const sameMethodFields: Same<PlacedMethod> = (a, b) => sameJson(methodInChange(a), methodInChange(b));

function diffMethods(
  from: readonly PlacedMethod[],
  to: readonly PlacedMethod[],
): ListChange<MethodInChange> | null {
  const change = diffList(from, to, sameMethodFields);
  if (change === null) return null;
  const { replaced, placed, ...rest } = change;
  return {
    ...rest,
    ...(replaced !== undefined && { replaced: replaced.map(methodInChange) }),
    ...(placed !== undefined && {
      placed: placed.map(({ index, record }) => ({ index, record: methodInChange(record) })),
    }),
  };
}

/** Changes of rules, by method; of a new method, all its rules are new. */
function diffRules(from: readonly PlacedMethod[], to: readonly PlacedMethod[]) {
  if (from === to) return null;
  const changes: [methodId: string, change: ListChange<PlacedRule>][] = [];
  const { fromIndexes } = alignLists(from, to);
  for (let index = 0; index < to.length; index++) {
    const method = to[index] as PlacedMethod;
    const fromIndex = fromIndexes[index] as number;
    const old = fromIndex < 0 ? undefined : from[fromIndex];
    if (old === method) continue;
    const change = diffList(old?.rules ?? [], method.rules);
    if (change !== null) changes.push([method.id, change]);
  }
  // fromEntries and not assignment: `__proto__` is a valid id.
  return changes.length === 0 ? null : Object.fromEntries(changes);
}

/** Both must be valid: ids unique per kind. Linear but for the records that changed their order. */
export function diffConfig(from: PlacedConfig, to: PlacedConfig): ConfigChange {
  const zones = diffList(from.zones, to.zones);
  const productGroups = diffList(from.productGroups, to.productGroups);
  const methods = diffMethods(from.methods, to.methods);
  const rules = diffRules(from.methods, to.methods);
  const blendedRates = diffList(from.blendedRates, to.blendedRates);
  return {
    ...(zones !== null && { zones }),
    ...(productGroups !== null && { productGroups }),
    ...(methods !== null && { methods }),
    ...(rules !== null && { rules }),
    ...(blendedRates !== null && { blendedRates }),
  };
}
