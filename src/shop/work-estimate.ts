/**
 * Work estimate: how many microseconds of one thread an answer will take. It decides which requests go to a worker
 * thread; a factor of two is accurate enough for that. All constants were measured warm, from the request to the bytes
 * of its answer.
 */

import { addSizes, type WorkSize } from '../compile/compiled-method.ts';
import type { CompiledShop } from '../compile/compiled-shop.ts';
import type { CartItem, SimulateRequest } from '../domain/cart.ts';
import type { Outcome } from '../domain/failure.ts';
import { countryCode, postalFormOf } from '../domain/postal-code.ts';
import type { ShopConfig } from '../domain/shop-config.ts';
import type { PlacedConfig } from '../domain/shop-event.ts';
import { ItemFacts } from '../evaluate/cart-facts.ts';
import type { AnswerForm } from '../wire/answer.ts';
import type { SimulationSource } from './compiled-configs.ts';
import type { ShopHistory } from './shop-history.ts';

/** The work whose cost is estimated. */
export type Work =
  | {
      readonly kind: 'simulate';
      readonly source: SimulationSource;
      readonly form: AnswerForm;
      readonly request: SimulateRequest;
    }
  /** A simulation whose body has not been read: only its length is known. */
  | { readonly kind: 'unreadSimulation'; readonly bytes: number }
  /** `request`: the cart that is tried, which the current configuration of `source` answers at about the same cost. */
  | {
      readonly kind: 'preview';
      readonly bytes: number;
      readonly source: 'live' | 'staged';
      readonly request: SimulateRequest | undefined;
    }
  | { readonly kind: 'readVersion'; readonly versionId: string }
  | { readonly kind: 'compare'; readonly versionA: string; readonly versionB: string }
  | { readonly kind: 'lint' }
  | { readonly kind: 'runChecks'; readonly source: SimulationSource; readonly checks: number }
  | { readonly kind: 'sweep'; readonly source: SimulationSource; readonly request: SimulateRequest }
  /** `versions`: how many versions are walked at most. */
  | { readonly kind: 'bisect'; readonly from: string; readonly versions: number };

/** The properties of a shop that the estimate reads. */
export interface EstimatedShop {
  /** Number of records of the live configuration; see `recordsIn`. */
  readonly records: number;
  readonly history: Pick<ShopHistory, 'replayedFor'>;
  compiled(source: SimulationSource): Outcome<CompiledShop>;
}

/** Cost of an item, and of an item that one rule reports. */
const ITEM_US = 0.11;
const REPORTED_US = 0.025;
/** Cost of a part of a `WorkSize`: its trace takes about 120 characters of the answer. */
const PART_US = 0.18;
/** An explained answer costs 10 to 900 times as much as a plain one, mostly about this factor. */
const EXPLAINED_FACTOR = 150;
/**
 * Cost of a byte of a cart that is read, checked and evaluated, and of a byte of a configuration that is read, checked
 * and compared.
 */
const CART_BYTE_US = 0.01;
const CONFIG_BYTE_US = 0.16;
/**
 * Cost of a record of a configuration that is read, compared, shown or linted: 7 to 34 us in shops of 120 to 120,000
 * records.
 */
const RECORD_US = 20;
const REPLAYED_US = 5;
/** A curve of 20 segments takes some 150 simulations. */
const CURVE_FACTOR = 150;
/** Cost of a version that a bisect reads and applies. */
const WALKED_US = 50;
/** Cost of a check whose place has to be compiled first; of a compiled place it takes a tenth of it. */
const CHECK_US = 500;

/**
 * Below this estimate the size of the place alone shows that a request is cheap, so the groups of its cart are not
 * looked up.
 */
const CLOSER_LOOK_US = 250;
/** How many items have their groups looked up; the others are assumed to have the same groups. */
const ITEMS_LOOKED_AT = 64;

