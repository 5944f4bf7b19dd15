/**
 * Findings on likely unit slips: an amount in whole currency units among amounts in cents, or a weight in
 * kilograms among grams. A guess by this rule, for money (factor 100) and weight (factor 1,000) apart:
 *
 * The amounts of a shop are all free-shipping thresholds, all operands of conditions on totals of order or
 * group, and all bounds of tables by price (by weight) above 0, of what is enabled. There are at least
 * AMOUNTS_MIN, and at least three quarters of them lie within a tenth and ten times their median. A
 * threshold or an operand on the order's total is then a likely slip if the factor times it is between half
 * the median and twice the median.
 */
import { ITEM_NUMBER, ORDER_NUMBER, SOURCE } from '../compile/predicate.ts';
import type { Condition } from '../domain/condition.ts';
import type { FindingRecord, Witness } from '../domain/finding.ts';
import type { RateType } from '../domain/rate-type.ts';
import { conditionWords, quoted, recordOf, ruleName, ruleRecord } from './condition-words.ts';
import type { Draft } from './draft.ts';
import { tiersOfRate } from './rate-steps.ts';
import type { Requirement } from './requirement.ts';
import { evaluationOf } from './rule-findings.ts';
import type { MethodFacts, ShopFacts } from './shop-facts.ts';

const AMOUNTS_MIN = 5;

interface Dimension {
  readonly factor: number;
  readonly orderField: number;
  readonly sumField: number;
  readonly table: RateType;
  readonly total: Condition['conditionType'];
  readonly unit: string;
  readonly hasThresholds: boolean;
}

const DIMENSIONS: readonly Dimension[] = [
  {
    factor: 100,
    orderField: ORDER_NUMBER.total,
    sumField: ITEM_NUMBER.price,
    table: 'by_price_table',
    total: 'cart_total',
    unit: 'cents',
    hasThresholds: true,
  },
  {
    factor: 1_000,
    orderField: ORDER_NUMBER.weight,
    sumField: ITEM_NUMBER.weight,
    table: 'by_weight_table',
    total: 'cart_weight',
    unit: 'grams',
    hasThresholds: false,
  },
];

/** An amount that may be a slip; the others only tell what is usual. */
interface Suspect {
  readonly amount: number;
  readonly record: FindingRecord;
  /** What has the amount, in words. */
  readonly words: string;
  readonly facts: MethodFacts | null;
}

export function* unitSlipFindings(shop: ShopFacts): Generator<Draft> {
  for (const dimension of DIMENSIONS) {
    const suspects = suspectsOf(shop, dimension);
    const usual = usualAmount([...suspects.map(({ amount }) => amount), ...otherAmounts(shop, dimension)]);
    if (usual === null) continue;
    for (const suspect of suspects) {
      const raised = suspect.amount * dimension.factor;
      if (raised * 2 < usual || raised > 2 * usual) continue;
      yield {
        code: 'likely_unit_slip',
        record: suspect.record,
        evidence: () => ({
          message: `${suspect.words} is about ${dimension.factor.toLocaleString('en-US')} times below what is usual in this shop (${usual}): is it in ${dimension.unit}?`,
          witness: atTotal(shop, suspect, dimension),
        }),
      };
    }
  }
}

/** The median, if there are amounts enough and most are near it; else null. */
function usualAmount(amounts: readonly number[]): number | null {
  const sorted = [...amounts].sort((a, b) => a - b);
  const median = sorted[Math.floor((sorted.length - 1) / 2)];
  if (median === undefined || sorted.length < AMOUNTS_MIN) return null;
  const near = sorted.filter((amount) => amount * 10 >= median && amount <= median * 10);
  return near.length * 4 >= sorted.length * 3 ? median : null;
}

function suspectsOf(shop: ShopFacts, dimension: Dimension): readonly Suspect[] {
  const suspects: Suspect[] = [];
  for (const facts of shop.methods()) {
    const { method } = facts;
    if (dimension.hasThresholds && (method.freeShippingThreshold ?? 0) > 0) {
      suspects.push({
        amount: method.freeShippingThreshold ?? 0,
        record: recordOf('method', method),
        words: `The free-shipping threshold of ${quoted(method.name)}, ${method.freeShippingThreshold},`,
        facts,
      });
    }
    for (const { rule, requirements } of facts.rules) {
      for (const [i, requirement] of requirements.entries()) {
        const { source, field } = requirement.predicate;
        if (source !== SOURCE.orderNumber || field !== dimension.orderField) continue;
        const words = `In the ${ruleName(rule)} of ${quoted(method.name)} ${conditionWords(rule.conditions[i] as Condition)}`;
        for (const amount of amountsOf(requirement)) {
          suspects.push({ amount, record: ruleRecord(rule, method), words, facts });
        }
      }
    }
  }
  for (const blended of dimension.hasThresholds ? shop.config.blendedRates : []) {
    const amount = blended.freeShippingThreshold ?? 0;
    if (!blended.enabled || amount === 0) continue;
    const words = `The free-shipping threshold of blended rate ${quoted(blended.name)}, ${amount},`;
    suspects.push({ amount, record: recordOf('blendedRate', blended), words, facts: null });
  }
  return suspects;
}

const amountsOf = ({ operands }: Requirement): readonly number[] =>
  operands.map(Number).filter((amount) => amount > 0);

function otherAmounts(shop: ShopFacts, { sumField, table }: Dimension): readonly number[] {
  const amounts: number[] = [];
  for (const { method, rules } of shop.methods()) {
    for (const requirement of rules.flatMap(({ requirements }) => requirements)) {
      const { source, field } = requirement.predicate;
      if (source === SOURCE.groupSum && field === sumField) amounts.push(...amountsOf(requirement));
    }
    if (method.rateType !== table) continue;
    const bounds = (tiersOfRate(method) ?? []).flatMap(({ from, to }) => [from, to ?? 0]);
    amounts.push(...new Set(bounds.filter((bound) => bound > 0)));
  }
  return amounts;
}

/** An order of just that amount. */
function atTotal(shop: ShopFacts, { facts, amount }: Suspect, { total }: Dimension): Witness | null {
  if (facts === null) return null;
  const requirement = shop.table.of({
    conditionType: total,
    operator: 'equals',
    value: String(amount),
    scope: 'any_product_in_order',
  });
  return shop.witnesses.confirmed(
    shop.witnesses.satisfying(facts.at, [requirement]),
    (answer) => evaluationOf(answer, facts) !== undefined,
  );
}
