/**
 * Place service: which methods in force at a place of a zone may be visible to a cart of several product groups, and for
 * which groups a blended rate has none there. A subzone is stored as its difference from the zone: groups with methods of
 * its own (contract section 4.5), and methods with conditions that name it.
 *
 * "Never" is certain. The work grows with the methods and the preferences, not with their product.
 */

import { type Requirement, variableOf } from '../candidates/requirement.ts';
import { type MethodPlace, topicOf } from '../candidates/requirement-logic.ts';
import { OUTSIDE_SUBZONES, type PlaceIndex, placesOf, type ZoneFacts } from '../candidates/zone-facts.ts';
import { SOURCE } from '../compile/predicate.ts';
import type { BlendedRate } from '../domain/blended-rate.ts';
import { FIELD } from '../domain/condition.ts';
import type { ShippingMethod } from '../domain/shipping-method.ts';
import { recordsInForce } from '../domain/zone.ts';
import { groupedBy, valueAt } from '../runtime/map-entries.ts';
import type { MethodFacts } from './method-facts.ts';
import type { ShopFacts } from './shop-facts.ts';

const SUBZONE_VARIABLE = variableOf(SOURCE.requestText, FIELD.destination_subzone);

/** The methods of one group that are in force somewhere. */
interface GroupService {
  readonly methods: readonly ShippingMethod[];
  /** Ids of the methods that may be visible to a cart of several groups. */
  readonly usable: { readonly size: number; has(methodId: string): boolean };
}
/** By group id. */
type GroupServices = ReadonlyMap<string, GroupService>;

/** True when the group may have a price in a blended rate with this preference, or without one. */
const serves = ({ usable }: GroupService, preferredId: string | undefined): boolean =>
  preferredId === undefined ? usable.size > 0 : usable.has(preferredId);

/** A blended rate without preferences; stands for "no blended rate". */
const NO_BLEND = { id: '', preferences: [] } as const satisfies Partial<BlendedRate>;
type Blend = Pick<BlendedRate, 'id' | 'preferences'>;

/** Returns the requirements that every cart with items of this group and another satisfies. */
function givenOf({ table, groups }: ShopFacts, group: number): readonly Requirement[] {
  const scope = 'any_product_in_order';
  const given = (['cart_unique_items', 'cart_quantity'] as const).map((conditionType) =>
    table.of({ conditionType, operator: 'greater_than_or_equal', value: '2', scope }),
  );
  const facts = groups.all[group];
  // Conditions compare ids without regard to case, so two groups may have the same id for them.
  if (facts === undefined || groups.fillableNamed([facts.comparableId]).length !== 1) return given;
  const value = facts.group.id;
  return [...given, table.of({ conditionType: 'product_group', operator: 'not_equals', value, scope })];
}

export class ZoneService {
  readonly zone: ZoneFacts;
  readonly ofZone: GroupServices;
  readonly shop: ShopFacts;
  /** Place -> the zone's methods with conditions that name it. Outside the subzones: all methods with conditions on the place. */
  readonly #named = new Map<PlaceIndex, MethodFacts[]>();
  readonly #given = new Map<number, readonly Requirement[]>();
  readonly #lacking = new Map<string, ReadonlySet<string>>();

  constructor(shop: ShopFacts, zone: ZoneFacts) {
    this.zone = zone;
    this.shop = shop;
    this.ofZone = this.#servicesOf(zone.zone.id);
  }

  #isUsable(facts: MethodFacts, at: MethodPlace): boolean {
    const given = valueAt(this.#given, at.group, () => givenOf(this.shop, at.group));
    return !this.shop.reader.isNeverVisible(facts, at, given);
  }

