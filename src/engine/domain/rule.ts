/** Rules: ordered actions on the running price and the visibility of a method (contract sections 5.3 to 5.5). */
import Type from '#typebox';
import { Condition } from './condition.ts';
import { CENTS_ACCEPTED, CENTS_MAX } from './money.ts';
import { type Fixed, Id, oneOf, strict } from './schema.ts';
import { OptionalName } from './text.ts';

export const RULE_ACTIONS = ['hide', 'show', 'free', 'adjust_add', 'adjust_subtract'] as const;
export type RuleAction = (typeof RULE_ACTIONS)[number];

/** Adjusting actions require an adjustment value; the others refuse it. */
export const isAdjusting = (action: RuleAction): action is 'adjust_add' | 'adjust_subtract' =>
  action === 'adjust_add' || action === 'adjust_subtract';

export const ADJUSTMENT_TYPES = ['flat', 'percentage'] as const;
/** Largest percentage of an adjustment, in whole points. */
export const ADJUSTMENT_PERCENTAGE_MAX = 1_000;
/** Accepted percentages, in the words of a refusal. */
export const POINTS_ACCEPTED = `whole points, 0 to ${ADJUSTMENT_PERCENTAGE_MAX.toLocaleString('en-US')}`;

/** This schema does not know the adjustment type, so a refusal names what both types accept. */
const AdjustmentValue = Type.Integer({
  minimum: 0,
  maximum: CENTS_MAX,
  'x-accepts': `${CENTS_ACCEPTED}, or ${POINTS_ACCEPTED}, when adjustmentType is percentage`,
});

export const CONDITIONS_MAX = 100;

export const Rule = strict('Rule', {
  id: Id,
  action: oneOf(RULE_ACTIONS),
  conditions: Type.Array(Condition, { maxItems: CONDITIONS_MAX }),
  adjustmentValue: Type.Optional(AdjustmentValue),
  adjustmentType: Type.Optional(oneOf(ADJUSTMENT_TYPES)),
  enabled: Type.Boolean(),
  /** Absent for "", as in rules that were stored before there were names; clients always see it. */
  name: Type.Optional(OptionalName),
});
export type Rule = Fixed<typeof Rule>;

/** Number of conditions of stored or compiled rules. */
export const conditionsOfRules = (rules: readonly { readonly conditions: readonly unknown[] }[]): number =>
  rules.reduce((count, { conditions }) => count + conditions.length, 0);

/**
 * Why rules keep a method from being visible, or null (contract section 5.5): a hide rule matches, or there are show
 * rules and none does. For many requests at once, `mustMatch` is true for the rules that match all of them and `mayMatch`
 * false for the rules that match none; a reason then holds for each of these requests.
 */
export function hidingReason<R extends { readonly action: RuleAction }>(
  rules: readonly R[],
  mustMatch: (rule: R, index: number) => boolean,
  mayMatch: (rule: R, index: number) => boolean = mustMatch,
): 'hidden_by_rule' | 'not_shown_by_rule' | null {
  let [hasShowRule, isShown] = [false, false];
  for (const [index, rule] of rules.entries()) {
    if (rule.action === 'hide' && mustMatch(rule, index)) return 'hidden_by_rule';
    if (rule.action !== 'show') continue;
    hasShowRule = true;
    isShown ||= mayMatch(rule, index);
  }
  return hasShowRule && !isShown ? 'not_shown_by_rule' : null;
}
