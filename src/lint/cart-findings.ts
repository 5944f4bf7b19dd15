/**
 * Findings on carts of several product groups that get no rates at a place, although each of the groups has
 * a method there that can be visible: every blended rate in force there fails for one of the groups, or
 * there is none and no method of the groups is visible to a cart of several (contract sections 5.6, 5.7).
 *
 * Sound: what such carts have in common is proved, and a visible method of each group is seen in a simulated
 * answer. A cart that holds one group from each blended rate's lacking groups fails them all, so no sets of
 * groups are enumerated: a place has one finding, about a small cart.
 */

import type { BlendedRate } from '../domain/blended-rate.ts';
import type { CartItem } from '../domain/cart.ts';
import { FINDINGS_PER_CODE_MAX, type Witness } from '../domain/finding.ts';
import type { ShippingMethod } from '../domain/shipping-method.ts';
import type { SimulateAnswer } from '../wire/answer.ts';
import { counted, quoted, recordOf } from './condition-words.ts';
import type { Draft } from './draft.ts';
import { type PlaceService, preferencesOf, ZoneService } from './place-service.ts';
import { Places } from './places.ts';
import { MEASURES, tiersOfRate } from './rate-steps.ts';
import type { Requirement } from './requirement.ts';
import type { MethodPlace } from './requirement-logic.ts';
import type { ShopFacts } from './shop-facts.ts';

/** Groups that are tried for one part of a cart, methods of a group and tiers of a method. */
const TRIES_MAX = 8;
/**
 * Places at which carts are simulated: as many as a report lists, and beyond that nothing is told. Measured: 3 to 6 s of
 * processor time with 10,000 methods and 200 blended rates of up to 2,000 preferences, most of it for what the first
 * cart of a place compiles.
 */
const PLACES_MAX = FINDINGS_PER_CODE_MAX;

export function* cartFindings(shop: ShopFacts): Generator<Draft> {
  if (shop.groups.fillable.length < 2) return;
  let placesLeft = PLACES_MAX;
  for (const zone of shop.zones.zones) {
    if (zone.countries.length === 0) continue;
    for (const service of new ZoneService(shop, zone).places()) {
      const lacks = lacksOf(service);
      if (lacks === null) continue;
      if (placesLeft-- === 0) return;
      const cart = chooseCart(shop, service, lacks);
      const witness = cart === null ? null : witnessOf(shop, service, cart);
      if (cart === null || witness === null) continue;
      const subzone = zone.zone.subzones[service.place];
      yield {
        code: 'cart_without_rates',
        record:
          subzone === undefined
            ? recordOf('zone', zone.zone)
            : { ...recordOf('subzone', subzone), parentId: zone.zone.id },
        evidence: () => ({ message: messageOf(shop, service, cart), witness }),
      };
    }
  }
}

/** Ids of groups. */
type Lack = readonly string[];

/**
 * Groups of which a cart without rates needs one from each list: those that a blended rate fails; where there is no
 * blended rate, one list of two or more that have no method for carts of several groups. null when there is no such cart.
 */
function lacksOf(service: PlaceService): readonly Lack[] | null {
  if (service.blendedRates.length === 0) {
    const lack = take(service.withoutUsable(), TRIES_MAX);
    return lack.length < 2 ? null : [lack];
  }
  const lacks: Lack[] = [];
  for (const blended of service.blendedRates) {
    const lack = take(service.lackingIn(blended), TRIES_MAX);
    if (lack.length === 0) return null;
    lacks.push(lack);
  }
  return lacks;
}

/**
 * Ids of groups that together get no rates here, each with a method that was seen to be visible; null when
 * none were found.
 */
function chooseCart(
  shop: ShopFacts,
  service: PlaceService,
  lacks: readonly Lack[],
): readonly string[] | null {
  const shown = new Map<string, boolean>();
  const isShown = (groupId: string): boolean => {
    const known = shown.get(groupId) ?? canBeShown(shop, service, groupId);
    shown.set(groupId, known);
    return known;
  };
  const counts = new Map<string, number>();
  for (const groupId of lacks.flat()) counts.set(groupId, (counts.get(groupId) ?? 0) + 1);
  const cart: string[] = [];
  for (const lack of lacks) {
    if (lack.some((groupId) => cart.includes(groupId))) continue;
    const chosen = lack.toSorted((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0)).find(isShown);
    if (chosen === undefined) return null;
    cart.push(chosen);
  }
  if (cart.length > 1) return cart;
  const others = service.blendedRates.length === 0 ? lacks.flat() : take(service.groups(), TRIES_MAX);
  const another = others.find((groupId) => groupId !== cart[0] && isShown(groupId));
  return another === undefined ? null : [...cart, another];
}

function take<T>(all: Iterable<T>, count: number): readonly T[] {
  const taken: T[] = [];
  for (const each of all) {
    taken.push(each);
    if (taken.length === count) break;
  }
  return taken;
}

