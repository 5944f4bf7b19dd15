/**
 * Bisect: the versions at which the answer to a cart changed (contract section 10.3). It walks the changes of the
 * versions in order and evaluates only those that change a record which can affect the answer: the zone of the country,
 * the groups of the items, the methods of these groups there with their rules, and the blended rates there. The result
 * is exact, since no other record can change the answer. The settings are the current ones, as in a simulation of a version.
 */
import { applyChange } from '../../engine/change/apply.ts';
import { compareConfigs } from '../../engine/change/diff.ts';
import { type CompiledShop, compileShop } from '../../engine/compile/compiled-shop.ts';
import type { CartItem, SimulateRequest } from '../../engine/domain/cart.ts';
import type { ShopSettings } from '../../engine/domain/shop.ts';
import {
  type ConfigChange,
  type ListChange,
  type PlacedConfig,
  type ShopEvent,
  shopConfigOf,
} from '../../engine/domain/shop-event.ts';
import type { Comparison, Version } from '../../engine/domain/version.ts';
import type { Zone } from '../../engine/domain/zone.ts';
import { ItemFacts } from '../../engine/evaluate/cart-facts.ts';
import { comparedRate, ratesOf, sameRates } from '../../engine/evaluate/compared-rates.ts';
import { evaluateCart } from '../../engine/evaluate/evaluate.ts';
import { type BisectedRates, FLIPS_MAX } from '../../engine/wire/bisect.ts';

/** A cart, and which of its rates are compared. */
export interface BisectedCart {
  readonly request: SimulateRequest;
  /** The clock of time conditions, ms since the epoch. */
  readonly nowMs: number;
  /** Null for all rates. */
  readonly serviceCode: string | null;
}

export type VersionChange = Pick<Extract<ShopEvent, { kind: 'configChanged' }>, 'version' | 'change'>;

interface Flip {
  readonly version: Version;
  readonly before: BisectedRates;
  readonly after: BisectedRates;
  readonly diff: Comparison;
}

interface Bisected {
  readonly evaluated: number;
  /** Oldest first, at most `FLIPS_MAX`. */
  readonly flips: readonly Flip[];
  /** There are more flips. */
  readonly limited: boolean;
}

/** The records of a configuration that can affect the answer to a cart. */
interface Met {
  readonly zone: Zone | null;
  /** The zone and the subzone of the destination. */
  readonly places: ReadonlySet<string>;
  /** For each item the id of its group. */
  readonly groupOfItem: readonly string[];
  readonly groups: ReadonlySet<string>;
  /** Ids of the methods and blended rates that the cart meets. */
  readonly methods: ReadonlySet<string>;
  readonly blendedRates: ReadonlySet<string>;
}

/** `config` is the configuration before the first of `changes`. */
export function bisect(
  cart: BisectedCart,
  settings: ShopSettings,
  config: PlacedConfig,
  changes: Iterable<VersionChange>,
): Bisected {
  let before = config;
  let compiled = compileShop(shopConfigOf(before), settings);
  let met = metBy(compiled, cart.request);
  let rates = offeredBy(compiled, cart);
  let evaluated = 1;
  const flips: Flip[] = [];
  for (const { version, change } of changes) {
    const after = applyChange(before, change, version.number);
    if (isTouched(met, change)) {
      compiled = compileShop(shopConfigOf(after), settings, compiled);
      const next = metBy(compiled, cart.request);
      if (isMetChanged(met, next, change)) {
        evaluated++;
        const found = offeredBy(compiled, cart);
        if (!sameRates(rates, found)) {
          if (flips.length === FLIPS_MAX) return { evaluated, flips, limited: true };
          flips.push({ version, before: rates, after: found, diff: compareConfigs(before, after) });
        }
        rates = found;
      }
      met = next;
    }
    before = after;
  }
  return { evaluated, flips, limited: false };
}

function metBy(shop: CompiledShop, { destination, items }: SimulateRequest): Met {
  const place = shop.placeOf(destination);
  const { zone = null, methods = [], blendedRates = [] } = place?.zone.records ?? {};
  const places = new Set([zone?.id, place?.plan.subzoneId].filter((id) => id !== undefined));
  const groupOfItem = items.map(
    (item) => shop.groupIds[shop.groups.groupOf(new ItemFacts(item as CartItem))] ?? '',
  );
  const groups = new Set(groupOfItem);
  const met = methods.filter((method) => places.has(method.zoneId) && groups.has(method.productGroupId));
  const metBlended = blendedRates.filter(({ zoneId }) => places.has(zoneId));
  return { zone, places, groupOfItem, groups, methods: idsOf(met), blendedRates: idsOf(metBlended) };
}

const idsOf = (records: readonly { readonly id: string }[]): ReadonlySet<string> =>
  new Set(records.map(({ id }) => id));

/** True when the change may affect the answer. Zones and groups decide which records can affect it. */
const isTouched = (met: Met, change: ConfigChange): boolean =>
  change.zones !== undefined || change.productGroups !== undefined || isMetTouched(met, change);

function isMetTouched({ places, groups, methods, blendedRates }: Met, change: ConfigChange): boolean {
  const { rules = {} } = change;
  return (
    Object.keys(rules).some((methodId) => methods.has(methodId)) ||
    touches(
      methods,
      change.methods,
      ({ zoneId, productGroupId }) => places.has(zoneId) && groups.has(productGroupId),
    ) ||
    touches(blendedRates, change.blendedRates, ({ zoneId }) => places.has(zoneId))
  );
}

/** True when the change names a record that could affect the answer before it, or that can after it. */
function touches<T extends { readonly id: string }>(
  met: ReadonlySet<string>,
  { removed = [], replaced = [], placed = [] }: ListChange<T> = {},
  isMet: (record: T) => boolean,
): boolean {
  const isNamed = (record: T) => met.has(record.id) || isMet(record);
  return (
    removed.some((id) => met.has(id)) ||
    replaced.some(isNamed) ||
    placed.some(({ record }) => isNamed(record))
  );
}

/** False when a change of zones or groups left the zone of the cart and the groups of its items as they were. */
const isMetChanged = (before: Met, after: Met, change: ConfigChange): boolean =>
  before.zone !== after.zone ||
  before.groupOfItem.some((id, index) => id !== after.groupOfItem[index]) ||
  isMetTouched(before, change) ||
  isMetTouched(after, change);

/** No rates where the configuration cannot answer: a price beyond 2^53-1. */
const offeredBy = (shop: CompiledShop, { request, nowMs, serviceCode }: BisectedCart): BisectedRates =>
  ratesOf(evaluateCart(shop, request, nowMs, 'rates'))
    .filter((rate) => serviceCode === null || rate.serviceCode === serviceCode)
    .map(comparedRate);
