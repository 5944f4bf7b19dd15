/**
 * WooCommerce's shipping zones: the first zone, by order, that contains a destination applies. Zones of this service
 * are by country, so countries that are in the same WooCommerce zones share a zone; a state or a postcode becomes a
 * condition that shows the methods of its zone and hides those of later zones.
 */
import Type, { type Static, type TSchema } from '#typebox';
import type { Condition } from '../domain/condition.ts';
import { POSTAL_FORMS, postalFormOf } from '../domain/postal-code.ts';
import { Name } from '../domain/text.ts';
import { ANY_COUNTRY } from '../domain/zone.ts';
import { compileSchema } from '../wire/schema-check.ts';
import { CONFIG_DEFECTS_MAX, type ConfigData } from '../wire/write-bodies.ts';
import { countriesOfContinent, twoLetterCode } from './country-codes.ts';
import { condition, conjunctions, equalsAny, IMPORTED_GROUP, zoneName } from './rate-table.ts';
import { fraction, multiply, SourceAmounts, wholeOf } from './source-amounts.ts';
import { type Imported, SourceFindings } from './source-finding.ts';
import { rateOfCost } from './woo-cost.ts';
import { differencesOf, patternsOfWoo } from './woo-postcode.ts';

type MethodData = NonNullable<ConfigData['methods']>[number];
type RuleData = NonNullable<MethodData['rules']>[number];
type Rated = Pick<MethodData, 'rateType'> & { readonly config: object };

/** The zone of all destinations in no other zone. */
const REST_ID = 0;

interface ReadMethod {
  readonly name: string;
  readonly enabled: boolean;
  readonly rate: Rated;
  readonly surchargeCents: number;
  /** The cart's total in cents from which it is offered; null = any. */
  readonly fromCents: number | null;
}

interface ReadZone {
  readonly path: string;
  /** Country -> its states, or null for all of it; the whole is null for everywhere. */
  readonly countries: ReadonlyMap<string, readonly string[] | null> | null;
  readonly postcodes: readonly { readonly text: string; readonly patterns: readonly string[] }[] | null;
  readonly methods: readonly ReadMethod[];
}

export function importWooZones(value: unknown): Imported {
  const errors = new SourceFindings();
  const remarks = new SourceFindings();
  const check = compileSchema(WooExport);
  if (!check.check(value)) {
    for (const defect of check.defects(value, CONFIG_DEFECTS_MAX)) {
      const [, path = '', told = defect] = /^(\/\S*) (.*)$/.exec(defect) ?? [];
      errors.add(path, null, 'not_an_export', told.replace(/^the body /, 'it '));
    }
    return { data: null, errors: errors.list, remarks: [] };
  }
  const amounts = new SourceAmounts(errors, remarks);
  const zones = value.zones
    .map((zone, index) => ({ zone, path: `/zones/${index}` }))
    .sort((a, b) => rankOf(a.zone) - rankOf(b.zone) || a.zone.id - b.zone.id)
    .map(({ zone, path }) => readZone(zone, path, { errors, remarks, amounts }));
  amounts.finish();
  if (errors.list.length > 0) return { data: null, errors: errors.list, remarks: remarks.list };
  return { data: configOf(zones), errors: [], remarks: remarks.list };
}

const rankOf = (zone: WooZone): number =>
  zone.id === REST_ID ? Number.POSITIVE_INFINITY : (zone.order ?? 0);

interface SourceReport {
  readonly errors: SourceFindings;
  readonly remarks: SourceFindings;
  readonly amounts: SourceAmounts;
}

