/**
 * Probe carts: carts made from a configuration's own values, on which two configurations are compared (contract
 * section 12.7). Around one small cart for each place and product group, one thing at a time is varied: bounds of numbers,
 * tiers and thresholds, alternatives of texts, tags, times and postal patterns; each rule has carts that meet all of its
 * conditions. The evaluator is the judge: it finds the cart in which a method is offered.
 *
 * Probes come in turns from all records, so that a list that is cut still has some of each. Records that differ from those
 * of another configuration come first.
 */

import { groupedBy } from '../../base/runtime/map-entries.ts';
import type { BlendedRate } from '../domain/blended-rate.ts';
import type { Destination } from '../domain/cart.ts';
import { splitPostalPatterns } from '../domain/postal-code.ts';
import type { ProductGroup } from '../domain/product-group.ts';
import type { Rule } from '../domain/rule.ts';
import type { ShippingMethod } from '../domain/shipping-method.ts';
import type { ShopConfig } from '../domain/shop-config.ts';
import type { Zone } from '../domain/zone.ts';
import type { CartFinder } from './cart-finder.ts';
import { valuesAround } from './condition-values.ts';
import {
  type DraftCart,
  type Probe,
  type ProductKey,
  plainItem,
  probeOf,
  sentTo,
  setNumber,
} from './draft-cart.ts';
import { listedProducts } from './group-keys.ts';
import { postalBounds } from './postal-examples.ts';
import { rateChanges } from './rate-values.ts';

/** Patterns of an unchanged subzone, products of an unchanged group, countries of an unchanged zone that get a probe. */
const SAMPLES = 3;
/** Methods of a changed zone or group that get a cart in each of its places, or with each of its products. */
const OFFERS_MAX = 20;
/** Groups of one mixed cart. */
const MIXED_GROUPS_MAX = 8;

/** `isChanged`: whether a record differs from those of the configuration that is compared. */
export interface ProbeFocus {
  readonly isChanged: (record: { readonly id: string }) => boolean;
  /** Postal patterns of the other configuration, by id of the subzone. */
  readonly patternsOf: (subzoneId: string) => ReadonlySet<string>;
}

/** For probes of one configuration by itself. */
const UNCHANGED: ProbeFocus = { isChanged: () => false, patternsOf: () => new Set() };

export class ProbeCarts {
  readonly #config: ShopConfig;
  readonly #finder: CartFinder;
  readonly #focus: ProbeFocus;
  /** By id of the zone or subzone, and of the group. */
  readonly #methodsAt: ReadonlyMap<string, readonly ShippingMethod[]>;
  readonly #methodsOfGroup: ReadonlyMap<string, readonly ShippingMethod[]>;

