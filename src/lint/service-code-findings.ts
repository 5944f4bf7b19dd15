/**
 * Findings on service codes that one answer offers twice: a checkout cannot tell such rates apart. Methods
 * that replace each other, or of which rules show only one at a time, may share a code; so a pair is told
 * only with a request whose answer holds both.
 */

import type { BlendedRate } from '../domain/blended-rate.ts';
import type { CartItem } from '../domain/cart.ts';
import type { Witness } from '../domain/finding.ts';
import type { SimulateAnswer } from '../wire/answer.ts';
import { quoted, recordOf } from './condition-words.ts';
import type { Draft } from './draft.ts';
import type { PlaceIndex } from './places.ts';
import type { MethodFacts, ShopFacts } from './shop-facts.ts';
import type { ZoneFacts } from './zone-map.ts';

/** Pairs of records tried in one report, and earlier holders of a code tried for a later one. */
const TRIES_MAX = 500;
const HOLDERS_MAX = 4;
/** Product groups of which a cart of two is tried. */
const GROUPS_MAX = 4;

export function* serviceCodeFindings(shop: ShopFacts): Generator<Draft> {
  const search = new DuplicateSearch(shop);
  const holders = new Map<string, MethodFacts[]>();
  for (const facts of shop.methods()) {
    if (facts.invisibility !== null) continue;
    const key = `${facts.at.zone.zone.id} ${facts.method.serviceCode}`;
    const earlier = holders.get(key) ?? [];
    const found = search.among(earlier, (other) => search.ofMethods(other, facts));
    if (found !== null) yield draftOf('method', facts.method, found.other.method.name, found.witness);
    holders.set(key, [...earlier.slice(0, HOLDERS_MAX - 1), facts]);
  }
  const blendHolders = new Map<string, BlendedRate[]>();
  for (const blended of shop.config.blendedRates) {
    const zone = shop.zones.binding(blended.zoneId)?.zone;
    if (!blended.enabled || zone === undefined) continue;
    const key = `${zone.zone.id} ${blended.serviceCode}`;
    const earlier = blendHolders.get(key) ?? [];
    const found = search.among(earlier, (other) => search.ofBlendedRates(other, blended, zone));
    if (found !== null) yield draftOf('blendedRate', blended, found.other.name, found.witness);
    blendHolders.set(key, [...earlier.slice(0, HOLDERS_MAX - 1), blended]);
  }
}

function draftOf(
  kind: 'method' | 'blendedRate',
  record: { readonly id: string; readonly name: string; readonly serviceCode: string },
  otherName: string,
  witness: Witness,
): Draft {
  return {
    code: 'duplicate_service_code',
    record: recordOf(kind, record),
    evidence: () => ({
      message: `${quoted(record.name)} and ${quoted(otherName)} can be offered together with the same service code ${quoted(record.serviceCode)}.`,
      witness,
    }),
  };
}

class DuplicateSearch {
  readonly #shop: ShopFacts;
  #triesLeft = TRIES_MAX;

  constructor(shop: ShopFacts) {
    this.#shop = shop;
  }

  among<T>(
    earlier: readonly T[],
    find: (other: T) => Witness | null,
  ): { readonly other: T; readonly witness: Witness } | null {
    for (const other of earlier) {
      const witness = this.#triesLeft-- > 0 ? find(other) : null;
      if (witness !== null) return { other, witness };
    }
    return null;
  }

  /** A request that shows both methods. */
  ofMethods(a: MethodFacts, b: MethodFacts): Witness | null {
    const places = a.at.places.common(b.at.places);
    if (places.isEmpty) return null;
    const ofA = this.#shop.visibly(a, []);
    if (ofA === null) return null;
    const at = { ...a.at, places, decisions: new Map<string, boolean>() };
    // Where blended rates are evaluated, they are offered in place of methods.
    const shows = (answer: SimulateAnswer) =>
      answer.blendedRates.length === 0 &&
      [a, b].every(({ method }) =>
        answer.methodEvaluations.some(({ methodId, visible }) => methodId === method.id && visible),
      ) &&
      hasTwice(answer, a.method.serviceCode);
    const { witnesses } = this.#shop;
    if (a.at.group === b.at.group) {
      const both = this.#shop.visibly({ ...b, at }, ofA);
      return both === null ? null : witnesses.confirmed(witnesses.satisfying(at, both), shows);
    }
    const witness = witnesses.satisfying(at, ofA);
    const other = witnesses.itemOf(b.at.group);
    if (witness === null || other === null) return null;
    const items = [...witness.request.items, other];
    return witnesses.confirmed({ ...witness, request: { ...witness.request, items } }, shows);
  }

  /** A cart of two groups that shows both blended rates. */
  ofBlendedRates(a: BlendedRate, b: BlendedRate, zone: ZoneFacts): Witness | null {
    const { witnesses, zones } = this.#shop;
    const [place] = zones.placesOfBlendedRate(a).common(zones.placesOfBlendedRate(b)).take(1);
    if (place === undefined) return null;
    const groups = this.#firstGroups(zone, place);
    const shows = (answer: SimulateAnswer) => hasTwice(answer, a.serviceCode);
    for (const [i, first] of groups.entries()) {
      for (const second of groups.slice(i + 1)) {
        const items = [witnesses.itemOf(first), witnesses.itemOf(second)];
        if (items.includes(null)) continue;
        const witness = witnesses.confirmed(witnesses.at(zone, place, items as CartItem[]), shows);
        if (witness !== null) return witness;
      }
    }
    return null;
  }

  /** Groups with methods at a place, those of its subzone first. */
  #firstGroups(zone: ZoneFacts, place: PlaceIndex): readonly number[] {
    const first = new Set<string>();
    for (const id of [zone.zone.subzones[place]?.id ?? '', zone.zone.id]) {
      for (const groupId of this.#shop.visibleMethods(id).keys()) {
        if (first.size < GROUPS_MAX) first.add(groupId);
        else break;
      }
    }
    return [...first].map((id) => this.#shop.groups.indexOf(id));
  }
}

const hasTwice = ({ rates }: SimulateAnswer, serviceCode: string): boolean =>
  rates.filter((rate) => rate.serviceCode === serviceCode).length > 1;
