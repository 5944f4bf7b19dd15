/**
 * Findings on delivery dates: a shop without working days, whose rates have no dates; holidays that are all past; zones in
 * which only some methods have a delivery time.
 */
import { FULFILMENT_DEFAULT } from '../domain/delivery.ts';
import type { ShippingMethod } from '../domain/shipping-method.ts';
import type { Zone } from '../domain/zone.ts';
import { type Draft, draftOf, quoted, recordOf } from './draft.ts';
import type { ShopFacts } from './shop-facts.ts';

const hasDates = ({ delivery }: ShippingMethod): boolean => delivery != null;

export function* deliveryFindings(shop: ShopFacts): Generator<Draft> {
  const { workingDays, holidays } = shop.settings.fulfilment ?? FULFILMENT_DEFAULT;
  const dated = shop.config.methods.filter((method) => method.enabled && hasDates(method));
  const [first] = dated;
  if (first === undefined) return;
  if (workingDays.length === 0) {
    for (const method of dated) {
      const message = `The rates of ${quoted(method.name)} have no delivery dates because the shop has no working day.`;
      yield draftOf('delivery_without_working_days', recordOf('method', method), message);
    }
  }
  const { today } = shop.settings;
  const last = holidays.toSorted().at(-1);
  if (today !== undefined && last !== undefined && last < today) {
    const message = `Every holiday of the shop is past, the last was ${last}: delivery dates, such as those of ${quoted(first.name)}, count later holidays as working days.`;
    yield draftOf('holidays_past', recordOf('method', first), message);
  }
  for (const { zone } of shop.zones.zones) yield* zoneFindings(shop, zone);
}

function* zoneFindings(shop: ShopFacts, zone: Zone): Generator<Draft> {
  const places = [zone.id, ...zone.subzones.map(({ id }) => id)];
  const bound = places.flatMap((id) => shop.zones.methodsBoundTo(id));
  const without = bound.filter((method) => !hasDates(method));
  const [first] = without;
  if (first === undefined || without.length === bound.length) return;
  const message = `In zone ${quoted(zone.name)} ${without.length} of ${bound.length} methods ${without.length === 1 ? 'has' : 'have'} no delivery time, such as ${quoted(first.name)}: a checkout shows dates for some rates only.`;
  yield draftOf('delivery_on_some_methods', recordOf('zone', zone), message);
}
