/**
 * Compile weight: how much work a record will be, in the units of work steps, told from its size alone.
 * Rough on purpose: only its order of magnitude decides anything, and never an answer.
 */
import type { Condition } from '../domain/condition.ts';
import { GROUP_MATCHER_FIELDS, type ProductGroup } from '../domain/product-group.ts';
import type { ShippingMethod } from '../domain/shipping-method.ts';
import type { ShopConfig } from '../domain/shop-config.ts';
import { STEP_UNITS } from '../runtime/work-steps.ts';

/** A method that is compiled already: it is only looked up. */
export const METHOD_UNITS = 16;
const NEW_METHOD_UNITS = 256;
export const RULE_UNITS = 128;
const CONDITION_UNITS = 128;
/** One condition of a compiled rule, looked up by its test. */
export const TEST_UNITS = 8;
/** One text by which a group takes items. */
export const MATCHER_UNITS = 32;
/** One character of a subzone's patterns, from its reading to the nodes of the trie. */
export const POSTAL_UNITS = 10;

export const conditionUnits = ({ value }: Condition): number => CONDITION_UNITS + value.length;

export function methodUnits({ rules }: ShippingMethod): number {
  let units = NEW_METHOD_UNITS;
  for (const { conditions } of rules) {
    units += RULE_UNITS;
    for (const condition of conditions) units += conditionUnits(condition);
  }
  return units;
}

/** Of rules as they are stored or compiled. */
export const conditionsOfRules = (rules: readonly { readonly conditions: readonly unknown[] }[]): number =>
  rules.reduce((count, { conditions }) => count + conditions.length, 0);

export const conditionCount = (methods: readonly ShippingMethod[]): number =>
  methods.reduce((count, { rules }) => count + conditionsOfRules(rules), 0);

/** Of the index of groups; at least a step where it is more than that. Looks at no more records than that. */
export function groupIndexUnits(groups: readonly ProductGroup[]): number {
  let units = 0;
  for (const group of groups) {
    for (const field of GROUP_MATCHER_FIELDS) units += MATCHER_UNITS * group[field].length;
    if (units >= STEP_UNITS) break;
  }
  return units;
}

/** True when all groups and zones together are less work than one step. Looks at no more records than that. */
export function isLightConfig({ productGroups, zones, methods }: ShopConfig): boolean {
  let units = groupIndexUnits(productGroups);
  if (units >= STEP_UNITS) return false;
  for (const { subzones } of zones) {
    for (const { postalCodes } of subzones) {
      units += POSTAL_UNITS * (postalCodes.length + 1);
      if (units >= STEP_UNITS) return false;
    }
  }
  for (const method of methods) {
    units += methodUnits(method);
    if (units >= STEP_UNITS) return false;
  }
  return true;
}
