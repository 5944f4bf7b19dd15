/**
 * Findings on carts of several product groups that get no rates at a place, although each of the groups has a method
 * there that can be visible: every blended rate in force there fails for one of the groups, or there is none and no
 * method of the groups is visible to a cart of several (contract sections 5.6, 5.7 and 10.7).
 *
 * Sound: what such carts have in common is proved, and a visible method of each group is seen in a simulated answer. A
 * cart that holds one group from each blended rate's lacking groups fails them all, so no sets of groups are enumerated:
 * a place has one finding, about a small cart.
 */

import type { Requirement } from '../candidates/requirement.ts';
import type { MethodPlace } from '../candidates/requirement-logic.ts';
import { placesOf } from '../candidates/zone-facts.ts';
import type { BlendedRate } from '../domain/blended-rate.ts';
import { FINDINGS_PER_CODE_MAX, type Witness } from '../domain/finding.ts';
import { type TableRateType, tiersOfRate } from '../domain/rate-type.ts';
import type { ShippingMethod } from '../domain/shipping-method.ts';
import { taken } from '../runtime/map-entries.ts';
import type { SimulateAnswer } from '../wire/answer.ts';
import { counted, type Draft, draftOf, placeRecord, placeWords, quoted } from './draft.ts';
import type { PlaceService } from './place-service.ts';
import { isInTier } from './rate-steps.ts';
import type { ShopFacts } from './shop-facts.ts';

/** Maximum number of groups tried for one part of a cart, of methods per group and of tiers per method. */
const TRIES_MAX = 8;
/**
 * Places at which carts are simulated: as many as a report lists. Measured: 3 to 6 s of
 * processor time with 10,000 methods and 200 blended rates of up to 2,000 preferences, most of it for what the first
 * cart of a place compiles.
 */
const PLACES_MAX = FINDINGS_PER_CODE_MAX;

/** Ids of groups; a cart without rates contains at least one of them. */
type Lack = readonly string[];

export class CartSearch {
  readonly #shop: ShopFacts;
  #placesLeft = PLACES_MAX;

  constructor(shop: ShopFacts) {
    this.#shop = shop;
  }

