/** The address of the rate tester with a cart. */
import { linkTo } from '../place.ts';
import type { Cart } from './cart.ts';

export const testerLink = (cart: Cart, parameters: Readonly<Record<string, string>> = {}): string =>
  linkTo('tester', { cart: JSON.stringify(cart), ...parameters });
