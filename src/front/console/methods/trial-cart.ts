/** A cart to try a method with when the link has none: to the method's place, with an item of its product group. */
import type { Schemas } from '../../client/call-table.ts';
import { type Cart, starterCart } from '../tester/cart.ts';
import { sampleCart } from '../tester/sample-cart.ts';
import type { MethodDraft } from './method-kind.ts';

type Places = Pick<Schemas['ConfigSnapshot'], 'zones' | 'productGroups'>;

export const zoneOf = ({ zones }: Pick<Places, 'zones'>, id: string): Schemas['Zone'] | undefined =>
  zones.find((zone) => zone.id === id || zone.subzones.some((subzone) => subzone.id === id));

/** The first of the known carts that goes to the zone of a method of the default group, else one that is made. */
export function cartFor(
  config: Places,
  { zoneId, productGroupId }: Pick<MethodDraft, 'zoneId' | 'productGroupId'>,
  known: readonly Cart[],
): Cart {
  const zone = zoneOf(config, zoneId);
  const subzone = zone?.subzones.find(({ id }) => id === zoneId) ?? null;
  const group = config.productGroups.find(({ id }) => id === productGroupId);
  const fitting = known.find(({ destination }) =>
    zone?.countries.includes(destination.country.toUpperCase()),
  );
  if (fitting !== undefined && subzone === null && group?.isDefault !== false) return fitting;
  const cart = starterCart(zone === undefined ? config.zones : [zone]);
  return group === undefined ? cart : sampleCart(cart.destination.country, subzone, group);
}
