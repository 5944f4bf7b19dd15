/** A probe while it is made: a cart of one main item, and the changes that set one value of it. */
import type { LocalCalendar } from '../compile/local-calendar.ts';
import { dateOfDay, dayOfDate } from '../domain/calendar-day.ts';
import {
  type CartItem,
  customerTagsOf,
  type Destination,
  GRAMS_MAX,
  ORDER_TOTAL_MAX,
  PRICE_MAX,
  QUANTITY_MAX,
  QUANTITY_MIN,
  SIDE_MAX,
  type SimulateRequest,
} from '../domain/cart.ts';
import { CONDITION_TYPES, type ConditionType, type Scope } from '../domain/condition.ts';
import { instantOf } from './local-instant.ts';

/** A cart, and the clock of its time conditions in ms since the epoch. */
export interface Probe {
  readonly request: SimulateRequest;
  readonly nowMs: number;
}

/** A product as a product group lists it. */
export type ProductKey = Pick<CartItem, 'variantId' | 'productId' | 'sku' | 'vendor'> & {
  readonly tag?: string;
};

export interface DraftCart {
  readonly destination: Destination;
  /** The product of the main item. */
  readonly key: ProductKey;
  /** Further tags of the main item. */
  readonly tags: readonly string[];
  /** Fields of the main item beside those of its product. */
  readonly item: CartItem;
  readonly others: readonly CartItem[];
  readonly more: Pick<SimulateRequest, 'currency' | 'locale' | 'customer' | 'orderTotals'>;
  readonly nowMs: number;
}

const PLAIN_ITEM = { quantity: 1, grams: 500, price: 2_000 };

export const draftTo = (destination: Destination, key: ProductKey, nowMs: number): DraftCart => ({
  destination,
  key,
  tags: [],
  item: PLAIN_ITEM,
  others: [],
  more: {},
  nowMs,
});

/** The cart to another place: the person, the phone and the address lines stay. */
export function sentTo(draft: DraftCart, { country, postalCode }: Destination): DraftCart {
  const { province: _, postalCode: __, ...person } = draft.destination;
  const destination = { ...person, country, ...(postalCode === undefined ? {} : { postalCode }) };
  return { ...draft, destination };
}

const itemWith = ({ tag, ...key }: ProductKey, item: CartItem, tags: readonly string[] = []): CartItem => {
  const all = tag === undefined ? tags : [tag, ...tags];
  return { ...key, ...item, ...(all.length === 0 ? {} : { properties: { tag: all.join(',') } }) };
};

export const plainItem = (key: ProductKey): CartItem => itemWith(key, PLAIN_ITEM);

export const probeOf = ({ destination, key, tags, item, others, more, nowMs }: DraftCart): Probe => ({
  request: { destination, items: [itemWith(key, item, tags), ...others], ...more },
  nowMs,
});

/** What a change needs to know of the shop. */
export interface ProbeShop {
  readonly calendar: LocalCalendar;
  /** A destination in a subzone; null when none is known. */
  readonly destinationIn: (subzoneId: string) => Destination | null;
  /** A product of a group; null when none is known. */
  readonly productOf: (groupId: string) => ProductKey | null;
  readonly groupIds: readonly string[];
  /** Countries of zones. */
  readonly countries: readonly string[];
}

/** Sets a value; null when no cart can have it. */
export type Change = (draft: DraftCart) => DraftCart | null;

const withItem = (draft: DraftCart, fields: Partial<CartItem>): DraftCart => ({
  ...draft,
  item: { ...draft.item, ...fields },
});

const within = (value: number, least: number, most: number): boolean => value >= least && value <= most;

const withNumber = (draft: DraftCart, field: NumberType, value: number): DraftCart | null =>
  within(value, ...BOUNDS[field]) ? withItem(draft, { [field]: value }) : null;

/** Copies of the main item that a probe may have. */
const COPIES_MAX = 60;

type NumberType = 'grams' | 'price' | 'quantity';
/** The number of an item that a condition looks at, or of which it compares the sum over the order. */
const NUMBERS: { readonly [K in ConditionType]?: NumberType } = {
  product_weight: 'grams',
  product_price: 'price',
  product_quantity: 'quantity',
  cart_weight: 'grams',
  cart_total: 'price',
  cart_quantity: 'quantity',
};
const BOUNDS: Readonly<Record<NumberType, readonly [number, number]>> = {
  grams: [0, GRAMS_MAX],
  price: [0, PRICE_MAX],
  quantity: [QUANTITY_MIN, QUANTITY_MAX],
};

const amountOf = (item: CartItem, field: NumberType): number =>
  field === 'quantity' ? item.quantity : item[field] * item.quantity;

/** Further pieces that an item may get, so that a sum comes out. */
const MORE_PIECES_MAX = 20;

/** As many pieces or a few more, if the sum is divisible by them; else one. */
function piecesOf(sum: number, quantity: number): number {
  for (let pieces = quantity; pieces <= quantity + MORE_PIECES_MAX; pieces++) {
    if (sum % pieces === 0) return pieces;
  }
  return 1;
}

