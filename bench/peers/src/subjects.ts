/** What conditions look at: one value of the request, or one value of each item. */
import { type Cart, type CartItem, fold, type Totals } from './cart.ts';
import type { SimulateRequest } from './model.ts';
import { canonicalCode } from './postal.ts';

export type Kind = 'text' | 'tags' | 'number' | 'postal' | 'day' | 'time' | 'date';

export interface PostalSubject {
  readonly country: string;
  readonly code: string;
}

export type Subject = string | number | readonly string[] | PostalSubject;

export const ITEM_TYPES: Readonly<Record<string, readonly [Kind, (item: CartItem) => Subject]>> = {
  product_tag: ['tags', (item) => item.tags],
  product_sku: ['text', (item) => item.sku],
  product_vendor: ['text', (item) => item.vendor],
  product_title: ['text', (item) => item.title],
  product_id: ['text', (item) => item.productId],
  product_variant_id: ['text', (item) => item.variantId],
  product_group: ['text', (item) => item.groupId],
  product_weight: ['number', (item) => item.raw.grams],
  product_price: ['number', (item) => item.raw.price],
  product_quantity: ['number', (item) => item.raw.quantity],
};

/** Which total `sum_of_order` and `sum_of_group` compare. */
export const SUMS: Readonly<Record<string, keyof Totals>> = {
  product_weight: 'grams',
  product_price: 'price',
  product_quantity: 'quantity',
};

export const REQUEST_KINDS: Readonly<Record<string, Kind>> = {
  cart_total: 'number',
  cart_weight: 'number',
  cart_quantity: 'number',
  cart_unique_items: 'number',
  cart_currency: 'text',
  cart_locale: 'text',
  destination_country: 'text',
  destination_state: 'text',
  destination_city: 'text',
  destination_name: 'text',
  destination_company: 'text',
  destination_phone: 'text',
  destination_address: 'text',
  destination_postal_code: 'postal',
  destination_subzone: 'text',
  day_of_week: 'day',
  time_of_day: 'time',
  date: 'date',
};

const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

export const dayNumber = (text: string): number => DAYS.indexOf(fold(text));
export const timeNumber = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(3, 5));
export const dateNumber = (text: string): number => Number(text.replaceAll('-', ''));

/** Local time of a shop; formatting is slow, so the last second is kept. */
export class ShopClock {
  readonly #format: Intl.DateTimeFormat;
  #second = Number.NaN;
  #now = { day: 0, time: 0, date: 0 };

  constructor(timeZone: string) {
    this.#format = new Intl.DateTimeFormat('en-CA', {
      timeZone,
      hourCycle: 'h23',
      weekday: 'long',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
    });
  }

  at(nowMs: number): { readonly day: number; readonly time: number; readonly date: number } {
    const second = Math.floor(nowMs / 1_000);
    if (second === this.#second) return this.#now;
    const parts = new Map(this.#format.formatToParts(nowMs).map(({ type, value }) => [type, value]));
    this.#second = second;
    this.#now = {
      day: dayNumber(parts.get('weekday') ?? ''),
      time: timeNumber(`${parts.get('hour')}:${parts.get('minute')}`),
      date: dateNumber(`${parts.get('year')}${parts.get('month')}${parts.get('day')}`),
    };
    return this.#now;
  }
}

export type RequestSubjects = Readonly<Record<string, Subject>>;

export function requestSubjects(
  request: SimulateRequest,
  cart: Cart,
  subzoneId: string,
  now: ReturnType<ShopClock['at']>,
): RequestSubjects {
  const { destination } = request;
  const country = destination.country.toUpperCase();
  const address = [destination.address1, destination.address2, destination.address3].filter(
    (line) => line !== undefined && line !== null && line !== '',
  );
  return {
    cart_total: cart.totals.price,
    cart_weight: cart.totals.grams,
    cart_quantity: cart.totals.quantity,
    cart_unique_items: cart.items.length,
    cart_currency: fold(request.currency ?? ''),
    cart_locale: fold(request.locale ?? ''),
    destination_country: fold(destination.country),
    destination_state: fold(destination.province ?? ''),
    destination_city: fold(destination.city ?? ''),
    destination_name: fold(destination.name ?? ''),
    destination_company: fold(destination.company ?? ''),
    destination_phone: fold(destination.phone ?? ''),
    destination_address: fold(address.join(' ')),
    destination_postal_code: { country, code: canonicalCode(country, destination.postalCode ?? '') },
    destination_subzone: fold(subzoneId),
    day_of_week: now.day,
    time_of_day: now.time,
    date: now.date,
  };
}
