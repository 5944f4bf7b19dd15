/** The address of the rate tester with a cart. */
import { formatPlace } from '../place.ts';
import type { Cart } from './cart.ts';

export const testerLink = (cart: Cart, parameters: Readonly<Record<string, string>> = {}): string =>
  formatPlace({ page: 'tester', parameters: { cart: JSON.stringify(cart), ...parameters } });
