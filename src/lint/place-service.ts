/**
 * Place service: which methods in force at a place of a zone may be visible to a cart of several product
 * groups, and for which groups a blended rate has none there. A subzone is told by what differs from its
 * zone: groups with methods of its own (contract section 4.5), and methods with conditions that name it.
 *
 * "Never" is certain. The work grows with the methods and the preferences, not with their product.
 */
import { REQUEST_TEXT, SOURCE } from '../compile/predicate.ts';
import type { BlendedRate } from '../domain/blended-rate.ts';
import type { ShippingMethod } from '../domain/shipping-method.ts';
import type { PlaceIndex } from './places.ts';
import { Places } from './places.ts';
import { type Requirement, variableOf } from './requirement.ts';
import { type MethodPlace, topicOf } from './requirement-logic.ts';
import type { MethodFacts, ShopFacts } from './shop-facts.ts';
import { OUTSIDE_SUBZONES, type ZoneFacts } from './zone-map.ts';

const SUBZONE_VARIABLE = variableOf(SOURCE.requestText, REQUEST_TEXT.subzone);

/** The methods of one group that are bound to one zone or subzone. */
interface GroupService {
  readonly methods: readonly ShippingMethod[];
  /** Ids of those that may be visible to a cart of several groups. */
  readonly usable: ReadonlySet<string>;
}
type GroupServices = ReadonlyMap<string, GroupService>;

/** What is true of every cart with items of this group and of another. */
function givenOf(shop: ShopFacts, group: number): readonly Requirement[] {
  const atLeastTwo = (conditionType: 'cart_unique_items' | 'cart_quantity') =>
    shop.table.of({
      conditionType,
      operator: 'greater_than_or_equal',
      value: '2',
      scope: 'any_product_in_order',
    });
  const given = [atLeastTwo('cart_unique_items'), atLeastTwo('cart_quantity')];
  const facts = shop.groups.all[group];
  // Conditions compare ids without regard to case, so two groups may have the same id for them.
  if (facts === undefined || shop.groups.fillableNamed([facts.comparableId]).length !== 1) return given;
  const ofAnother = {
    conditionType: 'product_group',
    operator: 'not_equals',
    value: facts.group.id,
    scope: 'any_product_in_order',
  } as const;
  return [...given, shop.table.of(ofAnother)];
}

/** True only when no cart of several groups sees the method at these places. */
function isNeverUsable(shop: ShopFacts, { rules, invisibility }: MethodFacts, at: MethodPlace): boolean {
  if (invisibility !== null) return true;
  if (rules.length === 0) return false;
  const given = givenOf(shop, at.group);
  const isHidden = rules.some(
    ({ rule, requirements }) =>
      rule.action === 'hide' && requirements.every((each) => shop.logic.isImplied(at, given, each)),
  );
  if (isHidden) return true;
  const shows = rules.filter(({ rule }) => rule.action === 'show');
  return (
    shows.length > 0 &&
    shows.every(({ requirements }) => shop.logic.isContradictory(at, [...given, ...requirements]))
  );
}

export class ZoneService {
  readonly zone: ZoneFacts;
  readonly ofZone: GroupServices;
  readonly #shop: ShopFacts;
  /** Place -> the zone's methods with conditions that name it; outside the subzones all with conditions on the place. */
  readonly #named = new Map<PlaceIndex, MethodFacts[]>();
  readonly #preferred = new Map<string, ReadonlyMap<string, string>>();
  readonly #lacking = new Map<string, ReadonlySet<string>>();
  #withoutUsable: readonly string[] | null = null;

  constructor(shop: ShopFacts, zone: ZoneFacts) {
    this.zone = zone;
    this.#shop = shop;
    this.ofZone = this.servicesOf(zone.zone.id);
  }

