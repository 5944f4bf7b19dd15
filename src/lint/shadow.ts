/**
 * Shadows: a hide rule that matches whenever another rule of its method does takes away all that the other
 * could do, whatever their order, for a hidden method has no price (contract section 5.5). Of two hide
 * rules that match alike the later one is the superfluous one.
 */
import type { Rule } from '../domain/rule.ts';
import type { MethodPlace, RequirementLogic } from './requirement-logic.ts';
import type { RuleFacts } from './rule-facts.ts';

export interface Implications {
  readonly logic: RequirementLogic;
  /** How many more may be asked; when none are left, no more shadows are found. */
  left: number;
}

/** The first hide rule that shadows this one, or null. */
export function findShadow(
  shadowed: RuleFacts,
  rules: readonly RuleFacts[],
  at: MethodPlace,
  implications: Implications,
): Rule | null {
  const isHide = shadowed.rule.action === 'hide';
  let isLater = true;
  for (const hide of rules) {
    if (hide === shadowed) {
      isLater = false;
      continue;
    }
    if (implications.left <= 0) return null;
    if (hide.rule.action !== 'hide' || hide.neverMatches) continue;
    if (!isImplied(hide, shadowed, at, implications)) continue;
    if (!isHide || isLater || !isImplied(shadowed, hide, at, implications)) return hide.rule;
  }
  return null;
}

/** True only when `rule` matches whenever `given` does. */
function isImplied(rule: RuleFacts, given: RuleFacts, at: MethodPlace, implications: Implications): boolean {
  return rule.requirements.every((each) => {
    implications.left--;
    return implications.logic.isImplied(at, given.requirements, each);
  });
}
