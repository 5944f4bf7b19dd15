/**
 * WooCommerce's shipping zones: the first zone, by order, that contains a destination applies. Zones of this service
 * are by country, so countries that are in the same WooCommerce zones share a zone; a state or a postcode becomes a
 * condition that shows the methods of its zone and hides those of later zones.
 */
import Type, { type Static } from '#typebox';
import { valueAt } from '../../base/runtime/map-entries.ts';
import type { Condition } from '../domain/condition.ts';
import type { ThresholdBasis } from '../domain/money.ts';
import { postalFormOf } from '../domain/postal-code.ts';
import type { RateConfig } from '../domain/rate-type.ts';
import { Name } from '../domain/text.ts';
import { ANY_COUNTRY } from '../domain/zone.ts';
import { compileSchema } from '../wire/schema-check.ts';
import { CONFIG_DEFECTS_MAX } from '../wire/write-bodies.ts';
import { countriesOfContinent, twoLetterCode } from './country-codes.ts';
import {
  condition,
  equalsAny,
  IMPORTED_GROUP,
  importedConfig,
  type MethodData,
  type RuleData,
  rulesWhere,
} from './imported-config.ts';
import { type Imported, SourceReport } from './source-report.ts';
import { rateOfCost } from './woo-cost.ts';
import { patternsOfWoo } from './woo-postcode.ts';

/** The zone of all destinations in no other zone. */
const REST_ID = 0;

interface ReadMethod {
  readonly name: string;
  readonly enabled: boolean;
  readonly rate: RateConfig;
  readonly surchargeCents: number;
  /** The cart's total in cents from which it is offered, before or after discounts; null for any. */
  readonly from: { readonly cents: number; readonly basis: ThresholdBasis } | null;
}

interface ReadZone {
  readonly path: string;
  /** Country -> its states, or null for all of it; null for all countries. */
  readonly countries: ReadonlyMap<string, readonly string[] | null> | null;
  /** Patterns; null for any code. */
  readonly postcodes: readonly string[] | null;
  readonly methods: readonly ReadMethod[];
}

export function importWooZones(value: unknown): Imported {
  const report = new SourceReport();
  const check = compileSchema(WooExport);
  if (!check.check(value)) {
    for (const defect of check.defects(value, CONFIG_DEFECTS_MAX)) {
      const [, path = '', message = defect] = /^(\/\S*) (.*)$/.exec(defect) ?? [];
      report.error(path, null, 'not_an_export', message.replace(/^the body /, 'it '));
    }
    return report.finish();
  }
  const zones = value.zones
    .map((zone, index) => ({ zone, path: `/zones/${index}` }))
    .sort((a, b) => rankOf(a.zone) - rankOf(b.zone) || a.zone.id - b.zone.id)
    .map(({ zone, path }) => readZone(zone, path, report));
  return report.finish(() => importedConfig(classesOf(zones), methodsOfClass));
}

const rankOf = (zone: WooZone): number =>
  zone.id === REST_ID ? Number.POSITIVE_INFINITY : (zone.order ?? 0);

function readZone(zone: WooZone, path: string, report: SourceReport): ReadZone {
  const locations = zone.id === REST_ID ? [] : (zone.locations ?? []);
  const named = new Map<string, readonly string[] | null>();
  const rows = locations.map((location, index) => ({ ...location, row: `${path}/locations/${index}` }));
  for (const { type, code, row } of rows) {
    if (type === 'postcode') continue;
    const why = addPlace(named, type, code);
    if (why !== null) report.error(row, 'code', `unknown_${type}`, `"${code}" ${why}`);
  }
  const lines = rows.filter(({ type }) => type === 'postcode');
  const countries = lines.length === rows.length ? null : named;
  const postcodes = lines.flatMap(({ code, row }) => {
    if (code.trim() === '*') return [];
    const patterns = patternsOfWoo(code, countries === null || countries.has('NL'));
    if (typeof patterns !== 'string') return patterns;
    report.remark(row, 'code', 'postcode_left_out', `"${code}" is left out: ${patterns}`);
    return [];
  });
  const methods = [...(zone.methods ?? [])]
    .map((method, index) => ({ method, row: `${path}/methods/${index}` }))
    .sort((a, b) => (a.method.order ?? 0) - (b.method.order ?? 0))
    .flatMap(({ method, row }) => readMethod(method, row, report) ?? []);
  const states = [...named].filter(([, each]) => each !== null).map(([country]) => country);
  if (states.length > 0) {
    const why = `its states in ${states.join(', ')} became conditions on destination_state`;
    report.remark(path, 'locations', 'states_as_conditions', why);
  }
  const isAnywhere = lines.length === 0 || lines.some(({ code }) => code.trim() === '*');
  return { path, countries, postcodes: isAnywhere ? null : postcodes, methods };
}

