/** Configurations made from a source: ids, names of zones, and rules for places. */
import { type Condition, type ConditionType, DEFAULT_SCOPE, type Scope } from '../domain/condition.ts';
import { DEFAULT_GROUP_NAME } from '../domain/product-group.ts';
import { CONDITION_VALUE_LENGTH_MAX, NAME_LENGTH_MAX } from '../domain/text.ts';
import { ANY_COUNTRY } from '../domain/zone.ts';
import type { ConfigData } from '../wire/write-bodies.ts';

/** A method before it has its id, and a rule. */
export type MethodData = Omit<NonNullable<ConfigData['methods']>[number], 'id'>;
export type RuleData = NonNullable<MethodData['rules']>[number];

/** The only group of an imported configuration. */
export const IMPORTED_GROUP = { id: 'group_imported', name: DEFAULT_GROUP_NAME, isDefault: true } as const;

/**
 * The whole configuration: a zone for each element, with the methods that `methodsOf` gives it. Ids count zones, methods
 * and rules, so the same file gives the same ids.
 */
export function importedConfig<Z extends { readonly countries: readonly string[] }>(
  sources: readonly Z[],
  methodsOf: (source: Z, zoneId: string) => readonly MethodData[],
): ConfigData {
  const zoneIdOf = (index: number): string => `zone_imported_${index + 1}`;
  const zones = sources.map(({ countries }, index) => ({
    id: zoneIdOf(index),
    name: zoneName(countries),
    countries: [...countries],
    subzones: [],
  }));
  const methods = sources
    .flatMap((source, index) => methodsOf(source, zoneIdOf(index)))
    .map((method, index) => ({
      id: `method_imported_${index + 1}`,
      ...method,
      rules: (method.rules ?? []).map((rule, at) => ({
        id: `rule_imported_${index + 1}_${at + 1}`,
        ...rule,
      })),
    }));
  return { productGroups: [IMPORTED_GROUP], zones, methods, blendedRates: [] };
}

/** `AT, BE and 3 more` */
function zoneName(countries: readonly string[]): string {
  if (countries.length === 1) return countries[0] === ANY_COUNTRY ? 'Everywhere else' : (countries[0] ?? '');
  const text = countries.join(', ');
  return text.length <= NAME_LENGTH_MAX
    ? text
    : `${countries.slice(0, 20).join(', ')} and ${countries.length - 20} more`;
}

/**
 * The alternatives joined by commas, split into texts of at most the length that a condition value may have. An
 * alternative that ends in a backslash ends its text: a comma behind it would be part of the alternative.
 */
function joinedAlternatives(alternatives: readonly string[]): string[] {
  const values: string[] = [];
  for (const alternative of alternatives.map((each) => each.replaceAll(',', '\\,'))) {
    const last = values.at(-1);
    const longer = `${last},${alternative}`;
    const fits = longer.length <= CONDITION_VALUE_LENGTH_MAX && !last?.endsWith('\\');
    if (last === undefined || !fits) values.push(alternative);
    else values[values.length - 1] = longer;
  }
  return values;
}

export const condition = (
  conditionType: ConditionType,
  operator: Condition['operator'],
  value: string,
  scope: Scope = DEFAULT_SCOPE,
): Condition => ({ conditionType, operator, value, scope });

/** A list of conditions, one of which holds exactly when the field equals one of the texts; no list for null. */
export const equalsAny = (type: ConditionType, texts: readonly string[] | null): Condition[][] =>
  texts === null ? [] : [joinedAlternatives(texts).map((value) => condition(type, 'equals', value))];

/** Rules, one of which matches exactly where a condition of each list holds; none without a list. */
export function rulesWhere(
  action: 'show' | 'hide',
  lists: readonly (readonly Condition[])[],
): readonly RuleData[] {
  let ways: Condition[][] = lists.length === 0 ? [] : [[]];
  for (const list of lists) ways = ways.flatMap((way) => list.map((each) => [...way, each]));
  return ways.map((conditions) => ({ action, conditions }));
}
