/**
 * Findings on places and product groups that have no method where others have: a cart of such a group gets
 * no rates there. A subzone without methods of its own keeps those of its zone (contract section 4.5), so
 * it lacks one only where the zone has none either.
 */
import type { Witness } from '../domain/finding.ts';
import { counted, type Draft, draftOf, placeRecord, placeWords, quoted, recordOf } from './draft.ts';
import type { ShopFacts } from './shop-facts.ts';
import { OUTSIDE_SUBZONES, type PlaceIndex, type ZoneFacts } from './zone-facts.ts';

/** Ids of the groups that can be filled and have an enabled method, by the place to which the method is bound. */
interface ZoneCoverage {
  readonly zone: ZoneFacts;
  readonly ofZone: ReadonlySet<string>;
  readonly ofPlaces: ReadonlyMap<PlaceIndex, ReadonlySet<string>>;
  /** The union of these sets. */
  readonly all: ReadonlySet<string>;
}

export function* coverageFindings(shop: ShopFacts): Generator<Draft> {
  const zones = shop.zones.zones.filter(({ countries }) => countries.length > 0);
  const reachable = zones.map((zone) => coverageOf(shop, zone));
  const covered = reachable.filter(({ all }) => all.size > 0);
  if (covered.length === 0) return;
  for (const { zone, all } of reachable) {
    if (all.size > 0) continue;
    const message = `No method applies in zone ${quoted(zone.zone.name)}, though methods apply in ${counted(covered.length, 'other zone')}.`;
    yield draftOf('zone_without_method', recordOf('zone', zone.zone), message, () =>
      emptyAt(
        shop,
        zone,
        OUTSIDE_SUBZONES,
        shop.fillable.slice(0, 3).map(({ group }) => group.id),
      ),
    );
  }
  yield* groupFindings(shop, covered);
  for (const each of covered) yield* partialFindings(shop, each);
}

function coverageOf(shop: ShopFacts, zone: ZoneFacts): ZoneCoverage {
  const groupsOf = (zoneId: string): ReadonlySet<string> => {
    const ids = shop.zones.methodsBoundTo(zoneId).map(({ productGroupId }) => productGroupId);
    return new Set(ids.filter((id) => shop.canBeFilled(id)));
  };
  const ofZone = groupsOf(zone.zone.id);
  const ofPlaces = new Map(
    Array.from(zone.reachable, (place) => [place, groupsOf(zone.zone.subzones[place]?.id ?? '')]),
  );
  const all = new Set([ofZone, ...ofPlaces.values()].flatMap((ids) => [...ids]));
  return { zone, ofZone, ofPlaces, all };
}

/** Per group: the zones in which other groups have methods and this one has none. */
function* groupFindings(shop: ShopFacts, covered: readonly ZoneCoverage[]): Generator<Draft> {
  const zonesWith = new Map<string, number>();
  for (const { all } of covered) for (const id of all) zonesWith.set(id, (zonesWith.get(id) ?? 0) + 1);
  for (const { group } of shop.fillable) {
    const first = covered.find(({ all }) => !all.has(group.id));
    if (first === undefined) continue;
    const lacking = covered.length - (zonesWith.get(group.id) ?? 0);
    const more = lacking > 1 ? ` (and ${counted(lacking - 1, 'more zone')})` : '';
    const message = `Product group ${quoted(group.name)} has no method in zone ${quoted(first.zone.zone.name)}${more}, where other groups have one.`;
    yield draftOf('group_without_method', recordOf('productGroup', group), message, () =>
      emptyAt(shop, first.zone, OUTSIDE_SUBZONES, [group.id]),
    );
  }
}

/** Groups with methods in some subzones only: the other places of the zone have none for them. */
function* partialFindings(shop: ShopFacts, { zone, ofZone, ofPlaces, all }: ZoneCoverage): Generator<Draft> {
  const inSubzonesOnly = [...all].filter((id) => !ofZone.has(id));
  for (const [place, own] of ofPlaces) {
    const lacking = inSubzonesOnly.length - [...own].filter((id) => !ofZone.has(id)).length;
    const first = lacking === 0 ? undefined : inSubzonesOnly.find((id) => !own.has(id));
    if (first === undefined) continue;
    const subzone = zone.zone.subzones[place];
    const more = lacking > 1 ? ` and ${counted(lacking - 1, 'more group')}` : '';
    const message = `Product group ${quoted(shop.groupName(first))}${more} ${lacking > 1 ? 'get' : 'gets'} no rates ${placeWords(zone.zone, place)}, though other subzones have methods for ${lacking > 1 ? 'them' : 'it'}.`;
    const code = subzone === undefined ? 'zone_remainder_without_method' : 'subzone_without_method';
    yield draftOf(code, placeRecord(zone.zone, place), message, () => emptyAt(shop, zone, place, [first]));
  }
}

/** Returns a request with one item of one of the groups for which no method is considered. */
function emptyAt(
  shop: ShopFacts,
  { zone }: ZoneFacts,
  place: PlaceIndex,
  groupIds: readonly string[],
): Witness | null {
  const placeId = zone.subzones[place]?.id ?? zone.id;
  return shop.witnesses.firstConfirmed(
    groupIds.map((id) => shop.cartAt(placeId, [id])),
    (answer) => answer.zone?.id === zone.id && answer.methodEvaluations.length === 0,
  );
}
