/**
 * Single changes to a simulate request: the kinds, the order in which they are tried, and how a change is applied, so
 * that the reader of an explanation can send the changed request.
 *
 * A change of the cart's total or weight by n changes the unit price or weight of one item by n divided by
 * its quantity; an n that is not divisible by the quantity of any item is skipped.
 */
import type { CartItem, SimulateRequest } from '../domain/cart.ts';
import { moneyText } from '../domain/money-text.ts';
import { comparable, splitTags } from '../domain/text.ts';
import type { RequestChange } from '../wire/explained-answer.ts';
import { KINDS, type NumberKind } from './number-changes.ts';

/** Returns the request with the change applied; unchanged parts are shared with `request`. */
export function applyChange(request: SimulateRequest, change: RequestChange): SimulateRequest {
  switch (change.kind) {
    case 'cart_total':
    case 'cart_weight':
    case 'quantity':
      return withNumber(request, change.kind, change.itemIndex, change.to);
    case 'order_total':
      return { ...request, orderTotals: { ...request.orderTotals, totalPrice: change.to } };
    case 'tag_added':
      return withItem(request, change.itemIndex, (item) => withTags(item, [...tagsOf(item), change.tag]));
    case 'tag_removed': {
      const gone = comparable(change.tag);
      const isLeft = (tag: string) => comparable(tag) !== gone;
      return withItem(request, change.itemIndex, (item) => withTags(item, tagsOf(item).filter(isLeft)));
    }
    case 'item_dropped':
      return { ...request, items: request.items.filter((_, index) => index !== change.itemIndex) };
    case 'state':
      return { ...request, destination: { ...request.destination, province: change.to } };
    case 'postal_code':
      return { ...request, destination: { ...request.destination, postalCode: change.to } };
  }
}

/** Sets the price, grams or quantity of one item, by the kind of change. */
export const withNumber = (
  request: SimulateRequest,
  kind: NumberKind,
  itemIndex: number,
  to: number,
): SimulateRequest => withItem(request, itemIndex, (item) => ({ ...item, [KINDS[kind].of]: to }));

/** The tags of an item as sent. */
const tagsOf = ({ properties }: CartItem): readonly string[] => splitTags(properties?.tag ?? '');

const withTags = (item: CartItem, tags: readonly string[]): CartItem => ({
  ...item,
  properties: { ...item.properties, tag: tags.join(',') },
});

function withItem(
  request: SimulateRequest,
  index: number,
  change: (item: CartItem) => CartItem,
): SimulateRequest {
  const items = [...request.items];
  const item = items[index];
  if (item !== undefined) items[index] = change(item);
  return { ...request, items };
}

/** Returns one sentence that describes the change; `request` is the request before the change. */
export function describeChange(request: SimulateRequest, change: RequestChange, currency: string): string {
  const money = (amount: number | null | undefined) => moneyText(amount ?? 0, currency);
  const grams = (amount: number | undefined) => `${amount} grams`;
  const at = 'itemIndex' in change ? `/items/${change.itemIndex}` : '';
  const item = 'itemIndex' in change ? request.items[change.itemIndex] : undefined;
  switch (change.kind) {
    case 'cart_total':
      return `${raised(change.by, 'cart total', money)}: set the price of ${at} to ${money(change.to)} instead of ${money(item?.price)}.`;
    case 'order_total':
      return `${raised(change.by, 'order total', money)}: set /orderTotals/totalPrice to ${money(change.to)} instead of ${money(request.orderTotals?.totalPrice)}.`;
    case 'cart_weight':
      return `${raised(change.by, 'cart weight', grams)}: set the weight of ${at} to ${grams(change.to)} instead of ${grams(item?.grams)}.`;
    case 'quantity':
      return `Change the quantity of ${at} from ${item?.quantity} to ${change.to}.`;
    case 'tag_added':
      return `Add the tag "${change.tag}" to ${at}.`;
    case 'tag_removed':
      return `Remove the tag "${change.tag}" from ${at}.`;
    case 'item_dropped':
      return `Drop ${at} from the cart.`;
    case 'state':
      return change.to === ''
        ? "Leave out the destination's state."
        : `Change the destination's state to "${change.to}".`;
    case 'postal_code':
      return change.to === ''
        ? "Leave out the destination's postal code."
        : `Change the destination's postal code to "${change.to}".`;
  }
}

const raised = (by: number, what: string, amount: (by: number) => string): string =>
  `${by > 0 ? 'Raise' : 'Lower'} the ${what} by ${amount(Math.abs(by))}`;
