/**
 * Findings on places and product groups that have no method where others have: a cart of such a group gets
 * no rates there. A subzone without methods of its own keeps those of its zone (contract section 4.5), so
 * it lacks one only where the zone has none either.
 */

import type { Witness } from '../domain/finding.ts';
import { counted, quoted, recordOf } from './condition-words.ts';
import type { Draft } from './draft.ts';
import type { PlaceIndex } from './places.ts';
import type { ShopFacts } from './shop-facts.ts';
import { OUTSIDE_SUBZONES, type ZoneFacts } from './zone-map.ts';

/** Which of the groups that can be filled have an enabled method, by where it is bound; ids. */
interface ZoneCoverage {
  readonly zone: ZoneFacts;
  readonly ofZone: ReadonlySet<string>;
  readonly ofSubzones: ReadonlyMap<PlaceIndex, ReadonlySet<string>>;
  /** All of these together. */
  readonly all: ReadonlySet<string>;
}

export function* coverageFindings(shop: ShopFacts): Generator<Draft> {
  const reachable = shop.zones.zones
    .filter((zone) => zone.countries.length > 0)
    .map((zone) => coverageOf(shop, zone));
  const covered = reachable.filter(({ all }) => all.size > 0);
  if (covered.length === 0) return;
  for (const { zone, all } of reachable) {
    if (all.size > 0) continue;
    yield {
      code: 'zone_without_method',
      record: recordOf('zone', zone.zone),
      evidence: () => ({
        message: `No method applies in zone ${quoted(zone.zone.name)}, though others do in ${counted(covered.length, 'other zone')}.`,
        witness:
          shop.groups.fillable
            .slice(0, 3)
            .map((group) => emptyAt(shop, zone, OUTSIDE_SUBZONES, group))
            .find((each) => each !== null) ?? null,
      }),
    };
  }
  yield* groupFindings(shop, covered);
  for (const each of covered) yield* partialFindings(shop, each);
}

function coverageOf(shop: ShopFacts, zone: ZoneFacts): ZoneCoverage {
  const groupsOf = (zoneId: string) =>
    new Set(
      shop.zones
        .methodsBoundTo(zoneId)
        .map((method) => method.productGroupId)
        .filter((id) => shop.groups.all[shop.groups.indexOf(id)]?.canBeFilled),
    );
  const ofZone = groupsOf(zone.zone.id);
  const ofSubzones = new Map<PlaceIndex, ReadonlySet<string>>();
  for (const place of zone.reachablePlaces()) {
    const subzone = zone.zone.subzones[place];
    if (subzone !== undefined) ofSubzones.set(place, groupsOf(subzone.id));
  }
  const all = new Set([...ofZone, ...[...ofSubzones.values()].flatMap((groups) => [...groups])]);
  return { zone, ofZone, ofSubzones, all };
}

/** Per group: the zones in which other groups have methods and this one has none. */
function* groupFindings(shop: ShopFacts, covered: readonly ZoneCoverage[]): Generator<Draft> {
  const zonesWith = new Map<string, number>();
  for (const { all } of covered) for (const id of all) zonesWith.set(id, (zonesWith.get(id) ?? 0) + 1);
  for (const index of shop.groups.fillable) {
    const group = shop.groups.all[index]?.group;
    if (group === undefined) continue;
    const first = covered.find(({ all }) => !all.has(group.id));
    if (first === undefined) continue;
    const lacking = covered.length - (zonesWith.get(group.id) ?? 0);
    const more = lacking > 1 ? ` (and ${counted(lacking - 1, 'more zone')})` : '';
    yield {
      code: 'group_without_method',
      record: recordOf('productGroup', group),
      evidence: () => ({
        message: `No method is for product group ${quoted(group.name)} in zone ${quoted(first.zone.zone.name)}${more}, where other groups have one.`,
        witness: emptyAt(shop, first.zone, OUTSIDE_SUBZONES, index),
      }),
    };
  }
}

/** Groups with methods in some subzones only: the other places of the zone have none for them. */
function* partialFindings(shop: ShopFacts, coverage: ZoneCoverage): Generator<Draft> {
  const { zone, ofZone, ofSubzones, all } = coverage;
  const inSubzonesOnly = new Set([...all].filter((id) => !ofZone.has(id)));
  for (const place of zone.reachablePlaces()) {
    const own = ofSubzones.get(place);
    const lacking = inSubzonesOnly.size - [...(own ?? [])].filter((id) => inSubzonesOnly.has(id)).length;
    if (lacking === 0) continue;
    const first = firstWithout(inSubzonesOnly, own);
    const subzone = zone.zone.subzones[place];
    const group = shop.groups.all[shop.groups.indexOf(first)]?.group;
    const more = lacking > 1 ? ` and ${counted(lacking - 1, 'more group')}` : '';
    const where =
      subzone === undefined
        ? `outside the subzones of zone ${quoted(zone.zone.name)}`
        : `in subzone ${quoted(subzone.name)}`;
    yield {
      code: subzone === undefined ? 'zone_remainder_without_method' : 'subzone_without_method',
      record:
        subzone === undefined
          ? recordOf('zone', zone.zone)
          : { ...recordOf('subzone', subzone), parentId: zone.zone.id },
      evidence: () => ({
        message: `Product group ${quoted(group?.name ?? first)}${more} gets no rates ${where}, though other subzones have methods for it.`,
        witness: emptyAt(shop, zone, place, shop.groups.indexOf(first)),
      }),
    };
  }
}

/** The first id of which there is none among the others; "" when there is none. */
function firstWithout(ids: ReadonlySet<string>, others: ReadonlySet<string> | undefined): string {
  for (const id of ids) if (!others?.has(id)) return id;
  return '';
}

/** A request of one item of the group for which no method at all is considered. */
function emptyAt(shop: ShopFacts, zone: ZoneFacts, place: PlaceIndex, group: number): Witness | null {
  const item = shop.witnesses.itemOf(group);
  if (item === null) return null;
  return shop.witnesses.confirmed(
    shop.witnesses.at(zone, place, [item]),
    (answer) => answer.zone?.id === zone.zone.id && answer.methodEvaluations.length === 0,
  );
}