  constructor(config: ShopConfig, finder: CartFinder, focus = UNCHANGED) {
    this.#config = config;
    this.#finder = finder;
    this.#focus = focus;
    this.#methodsAt = groupedBy(config.methods, ({ zoneId }) => zoneId);
    this.#methodsOfGroup = groupedBy(config.methods, ({ productGroupId }) => productGroupId);
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

  /** Plain carts to each of its countries, subzones and postal patterns. */
  *#ofZone(zone: Zone): Generator<Probe> {
    const placeIds = this.#placesOf(zone.id);
    const keys = this.#productsSoldIn(placeIds);
    const isChanged = this.#focus.isChanged(zone);
    const countries = this.#finder.countriesOf(zone);
    const destinations: Destination[] = countries
      .slice(0, isChanged ? countries.length : SAMPLES)
      .map((country) => ({ country }));
    for (const subzone of zone.subzones) {
      const known = this.#focus.patternsOf(subzone.id);
      const patterns = splitPostalPatterns(subzone.postalCodes);
      const changed = patterns.filter((pattern) => !known.has(pattern));
      const chosen = [...changed, ...patterns.slice(0, SAMPLES)];
      for (const country of countries.slice(0, SAMPLES)) {
        const codes = chosen.flatMap((pattern) => postalBounds(country, pattern));
        destinations.push(...codes.map((postalCode) => ({ country, postalCode })));
      }
    }
    const offers = isChanged ? this.#offersOf(placeIds.flatMap((id) => this.#methodsAt.get(id) ?? [])) : [];
    for (const destination of destinations) {
      for (const key of keys) yield probeOf(this.#finder.to(destination, key));
      for (const offer of offers) yield probeOf(sentTo(offer, destination));
    }
    const [destination] = destinations;
    const [main, ...others] = keys;
    if (destination === undefined || main === undefined || others.length === 0) return;
    yield probeOf({ ...this.#finder.to(destination, main), others: others.map(plainItem) });
  }

  /** A plain cart with each product that the group lists. */
  *#ofGroup(group: ProductGroup): Generator<Probe> {
    const zoneIds = (this.#methodsOfGroup.get(group.id) ?? []).map(({ zoneId }) => zoneId);
    const others = this.#config.zones.slice(0, SAMPLES).map(({ id }) => id);
    const places = [...new Set([...zoneIds, ...others])].slice(0, SAMPLES);
    const keys = [...listedProducts(group)];
    const isChanged = this.#focus.isChanged(group);
    const chosen = isChanged ? keys : keys.slice(0, SAMPLES);
    const offers = isChanged ? this.#offersOf(this.#methodsOfGroup.get(group.id) ?? []) : [];
    for (const offer of offers) for (const key of chosen) yield probeOf({ ...offer, key });
    for (const place of places) {
      const destination = this.#finder.destinationIn(place);
      if (destination !== null) for (const key of chosen) yield probeOf(this.#finder.to(destination, key));
    }
  }

  *#ofMethod(method: ShippingMethod): Generator<Probe> {
    const base = this.#finder.offering(method);
    if (base === null) return;
    yield probeOf(base);
    const rules = method.rules.filter(({ enabled }) => enabled);
    const { isChanged } = this.#focus;
    const changed = rules.filter(isChanged);
    for (const rule of changed) yield* this.#ofRule(rule, method, base);
    for (const change of rateChanges(method)) {
      const varied = change(base);
      if (varied === null) continue;
      yield probeOf(varied);
      const shown = this.#finder.shown(varied, method);
      if (shown !== varied) yield probeOf(shown);
    }
    for (const rule of rules) if (!changed.includes(rule)) yield* this.#ofRule(rule, method, base);
  }

  /** Carts that meet all of its conditions, and those around each bound and alternative of each condition. */
  *#ofRule(rule: Rule, method: ShippingMethod, base: DraftCart): Generator<Probe> {
    const met = this.#finder.meeting(base, method, rule);
    yield probeOf(met);
    const shown = rule.action === 'hide' ? met : this.#finder.shown(met, method, rule);
    if (shown !== met) yield probeOf(shown);
    for (const condition of rule.conditions) {
      for (const change of valuesAround(condition, this.#finder.probeShop)) {
        const varied = change(shown);
        if (varied !== null) yield probeOf(varied);
      }
    }
  }

  /** Carts of several groups, and those around its threshold. */
  *#ofBlend(blended: BlendedRate): Generator<Probe> {
    const destination = this.#finder.destinationIn(blended.zoneId);
    if (destination === null) return;
    const keys = this.#productsSoldIn(this.#placesOf(blended.zoneId));
    const [first, ...others] = keys;
    if (first === undefined) return;
    const pairs = others.map((other) => [first, other]);
    for (const [main, ...rest] of [keys, ...pairs]) {
      if (main === undefined) continue;
      const draft = { ...this.#finder.to(destination, main), others: rest.map(plainItem) };
      yield probeOf(draft);
      const shown = this.#withAllShown(draft, blended);
      if (shown !== draft) yield probeOf(shown);
      const { freeShippingThreshold, thresholdBasis = 'cart_total' } = blended;
      if (freeShippingThreshold === null) continue;
      for (const value of [freeShippingThreshold - 1, freeShippingThreshold]) {
        const varied = setNumber(thresholdBasis, 'any_product_in_order', value)(draft);
        if (varied !== null) yield probeOf(varied);
      }
    }
  }

  /** For each enabled method a cart in which it is offered. */
  #offersOf(methods: readonly ShippingMethod[]): readonly DraftCart[] {
    const enabled = methods.filter((method) => method.enabled).slice(0, OFFERS_MAX);
    return enabled.flatMap((method) => this.#finder.offering(method) ?? []);
  }

  /** The cart changed until the methods that the blended rate prefers are offered, one after the other. */
  #withAllShown(draft: DraftCart, { preferences, zoneId }: BlendedRate): DraftCart {
    const places = new Set(this.#placesOf(zoneId));
    let shown = draft;
    for (const { productGroupId, preferredMethodId } of preferences.slice(0, MIXED_GROUPS_MAX)) {
      const method = (this.#methodsOfGroup.get(productGroupId) ?? []).find(
        ({ id, enabled, zoneId: place }) =>
          enabled && (preferredMethodId === null ? places.has(place) : id === preferredMethodId),
      );
      if (method !== undefined) shown = this.#finder.shown(shown, method);
    }
    return shown;
  }

  /** A product of each group that has a method in one of the places. */
  #productsSoldIn(placeIds: readonly string[]): readonly ProductKey[] {
    const groupIds = placeIds
      .flatMap((id) => this.#methodsAt.get(id) ?? [])
      .flatMap(({ enabled, productGroupId }) => (enabled ? [productGroupId] : []));
    return [...new Set(groupIds)]
      .slice(0, MIXED_GROUPS_MAX)
      .flatMap((id) => this.#finder.productOf(id) ?? []);
  }

  /** The zone of a place, and its subzones. */
  #placesOf(placeId: string): readonly string[] {
    const zone = this.#finder.places.get(placeId)?.zone;
    return zone === undefined ? [] : [zone.id, ...zone.subzones.map(({ id }) => id)];
  }
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
