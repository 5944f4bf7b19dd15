/** What a condition compared (contract section 10, `explain=full`): written from the contract, as the rest is. */
import type { Destination } from '../../../src/domain/cart.ts';
import type { Condition } from '../../../src/domain/condition.ts';
import type { Situation } from './condition.ts';
import { addressOf, sidesOf } from './condition.ts';
import { type OrderItem, totalsOf } from './order.ts';
import { canonicalCode } from './postal.ts';
import { compared } from './text.ts';

const ENTRIES_MAX = 20;

type ItemValue = string | number | string[];

function itemValue({ conditionType }: Condition, item: OrderItem): ItemValue {
  switch (conditionType) {
    case 'product_tag':
      return item.tags.map(compared).slice(0, ENTRIES_MAX);
    case 'product_sku':
      return compared(item.sku);
    case 'product_vendor':
      return compared(item.vendor);
    case 'product_title':
      return compared(item.name);
    case 'product_id':
      return compared(item.productId);
    case 'product_variant_id':
      return compared(item.variantId);
    case 'product_group':
      return compared(item.groupId);
    case 'product_longest_side':
      return Number(sidesOf(item)[2]);
    case 'product_girth': {
      const [shortest, middle, longest] = sidesOf(item);
      return Number(longest + 2n * (shortest + middle));
    }
    case 'product_weight':
      return Number(item.grams);
    case 'product_price':
      return Number(item.price);
    default:
      return Number(item.quantity);
  }
}

const DESTINATION_TEXTS: Readonly<Record<string, (destination: Destination) => string | null | undefined>> = {
  destination_country: ({ country }) => country,
  destination_state: ({ province }) => province,
  destination_city: ({ city }) => city,
  destination_name: ({ name }) => name,
  destination_company: ({ company }) => company,
  destination_phone: ({ phone }) => phone,
  destination_address: addressOf,
};

/** "A string, a number, an array with one entry per looked-at item, at most 20; of tags an array of strings." */
export function referenceActual(condition: Condition, at: Situation): string | number | ItemValue[] {
  const { conditionType, scope } = condition;
  if (conditionType.startsWith('product_')) {
    const items = scope.endsWith('_group') ? at.groupItems : at.order.items;
    if (!scope.startsWith('sum_of_'))
      return items.slice(0, ENTRIES_MAX).map((item) => itemValue(condition, item));
    const { weight, price, quantity } = totalsOf(items);
    const sums: Readonly<Record<string, bigint>> = { product_weight: weight, product_price: price };
    return Number(sums[conditionType] ?? quantity);
  }
  const textOf = DESTINATION_TEXTS[conditionType];
  if (textOf !== undefined) return compared(textOf(at.destination));
  const { totals, items } = at.order;
  switch (conditionType) {
    case 'cart_total':
      return Number(totals.price);
    case 'cart_weight':
      return Number(totals.weight);
    case 'cart_quantity':
      return Number(totals.quantity);
    case 'cart_unique_items':
      return items.length;
    case 'order_total':
      return Number(at.orderTotal);
    case 'customer_tag':
      return at.customer.tags.map(compared).slice(0, ENTRIES_MAX);
    case 'customer_id':
      return compared(at.customer.id);
    case 'cart_currency':
      return compared(at.currency);
    case 'cart_locale':
      return compared(at.locale);
    case 'destination_postal_code':
      return canonicalCode(at.destination.country.toUpperCase(), at.destination.postalCode ?? '');
    case 'destination_subzone':
      return compared(at.subzoneId);
    case 'day_of_week':
      return at.now.dayOfWeek;
    case 'time_of_day':
      return at.now.timeOfDay;
    default:
      return at.now.date;
  }
}
