/**
 * Compile weight: an estimate of the work that compiling a record takes, in the units of work steps, from the size
 * of the record alone. The estimate decides where work is split into steps and never changes an answer, so its order
 * of magnitude is enough.
 */
import type { Condition } from '../domain/condition.ts';
import { GROUP_MATCHER_FIELDS, type ProductGroup } from '../domain/product-group.ts';
import type { ShippingMethod } from '../domain/shipping-method.ts';
import type { ShopConfig } from '../domain/shop-config.ts';
import { STEP_UNITS } from '../pace/work-steps.ts';

/** Looking up a method that is already compiled. */
export const METHOD_UNITS = 16;
const NEW_METHOD_UNITS = 256;
export const RULE_UNITS = 128;
const CONDITION_UNITS = 128;
/** Looking up one condition of a compiled rule by its test. */
export const TEST_UNITS = 8;
/** Indexing one text by which a group lists items. */
export const MATCHER_UNITS = 32;
/** One character of a subzone's patterns, from its reading to the segments. */
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

/** Number of conditions of stored or compiled rules. */
export const conditionsOfRules = (rules: readonly { readonly conditions: readonly unknown[] }[]): number =>
  rules.reduce((count, { conditions }) => count + conditions.length, 0);

export const conditionCount = (methods: readonly ShippingMethod[]): number =>
  methods.reduce((count, { rules }) => count + conditionsOfRules(rules), 0);

/** Units that the index of groups takes; counting stops once they fill a step. */
export function groupIndexUnits(groups: readonly ProductGroup[]): number {
  let units = 0;
  for (const group of groups) {
    for (const field of GROUP_MATCHER_FIELDS) units += MATCHER_UNITS * group[field].length;
    if (units >= STEP_UNITS) break;
  }
  return units;
}

/** True when all groups and zones together take less than one step; counting stops once they fill it. */
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
