/** Carts of the rate tester: read from a text, made for a shop, and changed as an explanation proposes. */
import type { Schemas } from '../../client/call-table.ts';
import { formatMoney, formatWeight } from '../amounts.ts';
import { stateOptions } from '../place-names.ts';

export type Cart = Schemas['SimulateRequest'];
export type CartItem = Cart['items'][number];
export type ProposedChange = Schemas['WhyNot']['change'];

/**
 * The cart in a JSON text, or a sentence that says why it holds none. Only what the form cannot show is refused here: the
 * service checks every field.
 */
export function readCart(text: string): Cart | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return `This is not JSON: ${error instanceof Error ? error.message : ''}`;
  }
  const cart = value as Partial<Cart> | null;
  if (typeof cart?.destination !== 'object' || cart.destination === null)
    return 'The cart has no destination.';
  if (!Array.isArray(cart.items)) return 'The cart has no list of items.';
  const { country, province } = cart.destination;
  if (typeof country !== 'string' || typeof (province ?? '') !== 'string')
    return 'The country or the state is not a text.';
  const bare = cart.items.findIndex((item) =>
    [item?.quantity, item?.grams, item?.price].some((number) => typeof number !== 'number'),
  );
  if (bare >= 0) return `Item ${bare + 1} lacks a quantity, grams or price that is a number.`;
  if (!/^[a-z]{3}$/i.test(cart.currency ?? 'usd')) return 'The currency is not a code of three letters.';
  return cart as Cart;
}

/** An item that no product group lists. */
export const SAMPLE_ITEM: CartItem = { name: 'Sample item', quantity: 1, grams: 500, price: 2_500 };

/** A cart that the shop can answer: one parcel to the first country that a zone lists, else to the home of the shop. */
export function starterCart(zones: readonly Pick<Schemas['Zone'], 'countries'>[], home = 'US'): Cart {
  const country = zones.flatMap(({ countries }) => countries).find((code) => code !== '*') ?? home;
  return { destination: { country }, items: [SAMPLE_ITEM] };
}

/** A short name of a cart for lists. */
export function cartName({ destination, items }: Cart): string {
  const place = [destination.postalCode, destination.province, destination.country].filter(Boolean).join(' ');
  const [first] = items;
  const more = items.length > 1 ? ` and ${items.length - 1} more` : '';
  return `${place}: ${first?.name || first?.sku || 'item'}${more}`;
}

/** The moment of a cart as a request names it; "" is now. */
export const momentOf = (at: string): { readonly at?: string } => (at === '' ? {} : { at });

export const tagsOf = (item: CartItem): string[] =>
  (item.properties?.tag ?? '')
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');

export const withTags = (item: CartItem, tags: readonly string[]): CartItem => ({
  ...item,
  properties: { ...item.properties, tag: tags.join(', ') },
});

/** The cart after the change. */
export function applyChange(cart: Cart, change: ProposedChange): Cart {
  const changeItem = (index: number, make: (item: CartItem) => CartItem): Cart => ({
    ...cart,
    items: cart.items.map((item, at) => (at === index ? make(item) : item)),
  });
  switch (change.kind) {
    case 'cart_total':
      return changeItem(change.itemIndex, (item) => ({ ...item, price: change.to }));
    case 'order_total':
      return { ...cart, orderTotals: { ...cart.orderTotals, totalPrice: change.to } };
    case 'cart_weight':
      return changeItem(change.itemIndex, (item) => ({ ...item, grams: change.to }));
    case 'quantity':
      return changeItem(change.itemIndex, (item) => ({ ...item, quantity: change.to }));
    case 'tag_added':
      return changeItem(change.itemIndex, (item) => withTags(item, [...tagsOf(item), change.tag]));
    case 'tag_removed': {
      const isKept = (tag: string): boolean => tag.toLowerCase() !== change.tag.trim().toLowerCase();
      return changeItem(change.itemIndex, (item) => withTags(item, tagsOf(item).filter(isKept)));
    }
    case 'item_dropped':
      return { ...cart, items: cart.items.filter((_, at) => at !== change.itemIndex) };
    case 'state':
      return { ...cart, destination: { ...cart.destination, province: change.to } };
    case 'postal_code':
      return { ...cart, destination: { ...cart.destination, postalCode: change.to } };
  }
}

/** A change that the service proposes to a cart, in the words of the form: item and value, with what is there now. */
export function changeText(cart: Cart, change: ProposedChange, currency: string): string {
  const at = 'itemIndex' in change ? change.itemIndex : 0;
  const item = cart.items[at];
  const name = item?.name || item?.sku || `item ${at + 1}`;
  const moved = (what: string, to: number, from: number | undefined, format: (value: number) => string) =>
    from === undefined
      ? `Set ${what} to ${format(to)}`
      : `${to < from ? 'Lower' : 'Raise'} ${what} from ${format(from)} to ${boundText(to, from, format)}`;
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

const zerosOf = (value: number): number => /0*$/.exec(String(value))?.[0].length ?? 0;

/** The bound that a person would name: `below 20 kg`, not `19.999 kg`. */
function boundText(to: number, from: number, format: (value: number) => string): string {
  const [bound, word] = to < from ? [to + 1, 'below'] : [to - 1, 'more than'];
  const isRounder = format !== String && bound > 0 && zerosOf(bound) > zerosOf(to);
  return isRounder ? `${word} ${format(bound)}` : format(to);
}