  *findingsAt(service: PlaceService): Generator<Draft> {
    const lacks = this.#shop.groups.fillable.length < 2 ? null : lacksOf(service);
    if (lacks === null || this.#placesLeft-- <= 0) return;
    const cart = this.#chooseCart(service, lacks);
    const witness = cart === null ? null : this.#witnessOf(service, cart);
    if (cart === null || witness === null) return;
    const record = placeRecord(service.zone.zone, service.place);
    yield draftOf('cart_without_rates', record, messageOf(this.#shop, service, cart), () => witness);
  }

  /** Returns ids of groups that together get no rates here, each with a method proved visible; null when none is found. */
  #chooseCart(service: PlaceService, lacks: readonly Lack[]): readonly string[] | null {
    const shown = new Map<string, boolean>();
    const isShown = (groupId: string): boolean => {
      const known = shown.get(groupId) ?? this.#canBeShown(service, groupId);
      shown.set(groupId, known);
      return known;
    };
    const count = (groupId: string) => lacks.filter((lack) => lack.includes(groupId)).length;
    const cart: string[] = [];
    for (const lack of lacks) {
      if (lack.some((groupId) => cart.includes(groupId))) continue;
      const chosen = lack.toSorted((a, b) => count(b) - count(a)).find(isShown);
      if (chosen === undefined) return null;
      cart.push(chosen);
    }
    if (cart.length > 1) return cart;
    const others = service.blendedRates.length === 0 ? lacks.flat() : taken(service.groups(), TRIES_MAX);
    const another = others.find((groupId) => groupId !== cart[0] && isShown(groupId));
    return another === undefined ? null : [...cart, another];
  }

  /** True when a simulated answer shows a visible method of the group here. */
  #canBeShown(service: PlaceService, groupId: string): boolean {
    const { zone, place } = service;
    const { witnesses, groups } = this.#shop;
    const group = groups.indexOf(groupId);
    const at = { zone, places: placesOf(place), group };
    function* proposed(examples: Iterable<readonly Requirement[]>): Generator<Witness | null> {
      yield witnesses.at(zone, place, [group]);
      for (const requirements of examples) yield witnesses.proposed(at, requirements);
    }
    const isShown = (answer: SimulateAnswer) =>
      isHere(answer, service) &&
      answer.methodEvaluations.some(({ productGroupId, visible }) => visible && productGroupId === groupId);
    const methods = service.methodsOf(groupId).slice(0, TRIES_MAX);
    const examples = this.#examplesOf(methods, at);
    return witnesses.firstConfirmed(proposed(examples), isShown) !== null;
  }

  /** Yields sets of requirements under which one of the methods may be visible. */
  *#examplesOf(methods: readonly ShippingMethod[], at: MethodPlace): Generator<readonly Requirement[]> {
    for (const method of methods) {
      const facts = this.#shop.method(method);
      if (facts === null || facts.invisibility !== null) continue;
      const tiers = tiersOfRate(method)?.slice(0, TRIES_MAX);
      const rateType = method.rateType as TableRateType;
      const inTiers = tiers?.map((tier) => [this.#shop.table.of(isInTier(rateType, tier))]) ?? [[]];
      for (const inTier of inTiers) {
        const requirements = this.#shop.reader.visibly({ ...facts, at }, inTier);
        if (requirements !== null) yield requirements;
      }
    }
  }

  /** Returns a cart with one item of each group that gets no rates; null when it exceeds the limit on items. */
  #witnessOf(service: PlaceService, cart: readonly string[]): Witness | null {
    const groups = cart.map((groupId) => this.#shop.groups.indexOf(groupId));
    return this.#shop.witnesses.confirmed(
      this.#shop.witnesses.at(service.zone, service.place, groups),
      (answer) =>
        isHere(answer, service) &&
        answer.rates.length === 0 &&
        new Set(answer.methodEvaluations.map(({ productGroupId }) => productGroupId)).size === cart.length,
    );
  }
}

/**
 * Returns a list for each blended rate: the groups without a price in it. Without a blended rate, returns one list of
 * two or more groups that have no method for carts of several groups. Returns null when every cart gets a rate.
 */
function lacksOf(service: PlaceService): readonly Lack[] | null {
  const { blendedRates } = service;
  const lists =
    blendedRates.length === 0
      ? [service.lackingIn()]
      : blendedRates.map((blended) => service.lackingIn(blended));
  const lacks = lists.map((list) => taken(list, TRIES_MAX));
  const least = blendedRates.length === 0 ? 2 : 1;
  return lacks.every(({ length }) => length >= least) ? lacks : null;
}

const isHere = ({ zone }: SimulateAnswer, service: PlaceService): boolean =>
  zone?.id === service.zone.zone.id && zone.subzone?.id === service.zone.zone.subzones[service.place]?.id;

function messageOf(shop: ShopFacts, service: PlaceService, cart: readonly string[]): string {
  const where = placeWords(service.zone.zone, service.place);
  const names = cart.map((groupId) => nameOf(shop, groupId));
  const together = `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;
  return `A cart with items of ${together} gets no rates ${where}, though each of these groups has a method there: ${reasonOf(shop, service, cart)}.`;
}

const nameOf = ({ groups }: ShopFacts, groupId: string): string =>
  quoted(groups.all[groups.indexOf(groupId)]?.group.name ?? groupId);

function reasonOf(shop: ShopFacts, service: PlaceService, cart: readonly string[]): string {
  const [blended, ...others] = service.blendedRates;
  if (blended === undefined) return 'no cart of several groups can see these methods';
  const more = `, and ${counted(others.length, 'more blended rate')} in force there ${others.length === 1 ? 'fails' : 'fail'} too`;
  const lack = lackOf(shop, service, blended, cart);
  return `blended rate ${quoted(blended.name)} ${lack}${others.length === 0 ? '' : more}`;
}

function lackOf(
  shop: ShopFacts,
  service: PlaceService,
  blended: BlendedRate,
  cart: readonly string[],
): string {
  for (const groupId of service.lackingIn(blended)) {
    if (!cart.includes(groupId)) continue;
    const methodId = shop.preferencesOf(blended).get(groupId);
    const group = nameOf(shop, groupId);
    if (methodId === undefined) return `finds no method of ${group} that a cart of several groups can see`;
    const isInForce = service.methodsOf(groupId).some(({ id }) => id === methodId);
    const why = isInForce ? 'which no cart of several groups can see' : 'which is not in force there';
    return `prefers method ${quoted(shop.methodsById.get(methodId)?.name ?? methodId)} for ${group}, ${why}`;
  }
  return 'is not available';
}
