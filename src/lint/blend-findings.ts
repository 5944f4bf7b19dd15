/**
 * Findings on blended rates that no cart can get, and on preferences for a method that the blended rate
 * can never use: disabled, replaced by methods of a subzone, in force elsewhere only, or never visible.
 */

import type { BlendedRate } from '../domain/blended-rate.ts';
import type { CartItem } from '../domain/cart.ts';
import type { Witness } from '../domain/finding.ts';
import type { ShippingMethod } from '../domain/shipping-method.ts';
import type { SimulateAnswer } from '../wire/answer.ts';
import { quoted, recordOf } from './condition-words.ts';
import type { Draft } from './draft.ts';
import { preferencesOf } from './place-service.ts';
import type { Places } from './places.ts';
import type { ShopFacts } from './shop-facts.ts';
import type { ZoneFacts } from './zone-map.ts';

export function* blendFindings(shop: ShopFacts): Generator<Draft> {
  for (const blended of shop.config.blendedRates) {
    const zone = shop.zones.binding(blended.zoneId)?.zone;
    if (!blended.enabled || zone === undefined) continue;
    const places = shop.zones.placesOfBlendedRate(blended);
    if (places.isEmpty) continue;
    yield* preferenceFindings(shop, blended, zone, places);
    if (canServeTwo(shop, blended, zone, places)) continue;
    yield {
      code: 'blended_rate_never_available',
      record: recordOf('blendedRate', blended),
      evidence: () => ({
        message: `Blended rate ${quoted(blended.name)} is never available because ${neverReason(shop)}.`,
        witness: unavailable(shop, blended, zone, places, shop.groups.fillable, () => true),
      }),
    };
  }
}

const neverReason = (shop: ShopFacts): string =>
  shop.groups.fillable.length < 2
    ? 'no cart can hold items of several product groups'
    : 'nowhere can two product groups have a method that it may use';

/** Whether somewhere two groups may have a price in the blended rate, which it needs to be offered at all. */
function canServeTwo(shop: ShopFacts, blended: BlendedRate, zone: ZoneFacts, places: Places): boolean {
  const preferred = preferencesOf(blended);
  const isServed = ([groupId, methodIds]: readonly [string, ReadonlySet<string>]): boolean => {
    const wanted = preferred.get(groupId);
    return wanted === undefined ? methodIds.size > 0 : methodIds.has(wanted);
  };
  const ofZone = shop.visibleMethods(zone.zone.id);
  const withOwn = shop.zones.subzonesWithMethods(zone);
  // All places without methods of their own are alike.
  const hasPlain = !places.filter((place) => !withOwn.has(place)).isEmpty;
  if (hasPlain && areTwo(ofZone, isServed)) return true;
  const served = new Set([...ofZone].filter(isServed).map(([groupId]) => groupId));
  for (const place of places.common(withOwn)) {
    const own = [...shop.visibleMethods(zone.zone.subzones[place]?.id ?? '')];
    // A subzone's methods replace those of the zone also when they are never visible.
    const replaced = own.filter(([groupId]) => served.has(groupId)).length;
    if (own.filter(isServed).length + served.size - replaced >= 2) return true;
  }
  return false;
}

function areTwo<T>(all: Iterable<T>, isCounted: (each: T) => boolean): boolean {
  let count = 0;
  for (const each of all) if (isCounted(each) && ++count === 2) return true;
  return false;
}

function* preferenceFindings(
  shop: ShopFacts,
  blended: BlendedRate,
  zone: ZoneFacts,
  places: Places,
): Generator<Draft> {
  for (const [groupId, methodId] of preferencesOf(blended)) {
    const index = shop.groups.indexOf(groupId);
    const facts = shop.groups.all[index];
    if (!facts?.canBeFilled) continue;
    const method = shop.methodById(methodId);
    const used = method === undefined ? null : shop.method(method);
    const isInForce = used?.at.zone === zone && !places.common(used.at.places).isEmpty;
    if (isInForce && used?.invisibility === null) continue;
    yield {
      code: 'preference_never_available',
      record: recordOf('blendedRate', blended),
      evidence: () => ({
        message: `Blended rate ${quoted(blended.name)} is unavailable to every cart with items of ${quoted(facts.group.name)} because the method that it prefers for them, ${quoted(methodId)}, ${whyUnusable(method, isInForce)}.`,
        witness: unavailable(shop, blended, zone, places, [index], (answer) =>
          isWithout(answer, blended, groupId),
        ),
      }),
    };
  }
}

function whyUnusable(method: ShippingMethod | undefined, isInForce: boolean): string {
  if (method === undefined) return 'does not exist';
  if (!method.enabled) return 'is disabled';
  return isInForce ? 'is never visible' : 'is not in force where the blended rate is';
}

const isWithout = (answer: SimulateAnswer, { id }: BlendedRate, groupId: string): boolean =>
  answer.blendedRates.some(
    ({ blendedRateId, components }) =>
      blendedRateId === id &&
      components.some((component) => component.productGroupId === groupId && component.price === null),
  );

/** Pairs of groups that are tried. */
const PAIRS_MAX = 6;

/** A cart of one of these groups and of another, for which the blended rate is evaluated and not available. */
function unavailable(
  shop: ShopFacts,
  blended: BlendedRate,
  zone: ZoneFacts,
  places: Places,
  groups: readonly number[],
  shows: (answer: SimulateAnswer) => boolean,
): Witness | null {
  const [place] = places.take(1);
  if (place === undefined) return null;
  for (const items of pairsOf(shop, groups)) {
    const witness = shop.witnesses.confirmed(
      shop.witnesses.at(zone, place, items),
      (answer) =>
        answer.blendedRates.some(({ blendedRateId, visible }) => blendedRateId === blended.id && !visible) &&
        shows(answer),
    );
    if (witness !== null) return witness;
  }
  return null;
}

function pairsOf(shop: ShopFacts, groups: readonly number[]): readonly (readonly CartItem[])[] {
  const pairs: CartItem[][] = [];
  for (const group of groups.slice(0, PAIRS_MAX)) {
    for (const other of shop.groups.fillable.slice(0, PAIRS_MAX + 1)) {
      const items = [shop.witnesses.itemOf(group), shop.witnesses.itemOf(other)];
      if (group !== other && pairs.length < PAIRS_MAX && !items.includes(null))
        pairs.push(items as CartItem[]);
    }
  }
  return pairs;
}
