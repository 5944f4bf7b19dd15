/**
 * Probe carts: carts made from a configuration's own values, on which two configurations are compared (contract
 * section 12.7). Around one small cart for each place and product group, one thing at a time is varied: bounds of numbers,
 * tiers and thresholds, alternatives of texts, tags, times and postal patterns; each rule has carts that meet all of its
 * conditions. The evaluator is the judge: it finds the cart in which a method is offered.
 *
 * Probes come in turns from all records, so that a list that is cut still has some of each. Records that differ from those
 * of another configuration come first.
 */
import type { CompiledShop } from '../compile/compiled-shop.ts';
import type { BlendedRate } from '../domain/blended-rate.ts';
import type { Destination } from '../domain/cart.ts';
import { postalFormOf, splitPostalPatterns } from '../domain/postal-code.ts';
import type { ProductGroup } from '../domain/product-group.ts';
import type { Rule } from '../domain/rule.ts';
import type { ShippingMethod } from '../domain/shipping-method.ts';
import type { ShopConfig } from '../domain/shop-config.ts';
import { ANY_COUNTRY, type Zone } from '../domain/zone.ts';
import { evaluateCart } from '../evaluate/evaluate.ts';
import { valuesAround, valuesOf } from './condition-values.ts';
import {
  type DraftCart,
  draftTo,
  type Probe,
  type ProbeShop,
  type ProductKey,
  plainItem,
  probeOf,
  setNumber,
} from './draft-cart.ts';
import { postalBounds, postalExamples } from './postal-examples.ts';
import { belowThreshold, rateChanges } from './rate-values.ts';

/** Countries for a zone of all that no other zone lists. */
const OTHER_COUNTRIES = ['US', 'DE', 'GB', 'FR', 'CA', 'JP', 'AU', 'BR', 'IN', 'ZA', 'CH', 'NO', 'NZ', 'MX'];
/** Patterns of an unchanged subzone, products of an unchanged group, countries of an unchanged zone that get a probe. */
const SAMPLES = 3;
/** Groups of one mixed cart. */
const MIXED_GROUPS_MAX = 8;
/** Attempts to find a cart in which a method is offered. */
const ATTEMPTS_MAX = 8;

/** `isChanged`: whether a record differs from those of the configuration that is compared. */
export interface ProbeFocus {
  readonly isChanged: (record: { readonly id: string }) => boolean;
  /** Postal patterns of the other configuration, by id of the subzone. */
  readonly patternsOf: (subzoneId: string) => ReadonlySet<string>;
}

export class ProbeCarts {
  readonly #shop: CompiledShop;
  readonly #config: ShopConfig;
  readonly #nowMs: number;
  readonly #focus: ProbeFocus;
  readonly #probeShop: ProbeShop;
  /** Id of a zone or subzone -> a destination in it. */
  readonly #destinations = new Map<string, Destination | null>();
  readonly #groups: ReadonlyMap<string, ProductGroup>;
  /** Countries that no zone lists. */
  readonly #unlisted: readonly string[];

  /** `nowMs` is the clock of carts whose time is not varied. */
  constructor(shop: CompiledShop, nowMs: number, focus: ProbeFocus) {
    this.#shop = shop;
    this.#config = shop.config;
    this.#nowMs = nowMs;
    this.#focus = focus;
    this.#groups = new Map(this.#config.productGroups.map((group) => [group.id, group]));
    const listed = new Set(this.#config.zones.flatMap(({ countries }) => countries));
    this.#unlisted = OTHER_COUNTRIES.filter((country) => !listed.has(country));
    this.#probeShop = {
      calendar: shop.calendar,
      destinationIn: (subzoneId) => this.#destinationIn(subzoneId),
      productOf: (groupId) => this.#productOf(groupId),
    };
  }

