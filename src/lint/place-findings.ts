/**
 * Findings on zones, subzones, groups and postal patterns that nothing can reach. What lies in a zone that
 * no country leads to is not looked at further.
 */

import type { FindingRecord, Witness } from '../domain/finding.ts';
import type { PostalForm } from '../domain/postal-code.ts';
import { ANY_COUNTRY, type Subzone } from '../domain/zone.ts';
import { quoted, recordOf } from './condition-words.ts';
import type { Draft, Evidence } from './draft.ts';
import type { PlacedPattern } from './placed-pattern.ts';
import type { ShopFacts } from './shop-facts.ts';
import type { ZoneFacts } from './zone-map.ts';
import type { ZonePostal } from './zone-postal.ts';

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

/** A postal pattern of a zone by its index, which is the same in every form of codes. */
interface PatternCase {
  readonly zone: ZoneFacts;
  readonly index: number;
  readonly placed: PlacedPattern;
  /** The forms of the zone's countries in which some code can match it: others have no part in a finding. */
  readonly forms: readonly PostalForm[];
}

const patternCase = (zone: ZoneFacts, index: number, placed: PlacedPattern): PatternCase => ({
  zone,
  index,
  placed,
  forms: [...zone.countriesByForm().keys()].filter((form) => zone.postal(form).canMatch(index)),
});

function* subzoneFindings(shop: ShopFacts, zone: ZoneFacts): Generator<Draft> {
  const postals = [...zone.countriesByForm().keys()].map((form) => zone.postal(form));
  for (const [place, subzone] of zone.zone.subzones.entries()) {
    if (zone.canReach(place)) continue;
    yield {
      code: 'subzone_never_matches',
      record: subzoneRecord(subzone, zone),
      evidence: () => unreachableSubzone(shop, zone, place),
    };
  }
  const [first] = postals;
  for (const [index, placed] of first?.patterns.entries() ?? []) {
    const verdicts = postals.map((postal) => postal.verdicts[index]);
    // A subzone without any code is told as a whole.
    if (verdicts.includes('needed') || !zone.canReach(placed.owner)) continue;
    const neverWins = verdicts.every((verdict) => verdict === 'never_wins');
    yield {
      code: neverWins ? 'postal_pattern_never_wins' : 'postal_pattern_redundant',
      record: subzoneRecord(zone.zone.subzones[placed.owner] as Subzone, zone),
      evidence: () => deadPattern(shop, patternCase(zone, index, placed), neverWins),
    };
  }
}

/** Patterns of one subzone that are tried for a witness. */
const PATTERNS_MAX = 8;

function unreachableSubzone(shop: ShopFacts, zone: ZoneFacts, place: number): Evidence {
  const subzone = zone.zone.subzones[place] as Subzone;
  const patterns = [...patternsOf(zone, place)];
  const matchable = patterns.filter(({ forms }) => forms.length > 0);
  const witness = (matchable.length > 0 ? matchable : patterns)
    .slice(0, PATTERNS_MAX)
    .reduce<Witness | null>(
      (found, pattern) => found ?? confirmedStray(shop, pattern, (id) => id !== subzone.id),
      null,
    );
  const why =
    patterns.length === 0
      ? 'it has no postal patterns'
      : matchable.length === 0
        ? 'no postal code of its countries can match its patterns'
        : 'other subzones decide every code that its patterns match';
  return { message: `No postal code falls into subzone ${quoted(subzone.name)} because ${why}.`, witness };
}

function* patternsOf(zone: ZoneFacts, place: number): Generator<PatternCase> {
  const [form] = zone.countriesByForm().keys();
  if (form === undefined) return;
  for (const [index, placed] of zone.postal(form).patterns.entries()) {
    if (placed.owner === place) yield patternCase(zone, index, placed);
  }
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
    ? forms.length === 0
      ? `${words} has no effect because no postal code of the zone's countries can match it.`
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

/**
 * A request with a code that the pattern matches and that falls where it should, to a country in whose form
 * the pattern has codes; for a pattern that no code matches, with the code that it spells.
 */
function confirmedStray(
  shop: ShopFacts,
  { zone, index, forms }: PatternCase,
  isFit: (subzoneId: string | undefined) => boolean,
): Witness | null {
  const item = shop.witnesses.anyItem();
  if (item === null) return null;
  for (const [form, [country = '']] of zone.countriesByForm()) {
    if (forms.length > 0 && !forms.includes(form)) continue;
    const postal = zone.postal(form);
    const code = postal.strayOf(index);
    if (code === null || (forms.length > 0 && !postal.isMatched(index, code))) continue;
    const witness = shop.witnesses.confirmed(
      shop.witnesses.to(country, code, [item]),
      (answer) => answer.zone?.id === zone.zone.id && isFit(answer.zone.subzone?.id),
    );
    if (witness !== null) return witness;
  }
  return null;
}