/** Adds a place; returns its defect, or null. */
function addPlace(
  countries: Map<string, readonly string[] | null>,
  type: 'country' | 'state' | 'continent',
  code: string,
): string | null {
  if (type === 'continent') {
    const all = countriesOfContinent(code.trim().toUpperCase());
    if (all === null) return 'is not a continent code';
    for (const country of all) countries.set(country, null);
    return null;
  }
  const [countryText = '', state = ''] = code.split(':', 2).map((part) => part.trim());
  const country = twoLetterCode(countryText);
  if (country === null) return 'names no country';
  if (type === 'country') {
    countries.set(country, null);
    return null;
  }
  if (state === '' || state.endsWith('*')) return 'is not a state such as US:CA';
  const known = countries.get(country);
  if (known !== null) countries.set(country, [...(known ?? []), state]);
  return null;
}

/** Null, with a remark, when the method cannot be imported. */
function readMethod(method: WooMethod, row: string, report: SourceReport): ReadMethod | null {
  const { title: name, enabled = true } = method;
  const leftOut = (column: string, code: string, why: string): null => {
    report.remark(row, column, code, `"${name}" is left out: ${why}`);
    return null;
  };
  const base = { name, enabled, surchargeCents: 0, from: null };
  const readCost = (cost: string, example = ''): ReadMethod | null => {
    const rated = rateOfCost(cost, { report, row });
    if (typeof rated === 'string') return leftOut('cost', 'cost_not_expressible', `${rated}${example}`);
    return { ...base, rate: rated.rate, surchargeCents: rated.surchargeCents };
  };
  const cost = settingOf(method, 'cost');
  switch (method.method_id) {
    case 'flat_rate': {
      const classCost = Object.keys(method.settings ?? {}).find(
        (key) => (key.startsWith('class_cost_') || key === 'no_class_cost') && settingOf(method, key) !== '',
      );
      const why = 'costs by shipping class need to know the class of each product';
      if (classCost !== undefined) return leftOut(classCost, 'class_costs', why);
      if (cost === '') return leftOut('cost', 'no_cost', 'a flat rate without a cost is never offered');
      return readCost(cost, ` (${cost})`);
    }
    case 'local_pickup':
      return readCost(cost === '' ? '0' : cost);
    case 'free_shipping': {
      const requires = settingOf(method, 'requires');
      const free = { ...base, rate: { rateType: 'free', config: {} } as const };
      if (requires === '') return free;
      if (requires === 'coupon' || requires === 'both') {
        return leftOut('requires', 'coupon', 'it needs a coupon');
      }
      if (requires !== 'min_amount' && requires !== 'either') {
        return leftOut('requires', 'unknown_requirement', `it needs "${requires}", which is unknown`);
      }
      const written = settingOf(method, 'min_amount') || '0';
      const amount = report.amount(written, row, 'min_amount');
      if (typeof amount === 'string') return leftOut('min_amount', 'not_a_decimal', amount);
      const cents = report.cents(amount, written, row, 'min_amount');
      const basis = settingOf(method, 'ignore_discounts') === 'yes' ? 'cart_total' : 'order_total';
      const why = `"${name}" is offered by its amount only: there are no coupons`;
      if (requires === 'either') report.remark(row, 'requires', 'coupon', why);
      return { ...free, from: { cents, basis } };
    }
    default: {
      const why = `${method.method_id} is none of flat_rate, free_shipping, local_pickup`;
      return leftOut('method_id', 'unknown_method', why);
    }
  }
}

interface ZoneClass {
  readonly countries: string[];
  /** In order; with the states of these countries, null for all. */
  readonly zones: readonly { readonly zone: ReadZone; readonly states: readonly string[] | null }[];
}

