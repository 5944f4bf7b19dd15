/** A cart to try a method with when the reader has named none: to the method's zone, with an item of its product group. */
import type { Schemas } from '../../client/call-table.ts';
import { type Cart, type CartItem, starterCart } from '../tester/cart.ts';
import type { MethodDraft } from './method-kind.ts';
import type { Config } from './trial.ts';

export const zoneOf = ({ zones }: Pick<Config, 'zones'>, id: string): Schemas['Zone'] | undefined =>
  zones.find((zone) => zone.id === id || zone.subzones.some((subzone) => subzone.id === id));

/** What makes an item belong to the group. */
function markOf({
  isDefault,
  tags,
  skus,
  vendors,
  productIds,
  variantIds,
}: Schemas['ProductGroup']): Partial<CartItem> {
  const [[tag], [sku], [vendor], [productId], [variantId]] = [tags, skus, vendors, productIds, variantIds];
  if (isDefault) return {};
  if (tag !== undefined) return { properties: { tag } };
  if (sku !== undefined) return { sku: sku.replace(/\*$/, '1') };
  if (vendor !== undefined) return { vendor };
  return productId === undefined ? { variantId: variantId ?? null } : { productId };
}

/** The first of the known carts that goes to the zone of a method of the default group, else one that is made. */
export function cartFor(
  config: Config,
  { zoneId, productGroupId }: MethodDraft,
  known: readonly Cart[],
): Cart {
  const zone = zoneOf(config, zoneId);
  const group = config.productGroups.find(({ id }) => id === productGroupId);
  const fitting = known.find(({ destination }) =>
    zone?.countries.includes(destination.country.toUpperCase()),
  );
  if (fitting !== undefined && group?.isDefault !== false) return fitting;
  const cart = starterCart(zone === undefined ? config.zones : [zone]);
  const mark = group === undefined ? {} : markOf(group);
  return { ...cart, items: cart.items.map((item) => ({ ...item, ...mark })) };
}
