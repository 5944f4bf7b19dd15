/**
 * Possible kinds: which kinds of change can answer a question at all. A condition that a kind cannot touch
 * keeps its outcome; if that settles the question, no change of that kind needs to be tried.
 */
import { ITEM_NUMBER, ITEM_TEXT, ORDER_NUMBER, REQUEST_TEXT, SOURCE } from '../compile/predicate.ts';
import { isTableRateType, type RateType } from '../domain/rate-type.ts';
import { CHANGE_KINDS, type ChangeKind } from '../wire/explained-answer.ts';
import {
  type ConditionAtStake,
  type ConditionOutcome,
  predicateOf,
  type Question,
  type RuleAtStake,
  rulesAtStake,
  type SearchCase,
} from './search-case.ts';

/** The kinds of change after which the question may be answered otherwise, in their order. */
export function possibleKinds(at: SearchCase, question: Question): readonly ChangeKind[] {
  const rules = rulesAtStake(at, question);
  return CHANGE_KINDS.filter((kind) => isPossible(at, question, rules, kind));
}

function isPossible(
  at: SearchCase,
  question: Question,
  rules: readonly RuleAtStake[],
  kind: ChangeKind,
): boolean {
  const { groupsListTags } = at.scene;
  const mayChange = ({ rule }: RuleAtStake, { isSettled }: ConditionOutcome, index: number): boolean => {
    const condition = rule.conditions[index];
    if (isSettled || condition === undefined) return false;
    return touches(kind, { condition, predicate: predicateOf(at, condition) }, groupsListTags);
  };
  const mayMatch = (each: RuleAtStake) =>
    each.outcomes.every((outcome, index) => outcome.matched || mayChange(each, outcome, index));
  const mustMatch = (each: RuleAtStake) =>
    each.outcomes.every((outcome, index) => outcome.matched && !mayChange(each, outcome, index));
  if (rules.some((each) => each.rule.action === 'hide' && mustMatch(each))) return false;
  const shows = rules.filter(({ rule }) => rule.action === 'show');
  if (shows.length > 0 && !shows.some(mayMatch)) return false;
  if (question.rule !== null && !rules.some((each) => each.rule === question.rule && mayMatch(each)))
    return false;
  // Other reasons hide that a total is outside the table as well, so the rate itself is asked.
  const isOutside = at.method.rate(at.group.totals) < 0;
  return !isOutside || touchesTable(kind, at.record.rateType, groupsListTags);
}

const NUMBER_OF_KIND: Partial<Record<ChangeKind, number>> = {
  cart_weight: ITEM_NUMBER.weight,
  cart_total: ITEM_NUMBER.price,
};
const ORDER_NUMBER_OF: readonly number[] = [ORDER_NUMBER.weight, ORDER_NUMBER.total, ORDER_NUMBER.quantity];

/** True when a change of this kind can change the outcome of the condition. */
function touches(
  kind: ChangeKind,
  { condition, predicate: { source, field } }: ConditionAtStake,
  groupsListTags: boolean,
): boolean {
  switch (kind) {
    case 'state':
      return source === SOURCE.requestText && field === REQUEST_TEXT.state;
    case 'postal_code':
      return (
        source === SOURCE.postalCode || (source === SOURCE.requestText && field === REQUEST_TEXT.subzone)
      );
    case 'item_dropped':
      return isOfCart(source, field);
    case 'tag_added':
    case 'tag_removed':
      if (source === SOURCE.itemTags) return true;
      return (
        groupsListTags &&
        (condition.inGroup ||
          source === SOURCE.groupSum ||
          (source === SOURCE.itemText && field === ITEM_TEXT.group))
      );
    case 'quantity':
      if (source === SOURCE.itemNumber) return field === ITEM_NUMBER.quantity;
      return source === SOURCE.groupSum || (source === SOURCE.orderNumber && ORDER_NUMBER_OF.includes(field));
    default: {
      const number = NUMBER_OF_KIND[kind];
      if (number === undefined) return false;
      if (source === SOURCE.orderNumber) return field === ORDER_NUMBER_OF[number];
      return (source === SOURCE.itemNumber || source === SOURCE.groupSum) && field === number;
    }
  }
}

/** True for what looks at the items, also at how many there are. */
function isOfCart(source: number, field: number): boolean {
  if (source === SOURCE.orderNumber)
    return ORDER_NUMBER_OF.includes(field) || field === ORDER_NUMBER.uniqueItems;
  return source <= SOURCE.itemNumber || source === SOURCE.groupSum;
}

/** True when a change of this kind can change the total that a rate table looks at. */
function touchesTable(kind: ChangeKind, rateType: RateType, groupsListTags: boolean): boolean {
  if (!isTableRateType(rateType)) return false;
  switch (kind) {
    case 'cart_total':
      return rateType === 'by_price_table';
    case 'cart_weight':
      return rateType === 'by_weight_table';
    case 'quantity':
    case 'item_dropped':
      return true;
    case 'tag_added':
    case 'tag_removed':
      return groupsListTags;
    default:
      return false;
  }
}
