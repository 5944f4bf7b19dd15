/**
 * Shop facts: what the findings of one configuration share. Disabled methods, rules and blended rates are
 * drafts: they are not looked at. What follows for a method is worked out once, when it is first asked for.
 */
import { type CompiledShop, type CompileSettings, compileShop } from '../compile/compiled-shop.ts';
import type { Rule } from '../domain/rule.ts';
import type { ShippingMethod } from '../domain/shipping-method.ts';
import type { ShopConfig } from '../domain/shop-config.ts';
import { GroupMap } from './group-map.ts';
import type { PlaceIndex } from './places.ts';
import { neverHasRate } from './rate-steps.ts';
import { type Requirement, RequirementTable } from './requirement.ts';
import { type MethodPlace, RequirementLogic } from './requirement-logic.ts';
import type { RuleFacts } from './rule-facts.ts';
import { findShadow, type Implications } from './shadow.ts';
import { WitnessMaker } from './witness-maker.ts';
import { OUTSIDE_SUBZONES, ZoneMap } from './zone-map.ts';

export interface LintSettings extends CompileSettings {
  /** The operator's limit on items of one request: no witness has more. */
  readonly itemsMax: number;
}

/** Why no request ever gets to see a method. */
export type Invisibility =
  | { readonly kind: 'hidden'; readonly by: Rule }
  | { readonly kind: 'not_shown' | 'no_rate' };

export interface MethodFacts {
  readonly method: ShippingMethod;
  readonly at: MethodPlace;
  /** The enabled rules in position order. */
  readonly rules: readonly RuleFacts[];
  /** Rule id -> a hide rule that matches whenever it does. */
  readonly shadows: ReadonlyMap<string, Rule>;
  /** null when it may be visible. */
  readonly invisibility: Invisibility | null;
}

/** Questions whether one rule implies another that a report may ask. Measured: 4 to 7 s of processor time. */
const IMPLICATIONS_MAX = 1_000_000;

export class ShopFacts {
  readonly config: ShopConfig;
  readonly compiled: CompiledShop;
  readonly zones: ZoneMap;
  readonly groups: GroupMap;
  readonly table = new RequirementTable();
  readonly logic: RequirementLogic;
  readonly witnesses: WitnessMaker;
  readonly #implications: Implications;
  readonly #places = new Map<string, MethodPlace>();
  readonly #methods = new Map<string, MethodFacts | null>();
  readonly #methodById: ReadonlyMap<string, ShippingMethod>;
  readonly #visible = new Map<string, ReadonlyMap<string, ReadonlySet<string>>>();
  /** `zoneId groupId` -> the subzones of the zone that have enabled methods for the group. */
  readonly #replacing = new Map<string, Set<PlaceIndex>>();

  constructor(config: ShopConfig, settings: LintSettings, previous?: CompiledShop) {
    this.config = config;
    this.compiled = compileShop(config, settings, previous);
    this.zones = new ZoneMap(config);
    this.groups = new GroupMap(this.compiled);
    this.logic = new RequirementLogic(this.groups);
    this.witnesses = new WitnessMaker(this.compiled, this.groups, settings.itemsMax);
    this.#implications = { logic: this.logic, left: IMPLICATIONS_MAX };
    this.#methodById = new Map(config.methods.map((method) => [method.id, method]));
    for (const { enabled, zoneId, productGroupId } of config.methods) {
      const binding = this.zones.binding(zoneId);
      if (!enabled || binding === undefined || binding.place === OUTSIDE_SUBZONES) continue;
      const key = `${binding.zone.zone.id} ${productGroupId}`;
      const places = this.#replacing.get(key) ?? new Set();
      this.#replacing.set(key, places.add(binding.place));
    }
  }

  methodById(id: string): ShippingMethod | undefined {
    return this.#methodById.get(id);
  }

  /**
   * Group id -> those of the enabled methods bound to this zone or subzone that may be visible; every group
   * with such a method is there, if only with none that may.
   */
  visibleMethods(zoneId: string): ReadonlyMap<string, ReadonlySet<string>> {
    const known = this.#visible.get(zoneId);
    if (known !== undefined) return known;
    const visible = new Map<string, Set<string>>();
    for (const method of this.zones.methodsBoundTo(zoneId)) {
      const ids = visible.get(method.productGroupId) ?? new Set();
      visible.set(method.productGroupId, ids);
      if (this.method(method)?.invisibility === null) ids.add(method.id);
    }
    this.#visible.set(zoneId, visible);
    return visible;
  }

