/** What a parcel costs in each country: the zone that has it, and its cheapest rate. */
import { ISO_COUNTRIES } from '../../../engine/domain/country.ts';
import type { CallOutcome } from '../../client/call-outcome.ts';
import type { Schemas } from '../../client/call-table.ts';
import { ENGLISH } from '../english.ts';
import type { Reads } from '../guarded-calls.ts';
import { NOTHING } from '../parts/record-kind.ts';
import { ANY_COUNTRY, countryName } from '../place-names.ts';
import type { Cart } from '../tester/cart.ts';

type Zone = Schemas['Zone'];
export type Places = Pick<Schemas['ConfigSnapshot'], 'zones' | 'methods'>;

/** Carts of one call, at most. */
const BATCH = 100;
/** The plan counts carts over a sliding second. */
const SECOND_MS = 1_000;
/** Shades of prices. */
const SHADES = 5;

export interface Cheapest {
  readonly service: string;
  readonly price: number;
}

export interface CountryRow {
  readonly code: string;
  readonly name: string;
  /** null = no zone has the country. */
  readonly zone: Zone | null;
  /** null = no rate. */
  readonly cheapest: Cheapest | null;
}

export const cartTo = (cart: Cart, country: string): Cart => ({ ...cart, destination: { country } });

/** Carts per call, one call a second: half of what the plan allows, so that the checkout keeps the other half. */
const batchOf = (perSecond: number | null): number =>
  perSecond === null ? BATCH : Math.max(1, Math.min(BATCH, Math.floor(perSecond / 2)));

/** The first zone that lists the country, else the one with the rest of the world. */
function zoneFinder(zones: readonly Zone[]): (code: string) => Zone | null {
  const owners = new Map(
    zones.flatMap((zone) => zone.countries.map((code) => [code, zone] as const)).toReversed(),
  );
  return (code) => owners.get(code) ?? owners.get(ANY_COUNTRY) ?? null;
}

/**
 * Lists of countries that have the same rates. A cart without a postal code is in no subzone, so that all countries of a
 * zone have, unless a rule of the zone looks at the country. Those in no zone are in no list.
 */
export function sameRates({ zones, methods }: Places): readonly (readonly string[])[] {
  const looking = new Set(
    methods.flatMap(({ zoneId, rules }) =>
      rules.some(({ conditions }) =>
        conditions.some(({ conditionType }) => conditionType === 'destination_country'),
      )
        ? [zoneId]
        : [],
    ),
  );
  const zoneOf = zoneFinder(zones);
  const lists = new Map<string, string[]>();
  for (const code of ISO_COUNTRIES.keys()) {
    const zone = zoneOf(code);
    if (zone === null) continue;
    const isLookedAt = [zone, ...zone.subzones].some(({ id }) => looking.has(id));
    const name = isLookedAt ? `${zone.id} ${code}` : zone.id;
    lists.set(name, [...(lists.get(name) ?? []), code]);
  }
  return [...lists.values()];
}

interface Pace {
  /** Carts that the plan allows in a second; null = any number. */
  readonly perSecond: number | null;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** The cheapest rate of the cart in each country, live; null where it has none. */
export async function readPrices(
  calls: Pick<Reads, 'simulateBatch'>,
  cart: Cart,
  places: Places,
  { perSecond, sleep }: Pace,
  signal: AbortSignal,
): Promise<CallOutcome<ReadonlyMap<string, Cheapest | null>>> {
  const prices = new Map<string, Cheapest | null>([...ISO_COUNTRIES.keys()].map((code) => [code, null]));
  const lists = sameRates(places);
  const size = batchOf(perSecond);
  let last: CallOutcome<unknown> = { ...NOTHING, value: null };
  for (let from = 0; from < lists.length; from += size) {
    if (from > 0 && perSecond !== null) await sleep(SECOND_MS, signal);
    const part = lists.slice(from, from + size);
    const outcome = await calls.simulateBatch(
      { requests: part.map(([code = '']) => cartTo(cart, code)) },
      { query: { view: 'live', fields: 'rates' }, signal },
    );
    if (!outcome.ok) return outcome;
    last = outcome;
    for (const [at, answer] of outcome.value.answers.entries()) {
      const cheapest = 'rates' in answer ? cheapestOf(answer.rates) : null;
      for (const code of part[at] ?? []) prices.set(code, cheapest);
    }
  }
  return { ...last, value: prices };
}

const cheapestOf = (rates: Schemas['RatesAnswer']['rates']): Cheapest | null =>
  rates.reduce<Cheapest | null>(
    (least, { serviceName, totalPrice }) =>
      least !== null && least.price <= totalPrice ? least : { service: serviceName, price: totalPrice },
    null,
  );

/** Every country by name, with the first zone that lists it. */
export function countryRows(
  zones: readonly Zone[],
  prices: ReadonlyMap<string, Cheapest | null>,
): readonly CountryRow[] {
  const zoneOf = zoneFinder(zones);
  return [...ISO_COUNTRIES.keys()]
    .map((code) => ({
      ...{ code, name: countryName(code), zone: zoneOf(code) },
      cheapest: prices.get(code) ?? null,
    }))
    .sort((a, b) => a.name.localeCompare(b.name, ENGLISH));
}

export interface Shade {
  readonly from: number;
  readonly to: number;
}

/** At most five ranges from cheap to dear, with about as many different prices each; a price is in one of them. */
export function shadesOf(prices: readonly number[]): readonly Shade[] {
  const sorted = [...new Set(prices)].sort((a, b) => a - b);
  const count = Math.min(SHADES, sorted.length);
  return Array.from({ length: count }, (_, at) => {
    const within = sorted.slice(
      Math.round((at * sorted.length) / count),
      Math.round(((at + 1) * sorted.length) / count),
    );
    return { from: within[0] ?? 0, to: within.at(-1) ?? 0 };
  });
}

/** The shade of a price, 0 for the cheapest. */
export const shadeOf = (shades: readonly Shade[], price: number): number =>
  shades.findIndex(({ to }) => price <= to);
