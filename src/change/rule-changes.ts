/**
 * The rule changes of one change, by method id. As a record they are stored; to list its fields takes ten milliseconds at
 * once when a bulk write touches the rules of 20,000 methods, so that who makes the record keeps the list beside it.
 */

import { setField } from '../bytes/json-reading.ts';
import type { ConfigChange, ListChange, PlacedRule } from '../domain/shop-event.ts';
import type { ShouldYield, WorkSteps } from '../pace/work-steps.ts';

export type RuleChanges = NonNullable<ConfigChange['rules']>;
export type RuleChangeEntries = readonly (readonly [methodId: string, change: ListChange<PlacedRule>])[];

const entriesByRecord = new WeakMap<RuleChanges, RuleChangeEntries>();

export function* recordOfEntries(
  entries: RuleChangeEntries,
  shouldYield: ShouldYield,
): WorkSteps<RuleChanges> {
  const record: RuleChanges = {};
  for (const [methodId, value] of entries) {
    setField(record, methodId, value);
    if (shouldYield()) yield;
  }
  entriesByRecord.set(record, entries);
  return record;
}

const NO_ENTRIES: RuleChangeEntries = [];

/** In the order in which the change names the methods; undefined where the change was read and its rules are a record only. */
export const knownRuleChanges = ({ rules }: ConfigChange): RuleChangeEntries | undefined =>
  rules === undefined ? NO_ENTRIES : entriesByRecord.get(rules);

/** The same of such a record. Its names alone are listed at once. */
export function* ruleChangeSteps(
  { rules = {} }: ConfigChange,
  shouldYield: ShouldYield,
): WorkSteps<RuleChangeEntries> {
  const entries: (readonly [string, ListChange<PlacedRule>])[] = [];
  for (const methodId of Object.keys(rules)) {
    entries.push([methodId, rules[methodId] as ListChange<PlacedRule>]);
    if (shouldYield()) yield;
  }
  return entries;
}
