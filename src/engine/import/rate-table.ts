/**
 * Rate tables: rows with a place, bounds of a total, and a price. Of the rows that fit a cart, those of the most specific
 * place apply. The rows of a place become tiers of a method, which is shown at the place and hidden where a more specific
 * place has a row for the same total.
 */

import { groupedBy, valueAt } from '../../base/runtime/map-entries.ts';
import type { Condition } from '../domain/condition.ts';
import { postalFormOf } from '../domain/postal-code.ts';
import { TIER_BOUNDS, TIERS_MAX } from '../domain/rate-type.ts';
import { comparable } from '../domain/text.ts';
import { ANY_COUNTRY } from '../domain/zone.ts';
import type { ConfigData } from '../wire/write-bodies.ts';
import {
  condition,
  equalsAny,
  IMPORTED_GROUP,
  importedConfig,
  type MethodData,
  type RuleData,
  rulesWhere,
} from './imported-config.ts';
import { RATE_UNITS, type RateUnit } from './source-amounts.ts';

export interface RateRow {
  /** 0 is the most specific. Rows of several places of one level apply together. */
  readonly level: number;
  /** Null, in this field and the next three, for any. */
  readonly country: string | null;
  readonly region: string | null;
  readonly city: string | null;
  /** A pattern for a condition. */
  readonly postal: string | null;
  /** Inclusive, in grams, cents or pieces. */
  readonly from: number;
  /** Exclusive; null without an upper bound. */
  readonly to: number | null;
  readonly priceCents: number;
  readonly methodName: string;
  readonly serviceCode: string;
}

type Interval = Pick<RateRow, 'from' | 'to'>;

/** Places of one level with equal rows, merged. */
interface Bucket {
  readonly level: number;
  readonly regions: readonly string[] | null;
  readonly city: string | null;
  readonly postals: readonly string[] | null;
  readonly rows: readonly RateRow[];
}

export const configOfRateTable = (rows: readonly RateRow[], unit: RateUnit): ConfigData =>
  importedConfig(countryClasses(rows), (own, zoneId) => methodsOfZone(own.rows, unit, zoneId));

interface CountryClass {
  readonly countries: string[];
  readonly rows: readonly RateRow[];
}

/** Countries with equal rows share a zone; rows for any country apply in every zone. */
function countryClasses(rows: readonly RateRow[]): CountryClass[] {
  const anywhere = rows.filter(({ country }) => country === null);
  const classes = new Map<string, CountryClass>();
  for (const [country, own] of groupedBy(rows, (row) => row.country)) {
    if (country === null) continue;
    const hasPostal = [...own, ...anywhere].some(({ postal }) => postal !== null);
    const signature = own.map((row) => ({ ...row, country: null }));
    const key = JSON.stringify([hasPostal ? postalFormOf(country) : '', signature]);
    valueAt(classes, key, () => ({ countries: [], rows: [...own, ...anywhere] })).countries.push(country);
  }
  const everywhere = anywhere.length === 0 ? [] : [{ countries: [ANY_COUNTRY], rows: anywhere }];
  return [...classes.values(), ...everywhere];
}

function methodsOfZone(rows: readonly RateRow[], unit: RateUnit, zoneId: string): readonly MethodData[] {
  const buckets = bucketsOf(rows);
  return buckets.flatMap((bucket) => {
    const hides = hideRules(bucket, buckets, unit);
    if (hides === null) return [];
    const rules = [...rulesWhere('show', placeConditions(bucket)), ...hides];
    return lanesOf(bucket.rows).map((lane) => {
      const [{ methodName: name, serviceCode }] = lane as [RateRow];
      return { name, serviceCode, productGroupId: IMPORTED_GROUP.id, ...rateOf(lane, unit), rules, zoneId };
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
  ...equalsAny('destination_state', regions),
  ...equalsAny('destination_city', city === null ? null : [city]),
  ...equalsAny('destination_postal_code', postals),
];

/** Null when the bucket never applies, because a more specific place has a row for every total. */
function hideRules(bucket: Bucket, buckets: readonly Bucket[], unit: RateUnit): RuleData[] | null {
  const above = buckets.filter((other) => other.level < bucket.level && !areApart(bucket, other));
  const alike = groupedBy(above, ({ regions, city, postals, rows }) =>
    JSON.stringify([regions, city, postals === null, unionOf(rows)]),
  );
  const rules: RuleData[] = [];
  for (const places of alike.values()) {
    const [{ regions, city, postals, rows }] = places as [Bucket];
    const codes = postals && places.flatMap((place) => place.postals ?? []);
    const place = placeConditions({ regions, city, postals: codes });
    const lists = [...place, ...totalConditions(unionOf(rows), unit)];
    if (lists.length === 0) return null;
    rules.push(...rulesWhere('hide', lists));
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

/** No list when the intervals contain every total. */
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

/** Lists of rows of one method that do not overlap; each list becomes one table of tiers. */
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