  /** Group id -> its enabled methods bound to a zone or subzone; groups that no item can belong to are left out. */
  servicesOf(zoneId: string): GroupServices {
    const services = new Map<string, { methods: ShippingMethod[]; usable: Set<string> }>();
    for (const method of this.#shop.zones.methodsBoundTo(zoneId)) {
      if (!this.#shop.groups.all[this.#shop.groups.indexOf(method.productGroupId)]?.canBeFilled) continue;
      const service = services.get(method.productGroupId) ?? { methods: [], usable: new Set() };
      services.set(method.productGroupId, service);
      service.methods.push(method);
      const facts = this.#shop.method(method);
      if (facts === null) continue;
      const at = zoneId === this.zone.zone.id ? this.#unnamedPlaces(facts) : facts.at;
      if (!isNeverUsable(this.#shop, facts, at)) service.usable.add(method.id);
    }
    return services;
  }

  /** Where a method of the zone is in force, without the places that its conditions name; those are kept apart. */
  #unnamedPlaces(facts: MethodFacts): MethodPlace {
    const onPlace = facts.rules
      .flatMap(({ requirements }) => requirements)
      .filter((each) => topicOf(each) === 'place');
    if (onPlace.length === 0) return facts.at;
    const texts = onPlace
      .filter(({ variable }) => variable === SUBZONE_VARIABLE)
      .flatMap(({ predicate }) => [...(predicate.textSet ?? predicate.texts)]);
    const named = new Set([OUTSIDE_SUBZONES, ...this.zone.placesNamed(texts)]);
    for (const place of named) {
      const methods = this.#named.get(place) ?? [];
      this.#named.set(place, methods);
      methods.push(facts);
    }
    return {
      ...facts.at,
      places: facts.at.places.filter((place) => !named.has(place)),
      decisions: new Map(),
    };
  }

  /** The zone outside its subzones and each subzone in which something differs from that, if reachable. */
  *places(): Generator<PlaceService> {
    const differing = new Set([
      OUTSIDE_SUBZONES,
      ...this.#shop.zones.subzonesWithMethods(this.zone),
      ...this.#shop.zones.subzonesWithBlendedRates(this.zone),
      ...this.#named.keys(),
    ]);
    for (const place of [...differing].sort((a, b) => a - b)) {
      if (this.zone.canReach(place)) yield new PlaceService(this.#shop, this, place);
    }
  }

  /** The zone's methods with conditions that name this place: whether a cart of several groups may see each here. */
  namedAt(place: PlaceIndex): ReadonlyMap<ShippingMethod, boolean> {
    const places = Places.of([place]);
    return new Map(
      (this.#named.get(place) ?? []).map((facts) => [
        facts.method,
        !isNeverUsable(this.#shop, facts, { ...facts.at, places, decisions: new Map() }),
      ]),
    );
  }

  /** `preferencesOf`, made once. */
  preferencesOf(blended: BlendedRate): ReadonlyMap<string, string> {
    let preferred = this.#preferred.get(blended.id);
    if (preferred === undefined) {
      preferred = preferencesOf(blended);
      this.#preferred.set(blended.id, preferred);
    }
    return preferred;
  }

  /** The groups with methods of the zone for which the blended rate has none of these that it may use. */
  lackingIn(blended: BlendedRate): ReadonlySet<string> {
    let lacking = this.#lacking.get(blended.id);
    if (lacking === undefined) {
      const preferred = this.preferencesOf(blended);
      const unserved = [...preferred].filter(
        ([groupId, methodId]) => this.ofZone.get(groupId)?.usable.has(methodId) === false,
      );
      const without = this.withoutUsable.filter((groupId) => !preferred.has(groupId));
      lacking = new Set([...unserved.map(([groupId]) => groupId), ...without]);
      this.#lacking.set(blended.id, lacking);
    }
    return lacking;
  }

  /** The groups with methods of the zone of which no cart of several groups sees any. */
  get withoutUsable(): readonly string[] {
    this.#withoutUsable ??= [...this.ofZone].flatMap(([groupId, { usable }]) =>
      usable.size === 0 ? [groupId] : [],
    );
    return this.#withoutUsable;
  }
}

/** Group id -> the method that is preferred; a group without one takes its lowest rate. */
export function preferencesOf({ preferences }: BlendedRate): ReadonlyMap<string, string> {
  const preferred = new Map<string, string>();
  for (const { productGroupId, preferredMethodId } of preferences) {
    if (preferredMethodId !== null) preferred.set(productGroupId, preferredMethodId);
  }
  return preferred;
}

export class PlaceService {
  readonly zone: ZoneFacts;
  readonly place: PlaceIndex;
  /** The enabled ones in force here. */
  readonly blendedRates: readonly BlendedRate[];
  readonly #ofZone: ZoneService;
  readonly #own: GroupServices;
  /** Ids of the zone's methods with conditions that name this place -> whether they are usable here. */
  readonly #named = new Map<string, boolean>();
  /** Group id -> how many more methods of the zone are usable here than where no condition names the place. */
  readonly #more = new Map<string, number>();
  /** The groups for which a blended rate may have another method here than elsewhere in the zone. */
  readonly #differing: ReadonlySet<string>;

  constructor(shop: ShopFacts, ofZone: ZoneService, place: PlaceIndex) {
    this.zone = ofZone.zone;
    this.place = place;
    this.#ofZone = ofZone;
    const subzone = this.zone.zone.subzones[place];
    this.#own = subzone === undefined ? new Map() : ofZone.servicesOf(subzone.id);
    const ownBlendedRates = subzone === undefined ? [] : shop.zones.blendedRatesBoundTo(subzone.id);
    this.blendedRates =
      ownBlendedRates.length > 0 ? ownBlendedRates : shop.zones.blendedRatesBoundTo(this.zone.zone.id);
    for (const [{ id, productGroupId }, isUsable] of ofZone.namedAt(place)) {
      const isElsewhere = ofZone.ofZone.get(productGroupId)?.usable.has(id) === true;
      this.#named.set(id, isUsable);
      const more = Number(isUsable) - Number(isElsewhere);
      this.#more.set(productGroupId, (this.#more.get(productGroupId) ?? 0) + more);
    }
    this.#differing = new Set([...this.#own.keys(), ...this.#more.keys()]);
  }

  /** Ids of the groups with methods in force here. */
  *groups(): Generator<string> {
    yield* this.#own.keys();
    for (const groupId of this.#ofZone.ofZone.keys()) if (!this.#own.has(groupId)) yield groupId;
  }

  /** The group's methods in force here, in position order. */
  methodsOf(groupId: string): readonly ShippingMethod[] {
    return (this.#own.get(groupId) ?? this.#ofZone.ofZone.get(groupId))?.methods ?? [];
  }

  #isUsable(groupId: string, methodId: string): boolean {
    const own = this.#own.get(groupId);
    if (own !== undefined) return own.usable.has(methodId);
    return this.#named.get(methodId) ?? this.#ofZone.ofZone.get(groupId)?.usable.has(methodId) === true;
  }

  #hasUsable(groupId: string): boolean {
    const own = this.#own.get(groupId);
    if (own !== undefined) return own.usable.size > 0;
    return (this.#ofZone.ofZone.get(groupId)?.usable.size ?? 0) + (this.#more.get(groupId) ?? 0) > 0;
  }

  /** Groups with methods in force here for which the blended rate never has a price in a cart of several. */
  *lackingIn(blended: BlendedRate): Generator<string> {
    const preferred = this.#ofZone.preferencesOf(blended);
    for (const groupId of this.#differing) {
      const methodId = preferred.get(groupId);
      const isServed = methodId === undefined ? this.#hasUsable(groupId) : this.#isUsable(groupId, methodId);
      if (!isServed) yield groupId;
    }
    for (const groupId of this.#ofZone.lackingIn(blended)) {
      if (!this.#differing.has(groupId)) yield groupId;
    }
  }

  /** Groups with methods in force here of which no cart of several groups sees any. */
  *withoutUsable(): Generator<string> {
    for (const groupId of this.#differing) if (!this.#hasUsable(groupId)) yield groupId;
    for (const groupId of this.#ofZone.withoutUsable) {
      if (!this.#differing.has(groupId)) yield groupId;
    }
  }
}
