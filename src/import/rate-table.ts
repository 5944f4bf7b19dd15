/**
 * Rate tables: rows of place, bounds and price; the most specific place with a fitting row applies. The rows of a place
 * become tiers of a method that is shown at the place and hidden wherever a more specific place has a row for the same
 * total.
 */
import { type Condition, type ConditionType, DEFAULT_SCOPE, type Scope } from '../domain/condition.ts';
import { postalFormOf } from '../domain/postal-code.ts';
import { DEFAULT_GROUP_NAME } from '../domain/product-group.ts';
import { TIER_BOUNDS, TIERS_MAX } from '../domain/rate-type.ts';
import { CONDITION_VALUE_LENGTH_MAX, comparable, NAME_LENGTH_MAX } from '../domain/text.ts';
import { ANY_COUNTRY } from '../domain/zone.ts';
import { groupedBy } from '../runtime/map-entries.ts';
import type { ConfigData } from '../wire/write-bodies.ts';
import { RATE_UNITS, type RateUnit } from './source-amounts.ts';

export interface RateRow {
  /** 0 is the most specific; places of one level count beside each other. */
  readonly level: number;
  /** null = any, in this and the next three. */
  readonly country: string | null;
  readonly region: string | null;
  readonly city: string | null;
  /** A pattern as a condition takes it. */
  readonly postal: string | null;
  /** Included, in grams, cents or pieces. */
  readonly from: number;
  /** Excluded; null = open. */
  readonly to: number | null;
  readonly priceCents: number;
  readonly methodName: string;
  readonly serviceCode: string;
}

type Interval = Pick<RateRow, 'from' | 'to'>;
type MethodData = NonNullable<ConfigData['methods']>[number];
type RuleData = NonNullable<MethodData['rules']>[number];

/** Places of one level with equal rows, merged. */
interface Bucket {
  readonly level: number;
  readonly regions: readonly string[] | null;
  readonly city: string | null;
  readonly postals: readonly string[] | null;
  readonly rows: readonly RateRow[];
}

const GROUP_ID = 'group_imported';

/** The only group of an imported configuration. */
export const IMPORTED_GROUP = { id: GROUP_ID, name: DEFAULT_GROUP_NAME, isDefault: true } as const;

/** The whole configuration; ids are derived from the rows, so the same file gives the same ids. */
export function configOfRateTable(rows: readonly RateRow[], unit: RateUnit): ConfigData {
  const zones: NonNullable<ConfigData['zones']>[number][] = [];
  const methods: MethodData[] = [];
  for (const { countries, rows: own } of countryClasses(rows)) {
    const zoneId = `zone_imported_${zones.length + 1}`;
    zones.push({ id: zoneId, name: zoneName(countries), countries: [...countries], subzones: [] });
    for (const method of methodsOfZone(own, unit)) {
      const id = `method_imported_${methods.length + 1}`;
      const rules = (method.rules ?? []).map((rule, index) => ({
        id: `rule_imported_${methods.length + 1}_${index + 1}`,
        ...rule,
      }));
      methods.push({ id, ...method, zoneId, rules });
    }
  }
  return { productGroups: [IMPORTED_GROUP], zones, methods, blendedRates: [] };
}

/** `AT, BE and 3 more` */
export function zoneName(countries: readonly string[]): string {
  if (countries.length === 1) return countries[0] === ANY_COUNTRY ? 'Everywhere else' : (countries[0] ?? '');
  const text = countries.join(', ');
  return text.length <= NAME_LENGTH_MAX
    ? text
    : `${countries.slice(0, 20).join(', ')} and ${countries.length - 20} more`;
}

