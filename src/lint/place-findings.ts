/**
 * Findings on zones, subzones, groups and postal patterns that nothing can reach. What lies in a zone that
 * no country leads to is not looked at further.
 */

import type { FindingRecord, Witness } from '../domain/finding.ts';
import type { PostalForm } from '../domain/postal-code.ts';
import { ANY_COUNTRY, type Subzone } from '../domain/zone.ts';
import { quoted, recordOf } from './condition-words.ts';
import type { Draft, Evidence } from './draft.ts';
import type { ShopFacts } from './shop-facts.ts';
import type { ZoneFacts } from './zone-map.ts';
import type { PlacedPattern, ZonePostal } from './zone-postal.ts';

/** A country that no zone lists is an example for `*`. */
const UNLISTED = 'QZ';

export function* placeFindings(shop: ShopFacts): Generator<Draft> {
  for (const zone of shop.zones.zones) {
    if (zone.countries.length === 0) {
      yield {
        code: 'zone_never_matches',
        record: recordOf('zone', zone.zone),
        evidence: () => unreachableZone(shop, zone),
      };
    } else if (zone.zone.subzones.length > 0) {
      yield* subzoneFindings(shop, zone);
    }
  }
  for (const { group, canBeFilled } of shop.groups.all) {
    if (canBeFilled) continue;
    yield {
      code: 'group_never_filled',
      record: recordOf('productGroup', group),
      evidence: () => ({
        message: `No item can belong to product group ${quoted(group.name)} because it lists nothing that a group before it does not take.`,
        witness: null,
      }),
    };
  }
}

function unreachableZone(shop: ShopFacts, { zone }: ZoneFacts): Evidence {
  const why =
    zone.countries.length === 0 ? 'it lists no country' : 'zones before it take every country that it lists';
  const [listed = ANY_COUNTRY] = zone.countries;
  const country = listed === ANY_COUNTRY ? UNLISTED : listed;
  const item = shop.witnesses.anyItem();
  const witness =
    zone.countries.length === 0 || item === null
      ? null
      : shop.witnesses.confirmed(
          shop.witnesses.to(country, '', [item]),
          (answer) => answer.zone?.id !== zone.id,
        );
  return { message: `No destination can be in zone ${quoted(zone.name)} because ${why}.`, witness };
}

const subzoneRecord = ({ id, name }: Subzone, { zone }: ZoneFacts): FindingRecord => ({
  kind: 'subzone',
  id,
  name,
  parentId: zone.id,
});

/** A pattern, as the codes of each form of the zone meet it. */
interface PatternCase {
  readonly zone: ZoneFacts;
  readonly index: number;
  readonly placed: PlacedPattern;
  readonly forms: readonly PostalForm[];
}

function* subzoneFindings(shop: ShopFacts, zone: ZoneFacts): Generator<Draft> {
  const forms = [...zone.countriesByForm().keys()];
  const postals = forms.map((form) => zone.postal(form));
  for (const [place, subzone] of zone.zone.subzones.entries()) {
    if (zone.canReach(place)) continue;
    yield {
      code: 'subzone_never_matches',
      record: subzoneRecord(subzone, zone),
      evidence: () => unreachableSubzone(shop, zone, postals, place),
    };
  }
  const [first] = postals;
  for (const [index, placed] of first?.patterns.entries() ?? []) {
    const verdicts = postals.map((postal) => postal.verdicts[index]);
    // A subzone without any code is told as a whole.
    if (verdicts.includes('needed') || !zone.canReach(placed.owner)) continue;
    const neverWins = verdicts.every((verdict) => verdict === 'never_wins');
    const pattern = { zone, index, placed, forms };
    yield {
      code: neverWins ? 'postal_pattern_never_wins' : 'postal_pattern_redundant',
      record: subzoneRecord(zone.zone.subzones[placed.owner] as Subzone, zone),
      evidence: () => deadPattern(shop, pattern, neverWins),
    };
  }
}

function unreachableSubzone(
  shop: ShopFacts,
  zone: ZoneFacts,
  postals: readonly ZonePostal[],
  place: number,
): Evidence {
  const subzone = zone.zone.subzones[place] as Subzone;
  const index = postals[0]?.patterns.findIndex(({ owner }) => owner === place) ?? -1;
  const forms = postals.map((postal) => postal.form);
  const witness =
    index < 0
      ? null
      : confirmedStray(
          shop,
          { zone, index, placed: postals[0]?.patterns[index] as PlacedPattern, forms },
          (id) => id !== subzone.id,
        );
  const why =
    index < 0 ? 'it has no postal patterns' : 'other subzones decide every code that its patterns match';
  return { message: `No postal code falls into subzone ${quoted(subzone.name)} because ${why}.`, witness };
}

function deadPattern(shop: ShopFacts, pattern: PatternCase, neverWins: boolean): Evidence {
  const { zone, index, placed, forms } = pattern;
  const subzone = zone.zone.subzones[placed.owner] as Subzone;
  const words = `Pattern ${quoted(placed.text)} of subzone ${quoted(subzone.name)}`;
  const rival = forms.map((form) => rivalOf(zone.postal(form), index)).find((each) => each !== null) ?? null;
  const by =
    rival === null
      ? ''
      : rival.owner === placed.owner
        ? `, as by ${quoted(rival.text)}`
        : `, as by ${quoted(rival.text)} of ${quoted(zone.zone.subzones[rival.owner]?.name ?? '')}`;
  const message = neverWins
    ? rival === null
      ? `${words} has no effect because no postal code can match it.`
      : `${words} has no effect because every code that it matches is decided by others${by}.`
    : `${words} is superfluous because its codes fall into the subzone without it${by}.`;
  return { message, witness: confirmedStray(shop, pattern, (id) => neverWins || id === subzone.id) };
}

/** Another pattern that decides an example of the pattern's codes, or would without it; null without codes. */
function rivalOf(postal: ZonePostal, index: number): PlacedPattern | null {
  const example = postal.strayOf(index);
  if (example === null || !postal.isMatched(index, example)) return null;
  const decider = postal.deciderOfWritten(example);
  return postal.patterns[decider === index ? postal.next(index) : decider] ?? null;
}

/** A request with a code that the pattern matches or spells, and that falls where it should. */
function confirmedStray(
  shop: ShopFacts,
  { zone, index, forms }: PatternCase,
  isFit: (subzoneId: string | undefined) => boolean,
): Witness | null {
  const item = shop.witnesses.anyItem();
  if (item === null) return null;
  const byForm = zone.countriesByForm();
  for (const form of forms) {
    const code = zone.postal(form).strayOf(index);
    const [country = ''] = byForm.get(form) ?? [];
    if (code === null) continue;
    const witness = shop.witnesses.confirmed(
      shop.witnesses.to(country, code, [item]),
      (answer) => answer.zone?.id === zone.zone.id && isFit(answer.zone.subzone?.id),
    );
    if (witness !== null) return witness;
  }
  return null;
}
