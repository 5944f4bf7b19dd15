/**
 * Estimate: what answering a request would cost, in microseconds of one thread, before anything of it is
 * done. A guess that is right within a factor of two, made to tell what is worth a thread of its own.
 *
 * The formula was fitted to 329 combinations of 1 to 1,000 methods, 0 to 20 rules each, 1 to 4 conditions and
 * 1 to 1,000 items, each measured warm from the request to the bytes of its answer; half of the estimates
 * are within -25 and +47 % of the measured time. Cold zones and methods whose outcomes cannot be kept cost
 * more than it says, never less; carts of hundreds of items in dozens of methods cost down to a third of it, since
 * lists of matched items that are the same are made once.
 */
import type { CompiledShop } from '../compile/compiled-shop.ts';
import type { WorkSize } from '../compile/zone-size.ts';
import type { CartItem, SimulateRequest } from '../domain/cart.ts';
import { countryCode } from '../domain/postal-code.ts';
import { ItemFacts } from './item-facts.ts';

const REQUEST_US = 3;
const ITEM_US = 0.11;
/** The answer's text is the measure of the rest: what is evaluated is reported. */
const CHARACTER_US = 0.0015;
/** One item reported by one rule, as often as items match. */
const REPORTED_US = 0.025;

/** Items that are looked at to find the groups of a cart; the others are taken to be of the same ones. */
const ITEMS_LOOKED_AT = 64;

const microsecondsOf = ({ characters, reportingRules }: WorkSize, items: number): number =>
  REQUEST_US + ITEM_US * items + CHARACTER_US * characters + REPORTED_US * reportingRules * items;

/**
 * Microseconds that the request will take; exact about groups only from `closerLookUs` on, since for most
 * requests the size of their zone alone says that they are cheap.
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