  /** Where a method bound to this zone or subzone is in force for a group. */
  placeOf(zoneId: string, groupId: string): MethodPlace | null {
    const key = `${zoneId} ${groupId}`;
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    const binding = this.zones.binding(zoneId);
    const group = this.groups.indexOf(groupId);
    if (binding === undefined || group < 0) return null;
    const places = this.zones.placesOf(binding, this.#replacing.get(`${binding.zone.zone.id} ${groupId}`));
    const place = { zone: binding.zone, places, group, decisions: new Map<string, boolean>() };
    this.#places.set(key, place);
    return place;
  }

  /** null for a method that no request is ever held against: disabled, or its place or group unreachable. */
  method(method: ShippingMethod): MethodFacts | null {
    let facts = this.#methods.get(method.id);
    if (facts === undefined) {
      facts = this.#factsOf(method);
      this.#methods.set(method.id, facts);
    }
    return facts;
  }

  /** Every method of which there are facts, in position order. */
  methods(): readonly MethodFacts[] {
    return this.config.methods.flatMap((method) => this.method(method) ?? []);
  }

  #factsOf(method: ShippingMethod): MethodFacts | null {
    const at = method.enabled ? this.placeOf(method.zoneId, method.productGroupId) : null;
    if (at === null || at.places.isEmpty || !this.groups.all[at.group]?.canBeFilled) return null;
    const rules = method.rules.filter((rule) => rule.enabled).map((rule) => this.#ruleFacts(rule, at));
    const shadows = new Map<string, Rule>();
    for (const each of rules) {
      const shadow = each.neverMatches ? null : findShadow(each, rules, at, this.#implications);
      if (shadow !== null) shadows.set(each.rule.id, shadow);
    }
    const invisibility = neverHasRate(method)
      ? ({ kind: 'no_rate' } as const)
      : invisibilityOf(rules, shadows);
    return { method, at, rules, shadows, invisibility };
  }

  #ruleFacts(rule: Rule, at: MethodPlace): RuleFacts {
    const requirements = rule.conditions.map((condition) => this.table.of(condition));
    return {
      rule,
      requirements,
      neverMatches: this.logic.isContradictory(at, requirements),
      alwaysHides: rule.action === 'hide' && requirements.every((each) => this.logic.isImplied(at, [], each)),
    };
  }

  /**
   * Requirements under which no hide rule matches and, if there are show rules, one does, together with
   * `more`; null when no set without a contradiction was found.
   */
  visibly({ rules, shadows, at }: MethodFacts, more: readonly Requirement[]): readonly Requirement[] | null {
    const shows = rules.filter(
      (each) => each.rule.action === 'show' && !each.neverMatches && !shadows.has(each.rule.id),
    );
    const hides = rules.filter((each) => each.rule.action === 'hide' && !each.neverMatches);
    const beginnings =
      shows.length === 0 ? [more] : shows.slice(0, SHOWS_MAX).map((each) => [...more, ...each.requirements]);
    for (const beginning of beginnings) {
      if (this.logic.isContradictory(at, beginning)) continue;
      let chosen: readonly Requirement[] | null = beginning;
      for (const { requirements } of hides) {
        const known: readonly Requirement[] = chosen;
        chosen =
          requirements
            .map((each) => [...known, each.opposite()])
            .find((each) => !this.logic.isContradictory(at, each)) ?? null;
        if (chosen === null) break;
      }
      if (chosen !== null) return chosen;
    }
    return null;
  }
}

/** Show rules that are tried when an example of a visible method is wanted. */
const SHOWS_MAX = 4;

function invisibilityOf(
  rules: readonly RuleFacts[],
  shadows: ReadonlyMap<string, Rule>,
): Invisibility | null {
  const hide = rules.find(({ alwaysHides }) => alwaysHides);
  if (hide !== undefined) return { kind: 'hidden', by: hide.rule };
  const shows = rules.filter(({ rule }) => rule.action === 'show');
  const isHopeless = ({ rule, neverMatches }: RuleFacts) => neverMatches || shadows.has(rule.id);
  return shows.length > 0 && shows.every(isHopeless) ? { kind: 'not_shown' } : null;
}