/** Countries with equal rows share a zone; rows for any country apply in every zone. */
function countryClasses(rows: readonly RateRow[]): { countries: string[]; rows: readonly RateRow[] }[] {
  const anywhere = rows.filter((row) => row.country === null);
  const named = rows.filter((row) => row.country !== null);
  const classes = new Map<string, { countries: string[]; rows: readonly RateRow[] }>();
  for (const [country, own] of groupedBy(named, (row) => row.country ?? '')) {
    const hasPostal = [...own, ...anywhere].some((row) => row.postal !== null);
    const signature = JSON.stringify([
      hasPostal ? postalFormOf(country) : '',
      own.map((row) => ({ ...row, country: null })),
    ]);
    const known = classes.get(signature);
    if (known === undefined) classes.set(signature, { countries: [country], rows: [...own, ...anywhere] });
    else known.countries.push(country);
  }
  const zones = [...classes.values()];
  if (anywhere.length > 0) zones.push({ countries: [ANY_COUNTRY], rows: anywhere });
  return zones;
}

function methodsOfZone(rows: readonly RateRow[], unit: RateUnit): Omit<MethodData, 'id' | 'zoneId'>[] {
  const buckets = bucketsOf(rows);
  return buckets.flatMap((bucket) => {
    const hides = hideRules(bucket, buckets, unit);
    if (hides === null) return [];
    const rules = [...showRules(bucket), ...hides];
    return lanesOf(bucket.rows).map((lane) => {
      const [{ methodName, serviceCode }] = lane as [RateRow];
      return { name: methodName, serviceCode, productGroupId: GROUP_ID, ...rateOf(lane, unit), rules };
    });
  });
}

function bucketsOf(rows: readonly RateRow[]): Bucket[] {
  const places = groupedBy(rows, ({ level, region, city, postal }) =>
    // Regions and cities are compared without regard to case.
    JSON.stringify([level, region?.toLowerCase(), city?.toLowerCase(), postal]),
  );
  const merged = groupedBy(places.values(), (own) => {
    const [{ level, region, city, postal }] = own as [RateRow];
    const rates = own.map((row) => [row.methodName, row.from, row.to, row.priceCents]);
    return JSON.stringify([level, city, postal === null ? region === null : region, postal === null, rates]);
  });
  return [...merged.values()]
    .map((alike): Bucket => {
      const firsts = alike.map((own) => own[0] as RateRow);
      const [{ level, region, city, postal }] = firsts as [RateRow];
      return {
        level,
        regions: region === null ? null : [...new Set(firsts.map((row) => row.region ?? ''))],
        city,
        postals: postal === null ? null : firsts.map((row) => row.postal ?? ''),
        rows: alike[0] as RateRow[],
      };
    })
    .sort((a, b) => a.level - b.level);
}

const placeConditions = ({ regions, city, postals }: Omit<Bucket, 'rows' | 'level'>): Condition[][] => [
  ...(regions === null ? [] : [equalsAny('destination_state', regions)]),
  ...(city === null ? [] : [equalsAny('destination_city', [city])]),
  ...(postals === null ? [] : [equalsAny('destination_postal_code', postals)]),
];

function showRules(bucket: Bucket): RuleData[] {
  const lists = placeConditions(bucket);
  if (lists.length === 0) return [];
  return conjunctions(lists).map((conditions) => ({ action: 'show', conditions }));
}

/** null when a more specific place has a row for every total of the bucket, so that it never applies. */
function hideRules(bucket: Bucket, buckets: readonly Bucket[], unit: RateUnit): RuleData[] | null {
  const above = new Map<
    string,
    Omit<Bucket, 'rows' | 'level'> & { postals: string[] | null; intervals: Interval[] }
  >();
  for (const other of buckets) {
    if (other.level >= bucket.level || areApart(bucket, other)) continue;
    const intervals = unionOf(other.rows);
    const key = JSON.stringify([other.regions, other.city, other.postals === null, intervals]);
    const known = above.get(key);
    if (known?.postals != null) known.postals.push(...(other.postals ?? []));
    else if (known === undefined) {
      const { regions, city, postals } = other;
      above.set(key, { regions, city, postals: postals === null ? null : [...postals], intervals });
    }
  }
  const rules: RuleData[] = [];
  for (const place of above.values()) {
    const lists = [...placeConditions(place), ...totalConditions(place.intervals, unit)];
    if (lists.length === 0) return null;
    for (const conditions of conjunctions(lists)) rules.push({ action: 'hide', conditions });
  }
  return rules;
}

