/** Applies the change of an explanation by its description; imports nothing from src/engine/explain. */
import type { CartItem, SimulateRequest } from '../../../src/engine/domain/cart.ts';

export interface NamedChange {
  readonly kind: string;
  readonly by?: number;
  readonly to?: number | string;
  readonly itemIndex?: number;
  readonly tag?: string;
}

const folded = (text: string): string => text.normalize('NFC').replace(/\s+/g, ' ').trim().toLowerCase();

export function changedRequest(request: SimulateRequest, change: NamedChange): SimulateRequest {
  const copy = structuredClone(request) as { -readonly [K in keyof SimulateRequest]: SimulateRequest[K] };
  const items = copy.items as CartItem[];
  const index = change.itemIndex ?? -1;
  const item = items[index];
  const edit = (fields: Partial<CartItem>): void => {
    if (item === undefined) throw new Error(`there is no item ${index}`);
    items[index] = { ...item, ...fields };
  };
  const by = change.by ?? Number.NaN;
  const tagText = item?.properties?.tag ?? '';
  switch (change.kind) {
    case 'cart_total':
      edit({ price: (item?.price ?? 0) + by / (item?.quantity ?? 0) });
      break;
    case 'order_total':
      copy.orderTotals = { ...copy.orderTotals, totalPrice: (copy.orderTotals?.totalPrice ?? 0) + by };
      break;
    case 'cart_weight':
      edit({ grams: (item?.grams ?? 0) + by / (item?.quantity ?? 0) });
      break;
    case 'quantity':
      edit({ quantity: (item?.quantity ?? 0) + by });
      break;
    case 'tag_added':
      edit({ properties: { ...item?.properties, tag: `${tagText},${change.tag}` } });
      break;
    case 'tag_removed': {
      const kept = tagText.split(',').filter((tag) => folded(tag) !== folded(change.tag ?? ''));
      edit({ properties: { ...item?.properties, tag: kept.join() } });
      break;
    }
    case 'item_dropped':
      items.splice(index, 1);
      break;
    case 'state':
      copy.destination = { ...copy.destination, province: String(change.to) };
      break;
    case 'postal_code':
      copy.destination = { ...copy.destination, postalCode: String(change.to) };
      break;
    default:
      throw new Error(`unknown change ${change.kind}`);
  }
  return copy;
}
