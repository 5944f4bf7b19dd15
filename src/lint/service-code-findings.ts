/**
 * Findings on service codes. A code that an answer offers twice: a checkout cannot tell the rates apart. A code that a check
 * names but no method or blended rate has, such as a misspelled one: a check that expects the rate can never pass, and a
 * check that rules it out always passes.
 *
 * Two methods may share a code if one replaces the other or rules never show both, so a pair is reported only with a
 * request whose answer has both.
 */
import type { BlendedRate } from '../domain/blended-rate.ts';
import type { Expectation } from '../domain/expectation.ts';
import type { Witness } from '../domain/finding.ts';
import type { ShippingMethod } from '../domain/shipping-method.ts';
import type { SimulateAnswer } from '../wire/answer.ts';
import { type Draft, draftOf, quoted, recordOf } from './draft.ts';
import type { MethodFacts } from './method-facts.ts';
import { evaluationOf } from './rule-findings.ts';
import type { ShopFacts } from './shop-facts.ts';

/** Pairs of records tried in one report, and earlier holders of a code tried for a later one. */
const TRIES_MAX = 500;
const HOLDERS_MAX = 4;
/** Maximum number of product groups from which carts of two groups are tried. */
const GROUPS_MAX = 4;

/** A method or blended rate, its zone, and its facts. */
interface Holder<T> {
  readonly record: ShippingMethod | BlendedRate;
  readonly zoneId: string | undefined;
  readonly facts: T;
}

export function* serviceCodeFindings(shop: ShopFacts): Generator<Draft> {
  yield* unknownCodes(shop);
  const tries = { left: TRIES_MAX };
  const methods = shop.methods().filter(({ invisibility }) => invisibility === null);
  const ofZones = methods.map((facts) => ({ record: facts.method, zoneId: facts.at.zone.zone.id, facts }));
  yield* duplicates('method', ofZones, (a, b) => ofMethods(shop, a, b), tries);
  const blends = shop.config.blendedRates.filter(({ enabled }) => enabled);
  const zoneOf = ({ zoneId }: BlendedRate) => shop.zones.binding(zoneId)?.zone.zone.id;
  const inZones = blends.map((record) => ({ record, zoneId: zoneOf(record), facts: record }));
  yield* duplicates('blendedRate', inZones, (a, b) => ofBlends(shop, a, b), tries);
}

/** Records of a zone that share a code with an earlier record, with a request from `find` that shows both. */
function* duplicates<T>(
  kind: 'method' | 'blendedRate',
  all: readonly Holder<T>[],
  find: (earlier: T, later: T) => Witness | null,
  tries: { left: number },
): Generator<Draft> {
  const holders = new Map<string, readonly Holder<T>[]>();
  for (const each of all) {
    const { name, serviceCode } = each.record;
    const key = `${each.zoneId} ${serviceCode}`;
    const earlier = holders.get(key) ?? [];
    for (const other of earlier) {
      const witness = tries.left-- > 0 ? find(other.facts, each.facts) : null;
      if (witness === null) continue;
      const message = `${quoted(name)} and ${quoted(other.record.name)} can be offered together with the same service code ${quoted(serviceCode)}.`;
      yield draftOf('duplicate_service_code', recordOf(kind, each.record), message, () => witness);
      break;
    }
    holders.set(key, [...earlier.slice(0, HOLDERS_MAX - 1), each]);
  }
}

const hasTwice = ({ rates }: SimulateAnswer, serviceCode: string): boolean =>
  rates.filter((rate) => rate.serviceCode === serviceCode).length > 1;

/** Returns a request that shows both methods; null when none is found. */
function ofMethods({ reader, witnesses }: ShopFacts, a: MethodFacts, b: MethodFacts): Witness | null {
  const places = a.at.places.common(b.at.places);
  const ofA = places.isEmpty ? null : reader.visibly(a, []);
  if (ofA === null) return null;
  const at = { ...a.at, places };
  // Where blended rates are evaluated, they are offered in place of methods.
  const shows = (answer: SimulateAnswer) =>
    answer.blendedRates.length === 0 &&
    [a, b].every((facts) => evaluationOf(answer, facts)?.visible) &&
    hasTwice(answer, a.method.serviceCode);
  if (a.at.group === b.at.group) {
    const both = reader.visibly({ ...b, at }, ofA);
    return both === null ? null : witnesses.satisfying(at, both, shows);
  }
  const witness = witnesses.proposed(at, ofA);
  const other = witnesses.itemOf(b.at.group);
  if (witness === null || other === null) return null;
  const items = [...witness.request.items, other];
  return witnesses.confirmed({ ...witness, request: { ...witness.request, items } }, shows);
}

/** A cart of two groups that shows both blended rates. */
function ofBlends({ zones, groups, witnesses }: ShopFacts, a: BlendedRate, b: BlendedRate): Witness | null {
  const zone = zones.binding(a.zoneId)?.zone;
  const [place] = zones.placesOf(a).common(zones.placesOf(b)).take(1);
  if (zone === undefined || place === undefined) return null;
  // Groups with methods there, those of the subzone first.
  const methods = [zone.zone.subzones[place]?.id ?? '', zone.zone.id].flatMap((id) =>
    zones.methodsBoundTo(id),
  );
  const ids = [...new Set(methods.map(({ productGroupId }) => productGroupId))].slice(0, GROUPS_MAX);
  const indexes = ids.map((id) => groups.indexOf(id));
  const pairs = indexes.flatMap((first, i) => indexes.slice(i + 1).map((second) => [first, second]));
  return witnesses.firstConfirmed(
    pairs.map((pair) => witnesses.at(zone, place, pair)),
    (answer) => hasTwice(answer, a.serviceCode),
  );
}

/** Checks that name a code which no method or blended rate has. */
function* unknownCodes({ config }: ShopFacts): Generator<Draft> {
  const { methods, blendedRates, checks = [] } = config;
  const known = new Set([...methods, ...blendedRates].map(({ serviceCode }) => serviceCode));
  for (const check of checks.filter(({ enabled }) => enabled)) {
    const code = check.expectations.flatMap(codesOf).find((each) => !known.has(each));
    if (code === undefined) continue;
    const message = `The check names the service code ${quoted(code)}, which no method or blended rate has.`;
    yield draftOf('check_of_unknown_service', recordOf('check', check), message);
  }
}

function codesOf(expectation: Expectation): readonly string[] {
  if (expectation.kind === 'rates') return expectation.rates.map(({ serviceCode }) => serviceCode);
  return 'serviceCode' in expectation ? [expectation.serviceCode] : [];
}