  /** All probes, those of changed records first. Each is made when it is asked for. */
  *all(): Generator<Probe> {
    const { zones, productGroups, methods, blendedRates } = this.#config;
    const { isChanged } = this.#focus;
    for (const wanted of [true, false]) {
      yield* inTurns([
        ...zones.filter((zone) => isChanged(zone) === wanted).map((zone) => this.#ofZone(zone)),
        ...productGroups.filter((group) => isChanged(group) === wanted).map((group) => this.#ofGroup(group)),
        ...methods
          .filter((method) => method.enabled && isChanged(method) === wanted)
          .map((method) => this.#ofMethod(method)),
        ...blendedRates
          .filter((blended) => blended.enabled && isChanged(blended) === wanted)
          .map((blended) => this.#ofBlend(blended)),
      ]);
    }
  }

  #to(destination: Destination, key: ProductKey): DraftCart {
    return draftTo(destination, key, this.#nowMs);
  }

  /** Plain carts to each of its countries, subzones and postal patterns. */
  *#ofZone(zone: Zone): Generator<Probe> {
    const keys = this.#productsSoldIn([zone.id, ...zone.subzones.map(({ id }) => id)]);
    const isChanged = this.#focus.isChanged(zone);
    const countries = zone.countries.flatMap((country) =>
      country === ANY_COUNTRY ? this.#unlisted : [country],
    );
    const destinations: Destination[] = countries
      .slice(0, isChanged ? countries.length : SAMPLES)
      .map((country) => ({ country }));
    for (const subzone of zone.subzones) {
      const known = this.#focus.patternsOf(subzone.id);
      const patterns = splitPostalPatterns(subzone.postalCodes);
      const changed = patterns.filter((pattern) => !known.has(pattern));
      const chosen = [...changed, ...patterns.slice(0, SAMPLES)];
      for (const country of countries.slice(0, SAMPLES)) {
        const codes = chosen.flatMap((pattern) => postalBounds(postalFormOf(country), pattern));
        destinations.push(...codes.map((postalCode) => ({ country, postalCode })));
      }
    }
    for (const destination of destinations) {
      for (const key of keys) yield probeOf(this.#to(destination, key));
    }
  }

  /** A plain cart with each product that the group lists. */
  *#ofGroup(group: ProductGroup): Generator<Probe> {
    const zoneIds = this.#config.methods
      .filter(({ productGroupId }) => productGroupId === group.id)
      .map(({ zoneId }) => zoneId);
    const places = [...new Set([...zoneIds, ...this.#config.zones.map(({ id }) => id)])].slice(0, SAMPLES);
    const keys = productsIn(group);
    const chosen = this.#focus.isChanged(group) ? keys : keys.slice(0, SAMPLES);
    for (const place of places) {
      const destination = this.#destinationIn(place);
      if (destination !== null) for (const key of chosen) yield probeOf(this.#to(destination, key));
    }
  }

  *#ofMethod(method: ShippingMethod): Generator<Probe> {
    const destination = this.#destinationIn(method.zoneId);
    const key = this.#productOf(method.productGroupId);
    if (destination === null || key === null) return;
    const base = this.#shown(this.#to(destination, key), method);
    yield probeOf(base);
    const rules = method.rules.filter(({ enabled }) => enabled);
    const { isChanged } = this.#focus;
    const changed = rules.filter(isChanged);
    for (const rule of changed) yield* this.#ofRule(rule, method, base);
    for (const change of rateChanges(method)) {
      const varied = change(base);
      if (varied === null) continue;
      yield probeOf(varied);
      const shown = this.#shown(varied, method);
      if (shown !== varied) yield probeOf(shown);
    }
    for (const rule of rules) if (!changed.includes(rule)) yield* this.#ofRule(rule, method, base);
  }

  /** Carts that meet all of its conditions, and those around each bound and alternative of each condition. */
  *#ofRule(rule: Rule, method: ShippingMethod, base: DraftCart): Generator<Probe> {
    const met = this.#meeting(base, rule);
    yield probeOf(met);
    const shown = rule.action === 'hide' ? met : this.#shown(met, method, rule);
    if (shown !== met) yield probeOf(shown);
    for (const condition of rule.conditions) {
      for (const change of valuesAround(condition, this.#probeShop)) {
        const varied = change(shown);
        if (varied !== null) yield probeOf(varied);
      }
    }
  }

  /** The cart with a value that meets each condition. */
  #meeting(draft: DraftCart, { conditions }: Rule): DraftCart {
    let met = draft;
    for (const condition of conditions) {
      const [first] = valuesOf(condition, this.#probeShop).meeting;
      met = first?.(met) ?? met;
    }
    return met;
  }

  /**
   * A cart like this one in which the method is offered, if possible at a price; the last one tried if none is found.
   * `kept` stays met.
   */
  #shown(draft: DraftCart, method: ShippingMethod, kept?: Rule): DraftCart {
    let tried = draft;
    let offered: DraftCart | null = null;
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      const { request, nowMs } = probeOf(tried);
      const found = evaluateCart(this.#shop, request, nowMs, 'rates')?.methods.find(
        ({ method: { methodId } }) => methodId === method.id,
      );
      if (found === undefined || (found.reason === null && found.priceCents > 0)) return tried;
      if (found.reason === null) offered ??= tried;
      const matched = found.outcome.matched.map(({ record }) => record).filter((rule) => rule !== kept);
      const next = this.#otherwise(tried, method, matched, attempt);
      if (next === tried) break;
      tried = kept === undefined ? next : this.#meeting(next, kept);
    }
    return offered ?? draft;
  }

  /**
   * Changes what keeps the method from being offered at a price: a rule that matched, show rules that did not, the
   * threshold, the tiers.
   */
  #otherwise(draft: DraftCart, method: ShippingMethod, matched: readonly Rule[], attempt: number): DraftCart {
    const hiding = matched.find(({ action }) => action === 'hide');
    const shows = method.rules.filter(({ enabled, action }) => enabled && action === 'show');
    const isShown = shows.length === 0 || matched.some(({ action }) => action === 'show');
    const freeing = matched.filter(({ action }) => action === 'free' || action === 'adjust_subtract');
    const rule = hiding ?? (isShown ? freeing[attempt % freeing.length] : undefined);
    const ways = rule?.conditions.flatMap((each) => valuesOf(each, this.#probeShop).missing) ?? [];
    const show = isShown || hiding !== undefined ? undefined : shows[attempt % shows.length];
    if (show !== undefined) return this.#meeting(draft, show);
    const changes = hiding === undefined ? [...belowThreshold(method), ...rateChanges(method)] : [];
    const all = [...ways, ...changes];
    return all[attempt % all.length]?.(draft) ?? draft;
  }

  /** Carts of several groups, and those around its threshold. */
  *#ofBlend(blended: BlendedRate): Generator<Probe> {
    const destination = this.#destinationIn(blended.zoneId);
    if (destination === null) return;
    const keys = this.#productsSoldIn(this.#placesOf(blended.zoneId));
    const [first, ...others] = keys;
    if (first === undefined) return;
    const pairs = others.map((other) => [first, other]);
    for (const [main, ...rest] of [keys, ...pairs]) {
      if (main === undefined) continue;
      const draft = { ...this.#to(destination, main), others: rest.map(plainItem) };
      yield probeOf(draft);
      const { freeShippingThreshold, thresholdBasis = 'cart_total' } = blended;
      if (freeShippingThreshold === null) continue;
      for (const value of [freeShippingThreshold - 1, freeShippingThreshold]) {
        const varied = setNumber(thresholdBasis, 'any_product_in_order', value)(draft);
        if (varied !== null) yield probeOf(varied);
      }
    }
  }

  /** A product of each group that has a method in one of the places. */
  #productsSoldIn(placeIds: readonly string[]): readonly ProductKey[] {
    const places = new Set(placeIds);
    const groupIds = this.#config.methods
      .filter(({ zoneId, enabled }) => enabled && places.has(zoneId))
      .map(({ productGroupId }) => productGroupId);
    return [...new Set(groupIds)].slice(0, MIXED_GROUPS_MAX).flatMap((id) => this.#productOf(id) ?? []);
  }

  /** The zone of a place, and its subzones. */
  #placesOf(placeId: string): readonly string[] {
    const zone = this.#config.zones.find(
      ({ id, subzones }) => id === placeId || subzones.some((subzone) => subzone.id === placeId),
    );
    return zone === undefined ? [] : [zone.id, ...zone.subzones.map(({ id }) => id)];
  }

  #productOf(groupId: string): ProductKey | null {
    const group = this.#groups.get(groupId);
    return (group === undefined ? undefined : productsIn(group)[0]) ?? null;
  }

  #destinationIn(placeId: string): Destination | null {
    const known = this.#destinations.get(placeId);
    if (known !== undefined) return known;
    const found = this.#findDestination(placeId);
    this.#destinations.set(placeId, found);
    return found;
  }

  #findDestination(placeId: string): Destination | null {
    for (const zone of this.#config.zones) {
      const subzone = zone.subzones.find(({ id }) => id === placeId);
      if (subzone === undefined && zone.id !== placeId) continue;
      const countries = zone.countries.flatMap((country) =>
        country === ANY_COUNTRY ? this.#unlisted : [country],
      );
      const patterns = subzone === undefined ? [] : splitPostalPatterns(subzone.postalCodes).slice(0, 20);
      for (const country of countries.slice(0, 20)) {
        const codes = patterns.flatMap((pattern) => postalExamples(postalFormOf(country), pattern));
        const destinations =
          subzone === undefined ? [{ country }] : codes.map((postalCode) => ({ country, postalCode }));
        const inside = destinations.find((destination) => {
          const place = this.#shop.placeOf(destination);
          return place?.zone.records.zone.id === zone.id && place.plan.subzoneId === (subzone?.id ?? '');
        });
        if (inside !== undefined) return inside;
      }
    }
    return null;
  }
}

/** The products that a group lists; any product for the default group. */
function productsIn(group: ProductGroup): readonly ProductKey[] {
  const start = (text: string): string => text.replace(/\*$/, 'x');
  const listed: ProductKey[] = [
    ...group.variantIds.map((variantId) => ({ variantId })),
    ...group.productIds.map((productId) => ({ productId })),
    ...group.skus.map((sku) => ({ sku: start(sku) })),
    ...group.tags.map((tag) => ({ tag })),
    ...group.vendors.map((vendor) => ({ vendor })),
  ];
  return group.isDefault ? [{}, ...listed] : listed;
}

/** One element of each generator in turn until all have ended. */
export function* inTurns<T>(generators: readonly Generator<T>[]): Generator<T> {
  let open = [...generators];
  while (open.length > 0) {
    const still: Generator<T>[] = [];
    for (const generator of open) {
      const { done, value } = generator.next();
      if (done) continue;
      still.push(generator);
      yield value;
    }
    open = still;
  }
}
