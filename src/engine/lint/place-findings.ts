/**
 * Findings on zones, subzones, groups and postal patterns that nothing can reach. A zone without countries is reported
 * as a whole.
 */
import type { Destination } from '../domain/cart.ts';
import type { Witness } from '../domain/finding.ts';
import type { PostalForm } from '../domain/postal-code.ts';
import { ANY_COUNTRY, type Zone } from '../domain/zone.ts';
import { type Probe, probeOf } from '../probes/draft-cart.ts';
import { type Draft, draftOf, type Evidence, placeRecord, quoted, recordOf } from './draft.ts';
import type { ShopFacts } from './shop-facts.ts';
import { UNLISTED_COUNTRY, type ZoneFacts } from './zone-facts.ts';
import type { PlacedPattern, ZonePostal } from './zone-postal.ts';

/** Maximum number of patterns of one subzone that are tried for a witness. */
const PATTERNS_MAX = 8;

export function* placeFindings(shop: ShopFacts): Generator<Draft> {
  for (const zone of shop.zones.zones) {
    if (zone.countries.length === 0) {
      yield unreachableZone(shop, zone.zone);
    } else if (zone.zone.subzones.length > 0) {
      yield* subzoneFindings(shop, zone);
    }
  }
  for (const { group, keys } of shop.finder.groups.values()) {
    if (keys.length > 0) continue;
    const message = `No item can belong to product group ${quoted(group.name)} because it lists nothing that an item can have and that no group before it lists.`;
    yield draftOf('group_never_filled', recordOf('productGroup', group), message);
  }
}

function unreachableZone(shop: ShopFacts, zone: Zone): Draft {
  const [listed] = zone.countries;
  const why =
    listed === undefined ? 'it lists no country' : 'zones before it list every country that it lists';
  const message = `No destination can be in zone ${quoted(zone.name)} because ${why}.`;
  return draftOf('zone_never_matches', recordOf('zone', zone), message, () => {
    const country = listed === ANY_COUNTRY ? UNLISTED_COUNTRY : listed;
    const cart = country === undefined ? null : anyCartTo(shop, { country });
    return shop.witnesses.confirmed(cart, (answer) => answer.zone?.id !== zone.id);
  });
}

/** A plain cart of any group. */
function anyCartTo({ finder, fillable }: ShopFacts, destination: Destination): Probe | null {
  const key = fillable[0]?.keys[0];
  return key === undefined ? null : probeOf(finder.to(destination, key));
}

/** A postal pattern of a zone by its index, which is the same in every form of codes. */
interface PatternCase {
  readonly zone: ZoneFacts;
  readonly index: number;
  readonly placed: PlacedPattern;
  /** The forms of the zone's countries in which some code can match it. */
  readonly forms: readonly PostalForm[];
}

function* patternCases(zone: ZoneFacts): Generator<PatternCase> {
  const forms = [...zone.countriesByForm.keys()];
  const [first] = forms;
  for (const [index, placed] of first === undefined ? [] : zone.postal(first).patterns.entries()) {
    const matching = forms.filter((form) => zone.postal(form).canMatch(index));
    yield { zone, index, placed, forms: matching };
  }
}

function* subzoneFindings(shop: ShopFacts, zone: ZoneFacts): Generator<Draft> {
  for (const place of zone.zone.subzones.keys()) {
    if (zone.reachable.has(place)) continue;
    yield {
      code: 'subzone_never_matches',
      record: placeRecord(zone.zone, place),
      evidence: () => unreachableSubzone(shop, zone, place),
    };
  }
  const postals = [...zone.countriesByForm.keys()].map((form) => zone.postal(form));
  for (const pattern of patternCases(zone)) {
    const { owner } = pattern.placed;
    // A subzone without any code is reported as a whole.
    if (!zone.reachable.has(owner)) continue;
    if (!zone.canMatch(pattern.placed.text)) {
      yield draftOf('postal_pattern_impossible', placeRecord(zone.zone, owner), impossible(pattern));
      continue;
    }
    if (!postals.every(({ neverWins }) => neverWins[pattern.index])) continue;
    yield {
      code: 'postal_pattern_never_wins',
      record: placeRecord(zone.zone, owner),
      evidence: () => deadPattern(shop, pattern),
    };
  }
}

function unreachableSubzone(shop: ShopFacts, zone: ZoneFacts, place: number): Evidence {
  const subzone = zone.zone.subzones[place];
  const patterns = [...patternCases(zone)].filter(({ placed }) => placed.owner === place);
  const matchable = patterns.filter(({ forms }) => forms.length > 0);
  const why =
    patterns.length === 0
      ? 'it has no postal patterns'
      : matchable.length === 0
        ? 'no postal code of its countries can match its patterns'
        : 'patterns of other subzones take precedence for every code that its patterns match';
  const tried = matchable.slice(0, PATTERNS_MAX);
  const message = `No postal code falls into subzone ${quoted(subzone?.name ?? '')} because ${why}.`;
  return { message, witness: confirmedStray(shop, tried, (id) => id !== subzone?.id) };
}

const subzoneOf = (zone: ZoneFacts, { owner }: PlacedPattern) => zone.zone.subzones[owner];

const patternWords = ({ zone, placed }: PatternCase): string =>
  `Pattern ${quoted(placed.text)} of subzone ${quoted(subzoneOf(zone, placed)?.name ?? '')}`;

/** Without a witness: a cart with a code that no country writes would show nothing. */
const impossible = (pattern: PatternCase): string =>
  `${patternWords(pattern)} has no effect because no postal code as the zone's countries write it can match it.`;

function deadPattern(shop: ShopFacts, pattern: PatternCase): Evidence {
  const { zone, index, forms } = pattern;
  const rival = forms
    .map((form) => rivalOf(zone.postal(form), index, zone.countriesByForm.get(form)?.[0] ?? ''))
    .find((each) => each !== null);
  const by = rival ? `, such as ${quoted(rival.text)} of ${quoted(subzoneOf(zone, rival)?.name ?? '')}` : '';
  const message = `${patternWords(pattern)} has no effect because other patterns take precedence for every code that it matches${by}.`;
  return { message, witness: confirmedStray(shop, [pattern], () => true) };
}

/** Returns the pattern that decides an example code of this pattern; null without codes. */
function rivalOf(postal: ZonePostal, index: number, country: string): PlacedPattern | null {
  const example = postal.strayOf(index, country);
  return example === null ? null : (postal.patterns[postal.decider(example)] ?? null);
}

/**
 * Returns a request with an example code of one of the patterns, to a country in whose form the pattern can match codes,
 * if the subzone of its answer passes `isFit`.
 */
function confirmedStray(
  shop: ShopFacts,
  patterns: readonly PatternCase[],
  isFit: (subzoneId: string | undefined) => boolean,
): Witness | null {
  function* proposed({ zone, index, forms }: PatternCase): Generator<Probe | null> {
    for (const [form, [country = '']] of zone.countriesByForm) {
      const code = forms.includes(form) && zone.postal(form).strayOf(index, country);
      if (typeof code !== 'string') continue;
      yield anyCartTo(shop, { country, postalCode: code });
    }
  }
  for (const each of patterns) {
    const { id } = each.zone.zone;
    const witness = shop.witnesses.firstConfirmed(
      proposed(each),
      ({ zone }) => zone?.id === id && isFit(zone.subzone?.id),
    );
    if (witness !== null) return witness;
  }
  return null;
}
