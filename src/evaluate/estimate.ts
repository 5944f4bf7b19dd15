/**
 * Estimate: the microseconds of one thread that a request will take, computed before any other work on it. The estimate
 * decides which requests go to a worker thread; a factor of two is accurate enough.
 *
 * The formula was fitted to 329 combinations of 1 to 1,000 methods, 0 to 20 rules each, 1 to 4 conditions and 1 to
 * 1,000 items, each measured warm from the request to the bytes of its answer. Half of the estimates are within -25 and
 * +47 % of the measured time. Cold zones, and methods whose outcomes cannot be cached, take more than the estimate. Carts of
 * hundreds of items in dozens of methods take down to a third of it, since equal lists of matched items are made once.
 */
import type { CompiledShop } from '../compile/compiled-shop.ts';
import type { WorkSize } from '../compile/zone-size.ts';
import type { CartItem, SimulateRequest } from '../domain/cart.ts';
import { countryCode } from '../domain/postal-code.ts';
import { ItemFacts } from './item-facts.ts';

const REQUEST_US = 3;
const ITEM_US = 0.11;
/** Per character of the answer. Every evaluation is reported, so the length of the answer measures all of the work. */
const CHARACTER_US = 0.0015;
/** Per item that one rule reports, with the usual share of matching items. */
const REPORTED_US = 0.025;

/** Items whose groups are looked up; the estimate assumes that the others belong to the same groups. */
const ITEMS_LOOKED_AT = 64;

const microsecondsOf = ({ characters, reportingRules }: WorkSize, items: number): number =>
  REQUEST_US + ITEM_US * items + CHARACTER_US * characters + REPORTED_US * reportingRules * items;

/**
 * Microseconds that the request will take. The groups of the cart are looked up only from `closerLookUs` on: for most
 * requests the size of the zone alone shows that they are cheap.
 */
export function estimateMicroseconds(
  shop: CompiledShop,
  { destination, items }: SimulateRequest,
  closerLookUs: number,
): number {
  const size = shop.sizeOf(countryCode(destination.country));
  if (size === null) return REQUEST_US + ITEM_US * items.length;
  const atMost = microsecondsOf(size.most, items.length);
  if (atMost < closerLookUs) return atMost;
  const groupIds = new Set<string>();
  const step = Math.ceil(items.length / ITEMS_LOOKED_AT);
  for (let at = 0; at < items.length; at += step) {
    const group = shop.groups.groupOf(new ItemFacts(items[at] as CartItem));
    groupIds.add(shop.groupIds[group] as string);
  }
  return microsecondsOf(size.mostOf([...groupIds]), items.length);
}
