/**
 * Single changes to a simulate request: what each kind means, in which order they are tried, and how one is
 * applied, so that whoever reads an explanation can send the changed request.
 *
 * A change of the cart's total or weight by n changes the unit price or weight of one item by n divided by
 * its quantity; an n that no item's quantity divides cannot be reached and is passed over.
 */
import Type, { type Static } from 'typebox';
import { type CartItem, GRAMS_MAX, PRICE_MAX, QUANTITY_MAX, type SimulateRequest } from '../domain/cart.ts';
import { comparable } from '../domain/text.ts';

/**
 * The kinds in the order in which one is preferred to another, whatever the size of the change: first what
 * a shopper may buy, then how an item is described, then what is left out, then where the parcel goes.
 * Within a kind:
 * - `cart_total`, `cart_weight`, `quantity`: the least `by` without its sign; then up before down; then the
 *   first item.
 * - `tag_added`: tags that the conditions name before others, in their order; then the first item.
 * - `tag_removed`: the first item, then its first tag.
 * - `item_dropped`: the item of the least price x quantity, then the first.
 * - `state`, `postal_code`: what the conditions name, in their order, before anything else; none at all last.
 */
export const CHANGE_KINDS = [
  'cart_total',
  'cart_weight',
  'quantity',
  'tag_added',
  'tag_removed',
  'item_dropped',
  'state',
  'postal_code',
] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

const text = (description: string) => Type.String({ description });
const itemIndex = Type.Integer({ minimum: 0, description: 'Index into the items of the request' });
const strict = <K extends ChangeKind, P extends Record<string, Type.TSchema>>(kind: K, properties: P) =>
  Type.Object(
    { kind: Type.Literal(kind), ...properties, text: text('The change in one sentence') },
    { additionalProperties: false },
  );
const by = (what: string) => Type.Integer({ description: `${what}; negative = less` });
const upTo = (minimum: number, maximum: number, description: string) =>
  Type.Integer({ minimum, maximum, description });

export const DescribedChange = Type.Union([
  strict('cart_total', {
    by: by('Cents by which the cart total changes'),
    itemIndex,
    to: upTo(0, PRICE_MAX, 'New unit price of that item in cents'),
  }),
  strict('cart_weight', {
    by: by('Grams by which the cart weight changes'),
    itemIndex,
    to: upTo(0, GRAMS_MAX, 'New unit weight of that item in grams'),
  }),
  strict('quantity', { by: by('Pieces'), itemIndex, to: upTo(1, QUANTITY_MAX, 'New quantity of that item') }),
  strict('tag_added', { itemIndex, tag: text('Appended to the tags of that item, behind a comma') }),
  strict('tag_removed', { itemIndex, tag: text('Every tag of that item that compares equal goes') }),
  strict('item_dropped', { itemIndex }),
  strict('state', { to: text('New `destination.province`; "" = none') }),
  strict('postal_code', { to: text('New `destination.postalCode`; "" = none') }),
]);
export type DescribedChange = Readonly<Static<typeof DescribedChange>>;

type WithoutText<C> = C extends unknown ? Omit<C, 'text'> : never;
export type RequestChange = WithoutText<DescribedChange>;

/** The request with the change made; all it does not touch is shared with the one before. */
export function applyChange(request: SimulateRequest, change: RequestChange): SimulateRequest {
  switch (change.kind) {
    case 'cart_total':
      return withItem(request, change.itemIndex, (item) => ({ ...item, price: change.to }));
    case 'cart_weight':
      return withItem(request, change.itemIndex, (item) => ({ ...item, grams: change.to }));
    case 'quantity':
      return withItem(request, change.itemIndex, (item) => ({ ...item, quantity: change.to }));
    case 'tag_added':
      return withItem(request, change.itemIndex, (item) => withTags(item, [...tagsOf(item), change.tag]));
    case 'tag_removed': {
      const gone = comparable(change.tag);
      return withItem(request, change.itemIndex, (item) =>
        withTags(
          item,
          tagsOf(item).filter((each) => comparable(each) !== gone),
        ),
      );
    }
    case 'item_dropped':
      return { ...request, items: request.items.filter((_, index) => index !== change.itemIndex) };
    case 'state':
      return { ...request, destination: { ...request.destination, province: change.to } };
    case 'postal_code':
      return { ...request, destination: { ...request.destination, postalCode: change.to } };
  }
}

/** The tags of an item as they were sent, trimmed; blank ones are none. */
export const tagsOf = ({ properties }: CartItem): readonly string[] =>
  (properties?.tag ?? '')
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');

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

/** One sentence for a person; `request` is the one before the change. */
export function describeChange(request: SimulateRequest, change: RequestChange): string {
  const at = 'itemIndex' in change ? `/items/${change.itemIndex}` : '';
  const item = 'itemIndex' in change ? request.items[change.itemIndex] : undefined;
  switch (change.kind) {
    case 'cart_total':
      return `${raised(change.by, 'cart total', 'cents')}: ${at} at ${change.to} instead of ${item?.price} cents apiece.`;
    case 'cart_weight':
      return `${raised(change.by, 'cart weight', 'grams')}: ${at} at ${change.to} instead of ${item?.grams} grams apiece.`;
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

const raised = (by: number, what: string, unit: string): string =>
  `${by > 0 ? 'Raise' : 'Lower'} the ${what} by ${Math.abs(by)} ${unit}`;
