/**
 * Which method a rule belongs to. Rules are addressed by id alone, and a walk over the 100,000 rules of a
 * large shop costs more than the rest of a write; so an index is made on the first question and then
 * handed on from each list of methods to the next.
 *
 * It hangs on a list by identity: a list that has none, or that gave its own away, gets a new one when it
 * is asked. Answers never depend on that, only their cost does.
 */
import type { ConfigChange, PlacedMethod } from '../domain/shop-event.ts';

/** Rule id -> method id. */
type RuleHomes = Map<string, string>;

const homesByList = new WeakMap<readonly PlacedMethod[], RuleHomes>();

/** The id of the method that has this rule, or undefined. The first question to a list is linear. */
export function findRuleHome(methods: readonly PlacedMethod[], ruleId: string): string | undefined {
  let homes = homesByList.get(methods);
  if (homes === undefined) {
    homes = new Map();
    for (const { id, rules } of methods) for (const rule of rules) homes.set(rule.id, id);
    homesByList.set(methods, homes);
  }
  return homes.get(ruleId);
}

/** Hands the index of `from` on to `to`, which `change` makes of it. Linear in the change. */
export function carryRuleHomes(
  from: readonly PlacedMethod[],
  to: readonly PlacedMethod[],
  change: ConfigChange,
): void {
  const homes = homesByList.get(from);
  if (homes === undefined || from === to) return;
  homesByList.delete(from);
  homesByList.set(to, homes);
  const gone = new Set(change.methods?.removed);
  for (const { id, rules } of gone.size > 0 ? from : []) {
    if (gone.size > 0 && gone.delete(id)) for (const rule of rules) homes.delete(rule.id);
  }
  const ruleChanges = Object.entries(change.rules ?? {});
  for (const [, { removed = [] }] of ruleChanges) for (const id of removed) homes.delete(id);
  // After every removal: a rule may leave one method and turn up under another in the same change.
  for (const [methodId, { placed = [] }] of ruleChanges) {
    for (const { record } of placed) homes.set(record.id, methodId);
  }
}
