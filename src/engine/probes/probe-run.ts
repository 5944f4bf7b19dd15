/**
 * What the evaluator showed of a configuration for its probe carts and the carts that are given: which methods were offered,
 * which rules matched, which rates one answer offered under the same service code.
 *
 * Bounds: PROBES_MAX carts of either kind, WORK_MAX methods and rules evaluated for them, RULES_MAX rules for which a cart of
 * their own is searched when no other matched them. A rule or a method without a cart of its own is not among what is shown.
 */

import { valueAt } from '../../base/runtime/map-entries.ts';
import type { CompiledShop } from '../compile/compiled-shop.ts';
import type { BlendedRate } from '../domain/blended-rate.ts';
import type { Rule } from '../domain/rule.ts';
import type { ShippingMethod } from '../domain/shipping-method.ts';
import { recordsInForce } from '../domain/zone.ts';
import { type CartEvaluation, evaluateCart } from '../evaluate/evaluate.ts';
import type { CartFinder } from './cart-finder.ts';
import { type Probe, probeOf } from './draft-cart.ts';
import { tryMethod } from './method-trial.ts';
import { ProbeCarts } from './probe-carts.ts';

/** Probe carts of one configuration, or of one comparison of two. */
export const PROBES_MAX = 2_000;
/** Methods and rules that may be evaluated for all of them together. */
export const WORK_MAX = 400_000;
/** Rules that get a cart of their own, and pairs of methods with one service code. */
const RULES_MAX = 2_000;
const PAIRS_MAX = 500;

interface MethodShown {
  /** Carts for which the method was considered. */
  carts: number;
  /** A cart that was offered the method, and one that was not. */
  offered: Probe | null;
  missed: Probe | null;
}

interface RuleShown {
  matched: Probe | null;
  /** True when a cart of its own was searched. */
  isTried: boolean;
}

/** Two rates with one service code in one answer. */
interface SharedCode {
  readonly kind: 'method' | 'blendedRate';
  readonly earlier: ShippingMethod | BlendedRate;
  readonly later: ShippingMethod | BlendedRate;
  readonly probe: Probe;
}

/** How many methods and rules were evaluated. */
export const workOf = ({ methods }: CartEvaluation): number =>
  methods.reduce((sum, { method }) => sum + 1 + method.rules.length, 1);

export class ProbeRun {
  readonly #shop: CompiledShop;
  readonly #methods = new Map<ShippingMethod, MethodShown>();
  readonly #rules = new Map<Rule, RuleShown>();
  /** By id of the later record. */
  readonly #sharedCodes = new Map<string, SharedCode>();
  #work = 0;

  constructor(shop: CompiledShop, finder: CartFinder, given: Iterable<Probe>) {
    this.#shop = shop;
    // The given carts come last, so that the small ones are shown, and have a budget of their own.
    for (const list of [new ProbeCarts(shop.config, finder).all(), given]) {
      this.#work = 0;
      let probes = 0;
      for (const probe of list) {
        if (probes++ === PROBES_MAX || this.#work >= WORK_MAX) break;
        this.#evaluate(probe);
      }
    }
    this.#searchRules(finder);
    this.#searchSharedCodes(finder);
  }

  /** What was shown of a method; undefined for one that was considered for no cart. */
  method(method: ShippingMethod): Readonly<MethodShown> | undefined {
    return this.#methods.get(method);
  }

  /** What was shown of a rule; undefined for one that matched no cart and had no cart of its own. */
  rule(rule: Rule): Readonly<RuleShown> | undefined {
    return this.#rules.get(rule);
  }

  get sharedCodes(): readonly SharedCode[] {
    return [...this.#sharedCodes.values()];
  }

  #evaluate(probe: Probe): void {
    const evaluation = evaluateCart(this.#shop, probe.request, probe.nowMs, 'rates');
    if (evaluation === null) return;
    this.#work += workOf(evaluation);
    for (const { method, reason, outcome } of evaluation.methods) {
      const shown = valueAt(this.#methods, method.record, () => ({ carts: 0, offered: null, missed: null }));
      shown.carts++;
      if (reason === null) shown.offered ??= probe;
      else shown.missed ??= probe;
      for (const { record } of outcome.matched) this.#ruleShown(record).matched ??= probe;
    }
    this.#findSharedCodes(evaluation, probe);
  }

  #ruleShown(rule: Rule): RuleShown {
    return valueAt(this.#rules, rule, () => ({ matched: null, isTried: false }));
  }

  #findSharedCodes({ zone, plan, methods, blends }: CartEvaluation, probe: Probe): void {
    if (zone === null || plan === null) return;
    const { zone: place, blendedRates } = zone.records;
    const boundTo = (id: string) => blendedRates.filter(({ enabled, zoneId }) => enabled && zoneId === id);
    const inForce = blends.length > 0 ? recordsInForce(boundTo(plan.subzoneId), boundTo(place.id)) : [];
    const kind = blends.length > 0 ? 'blendedRate' : 'method';
    const offered =
      blends.length > 0
        ? inForce.filter((_, index) => blends[index]?.reason === null)
        : methods.filter(({ reason }) => reason === null).map(({ method }) => method.record);
    const first = new Map<string, ShippingMethod | BlendedRate>();
    for (const later of offered) {
      const earlier = valueAt(first, later.serviceCode, () => later);
      if (earlier === later || this.#sharedCodes.has(later.id)) continue;
      this.#sharedCodes.set(later.id, { kind, earlier, later, probe });
    }
  }

  /** Searches a cart that is offered both of two methods of one place, group and service code. */
  #searchSharedCodes(finder: CartFinder): void {
    let left = PAIRS_MAX;
    const first = new Map<string, ShippingMethod>();
    for (const method of this.#shop.config.methods) {
      const { id, enabled, zoneId, productGroupId, serviceCode } = method;
      if (!enabled) continue;
      const earlier = valueAt(first, JSON.stringify([zoneId, productGroupId, serviceCode]), () => method);
      if (earlier === method || this.#sharedCodes.has(id) || left-- <= 0 || this.#work >= WORK_MAX) continue;
      const draft = finder.offeringBoth(earlier, method);
      if (draft !== null) this.#evaluate(probeOf(draft));
    }
  }

  /** Searches a cart for each rule of considered methods that matched none. */
  #searchRules(finder: CartFinder): void {
    let left = RULES_MAX;
    for (const method of this.#shop.config.methods) {
      if (!this.#methods.has(method)) continue;
      for (const rule of method.rules) {
        if (!rule.enabled || this.#rules.get(rule)?.matched || left-- <= 0) continue;
        const draft = finder.matching(method, rule);
        if (draft === null || finder.isSpent) continue;
        const probe = probeOf(draft);
        for (const [tried, unmet] of tryMethod(this.#shop, probe, method)?.unmet ?? []) {
          if (unmet.length === 0) this.#ruleShown(tried).matched ??= probe;
        }
        this.#ruleShown(rule).isTried = true;
      }
    }
  }
}
