/**
 * Cart finder: searches carts in which a method is offered or a rule matches, by changing one value after the other and asking
 * the evaluator. Best effort: what is found is true, what is not found may exist.
 *
 * Bounds: TRIES_MAX rules evaluated for one finder.
 */

import { taken, valueAt } from '../../base/runtime/map-entries.ts';
import type { CompiledShop } from '../compile/compiled-shop.ts';
import type { Destination } from '../domain/cart.ts';
import type { Condition } from '../domain/condition.ts';
import { splitPostalPatterns } from '../domain/postal-code.ts';
import type { Rule } from '../domain/rule.ts';
import type { ShippingMethod } from '../domain/shipping-method.ts';
import { ANY_COUNTRY, type Subzone, type Zone } from '../domain/zone.ts';
import { valuesOf, waysToMeet } from './condition-values.ts';
import {
  type Change,
  type DraftCart,
  draftTo,
  type ProbeShop,
  type ProductKey,
  plainItem,
  probeOf,
} from './draft-cart.ts';
import { type GroupKeys, groupKeysOf, listedProducts } from './group-keys.ts';
import { tryMethod } from './method-trial.ts';
import { postalExamples } from './postal-examples.ts';
import { belowThreshold, rateChanges } from './rate-values.ts';

/** Countries for a zone of all that no other zone lists. */
const OTHER_COUNTRIES = ['US', 'DE', 'GB', 'FR', 'CA', 'JP', 'AU', 'BR', 'IN', 'ZA', 'CH', 'NO', 'NZ', 'MX'];
/** Attempts to find a cart in which a method is offered. */
const ATTEMPTS_MAX = 8;
/** Carts that are tried to meet one condition more of a rule, and conditions that are met one after the other. */
const WAYS_MAX = 200;
const ROUNDS_MAX = 12;
/** Rules evaluated to find the carts of one configuration; with more, later carts are the plain ones. */
const TRIES_MAX = 500_000;
/** Patterns and countries of a place that are tried for a destination. */
const PLACES_MAX = 20;

export class CartFinder {
  readonly #shop: CompiledShop;
  readonly #nowMs: number;
  /** What changes of carts need to know of the shop. */
  readonly probeShop: ProbeShop;
  /** Products of each group, by its id. */
  readonly groups: ReadonlyMap<string, GroupKeys>;
  /** By id of a zone or subzone. */
  readonly places: ReadonlyMap<string, { readonly zone: Zone; readonly subzone?: Subzone }>;
  /** Countries that no zone lists. */
  readonly #unlisted: readonly string[];
  /** Method and place -> the cart that `offering` found. */
  readonly #offers = new Map<string, DraftCart | null>();
  /** Id of a zone or subzone -> a destination in it. */
  readonly #destinations = new Map<string, Destination | null>();
  #triesLeft = TRIES_MAX;

  /** `nowMs` is the clock of carts whose time is not varied. */
  constructor(shop: CompiledShop, nowMs: number) {
    const { zones, productGroups } = shop.config;
    this.#shop = shop;
    this.#nowMs = nowMs;
    this.groups = new Map(groupKeysOf(shop).map((keys) => [keys.group.id, keys]));
    this.places = new Map(
      zones.flatMap((zone) => [
        [zone.id, { zone }] as const,
        ...zone.subzones.map((subzone) => [subzone.id, { zone, subzone }] as const),
      ]),
    );
    const listed = new Set(zones.flatMap(({ countries }) => countries));
    this.#unlisted = OTHER_COUNTRIES.filter((country) => !listed.has(country));
    this.probeShop = {
      calendar: shop.calendar,
      destinationIn: (subzoneId) => this.destinationIn(subzoneId),
      productOf: (groupId) => this.productOf(groupId),
      groupIds: productGroups.map(({ id }) => id),
      countries: [...listed].filter((country) => country !== ANY_COUNTRY),
    };
  }

  /** True when carts were searched as long as they may be; those found later are the plain ones. */
  get isSpent(): boolean {
    return this.#triesLeft <= 0;
  }

