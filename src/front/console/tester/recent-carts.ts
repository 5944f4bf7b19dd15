/** The last carts of this tab, newest first. Not kept longer, because they can hold a person’s address. */
import { type Cart, readCart } from './cart.ts';

const STORED_CARTS = 'ratewright-carts';
const CARTS_MAX = 10;

export function recentCarts(): readonly Cart[] {
  try {
    const texts: unknown = JSON.parse(sessionStorage.getItem(STORED_CARTS) ?? '[]');
    if (!Array.isArray(texts)) return [];
    return texts.map((text) => readCart(String(text))).filter((cart) => typeof cart !== 'string');
  } catch {
    return [];
  }
}

export function keepCart(cart: Cart): void {
  const text = JSON.stringify(cart);
  const others = recentCarts()
    .map((other) => JSON.stringify(other))
    .filter((other) => other !== text);
  sessionStorage.setItem(STORED_CARTS, JSON.stringify([text, ...others].slice(0, CARTS_MAX)));
}

/** Another shop, or another reader. */
export const forgetCarts = (): void => sessionStorage.removeItem(STORED_CARTS);
