/**
 * Findings on blended rates that no cart can get, on preferences for a method that the blended rate can never use
 * (disabled, replaced by methods of a subzone, in force elsewhere only, or never visible), and on carts of several
 * groups that get no rates.
 */
import type { BlendedRate } from '../domain/blended-rate.ts';
import type { Witness } from '../domain/finding.ts';
import type { ShippingMethod } from '../domain/shipping-method.ts';
import { CartSearch } from './cart-findings.ts';
import { type Draft, draftOf, quoted, recordOf } from './draft.ts';
import { placesIn } from './place-service.ts';
import type { ShopFacts } from './shop-facts.ts';
import type { Shows } from './witness-maker.ts';
import type { Places, ZoneFacts } from './zone-facts.ts';

/** An enabled blended rate that is in force for some destination. */
interface BlendCase {
  readonly blended: BlendedRate;
  readonly zone: ZoneFacts;
  readonly places: Places;
}

export function* blendFindings(shop: ShopFacts): Generator<Draft> {
  const cases = shop.config.blendedRates.flatMap((blended): BlendCase[] => {
    const zone = shop.zones.binding(blended.zoneId)?.zone;
    const places = shop.zones.placesOf(blended);
    return !blended.enabled || zone === undefined || places.isEmpty ? [] : [{ blended, zone, places }];
  });
  for (const each of cases) yield* preferenceFindings(shop, each);
  const unserved = new Set(cases.map(({ blended }) => blended));
  const carts = new CartSearch(shop);
  for (const zone of shop.zones.zones) {
    if (zone.countries.length === 0) continue;
    for (const place of placesIn(shop, zone)) {
      // A cart of two groups needs a price for each.
      for (const blended of place.blendedRates) {
        if (unserved.has(blended) && place.mayServeTwo(blended)) unserved.delete(blended);
      }
      yield* carts.findingsAt(place);
    }
  }
  for (const each of cases) if (unserved.has(each.blended)) yield neverAvailable(shop, each);
}

function neverAvailable(shop: ShopFacts, each: BlendCase): Draft {
  const why =
    shop.fillable.length < 2
      ? 'no cart can hold items of several product groups'
      : 'at no place two product groups have a method that it can use';
  const message = `Blended rate ${quoted(each.blended.name)} is never available because ${why}.`;
  return draftOf('blended_rate_never_available', recordOf('blendedRate', each.blended), message, () =>
    unavailable(
      shop,
      each,
      shop.fillable.slice(0, PAIRS_MAX).map(({ group }) => group.id),
      () => true,
    ),
  );
}

function* preferenceFindings(shop: ShopFacts, each: BlendCase): Generator<Draft> {
  const { blended, zone, places } = each;
  for (const [groupId, methodId] of shop.preferencesOf(blended)) {
    if (!shop.canBeFilled(groupId)) continue;
    const method = shop.methodsById.get(methodId);
    const used = method === undefined ? null : shop.method(method);
    const isInForce = used?.at.zone === zone && !places.common(used.at.places).isEmpty;
    if (isInForce && used?.invisibility === null) continue;
    const isWithout: Shows = ({ blendedRates }) =>
      blendedRates.some(
        ({ blendedRateId, components }) =>
          blendedRateId === blended.id &&
          components.some(({ productGroupId, price }) => productGroupId === groupId && price === null),
      );
    const message = `Blended rate ${quoted(blended.name)} is unavailable to every cart with items of ${quoted(shop.groupName(groupId))} because the method that it prefers for them, ${quoted(methodId)}, ${whyUnusable(method, isInForce)}.`;
    yield draftOf('preference_never_available', recordOf('blendedRate', blended), message, () =>
      unavailable(shop, each, [groupId], isWithout),
    );
  }
}

function whyUnusable(method: ShippingMethod | undefined, isInForce: boolean): string {
  if (method === undefined) return 'does not exist';
  if (!method.enabled) return 'is disabled';
  return isInForce ? 'is never visible' : 'is not in force where the blended rate is';
}

/** Maximum number of pairs of groups that are tried. */
const PAIRS_MAX = 6;

/** Returns a cart of one of these groups and another, for which the blended rate is evaluated but not available. */
function unavailable(
  shop: ShopFacts,
  { blended, zone, places }: BlendCase,
  groupIds: readonly string[],
  shows: Shows,
): Witness | null {
  const [place] = places.take(1);
  if (place === undefined) return null;
  const placeId = zone.zone.subzones[place]?.id ?? zone.zone.id;
  const others = shop.fillable.slice(0, PAIRS_MAX + 1).map(({ group }) => group.id);
  const pairs = groupIds.flatMap((id) => others.filter((other) => other !== id).map((other) => [id, other]));
  return shop.witnesses.firstConfirmed(
    pairs.slice(0, PAIRS_MAX).map((pair) => shop.cartAt(placeId, pair)),
    (answer) =>
      answer.blendedRates.some(({ blendedRateId, visible }) => blendedRateId === blended.id && !visible) &&
      shows(answer),
  );
}