  /** The enabled methods bound to a zone or subzone, of groups that an item can belong to. */
  #servicesOf(zoneId: string): GroupServices {
    const bound = groupedBy(this.shop.zones.methodsBoundTo(zoneId), ({ productGroupId }) => productGroupId);
    const services = new Map<string, GroupService>();
    for (const [groupId, methods] of bound) {
      if (this.shop.groups.fillableWithId(groupId) === undefined) continue;
      const usable = methods.filter((method) => {
        const facts = this.shop.method(method);
        if (facts === null) return false;
        return this.#isUsable(facts, zoneId === this.zone.zone.id ? this.#unnamedPlaces(facts) : facts.at);
      });
      services.set(groupId, { methods, usable: new Set(usable.map(({ id }) => id)) });
    }
    return services;
  }

  /** Where a method of the zone is in force, without the places that its conditions name; `#named` gets those. */
  #unnamedPlaces(facts: MethodFacts): MethodPlace {
    const requirements = facts.rules.flatMap((each) => each.requirements);
    const onPlace = requirements.filter((each) => topicOf(each) === 'place');
    if (onPlace.length === 0) return facts.at;
    const texts = onPlace
      .filter(({ variable }) => variable === SUBZONE_VARIABLE)
      .flatMap(({ pieces }) => pieces.map(({ text }) => text));
    const named = new Set([OUTSIDE_SUBZONES, ...this.zone.placesNamed(texts)]);
    for (const place of named) valueAt(this.#named, place, (): MethodFacts[] => []).push(facts);
    return { ...facts.at, places: facts.at.places.filter((place) => !named.has(place)) };
  }

  /** The zone outside its subzones and each subzone in which something differs from that, if reachable. */
  *places(): Generator<PlaceService> {
    const own = this.shop.zones.subzonesWithRecords(this.zone);
    const differing = new Set([OUTSIDE_SUBZONES, ...own, ...this.#named.keys()]);
    for (const place of [...differing].sort((a, b) => a - b)) {
      if (this.zone.reachable.has(place)) yield this.#at(place);
    }
  }

  /** Stands for every subzone in which nothing differs. */
  get elsewhere(): PlaceService {
    const blendedRates = this.shop.zones.blendedRatesBoundTo(this.zone.zone.id);
    return placeService(this, OUTSIDE_SUBZONES, blendedRates, new Map());
  }

  #at(place: PlaceIndex): PlaceService {
    const subzone = this.zone.zone.subzones[place];
    const { zones } = this.shop;
    const blendedRates = recordsInForce(
      zones.blendedRatesBoundTo(subzone?.id ?? ''),
      zones.blendedRatesBoundTo(this.zone.zone.id),
    );
    const own = subzone === undefined ? new Map<string, GroupService>() : this.#servicesOf(subzone.id);
    return placeService(this, place, blendedRates, new Map([...this.#servicesNamed(place), ...own]));
  }

  /** The groups of the zone with methods that have conditions on this place. */
  #servicesNamed(place: PlaceIndex): GroupServices {
    const services = new Map<string, GroupService>();
    const named = groupedBy(this.#named.get(place) ?? [], ({ method }) => method.productGroupId);
    for (const [groupId, list] of named) {
      const elsewhere = this.ofZone.get(groupId);
      if (elsewhere === undefined) continue;
      const { methods, usable } = elsewhere;
      const here = new Map(
        list.map((facts) => [
          facts.method.id,
          this.#isUsable(facts, { ...facts.at, places: placesOf(place) }),
        ]),
      );
      let { size } = usable;
      for (const [id, isUsable] of here) size += Number(isUsable) - Number(usable.has(id));
      services.set(groupId, { methods, usable: { size, has: (id) => here.get(id) ?? usable.has(id) } });
    }
    return services;
  }

  /** The groups with methods of the zone, none of which the blended rate may use. */
  lackingIn(blended: Blend): ReadonlySet<string> {
    return valueAt(this.#lacking, blended.id, () => {
      const preferred = this.shop.preferencesOf(blended);
      const unserved = [...preferred].filter(([groupId, methodId]) => {
        const service = this.ofZone.get(groupId);
        return service !== undefined && !serves(service, methodId);
      });
      const without =
        blended === NO_BLEND
          ? [...this.ofZone].flatMap(([groupId, service]) => (serves(service, undefined) ? [] : [groupId]))
          : [...this.lackingIn(NO_BLEND)].filter((groupId) => !preferred.has(groupId));
      return new Set([...unserved.map(([groupId]) => groupId), ...without]);
    });
  }
}

/** The records in force at one place; `differing`: the groups whose usable methods differ from those elsewhere. */
function placeService(
  ofZone: ZoneService,
  place: PlaceIndex,
  blendedRates: readonly BlendedRate[],
  differing: GroupServices,
) {
  const serviceOf = (groupId: string) => differing.get(groupId) ?? ofZone.ofZone.get(groupId);
  /** Whether the group may have a price in the blended rate here. */
  const mayServe = (blended: Blend, groupId: string): boolean => {
    const service = serviceOf(groupId);
    return service !== undefined && serves(service, ofZone.shop.preferencesOf(blended).get(groupId));
  };
  function* groups(): Generator<string> {
    yield* differing.keys();
    for (const groupId of ofZone.ofZone.keys()) if (!differing.has(groupId)) yield groupId;
  }
  return {
    zone: ofZone.zone,
    place,
    /** The enabled ones in force here. */
    blendedRates,
    /** Ids of the groups with methods in force here. */
    groups,
    /** The group's methods in force here, in position order. */
    methodsOf: (groupId: string): readonly ShippingMethod[] => serviceOf(groupId)?.methods ?? [],
    /** Whether two groups may have a price in the blended rate here. */
    mayServeTwo(blended: BlendedRate): boolean {
      let count = 0;
      for (const groupId of groups()) if (mayServe(blended, groupId) && ++count === 2) return true;
      return false;
    },
    /**
     * Groups with methods in force here for which the blended rate never has a price in a cart of several groups. Without
     * a blended rate: groups whose methods are never visible to a cart of several groups.
     */
    *lackingIn(blended: Blend = NO_BLEND): Generator<string> {
      for (const groupId of differing.keys()) if (!mayServe(blended, groupId)) yield groupId;
      for (const groupId of ofZone.lackingIn(blended)) if (!differing.has(groupId)) yield groupId;
    },
  };
}
export type PlaceService = ReturnType<typeof placeService>;
