/**
 * Findings on carts of several product groups that get no rates at a place, although each of the groups has a method there
 * that is offered by itself: every blended rate in force there has no method for one of the groups, because the one that it
 * prefers is not in force there or can never be visible (contract sections 5.6, 5.7 and 10.7).
 *
 * A cart that holds one group from each blended rate's lacking groups fails them all, so no sets of groups are enumerated: a
 * place has one finding, about a small cart. The evaluator shows that each group is offered a rate, and the cart none.
 */

import { taken } from '../../base/runtime/map-entries.ts';
import type { BlendedRate } from '../domain/blended-rate.ts';
import { FINDINGS_PER_CODE_MAX, type Witness } from '../domain/finding.ts';
import { probeOf } from '../probes/draft-cart.ts';
import type { SimulateAnswer } from '../wire/answer.ts';
import { counted, type Draft, draftOf, placeRecord, placeWords, quoted } from './draft.ts';
import { type PlaceService, placesIn } from './place-service.ts';
import type { ShopFacts } from './shop-facts.ts';

/** Groups tried for one part of a cart, and methods of a group. */
const TRIES_MAX = 8;

/** Ids of groups; a cart without rates contains at least one of them. */
type Lack = readonly string[];

export function* cartFindings(shop: ShopFacts): Generator<Draft> {
  const search = new CartSearch(shop);
  for (const zone of shop.zones.zones) {
    if (zone.countries.length === 0) continue;
    for (const place of placesIn(shop, zone)) yield* search.findingsAt(place);
  }
}

class CartSearch {
  readonly #shop: ShopFacts;
  /** Places at which carts are simulated: as many as a report lists. */
  #placesLeft = FINDINGS_PER_CODE_MAX;

  constructor(shop: ShopFacts) {
    this.#shop = shop;
  }

  *findingsAt(service: PlaceService): Generator<Draft> {
    const lacks = service.blendedRates.map((blended) => taken(service.lackingIn(blended), TRIES_MAX));
    if (lacks.length === 0 || lacks.some(({ length }) => length === 0) || this.#placesLeft-- <= 0) return;
    const cart = this.#chooseCart(service, lacks);
    const witness = cart === null ? null : this.#witnessOf(service, cart);
    if (cart === null || witness === null) return;
    const record = placeRecord(service.zone.zone, service.place);
    yield draftOf('cart_without_rates', record, messageOf(this.#shop, service, cart), () => witness);
  }

  /** Returns ids of groups that together get no rates here, each of which is offered a method; null when none is found. */
  #chooseCart(service: PlaceService, lacks: readonly Lack[]): readonly string[] | null {
    const shown = new Map<string, boolean>();
    const isShown = (groupId: string): boolean => {
      const known = shown.get(groupId) ?? this.#isOffered(service, groupId);
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
    const groups = this.#shop.fillable.map(({ group }) => group.id);
    const others = groups.filter((id) => id !== cart[0] && service.methodsOf(id).length > 0);
    const another = others.slice(0, TRIES_MAX).find(isShown);
    return another === undefined ? null : [...cart, another];
  }

  /** True when a simulated answer shows a visible method of the group here. */
  #isOffered(service: PlaceService, groupId: string): boolean {
    const { finder, witnesses } = this.#shop;
    const probes = service
      .methodsOf(groupId)
      .slice(0, TRIES_MAX)
      .map((method) => {
        const draft = finder.offering(method, service.placeId);
        return draft && probeOf(draft);
      });
    const isShown = (answer: SimulateAnswer) =>
      isHere(answer, service) &&
      answer.methodEvaluations.some(({ productGroupId, visible }) => visible && productGroupId === groupId);
    return witnesses.firstConfirmed(probes, isShown) !== null;
  }

  /** Returns a cart with one item of each group that gets no rates; null when it exceeds the limit on items. */
  #witnessOf(service: PlaceService, cart: readonly string[]): Witness | null {
    return this.#shop.witnesses.confirmed(
      this.#shop.cartAt(service.placeId, cart),
      (answer) =>
        isHere(answer, service) &&
        answer.rates.length === 0 &&
        new Set(answer.methodEvaluations.map(({ productGroupId }) => productGroupId)).size === cart.length,
    );
  }
}

const isHere = ({ zone }: SimulateAnswer, service: PlaceService): boolean =>
  zone?.id === service.zone.zone.id && zone.subzone?.id === service.zone.zone.subzones[service.place]?.id;

function messageOf(shop: ShopFacts, service: PlaceService, cart: readonly string[]): string {
  const where = placeWords(service.zone.zone, service.place);
  const names = cart.map((groupId) => quoted(shop.groupName(groupId)));
  const together = `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;
  return `A cart with items of ${together} gets no rates ${where}, though each of these groups has a method there: ${reasonOf(shop, service, cart)}.`;
}

function reasonOf(shop: ShopFacts, service: PlaceService, cart: readonly string[]): string {
  const [blended, ...others] = service.blendedRates;
  const more = `, and ${counted(others.length, 'more blended rate')} in force there ${others.length === 1 ? 'fails' : 'fail'} too`;
  return `${lackOf(shop, service, blended as BlendedRate, cart)}${others.length === 0 ? '' : more}`;
}

function lackOf(
  shop: ShopFacts,
  service: PlaceService,
  blended: BlendedRate,
  cart: readonly string[],
): string {
  const groupId = [...service.lackingIn(blended)].find((id) => cart.includes(id)) ?? '';
  const methodId = shop.preferencesOf(blended).get(groupId) ?? '';
  const isInForce = service.methodsOf(groupId).some(({ id }) => id === methodId);
  const why = isInForce ? 'which is never offered' : 'which is not in force there';
  return `blended rate ${quoted(blended.name)} prefers method ${quoted(shop.methodsById.get(methodId)?.name ?? methodId)} for ${quoted(shop.groupName(groupId))}, ${why}`;
}