/** True when two rows name different regions or cities by the comparison of conditions: no destination is in both. */
function areApart(a: Bucket, b: Bucket): boolean {
  if (a.city !== null && b.city !== null && comparable(a.city) !== comparable(b.city)) return true;
  if (a.regions === null || b.regions === null) return false;
  const regions = new Set(b.regions.map(comparable));
  return !a.regions.some((region) => regions.has(comparable(region)));
}

/** The totals that have a row, as intervals that neither touch nor overlap. */
function unionOf(rows: readonly Interval[]): Interval[] {
  const union: Interval[] = [];
  for (const { from, to } of [...rows].sort((a, b) => a.from - b.from)) {
    const last = union.at(-1);
    if (last === undefined || (last.to !== null && last.to < from)) union.push({ from, to });
    else if (last.to !== null) {
      union[union.length - 1] = { from: last.from, to: to === null ? null : Math.max(last.to, to) };
    }
  }
  return union;
}

/** No list when the intervals hold every total. */
function totalConditions(intervals: readonly Interval[], unit: RateUnit): Condition[][] {
  const { conditionType, least } = RATE_UNITS[unit];
  const list = intervals.map(({ from, to }): Condition | null => {
    const of = (operator: Condition['operator'], value: string) =>
      condition(conditionType, operator, value, 'sum_of_group');
    if (to !== null) return of('between', `${from},${to - 1}`);
    return from <= least ? null : of('greater_than_or_equal', String(from));
  });
  return list.includes(null) ? [] : [list.filter((each) => each !== null)];
}

/** Rows of one method that do not overlap, as one table of tiers needs. */
function lanesOf(rows: readonly RateRow[]): RateRow[][] {
  const lanes: RateRow[][] = [];
  for (const row of [...rows].sort((a, b) => a.from - b.from)) {
    const lane = lanes.find((each) => {
      const last = each.at(-1) as RateRow;
      const isSame = last.methodName === row.methodName && each.length < TIERS_MAX;
      return isSame && last.to !== null && last.to <= row.from;
    });
    if (lane === undefined) lanes.push([row]);
    else lane.push(row);
  }
  return lanes;
}

function rateOf(lane: readonly RateRow[], unit: RateUnit): Pick<MethodData, 'rateType'> & { config: object } {
  const { rateType, least } = RATE_UNITS[unit];
  const [first] = lane as [RateRow];
  if (lane.length === 1 && first.to === null && first.from <= least) {
    return { rateType: 'flat', config: { price: first.priceCents } };
  }
  const [lower, upper] = TIER_BOUNDS[rateType];
  const tiers = lane.map(({ from, to, priceCents }) => ({ [lower]: from, [upper]: to, price: priceCents }));
  return { rateType, config: { tiers } };
}

/** The alternatives joined by commas, split into texts of at most the length that a condition value may have. */
function joinedAlternatives(alternatives: readonly string[]): string[] {
  const values: string[] = [];
  let current = '';
  for (const alternative of alternatives.map((each) => each.replaceAll(',', '\\,'))) {
    if (current !== '' && current.length + 1 + alternative.length > CONDITION_VALUE_LENGTH_MAX) {
      values.push(current);
      current = '';
    }
    current += current === '' ? alternative : `,${alternative}`;
  }
  if (current !== '') values.push(current);
  return values;
}

/** Conditions, one of which holds exactly when the field equals one of the alternatives. */
export const equalsAny = (type: ConditionType, alternatives: readonly string[]): Condition[] =>
  joinedAlternatives(alternatives).map((value) => condition(type, 'equals', value));

export const condition = (
  conditionType: ConditionType,
  operator: Condition['operator'],
  value: string,
  scope: Scope = DEFAULT_SCOPE,
): Condition => ({ conditionType, operator, value, scope });

/** Every combination of one condition from each list. */
export function conjunctions(lists: readonly (readonly Condition[])[]): Condition[][] {
  let ways: Condition[][] = [[]];
  for (const list of lists) ways = ways.flatMap((way) => list.map((each) => [...way, each]));
  return ways;
}
