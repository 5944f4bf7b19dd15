/**
 * Where the reader is: a page and its parameters, kept in the fragment of the address, so that a link or the back button
 * leads to the same view. Fragments are not sent to servers.
 */
import type { Cart } from './tester/cart.ts';

export interface Place {
  readonly page: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** The page of a fragment that names none. */
export const FIRST_PAGE = 'overview';

/** The place that a fragment names. */
export function parsePlace(fragment: string): Place {
  const [, page = '', query = ''] = /^#?\/?([a-z-]*)(?:\?(.*))?$/s.exec(fragment) ?? [];
  return { page: page || FIRST_PAGE, parameters: Object.fromEntries(new URLSearchParams(query)) };
}

/** The fragment that leads to a place, with its `#`; parameters that are "" are left out. */
export function linkTo(page: string, parameters: Place['parameters'] = {}): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== '');
  const query = new URLSearchParams(given).toString();
  return `#/${page}${query === '' ? '' : `?${query}`}`;
}

/** The address of the rate tester with a cart. */
export const testerLink = (cart: Cart, parameters: Readonly<Record<string, string>> = {}): string =>
  linkTo('tester', { cart: JSON.stringify(cart), ...parameters });