const isHere = ({ zone }: SimulateAnswer, service: PlaceService): boolean =>
  zone?.id === service.zone.zone.id && zone.subzone?.id === service.zone.zone.subzones[service.place]?.id;

/** Whether a simulated answer was found in which a method of the group is visible here. */
function canBeShown(shop: ShopFacts, service: PlaceService, groupId: string): boolean {
  const { zone, place } = service;
  const isShown = (answer: SimulateAnswer) =>
    isHere(answer, service) &&
    answer.methodEvaluations.some(({ productGroupId, visible }) => visible && productGroupId === groupId);
  const group = shop.groups.indexOf(groupId);
  const item = shop.witnesses.itemOf(group);
  if (item !== null && shop.witnesses.confirmed(shop.witnesses.at(zone, place, [item]), isShown) !== null) {
    return true;
  }
  const at = { zone, places: Places.of([place]), group, decisions: new Map<string, boolean>() };
  return service
    .methodsOf(groupId)
    .slice(0, TRIES_MAX)
    .some((method) =>
      examplesOf(shop, method, at).some(
        (requirements) =>
          shop.witnesses.confirmed(shop.witnesses.satisfying(at, requirements), isShown) !== null,
      ),
    );
}

/** Sets of requirements under which the method may be visible. */
function examplesOf(
  shop: ShopFacts,
  method: ShippingMethod,
  at: MethodPlace,
): readonly (readonly Requirement[])[] {
  const facts = shop.method(method);
  if (facts === null || facts.invisibility !== null) return [];
  const inTiers = tiersOfRate(method)
    ?.slice(0, TRIES_MAX)
    .map(({ from, to }): readonly Requirement[] => [
      shop.table.of({
        conditionType: MEASURES[method.rateType as keyof typeof MEASURES].conditionType,
        operator: to === null ? 'greater_than_or_equal' : 'between',
        value: to === null ? String(from) : `${from},${to - 1}`,
        scope: 'sum_of_group',
      }),
    ]);
  return (inTiers ?? [[]]).flatMap((inTier) => {
    const requirements = shop.visibly({ ...facts, at }, inTier);
    return requirements === null ? [] : [requirements];
  });
}

/** A cart with one item of each group, for which there are no rates; null when it has more than are allowed. */
function witnessOf(shop: ShopFacts, service: PlaceService, cart: readonly string[]): Witness | null {
  const items = cart
    .map((groupId) => shop.witnesses.itemOf(shop.groups.indexOf(groupId)))
    .filter((item): item is CartItem => item !== null);
  return shop.witnesses.confirmed(
    shop.witnesses.at(service.zone, service.place, items),
    (answer) =>
      isHere(answer, service) &&
      answer.rates.length === 0 &&
      new Set(answer.methodEvaluations.map(({ productGroupId }) => productGroupId)).size === cart.length,
  );
}

function messageOf(shop: ShopFacts, service: PlaceService, cart: readonly string[]): string {
  const { zone, subzones } = { zone: service.zone.zone, subzones: service.zone.zone.subzones };
  const subzone = subzones[service.place];
  const where =
    subzone !== undefined
      ? `in subzone ${quoted(subzone.name)}`
      : subzones.length > 0
        ? `outside the subzones of zone ${quoted(zone.name)}`
        : `in zone ${quoted(zone.name)}`;
  const names = cart.map((groupId) => nameOf(shop, groupId));
  const together = `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;
  return `A cart with items of ${together} gets no rates ${where}, though each of these groups has a method there: ${reasonOf(shop, service, cart)}.`;
}

const nameOf = (shop: ShopFacts, groupId: string): string =>
  quoted(shop.groups.all[shop.groups.indexOf(groupId)]?.group.name ?? groupId);

function reasonOf(shop: ShopFacts, service: PlaceService, cart: readonly string[]): string {
  const [blended] = service.blendedRates;
  if (blended === undefined) return 'no cart of several groups can see these methods';
  const more = service.blendedRates.length - 1;
  const others =
    more === 0
      ? ''
      : `, and ${counted(more, 'more blended rate')} in force there ${more === 1 ? 'fails' : 'fail'} too`;
  return `blended rate ${quoted(blended.name)} ${lackOf(shop, service, blended, cart)}${others}`;
}

function lackOf(
  shop: ShopFacts,
  service: PlaceService,
  blended: BlendedRate,
  cart: readonly string[],
): string {
  for (const groupId of service.lackingIn(blended)) {
    if (!cart.includes(groupId)) continue;
    const methodId = preferencesOf(blended).get(groupId);
    const group = nameOf(shop, groupId);
    if (methodId === undefined) return `finds no method of ${group} that a cart of several groups can see`;
    const isInForce = service.methodsOf(groupId).some(({ id }) => id === methodId);
    const why = isInForce ? 'which no cart of several groups can see' : 'which is not in force there';
    return `prefers method ${quoted(shop.methodById(methodId)?.name ?? methodId)} for ${group}, ${why}`;
  }
  return 'is not available';
}
