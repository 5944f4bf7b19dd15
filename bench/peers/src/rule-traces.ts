/** Rules decided in plain TypeScript: every condition prepared once per shop, evaluated for each request. */
import type { CartGroup, CartItem } from './cart.ts';
import { type Matcher, makeMatcher } from './matchers.ts';
import type { Condition, ConditionTrace, MatchedItem, Method, Rule, RuleTrace } from './model.ts';
import { enabledRulesOf, type Situation } from './simulate.ts';
import { ITEM_TYPES, SUMS, type Subject } from './subjects.ts';

export interface PreparedCondition {
  readonly condition: Condition;
  readonly matches: Matcher;
  /** What it looks at in an item; null when it is not tested item by item. */
  readonly ofItem: ((item: CartItem) => Subject) | null;
  readonly quantifier: 'any' | 'all' | 'no' | 'sum';
  readonly isInGroup: boolean;
}

export interface PreparedRule {
  readonly rule: Rule;
  readonly conditions: readonly PreparedCondition[];
  readonly reportsItems: boolean;
}

function prepareCondition(condition: Condition): PreparedCondition {
  const quantifier = condition.scope.split('_')[0] as PreparedCondition['quantifier'];
  const ofItem = quantifier === 'sum' ? null : (ITEM_TYPES[condition.conditionType]?.[1] ?? null);
  return {
    condition,
    matches: makeMatcher(condition),
    ofItem,
    quantifier,
    isInGroup: condition.scope.endsWith('_group'),
  };
}

export function prepareRule(rule: Rule): PreparedRule {
  const conditions = rule.conditions.map(prepareCondition);
  return { rule, conditions, reportsItems: conditions.some(({ ofItem }) => ofItem !== null) };
}

export function quantify(
  quantifier: PreparedCondition['quantifier'],
  items: readonly CartItem[],
  test: (item: CartItem) => boolean,
): boolean {
  if (quantifier === 'all') return items.every(test);
  return quantifier === 'any' ? items.some(test) : !items.some(test);
}

/** What a condition that is not tested item by item compares. */
export function wholeSubject(
  { condition, isInGroup }: PreparedCondition,
  { subjects, cart }: Situation,
  group: CartGroup,
): Subject {
  const sum = SUMS[condition.conditionType];
  if (sum !== undefined) return (isInGroup ? group : cart).totals[sum];
  return subjects[condition.conditionType] ?? '';
}

function decide(prepared: PreparedCondition, situation: Situation, group: CartGroup): boolean {
  const { ofItem, matches } = prepared;
  if (ofItem === null) return matches(wholeSubject(prepared, situation, group));
  const items = prepared.isInGroup ? group.items : situation.cart.items;
  return quantify(prepared.quantifier, items, (item) => matches(ofItem(item)));
}

/** Items of the order that satisfy at least one item condition of the rule. */
export function matchedItems(
  { conditions }: PreparedRule,
  { cart }: Situation,
  group: CartGroup,
): MatchedItem[] {
  const satisfies = (item: CartItem): boolean =>
    conditions.some(
      ({ ofItem, matches, isInGroup }) =>
        ofItem !== null &&
        (!isInGroup || (item.ships && item.group === group.group)) &&
        matches(ofItem(item)),
    );
  return cart.items.filter(satisfies).map(({ index, raw }) => ({
    index,
    name: raw.name ?? '',
    sku: raw.sku === undefined || raw.sku === null ? '' : String(raw.sku),
  }));
}

export function traceOf(
  prepared: PreparedRule,
  outcomes: readonly boolean[],
  situation: Situation,
  group: CartGroup,
): RuleTrace {
  const { rule, conditions, reportsItems } = prepared;
  const trace = {
    ruleId: rule.id,
    action: rule.action,
    matched: outcomes.every((matched) => matched),
    conditions: conditions.map(
      ({ condition: { conditionType, operator, value, scope } }, at): ConditionTrace => ({
        conditionType,
        operator,
        value,
        scope,
        matched: outcomes[at] === true,
      }),
    ),
  };
  return reportsItems ? { ...trace, matchedItems: matchedItems(prepared, situation, group) } : trace;
}

/** Decides the rules of any method of a shop; prepared when a method is first met. */
export class PlainRules {
  readonly #prepared = new Map<Method, readonly PreparedRule[]>();

  tracesOf(method: Method, situation: Situation, group: CartGroup): readonly RuleTrace[] {
    let prepared = this.#prepared.get(method);
    if (prepared === undefined) {
      prepared = enabledRulesOf(method).map(prepareRule);
      this.#prepared.set(method, prepared);
    }
    return prepared.map((rule) =>
      traceOf(
        rule,
        rule.conditions.map((condition) => decide(condition, situation, group)),
        situation,
        group,
      ),
    );
  }
}
