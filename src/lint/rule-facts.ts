/** Rule facts: what holds of one rule for every request to which its method applies. */
import type { Rule } from '../domain/rule.ts';
import type { Requirement } from './requirement.ts';

export interface RuleFacts {
  readonly rule: Rule;
  readonly requirements: readonly Requirement[];
  /** True only when no request to which the method applies matches it. */
  readonly neverMatches: boolean;
  /** True only for a hide rule that every such request matches. */
  readonly alwaysHides: boolean;
}