/** Sets the sum over the main item, or over the order, by the value of the main item. */
function setSum(
  draft: DraftCart,
  field: NumberType,
  sum: number,
  ofOrder: boolean,
  exactly: boolean,
): DraftCart | null {
  const others = ofOrder ? draft.others.reduce((total, item) => total + amountOf(item, field), 0) : 0;
  const { quantity } = draft.item;
  const least = sum - others;
  const own = exactly || field === 'quantity' ? least : Math.ceil(least / quantity) * quantity;
  if (field === 'quantity') return withNumber(draft, field, own);
  const pieces = piecesOf(own, quantity);
  return withNumber(withItem(draft, { quantity: pieces }), field, own / pieces);
}

/**
 * Sets the number that a condition compares; a sum that is not `exactly` so may be the next one that the pieces of the main
 * item come to.
 */
export const setNumber =
  (type: ConditionType, scope: Scope, value: number, exactly = true): Change =>
  (draft) => {
    if (value < 0) return null;
    const isOfGroup = scope === 'sum_of_group';
    const isOfItem = CONDITION_TYPES[type].subject === 'item';
    const field = NUMBERS[type];
    if (field !== undefined) {
      return isOfItem && !isOfGroup && scope !== 'sum_of_order'
        ? withNumber(draft, field, value)
        : setSum(draft, field, value, !isOfItem || !isOfGroup, exactly);
    }
    if (type === 'product_longest_side' || type === 'product_girth') {
      return value > SIDE_MAX ? null : withItem(draft, { length: value, width: 0, height: 0 });
    }
    if (type === 'order_total') {
      return value > ORDER_TOTAL_MAX
        ? null
        : { ...draft, more: { ...draft.more, orderTotals: { totalPrice: value } } };
    }
    // The number of items.
    const copies = value - 1 - draft.others.length;
    if (!within(copies, 0, COPIES_MAX)) return null;
    const copy = itemWith(draft.key, draft.item, draft.tags);
    return { ...draft, others: [...draft.others, ...Array.from({ length: copies }, () => copy)] };
  };

/** Sets the text that a condition compares, "" for none; a tag is added. */
export const setText =
  (type: ConditionType, text: string, shop: ProbeShop): Change =>
  (draft) => {
    const { destination, more } = draft;
    switch (type) {
      case 'product_tag':
        return { ...draft, tags: text === '' ? [] : [...draft.tags, text] };
      case 'product_group': {
        const key = shop.productOf(text);
        return key === null ? null : { ...draft, key };
      }
      case 'destination_country':
        return /^[a-z]{2}$/i.test(text) ? sentTo(draft, { country: text.toUpperCase() }) : null;
      case 'destination_subzone': {
        const found = text === '' ? { postalCode: '' } : shop.destinationIn(text);
        return found === null ? null : { ...draft, destination: { ...destination, ...found } };
      }
      case 'cart_currency':
        return /^[a-z]{3}$/i.test(text)
          ? { ...draft, more: { ...more, currency: text.toUpperCase() } }
          : null;
      case 'cart_locale':
        return { ...draft, more: { ...more, locale: text } };
      case 'customer_id':
        return { ...draft, more: { ...more, customer: { ...more.customer, id: text } } };
      case 'customer_tag': {
        const tags = text === '' ? [] : [...customerTagsOf(more.customer), text];
        return { ...draft, more: { ...more, customer: { ...more.customer, tags } } };
      }
      case 'product_title':
        return withItem(draft, { name: text });
    }
    // The other types read one field; the address is its first line.
    const { subject, reads } = CONDITION_TYPES[type];
    const field = { [reads[0] ?? '']: text };
    return subject === 'item'
      ? { ...draft, key: { ...draft.key, ...field } }
      : { ...draft, destination: { ...destination, ...field } };
  };

/** Makes the change to a second item of the same product; one that is not shipped is in no group. */
export const onAnother =
  (change: Change, isShipped: boolean): Change =>
  (draft) => {
    const other = change({ ...draft, item: PLAIN_ITEM, tags: [], others: [] });
    if (other === null) return null;
    const item = itemWith(other.key, other.item, other.tags);
    const shipped = isShipped ? item : { ...item, requiresShipping: false };
    return { ...draft, others: [...draft.others, shipped] };
  };

const WEEK = 7;

/** Sets the local day, or the minute of the day, of the clock. */
export const setClock =
  (type: 'day_of_week' | 'time_of_day' | 'date', value: number, { calendar }: ProbeShop): Change =>
  (draft) => {
    const { date, minutes, weekday } = calendar.at(draft.nowMs);
    const moment =
      type === 'time_of_day'
        ? { date, minutes: value }
        : type === 'date'
          ? { date: value, minutes }
          : { date: dateOfDay(dayOfDate(date) + ((value - weekday + WEEK) % WEEK)), minutes };
    const nowMs = instantOf(calendar, moment);
    return nowMs === null ? null : { ...draft, nowMs };
  };