/** Countries that are in the same zones in the same way. */
function classesOf(zones: readonly ReadZone[]): readonly ZoneClass[] {
  const named = new Set(zones.flatMap(({ countries }) => [...(countries?.keys() ?? [])]));
  const classes = new Map<string, ZoneClass>();
  for (const country of [...[...named].sort(), ANY_COUNTRY]) {
    const taken = zones.flatMap((zone) => {
      const states = zone.countries === null ? null : zone.countries.get(country);
      return states === undefined ? [] : [{ zone, states }];
    });
    if (taken.length === 0) continue;
    const hasPostcodes = taken.some(({ zone }) => zone.postcodes !== null);
    const key = JSON.stringify([
      country === ANY_COUNTRY,
      hasPostcodes ? postalFormOf(country) : '',
      taken.map(({ zone, states }) => [zone.path, states === null ? null : [country, states]]),
    ]);
    valueAt(classes, key, () => ({ countries: [], zones: taken })).countries.push(country);
  }
  return [...classes.values()];
}

function methodsOfClass({ zones }: ZoneClass, zoneId: string): readonly MethodData[] {
  const methods: MethodData[] = [];
  const earlier: RuleData[] = [];
  for (const { zone, states } of zones) {
    const place = listsOfZone(zone, states);
    for (const method of zone.methods) methods.push(methodData(method, zoneId, place, earlier));
    // A zone that contains all of these countries hides all later zones.
    if (place.length === 0) break;
    earlier.push(...rulesWhere('hide', place));
  }
  return methods;
}

/** No list when the zone contains the whole country. A zone whose postcodes are all left out contains nothing. */
function listsOfZone({ postcodes }: ReadZone, states: readonly string[] | null): Condition[][] {
  const codes =
    postcodes?.length === 0
      ? [[condition('destination_country', 'is_empty', '')]]
      : equalsAny('destination_postal_code', postcodes);
  return [...equalsAny('destination_state', states), ...codes];
}

function methodData(
  { name, enabled, rate, surchargeCents, from }: ReadMethod,
  zoneId: string,
  place: readonly (readonly Condition[])[],
  earlier: readonly RuleData[],
): MethodData {
  const amount = from === null ? [] : [[condition(from.basis, 'greater_than_or_equal', String(from.cents))]];
  const basis = from === null ? {} : { thresholdBasis: from.basis };
  const surcharge: RuleData[] =
    surchargeCents === 0
      ? []
      : [{ action: 'adjust_add', conditions: [], adjustmentValue: surchargeCents, adjustmentType: 'flat' }];
  const rules = [...rulesWhere('show', [...place, ...amount]), ...earlier, ...surcharge];
  return { name, zoneId, productGroupId: IMPORTED_GROUP.id, ...rate, ...basis, enabled, rules };
}

const wholeNumber = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const text = Type.String({ maxLength: 1_000 });

/** `wc/v3/shipping/zones/<id>/locations` */
const Location = Type.Object({
  code: Type.String({ minLength: 1, maxLength: 200 }),
  type: Type.Enum(['country', 'state', 'continent', 'postcode'], {
    'x-accepts': 'country, state, continent or postcode',
  }),
});

/** `wc/v3/shipping/zones/<id>/methods` */
const Method = Type.Object({
  method_id: text,
  title: Name,
  enabled: Type.Optional(Type.Boolean()),
  order: Type.Optional(wholeNumber),
  settings: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
});

/** `wc/v3/shipping/zones` */
const Zone = Type.Object({
  id: wholeNumber,
  name: Name,
  order: Type.Optional(wholeNumber),
  locations: Type.Optional(Type.Array(Location, { maxItems: 100_000 })),
  methods: Type.Optional(Type.Array(Method, { maxItems: 1_000 })),
});

/** The accepted export of WooCommerce's shipping zones: the answers of its REST API combined. */
const WooExport = Type.Object({ zones: Type.Array(Zone, { maxItems: 2_000 }) });
type WooExport = Static<typeof WooExport>;
type WooZone = WooExport['zones'][number];
type WooMethod = NonNullable<WooZone['methods']>[number];

/** The value of a setting as text; "" when it is missing. */
function settingOf({ settings }: WooMethod, name: string): string {
  const value = settings?.[name];
  const inner = typeof value === 'object' && value !== null && 'value' in value ? value.value : value;
  return typeof inner === 'string' || typeof inner === 'number' ? String(inner).trim() : '';
}
