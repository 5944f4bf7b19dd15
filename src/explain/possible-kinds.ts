/**
 * Possible kinds: which kinds of change can answer a question. A kind of change does not affect some conditions; if their
 * outcomes alone decide the question, no change of that kind is tried.
 */
import { ITEM_TEXT, ORDER_NUMBER, type Predicate, REQUEST_TEXT, SOURCE } from '../compile/predicate.ts';
import { isTableRateType } from '../domain/rate-type.ts';
import { hidingReason } from '../domain/rule.ts';
import { CHANGE_KINDS, type ChangeKind } from '../wire/explained-answer.ts';
import {
  isNumberKind,
  isOrderTotal,
  SUM_OF_TABLE,
  summedField,
  touchesNumber,
  touchesSum,
} from './number-changes.ts';
import { predicateOf, type RuleAtStake, type SearchCase } from './search-case.ts';

/** Returns the kinds of change that may change the answer to the question, in their order. */
export const possibleKinds = (at: SearchCase): readonly ChangeKind[] =>
  CHANGE_KINDS.filter((kind) => isPossible(at, kind));

function isPossible(at: SearchCase, kind: ChangeKind): boolean {
  const mayChange = ({ conditions }: RuleAtStake, index: number): boolean => {
    const condition = conditions[index];
    return condition !== undefined && touches(kind, at, predicateOf(at, condition), condition.inGroup);
  };
  const mayMatch = (each: RuleAtStake) =>
    each.outcomes.every((matched, index) => matched || mayChange(each, index));
  const mustMatch = (each: RuleAtStake) =>
    each.outcomes.every((matched, index) => matched && !mayChange(each, index));
  if (hidingReason(at.atStake, mustMatch, mayMatch) !== null) return false;
  if (!at.atStake.every((each) => each.rule !== at.wanted || mayMatch(each))) return false;
  // The reason of the method may be another even if its total is outside the table, so compute the rate.
  return at.method.rate(at.group.totals) >= 0 || touchesTable(kind, at);
}

/** True when a change of this kind can change the outcome of the condition. */
function touches(kind: ChangeKind, { scene }: SearchCase, predicate: Predicate, inGroup: boolean): boolean {
  const { source, field } = predicate;
  const { request } = scene;
  if (isNumberKind(kind)) return touchesNumber(kind, predicate, request);
  const isAboutItems = source <= SOURCE.itemNumber || source === SOURCE.groupSum;
  switch (kind) {
    case 'order_total':
      return isOrderTotal(predicate) && typeof request.orderTotals?.totalPrice === 'number';
    case 'state':
      return source === SOURCE.requestText && field === REQUEST_TEXT.state;
    case 'postal_code':
      return (
        source === SOURCE.postalCode || (source === SOURCE.requestText && field === REQUEST_TEXT.subzone)
      );
    case 'item_dropped':
      return isAboutItems || summedField(predicate, request) !== null || isCount(predicate);
    default: {
      const movesItems = scene.groupsListTags && isAboutItems;
      const isOfGroup = inGroup || source === SOURCE.groupSum || field === ITEM_TEXT.group;
      return source === SOURCE.itemTags || (movesItems && isOfGroup);
    }
  }
}

const isCount = ({ source, field }: Predicate): boolean =>
  source === SOURCE.orderNumber && field === ORDER_NUMBER.uniqueItems;

/** True when a change of this kind can change the total that the method's rate table looks at. */
function touchesTable(kind: ChangeKind, { scene, record: { rateType } }: SearchCase): boolean {
  if (!isTableRateType(rateType)) return false;
  if (isNumberKind(kind)) return touchesSum(kind, SUM_OF_TABLE[rateType]);
  return kind === 'item_dropped' || (kind.startsWith('tag_') && scene.groupsListTags);
}