export function estimateMicroseconds(shop: EstimatedShop, work: Work): number {
  const { records } = shop;
  switch (work.kind) {
    case 'simulate': {
      const { source, form, request } = work;
      if (typeof source !== 'string' && shop.history.replayedFor(source.versionId) > 0) {
        return readingMicroseconds(shop, source.versionId);
      }
      const compiled = shop.compiled(source);
      const plainUs = compiled.ok ? simulationMicroseconds(compiled.value, request) : 0;
      return form === 'explained' ? EXPLAINED_FACTOR * plainUs : plainUs;
    }
    case 'unreadSimulation':
      return CART_BYTE_US * work.bytes;
    case 'preview': {
      const { bytes, source, request } = work;
      const previewUs = CONFIG_BYTE_US * bytes + 2 * RECORD_US * records;
      if (request === undefined) return previewUs;
      return previewUs + estimateMicroseconds(shop, { kind: 'simulate', source, form: 'explained', request });
    }
    case 'lint':
      return RECORD_US * records;
    case 'runChecks': {
      const { source, checks } = work;
      const readingUs = typeof source === 'string' ? 0 : readingMicroseconds(shop, source.versionId);
      return readingUs + CHECK_US * checks;
    }
    case 'sweep': {
      const { source, request } = work;
      return CURVE_FACTOR * estimateMicroseconds(shop, { kind: 'simulate', source, form: 'rates', request });
    }
    case 'bisect':
      return readingMicroseconds(shop, work.from) + WALKED_US * work.versions;
    case 'readVersion':
      return readingMicroseconds(shop, work.versionId) + RECORD_US * records;
    case 'compare': {
      const { versionA, versionB } = work;
      const readingUs = readingMicroseconds(shop, versionA) + readingMicroseconds(shop, versionB);
      return readingUs + RECORD_US * records;
    }
  }
}

/** Estimated microseconds to read the configuration of a version. */
function readingMicroseconds({ records, history }: EstimatedShop, versionId: string): number {
  const replayed = history.replayedFor(versionId);
  return replayed === 0 ? 0 : RECORD_US * records + REPLAYED_US * replayed;
}

/**
 * Microseconds of a plain answer after its zone is compiled. Carts with hundreds of items in dozens of methods take as
 * little as a third of it, because equal lists of matched items are made only once.
 */
export function simulationMicroseconds(shop: CompiledShop, { destination, items }: SimulateRequest): number {
  const country = countryCode(destination.country);
  const zone = shop.zoneOf(country);
  if (zone === null) return ITEM_US * items.length;
  const { plan } = zone.match(postalFormOf(country), destination.postalCode ?? '');
  const atMost = plainMicroseconds(plan.size, items.length);
  if (atMost < CLOSER_LOOK_US) return atMost;
  const groups = new Set<number>();
  const step = Math.ceil(items.length / ITEMS_LOOKED_AT);
  for (let at = 0; at < items.length; at += step) {
    groups.add(shop.groups.groupOf(new ItemFacts(items[at] as CartItem)));
  }
  let size = NOTHING;
  for (const group of groups) size = addSizes(size, plan.groups.get(group)?.size ?? NOTHING);
  return plainMicroseconds(size, items.length);
}

const NOTHING: WorkSize = { parts: 0, reportingRules: 0 };

const plainMicroseconds = ({ parts, reportingRules }: WorkSize, items: number): number =>
  ITEM_US * items + PART_US * parts + REPORTED_US * reportingRules * items;

/** Characters of postal patterns, or of the value of a condition, that cost as much as one record. */
const RECORD_CHARACTERS = 100;
/** Counting stops here: counting 200,000 records takes 10 to 40 ms. */
const RECORDS_COUNTED_MAX = 20_000;

/** Number of records of a configuration, up to a bound; long texts count as several records. */
export function recordsIn(config: ShopConfig | PlacedConfig): number {
  const { zones, productGroups, methods, blendedRates, checks = [] } = config;
  const lists = [zones, productGroups, methods, blendedRates, checks];
  let count = lists.reduce((sum, { length }) => sum + length, 0);
  for (const { rules } of methods) {
    if (count >= RECORDS_COUNTED_MAX) return count;
    for (const { conditions } of rules) {
      count = conditions.reduce((sum, { value }) => sum + value.length / RECORD_CHARACTERS, count + 1);
    }
  }
  for (const { subzones } of zones) {
    if (count >= RECORDS_COUNTED_MAX) return count;
    count = subzones.reduce(
      (sum, { postalCodes }) => sum + 1 + postalCodes.length / RECORD_CHARACTERS,
      count,
    );
  }
  return count;
}
