/** The order: its items with their groups, and the totals (contract sections 5 and 5.1). */
import type { CartItem, SimulateRequest } from '../../../src/engine/domain/cart.ts';
import type { ProductGroup } from '../../../src/engine/domain/product-group.ts';
import { bounded, sumOf } from './amount.ts';
import { compared, equalsAlternative, fieldText, tagsOf } from './text.ts';

export interface OrderItem {
  readonly sent: CartItem;
  readonly index: number;
  readonly name: string;
  readonly sku: string;
  readonly vendor: string;
  readonly productId: string;
  readonly variantId: string;
  readonly tags: readonly string[];
  readonly quantity: bigint;
  readonly grams: bigint;
  readonly price: bigint;
  /** Millimetres of length, width and height; 0 for one that is not given. */
  readonly sides: readonly [bigint, bigint, bigint];
  readonly isShippable: boolean;
  readonly groupId: string;
}

export interface Totals {
  readonly price: bigint;
  readonly weight: bigint;
  readonly quantity: bigint;
}

export interface Order {
  readonly items: readonly OrderItem[];
  readonly totals: Totals;
}

/** The order with its totals; a total beyond 2^53-1 is refused (contract section 5). */
export function readOrder(request: SimulateRequest, groups: readonly ProductGroup[]): Order {
  const items = request.items.map((item, index) => readItem(item, index, groups));
  const { price, weight, quantity } = totalsOf(items);
  return { items, totals: { price: bounded(price), weight: bounded(weight), quantity: bounded(quantity) } };
}

/** Sums of price x quantity, grams x quantity and quantity (contract section 3, "Conditions"). */
export const totalsOf = (items: readonly OrderItem[]): Totals => ({
  price: sumOf(items.map((item) => item.price * item.quantity)),
  weight: sumOf(items.map((item) => item.grams * item.quantity)),
  quantity: sumOf(items.map((item) => item.quantity)),
});

/** "Shippable item = an item whose requiresShipping is not false"; null counts as absent. */
function readItem(item: CartItem, index: number, groups: readonly ProductGroup[]): OrderItem {
  const fields = {
    name: fieldText(item.name),
    sku: fieldText(item.sku),
    vendor: fieldText(item.vendor),
    productId: fieldText(item.productId),
    variantId: fieldText(item.variantId),
    tags: tagsOf(item.properties?.tag),
  };
  return {
    sent: item,
    index,
    ...fields,
    quantity: BigInt(item.quantity),
    grams: BigInt(item.grams),
    price: BigInt(item.price),
    sides: [BigInt(item.length ?? 0), BigInt(item.width ?? 0), BigInt(item.height ?? 0)],
    isShippable: item.requiresShipping !== false,
    groupId: groupOf(fields, groups).id,
  };
}

type MatchedFields = Pick<OrderItem, 'variantId' | 'productId' | 'sku' | 'tags' | 'vendor'>;

/**
 * "The one that lists its variant id, else product id, else sku (trailing `*` allowed), else a tag, else its
 * vendor; all compared like text conditions; equal kind: the first in list order; else the default" (5.1).
 * A `*` outside skus is an ordinary character, and a field that is missing or empty is listed nowhere.
 */
function groupOf(item: MatchedFields, groups: readonly ProductGroup[]): ProductGroup {
  const isListed = (list: readonly string[], text: string) => {
    const have = compared(text);
    return have !== '' && list.some((entry) => compared(entry) === have);
  };
  const sku = compared(item.sku);
  const found =
    groups.find((group) => isListed(group.variantIds, item.variantId)) ??
    groups.find((group) => isListed(group.productIds, item.productId)) ??
    groups.find((group) => sku !== '' && group.skus.some((entry) => equalsAlternative(sku, entry))) ??
    groups.find((group) => item.tags.some((tag) => isListed(group.tags, tag))) ??
    groups.find((group) => isListed(group.vendors, item.vendor)) ??
    groups.find((group) => group.isDefault);
  if (found === undefined) throw new Error('a shop has exactly one default group');
  return found;
}
