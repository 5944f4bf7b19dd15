/**
 * Work estimate: how many microseconds of one thread an answer will take, where it is more than one simulation. It decides
 * which requests go to a worker thread; a factor of two is accurate enough for that. All constants were measured warm, from
 * the request to the bytes of its answer.
 */
import type { CompiledShop } from '../compile/compiled-shop.ts';
import type { SimulateRequest } from '../domain/cart.ts';
import type { Outcome } from '../domain/failure.ts';
import type { ShopConfig } from '../domain/shop-config.ts';
import type { PlacedConfig } from '../domain/shop-event.ts';
import type { ShopHistory } from './shop-history.ts';
import { simulationMicroseconds } from './simulating-shop.ts';
import type { SimulationSource } from './version-cache.ts';

/** The work whose cost is estimated. */
export type Work =
  /** A simulation whose body has not been read: only its length is known. */
  | { readonly kind: 'unreadSimulation'; readonly bytes: number }
  /** `request`: the cart that is tried, which the current configuration of `source` answers at about the same cost. */
  | {
      readonly kind: 'preview';
      readonly bytes: number;
      readonly source: 'live' | 'staged';
      readonly request: SimulateRequest | undefined;
    }
  /** Reading what a simulation answers from. */
  | { readonly kind: 'readConfig'; readonly source: SimulationSource }
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

/** The versions that this work reads through the cache of earlier versions. */
function cachedVersionsOf(work: Work): readonly string[] {
  switch (work.kind) {
    case 'readConfig':
    case 'runChecks':
    case 'sweep':
      return typeof work.source === 'string' ? [] : [work.source.versionId];
    case 'bisect':
      return [work.from];
    case 'compare':
      return [work.versionA, work.versionB];
    default:
      return [];
  }
}

export function estimateMicroseconds(shop: EstimatedShop, work: Work): number {
  const { records } = shop;
  const readingUs = cachedVersionsOf(work).reduce((sum, id) => sum + readingMicroseconds(shop, id), 0);
  switch (work.kind) {
    case 'readConfig':
      return readingUs;
    case 'unreadSimulation':
      return CART_BYTE_US * work.bytes;
    case 'preview': {
      const { bytes, source, request } = work;
      const previewUs = CONFIG_BYTE_US * bytes + 2 * RECORD_US * records;
      // Only a cart needs the compiled form of what is saved.
      const compiled = request === undefined ? null : shop.compiled(source);
      if (request === undefined || compiled?.ok !== true) return previewUs;
      return previewUs + simulationMicroseconds(compiled.value, request, 'explained');
    }
    case 'lint':
      return RECORD_US * records;
    case 'runChecks':
      return readingUs + CHECK_US * work.checks;
    case 'sweep': {
      const { source, request } = work;
      if (readingUs > 0) return CURVE_FACTOR * readingUs;
      const compiled = shop.compiled(source);
      return compiled.ok ? CURVE_FACTOR * simulationMicroseconds(compiled.value, request) : 0;
    }
    case 'bisect':
      return readingUs + WALKED_US * work.versions;
    case 'readVersion':
      return readingMicroseconds(shop, work.versionId) + RECORD_US * records;
    case 'compare':
      return readingUs + RECORD_US * records;
  }
}

/** Estimated microseconds to read a version that is not in memory. */
function readingMicroseconds({ records, history }: EstimatedShop, versionId: string): number {
  const replayed = history.replayedFor(versionId);
  return replayed === 0 ? 0 : RECORD_US * records + REPLAYED_US * replayed;
}

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
