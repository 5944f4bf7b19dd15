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
import { SOURCE, sourceAndFieldOf } from '../compile/predicate.ts';
import type { SumField } from '../compile/rate-function.ts';
import { type Condition, type ConditionType, FIELD, splitAlternatives } from '../domain/condition.ts';
import type { FindingRecord } from '../domain/finding.ts';
import { hasSubunit, moneyText } from '../domain/money-text.ts';
import { type TableRateType, tiersOfRate } from '../domain/rate-type.ts';
import { probeOf, setNumber } from '../probes/draft-cart.ts';
import {
  amountWords,
  conditionWords,
  type Draft,
  draftOf,
  quoted,
  recordOf,
  ruleName,
  ruleRecord,
  type Unit,
} from './draft.ts';
import type { MethodFacts } from './method-facts.ts';
import { evaluationOf } from './rule-findings.ts';
import type { ShopFacts } from './shop-facts.ts';

const AMOUNTS_MIN = 5;

interface Dimension {
  /** How many times the unit of the API goes into that of a slip. */
  readonly factor: number;
  /** The totals of an order that conditions compare. */
  readonly totals: readonly [ConditionType, ...ConditionType[]];
  /** The sum over a group in `FIELD`. */
  readonly field: SumField;
  readonly table: TableRateType;
  readonly unit: Unit;
  readonly question: string;
}
const MONEY: Dimension = {
  factor: 100,
  totals: ['cart_total', 'order_total'],
  field: FIELD.product_price,
  table: 'by_price_table',
  unit: 'money',
  question: 'is it in cents',
};
const WEIGHT: Dimension = {
  factor: 1_000,
  totals: ['cart_weight'],
  field: FIELD.product_weight,
  table: 'by_weight_table',
  unit: 'grams',
  question: 'is it in grams',
};

/** An amount that may be a slip. Other amounts are used only for the median. */
interface Suspect {
  readonly amount: number;
  readonly record: FindingRecord;
  /** The subject of the message, with the amount. */
  readonly words: string;
  readonly facts: MethodFacts | null;
  /** The total that the amount is compared with. */
  readonly total: ConditionType;
}

export function* unitSlipFindings(shop: ShopFacts): Generator<Draft> {
  const { currency } = shop.settings;
  // Amounts of a currency without cents cannot be whole units by mistake.
  for (const dimension of hasSubunit(currency) ? [MONEY, WEIGHT] : [WEIGHT]) {
    const { factor, unit, question } = dimension;
    const ofMethods = shop.methods().flatMap((facts) => suspectsOf(shop, facts, dimension));
    const suspects = dimension === MONEY ? [...ofMethods, ...blendSuspects(shop)] : ofMethods;
    const others = shop.methods().flatMap((facts) => otherAmounts(facts, dimension));
    const usual = usualAmount([...suspects.map(({ amount }) => amount), ...others]);
    if (usual === null) continue;
    for (const suspect of suspects) {
      const raised = suspect.amount * factor;
      if (raised * 2 < usual || raised > 2 * usual) continue;
      const times = factor.toLocaleString('en-US');
      const message = `${suspect.words} is about ${times} times below the ${amountWords(usual, unit, currency)} that are usual in this shop: ${question}?`;
      yield draftOf('likely_unit_slip', suspect.record, message, () => atTotal(shop, suspect));
    }
  }
}

/** Returns the median; null when there are too few amounts or too few near the median. */
function usualAmount(amounts: readonly number[]): number | null {
  const sorted = amounts.toSorted((a, b) => a - b);
  const median = sorted[Math.floor((sorted.length - 1) / 2)];
  if (median === undefined || sorted.length < AMOUNTS_MIN) return null;
  const near = sorted.filter((amount) => amount * 10 >= median && amount <= median * 10);
  return near.length * 4 >= sorted.length * 3 ? median : null;
}

/** The threshold of a method and the operands of conditions on the order's total. */
function suspectsOf(shop: ShopFacts, facts: MethodFacts, dimension: Dimension): readonly Suspect[] {
  const { method, rules } = facts;
  const amount = dimension === MONEY ? (method.freeShippingThreshold ?? 0) : 0;
  const words = `The free-shipping threshold of ${quoted(method.name)}, ${moneyText(amount, shop.settings.currency)},`;
  const [total] = dimension.totals;
  const threshold = { amount, record: recordOf('method', method), words, facts, total };
  const ofRules = rules.flatMap(({ rule }) =>
    rule.conditions.flatMap((condition) =>
      dimension.totals.flatMap((type) =>
        amountsOn(condition, SOURCE.orderNumber, FIELD[type]).map((operand): Suspect => {
          const inRule = `The value of ${conditionWords(condition)} in the ${ruleName(rule)} of ${quoted(method.name)}`;
          return { amount: operand, record: ruleRecord(rule, method), words: inRule, facts, total: type };
        }),
      ),
    ),
  );
  return amount === 0 ? ofRules : [threshold, ...ofRules];
}

function blendSuspects(shop: ShopFacts): readonly Suspect[] {
  return shop.config.blendedRates.flatMap((blended): Suspect[] => {
    const amount = blended.freeShippingThreshold ?? 0;
    const words = `The free-shipping threshold of blended rate ${quoted(blended.name)}, ${moneyText(amount, shop.settings.currency)},`;
    const record = recordOf('blendedRate', blended);
    return blended.enabled && amount > 0 ? [{ amount, record, words, facts: null, total: 'cart_total' }] : [];
  });
}

function otherAmounts({ method, rules }: MethodFacts, { field, table }: Dimension): readonly number[] {
  const ofConditions = rules.flatMap(({ rule }) =>
    rule.conditions.flatMap((condition) => amountsOn(condition, SOURCE.groupSum, field)),
  );
  const tiers = method.rateType === table ? (tiersOfRate(method) ?? []) : [];
  const bounds = new Set(tiers.flatMap(({ from, to }) => [from, to ?? 0]));
  return [...ofConditions, ...[...bounds].filter((bound) => bound > 0)];
}

/** The operands above 0 of a condition on this value; none for a condition on another value. */
function amountsOn(condition: Condition, source: number, field: number): readonly number[] {
  const [ownSource, ownField] = sourceAndFieldOf(condition);
  if (ownSource !== source || ownField !== field) return [];
  return splitAlternatives(condition.value)
    .map(Number)
    .filter((amount) => amount > 0);
}

/** Returns an order of exactly this amount. */
function atTotal(shop: ShopFacts, { facts, amount, total }: Suspect) {
  if (facts === null) return null;
  const offered = shop.finder.offering(facts.method);
  const draft = offered && setNumber(total, 'any_product_in_order', amount)(offered);
  return shop.witnesses.confirmed(
    draft && probeOf(draft),
    (answer) => evaluationOf(answer, facts) !== undefined,
  );
}
