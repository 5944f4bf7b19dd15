/** A cart to a place with an item of a product group, for links into the tester. */

import { parsePostalPattern, postalFormOf, splitPostalPatterns } from '../../../engine/domain/postal-code.ts';
import type { Schemas } from '../../client/call-table.ts';
import { type Cart, type CartItem, SAMPLE_ITEM } from './cart.ts';

type ProductGroup = Schemas['ProductGroup'];

/** What stands after the space of a postal code of the United Kingdom. */
const UK_INWARD = '1AA';

/** A postal code that the first pattern of a subzone matches; "" where there is none. */
export function samplePostalCode(postalCodes: string, country: string): string {
  const [first = ''] = splitPostalPatterns(postalCodes);
  const pattern = parsePostalPattern(first);
  if (typeof pattern === 'string') return '';
  if (pattern.kind === 'exact') return pattern.code;
  if (pattern.kind === 'districts') return `${pattern.area}${Number(pattern.from)} ${UK_INWARD}`;
  if (pattern.kind !== 'prefix') return pattern.from;
  if (postalFormOf(country) !== 'uk') return pattern.prefix || '1';
  const [outward = '', inward = ''] = pattern.prefix.split(' ');
  return `${/\d/.test(outward) ? outward : `${outward}1`} ${inward}${UK_INWARD.slice(inward.length)}`;
}

/** An item that the group lists (contract section 5.1); one that no group lists where the group lists nothing. */
function sampleItem({ isDefault, variantIds, productIds, skus, tags, vendors }: ProductGroup): CartItem {
  if (isDefault) return SAMPLE_ITEM;
  const [variantId, productId, sku, tag, vendor] = [variantIds, productIds, skus, tags, vendors].map(
    ([listed]) => listed,
  );
  if (variantId !== undefined) return { ...SAMPLE_ITEM, variantId };
  if (productId !== undefined) return { ...SAMPLE_ITEM, productId };
  if (sku !== undefined) return { ...SAMPLE_ITEM, sku: sku.replace(/\*$/, '1') };
  if (tag !== undefined) return { ...SAMPLE_ITEM, properties: { tag } };
  return vendor === undefined ? SAMPLE_ITEM : { ...SAMPLE_ITEM, vendor };
}

/** `country` is a country of the zone. */
export function sampleCart(country: string, subzone: Schemas['Subzone'] | null, group: ProductGroup): Cart {
  const postalCode = subzone === null ? '' : samplePostalCode(subzone.postalCodes, country);
  return {
    destination: { country, ...(postalCode === '' ? {} : { postalCode }) },
    items: [sampleItem(group)],
  };
}