  /** The countries of a zone; for `*` some that no zone lists. */
  countriesOf({ countries }: { readonly countries: readonly string[] }): readonly string[] {
    return countries.flatMap((country) => (country === ANY_COUNTRY ? this.#unlisted : [country]));
  }

  /** A plain cart. */
  to(destination: Destination, key: ProductKey): DraftCart {
    return draftTo(destination, key, this.#nowMs);
  }

  /**
   * The cart changed until it meets all conditions of the rule, by the evaluator; one that meets as many as were reached, if
   * it never does.
   */
  meeting(draft: DraftCart, method: ShippingMethod, rule: Rule): DraftCart {
    const unmetIn = (each: DraftCart) => {
      this.#triesLeft -= 1 + method.rules.length;
      return tryMethod(this.#shop, probeOf(each), method)?.unmet.get(rule) ?? null;
    };
    const missing = unmetIn(draft) ?? rule.conditions;
    let met = draft;
    for (const condition of missing) {
      const [first] = valuesOf(condition, this.probeShop).meeting;
      met = first?.(met) ?? met;
    }
    let unmet = unmetIn(met);
    if (unmet === null) [met, unmet] = [draft, missing];
    for (let round = 0; round < ROUNDS_MAX && unmet.length > 0 && this.#triesLeft > 0; round++) {
      const better = this.#better(met, unmet, method, rule, unmetIn);
      if (better === null) break;
      met = better;
      unmet = unmetIn(met) ?? unmet;
    }
    return met;
  }

  /** A cart with fewer conditions unmet, else one with others unmet; null when none is found. */
  #better(
    draft: DraftCart,
    unmet: readonly Condition[],
    { productGroupId }: ShippingMethod,
    rule: Rule,
    unmetIn: (draft: DraftCart) => readonly Condition[] | null,
  ): DraftCart | null {
    const keys = (this.groups.get(productGroupId)?.keys ?? []).map(
      (key): Change =>
        (each) => ({ ...each, key }),
    );
    let other: DraftCart | null = null;
    for (const condition of unmet) {
      const ways = taken(waysToMeet(condition, rule, this.probeShop), WAYS_MAX);
      for (const change of [...ways, ...keys]) {
        const varied = change(draft);
        const left = varied === null ? null : unmetIn(varied);
        if (left === null || left.length > unmet.length) continue;
        if (left.length < unmet.length) return varied;
        if (!left.includes(condition)) other ??= varied;
      }
    }
    return other;
  }

  /**
   * A cart in which the method is offered, if possible at a price, at its own place or at `placeId`; null without an item or a
   * postal code for it.
   */
  offering(method: ShippingMethod, placeId = method.zoneId): DraftCart | null {
    return valueAt(this.#offers, `${method.id} ${placeId}`, () => this.#findOffering(method, placeId));
  }

  #findOffering(method: ShippingMethod, placeId: string): DraftCart | null {
    const destination = this.destinationIn(placeId);
    const key = this.productOf(method.productGroupId);
    if (destination === null || key === null) return null;
    return this.shown(this.to(destination, key), method);
  }

  /** As `offering`, changed until a second method is offered too, if one is found. */
  offeringBoth(method: ShippingMethod, another: ShippingMethod): DraftCart | null {
    const base = this.offering(method);
    return base && this.shown(base, another);
  }

  /** A cart that meets the conditions of the rule, if one is found; null without items or a postal code for the method. */
  matching(method: ShippingMethod, rule: Rule): DraftCart | null {
    const base = this.offering(method);
    return base && this.meeting(base, method, rule);
  }

  /** A cart to the place with a plain item of each group; null without an item of one of them or a postal code. */
  mixed(placeId: string, groupIds: readonly string[]): DraftCart | null {
    const destination = this.destinationIn(placeId);
    const keys = groupIds.flatMap((id) => this.productOf(id) ?? []);
    const [main, ...others] = keys;
    if (destination === null || main === undefined || keys.length < groupIds.length) return null;
    return { ...this.to(destination, main), others: others.map(plainItem) };
  }

  /**
   * A cart like this one in which the method is offered, if possible at a price; the last one tried if none is found.
   * `kept` stays met.
   */
  shown(draft: DraftCart, method: ShippingMethod, kept?: Rule): DraftCart {
    let tried = draft;
    /** The last cart for which the method was considered, and the rules that matched it. */
    let [last, matched]: [DraftCart, readonly Rule[] | null] = [draft, null];
    let offered: DraftCart | null = null;
    for (let attempt = 0; attempt < ATTEMPTS_MAX && this.#triesLeft > 0; attempt++) {
      this.#triesLeft -= 1 + method.rules.length;
      const found = tryMethod(this.#shop, probeOf(tried), method);
      if (found !== null) {
        if (found.reason === null && found.priceCents > 0) return tried;
        if (found.reason === null) offered ??= tried;
        last = tried;
        matched = [...found.unmet].flatMap(([rule, unmet]) =>
          unmet.length === 0 && rule !== kept ? [rule] : [],
        );
      }
      if (matched === null) break;
      const next = this.#otherwise(last, method, matched, attempt);
      tried = kept === undefined ? next : this.meeting(next, method, kept);
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
    const ways = rule?.conditions.flatMap((each) => valuesOf(each, this.probeShop).missing) ?? [];
    const show = isShown || hiding !== undefined ? undefined : shows[attempt % shows.length];
    if (show !== undefined) return this.meeting(draft, method, show);
    const changes = hiding === undefined ? [...belowThreshold(method), ...rateChanges(method)] : [];
    const all = [...ways, ...changes];
    return all[attempt % all.length]?.(draft) ?? draft;
  }

  productOf(groupId: string): ProductKey | null {
    const known = this.groups.get(groupId);
    if (known === undefined) return null;
    return known.keys[0] ?? taken(listedProducts(known.group), 1)[0] ?? null;
  }

  /** A destination in a zone outside of its subzones, or in a subzone; null when none is found. */
  destinationIn(placeId: string): Destination | null {
    const known = this.#destinations.get(placeId);
    if (known !== undefined) return known;
    const found = this.#findDestination(placeId);
    this.#destinations.set(placeId, found);
    return found;
  }

  #findDestination(placeId: string): Destination | null {
    const place = this.places.get(placeId);
    if (place === undefined) return null;
    const { zone, subzone } = place;
    const patterns = splitPostalPatterns(subzone?.postalCodes ?? '').slice(0, PLACES_MAX);
    for (const country of this.countriesOf(zone).slice(0, PLACES_MAX)) {
      const codes = patterns.flatMap((pattern) => postalExamples(country, pattern));
      const destinations =
        subzone === undefined ? [{ country }] : codes.map((postalCode) => ({ country, postalCode }));
      const inside = destinations.find((destination) => {
        const found = this.#shop.placeOf(destination);
        return found?.zone.records.zone.id === zone.id && found.plan.subzoneId === (subzone?.id ?? '');
      });
      if (inside !== undefined) return inside;
    }
    return null;
  }
}
