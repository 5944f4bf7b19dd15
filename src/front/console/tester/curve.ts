/** The price curve of a cart: what can vary, how far, and the cart at a value (contract section 10.4). */
import type { Schemas } from '../../client/call-table.ts';
import type { Cart, CartItem } from './cart.ts';

export type Curve = Schemas['PriceCurve'];
export type Segment = Curve['segments'][number];
export type Varied = Curve['vary'];

interface Way {
  readonly title: string;
  /** The number of one item that changes. */
  readonly of: 'price' | 'grams' | 'quantity';
  /** Its least value. */
  readonly least: number;
  /** The end of the curve of a small cart. */
  readonly reach: number;
}

export const WAYS: Readonly<Record<Varied, Way>> = {
  cart_total: { title: 'Cart total', of: 'price', least: 0, reach: 10_000 },
  cart_weight: { title: 'Cart weight', of: 'grams', least: 0, reach: 5_000 },
  quantity: { title: 'Quantity', of: 'quantity', least: 1, reach: 20 },
};

export const isVaried = (name: string): name is Varied => Object.hasOwn(WAYS, name);

/** The first item that is shipped, which a curve varies; -1 where there is none. */
export const variedIndex = ({ items }: Cart): number =>
  items.findIndex(({ requiresShipping }) => requiresShipping !== false);

const amountOf = (item: CartItem, of: Way['of']): number =>
  of === 'quantity' ? item.quantity : item.quantity * item[of];

/** The value of the cart: cents, grams, or the pieces of the varied item. */
export function amountIn(cart: Cart, vary: Varied): number {
  const { of } = WAYS[vary];
  if (of === 'quantity') return cart.items[variedIndex(cart)]?.quantity ?? 0;
  return cart.items.reduce((sum, item) => sum + amountOf(item, of), 0);
}

/** The cart with this value, or with the nearest one below that a whole unit price or weight reaches. */
export function withValue(cart: Cart, vary: Varied, value: number): Cart {
  const { of } = WAYS[vary];
  const index = variedIndex(cart);
  const item = cart.items[index];
  if (item === undefined) return cart;
  const rest = of === 'quantity' ? 0 : amountIn(cart, vary) - amountOf(item, of);
  const each = of === 'quantity' ? 1 : item.quantity;
  const number = Math.max(WAYS[vary].least, Math.floor((value - rest) / each));
  return {
    ...cart,
    items: cart.items.map((other, at) => (at === index ? { ...item, [of]: number } : other)),
  };
}

/** The least that the cart can have while its other items stay: where a curve begins. */
export const leastOf = (cart: Cart, vary: Varied): number => amountIn(withValue(cart, vary, 0), vary);

/** Where a curve ends by default: at twice the value of the cart, rounded up to 1, 2 or 5 times a power of ten. */
export function usualReach(cart: Cart, vary: Varied): number {
  const wanted = Math.max(WAYS[vary].reach, 2 * amountIn(cart, vary));
  const size = 10 ** Math.floor(Math.log10(wanted));
  return size * ([1, 2, 5].find((times) => times * size >= wanted) ?? 10);
}
