/** A change that the service proposes to a cart, in the words of the form: item and value, with what is there now. */
import { formatMoney, formatWeight } from '../amounts.ts';
import { stateOptions } from '../place-names.ts';
import type { Cart, ProposedChange } from './cart.ts';

export function changeText(cart: Cart, change: ProposedChange, currency: string): string {
  const at = 'itemIndex' in change ? change.itemIndex : 0;
  const item = cart.items[at];
  const name = item?.name || item?.sku || `item ${at + 1}`;
  const moved = (what: string, to: number, from: number | undefined, format: (value: number) => string) => {
    if (from === undefined) return `Set ${what} to ${format(to)}`;
    return `${to < from ? 'Lower' : 'Raise'} ${what} from ${format(from)} to ${format(to)}`;
  };
  const money = (amount: number): string => formatMoney(amount, currency);
  switch (change.kind) {
    case 'cart_total':
      return moved(`the price of ${name}`, change.to, item?.price, money);
    case 'order_total':
      return moved('the order total', change.to, cart.orderTotals?.totalPrice ?? undefined, money);
    case 'cart_weight':
      return moved(`the weight of ${name}`, change.to, item?.grams, formatWeight);
    case 'quantity':
      return moved(`the quantity of ${name}`, change.to, item?.quantity, String);
    case 'tag_added':
      return `Give ${name} the tag “${change.tag.trim()}”`;
    case 'tag_removed':
      return `Take the tag “${change.tag.trim()}” from ${name}`;
    case 'item_dropped':
      return `Leave ${name} out`;
    case 'state': {
      const state = stateOptions(cart.destination.country).find(([code]) => code === change.to);
      return change.to === '' ? 'Take the state away' : `Change the state to ${state?.[1] ?? change.to}`;
    }
    case 'postal_code':
      return change.to === '' ? 'Take the postal code away' : `Change the postal code to ${change.to}`;
  }
}