function readZone(zone: WooZone, path: string, report: SourceReport): ReadZone {
  const { errors, remarks } = report;
  const locations = zone.id === REST_ID ? [] : (zone.locations ?? []);
  const countries = new Map<string, readonly string[] | null>();
  const postcodes: { text: string; patterns: readonly string[] }[] = [];
  let takesAnyCode = true;
  for (const [index, { type, code }] of locations.entries()) {
    const row = `${path}/locations/${index}`;
    if (type === 'postcode') {
      if (code.trim() === '*') continue;
      takesAnyCode = false;
      const patterns = patternsOfWoo(code);
      const why = `"${code}" is left out: ${patterns}`;
      if (typeof patterns === 'string') remarks.add(row, 'code', 'postcode_left_out', why);
      else postcodes.push({ text: code, patterns });
    } else {
      const why = addPlace(countries, type, code);
      if (why !== null) errors.add(row, 'code', `unknown_${type}`, `"${code}" ${why}`);
    }
  }
  if (locations.some(({ type, code }) => type === 'postcode' && code.trim() === '*')) takesAnyCode = true;
  const isEverywhere = locations.every(({ type }) => type === 'postcode');
  const methods = [...(zone.methods ?? [])]
    .map((method, index) => ({ method, row: `${path}/methods/${index}` }))
    .sort((a, b) => (a.method.order ?? 0) - (b.method.order ?? 0))
    .flatMap(({ method, row }) => readMethod(method, row, report) ?? []);
  const states = [...countries].filter(([, each]) => each !== null).map(([country]) => country);
  if (states.length > 0) {
    const why = `its states in ${states.join(', ')} became conditions on destination_state`;
    remarks.add(path, 'locations', 'states_as_conditions', why);
  }
  const read = {
    path,
    countries: isEverywhere ? null : countries,
    postcodes: takesAnyCode ? null : postcodes,
    methods,
  };
  remarkDifferences(read, remarks);
  return read;
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

/** One remark for each kind of difference, with its first example. */
function remarkDifferences({ path, countries, postcodes }: ReadZone, remarks: SourceFindings): void {
  if (postcodes === null) return;
  const forms = new Set(countries === null ? POSTAL_FORMS : [...countries.keys()].map(postalFormOf));
  const kinds = new Map<string, { count: number; text: string; why: string; witness: string }>();
  for (const { text, patterns } of postcodes) {
    for (const { code, why, witness } of differencesOf(text, patterns, forms)) {
      const known = kinds.get(code);
      if (known === undefined) kinds.set(code, { count: 1, text, why, witness });
      else known.count++;
    }
  }
  for (const [code, { count, text, why, witness }] of kinds) {
    const which = count === 1 ? `"${text}"` : `${count} postcodes, the first of them "${text}"`;
    remarks.add(path, 'locations', code, `${which}: ${why}`, witness);
  }
}

/** null, with a remark, when the method cannot be expressed. */
function readMethod(method: WooMethod, row: string, report: SourceReport): ReadMethod | null {
  const { remarks, amounts } = report;
  const numberIn = (column: string) => (text: string) => amounts.read(text, row, column);
  const { title: name, enabled = true } = method;
  const leftOut = (column: string, code: string, why: string): null => {
    remarks.add(row, column, code, `"${name}" is left out: ${why}`);
    return null;
  };
  const base = { name, enabled, surchargeCents: 0, fromCents: null };
  const readCost = (cost: string, example = ''): ReadMethod | null => {
    const rated = rateOfCost(cost, numberIn('cost'));
    if (typeof rated === 'string') return leftOut('cost', 'cost_not_expressible', `${rated}${example}`);
    return { ...base, rate: rated.rate as Rated, surchargeCents: rated.surchargeCents };
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
      const amount = numberIn('min_amount')(settingOf(method, 'min_amount') || '0');
      if (typeof amount === 'string') return leftOut('min_amount', 'not_a_decimal', amount);
      const fromCents = wholeOf(multiply(amount, fraction(100)));
      if (fromCents === null) {
        return leftOut('min_amount', 'not_whole_cents', 'its amount is not a whole number of cents');
      }
      const why = `"${name}" is offered by its amount only: there are no coupons`;
      if (requires === 'either') remarks.add(row, 'requires', 'coupon', why);
      return { ...free, fromCents };
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
function classesOf(zones: readonly ReadZone[]): ZoneClass[] {
  const named = new Set(zones.flatMap(({ countries }) => [...(countries?.keys() ?? [])]));
  const classes = new Map<string, ZoneClass>();
  for (const country of [...[...named].sort(), ANY_COUNTRY]) {
    const taken = zones.flatMap((zone) => {
      if (zone.countries === null) return [{ zone, states: null }];
      const states = zone.countries.get(country);
      return states === undefined ? [] : [{ zone, states }];
    });
    if (country === ANY_COUNTRY && taken.length === 0) continue;
    const isOther = country === ANY_COUNTRY ? ANY_COUNTRY : '';
    const hasPostcodes = taken.some(({ zone }) => zone.postcodes !== null);
    const key = JSON.stringify([
      isOther,
      hasPostcodes ? postalFormOf(country) : '',
      taken.map(({ zone, states }) => [zone.path, states === null ? null : [country, states]]),
    ]);
    const known = classes.get(key);
    if (known === undefined) classes.set(key, { countries: [country], zones: taken });
    else known.countries.push(country);
  }
  return [...classes.values()];
}

function configOf(zones: readonly ReadZone[]): ConfigData {
  const ours: NonNullable<ConfigData['zones']>[number][] = [];
  const methods: MethodData[] = [];
  for (const { countries, zones: taken } of classesOf(zones)) {
    const zoneId = `zone_imported_${ours.length + 1}`;
    ours.push({ id: zoneId, name: zoneName(countries), countries: [...countries], subzones: [] });
    const earlier: RuleData[] = [];
    for (const { zone, states } of taken) {
      const place = placeLists(zone, states);
      for (const method of zone.methods) {
        methods.push(methodData(method, methods.length + 1, zoneId, place, earlier));
      }
      // A zone that takes all of these countries hides all later zones.
      if (place.length === 0) break;
      for (const conditions of conjunctions(place)) earlier.push({ action: 'hide', conditions });
    }
  }
  return { productGroups: [IMPORTED_GROUP], zones: ours, methods, blendedRates: [] };
}

/** No list when the zone takes all of the country. A zone whose postcodes are all left out takes nothing. */
function placeLists({ postcodes }: ReadZone, states: readonly string[] | null): Condition[][] {
  const patterns = postcodes?.flatMap((each) => each.patterns);
  const codes =
    patterns?.length === 0
      ? [condition('destination_country', 'is_empty', '')]
      : equalsAny('destination_postal_code', patterns ?? []);
  return [
    ...(states === null ? [] : [equalsAny('destination_state', states)]),
    ...(patterns === undefined ? [] : [codes]),
  ];
}

function methodData(
  { name, enabled, rate, surchargeCents, fromCents }: ReadMethod,
  number: number,
  zoneId: string,
  place: readonly (readonly Condition[])[],
  earlier: readonly RuleData[],
): MethodData {
  const amount =
    fromCents === null ? [] : [[condition('cart_total', 'greater_than_or_equal', String(fromCents))]];
  const lists = [...place, ...amount];
  const shows: RuleData[] =
    lists.length === 0 ? [] : conjunctions(lists).map((conditions) => ({ action: 'show', conditions }));
  const surcharge: RuleData[] =
    surchargeCents === 0
      ? []
      : [{ action: 'adjust_add', conditions: [], adjustmentValue: surchargeCents, adjustmentType: 'flat' }];
  const rules = [...shows, ...earlier, ...surcharge].map((rule, index) => ({
    id: `rule_imported_${number}_${index + 1}`,
    ...rule,
  }));
  return {
    id: `method_imported_${number}`,
    name,
    zoneId,
    productGroupId: IMPORTED_GROUP.id,
    ...rate,
    enabled,
    rules,
  };
}

const optional = <T extends TSchema>(schema: T) => Type.Optional(schema);
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
  enabled: optional(Type.Boolean()),
  order: optional(wholeNumber),
  settings: optional(Type.Record(Type.String(), Type.Unknown())),
});

/** `wc/v3/shipping/zones` */
const Zone = Type.Object({
  id: wholeNumber,
  name: Name,
  order: optional(wholeNumber),
  locations: optional(Type.Array(Location, { maxItems: 100_000 })),
  methods: optional(Type.Array(Method, { maxItems: 1_000 })),
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
