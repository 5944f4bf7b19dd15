/**
 * Shop facts: data shared by all findings of a configuration. Disabled methods, rules and blended rates are drafts and
 * are ignored. The facts of a method are computed on first use.
 */

import { groupedBy, valueAt } from '../../base/runtime/map-entries.ts';
import { type CompiledShop, type CompileSettings, compileShop } from '../compile/compiled-shop.ts';
import type { BlendedRate } from '../domain/blended-rate.ts';
import type { Rule } from '../domain/rule.ts';
import type { ShippingMethod } from '../domain/shipping-method.ts';
import type { ShopConfig } from '../domain/shop-config.ts';
import { CartFinder } from '../probes/cart-finder.ts';
import { type Probe, probeOf } from '../probes/draft-cart.ts';
import { checkProbes } from '../probes/effects.ts';
import type { GroupKeys } from '../probes/group-keys.ts';
import { instantOf } from '../probes/local-instant.ts';
import { ProbeRun } from '../probes/probe-run.ts';
import { type MethodFacts, type MethodPlace, MethodReader } from './method-facts.ts';
import { WitnessMaker } from './witness-maker.ts';
import {
  OUTSIDE_SUBZONES,
  type PlaceIndex,
  Places,
  placesOf,
  type ZoneFacts,
  zoneFactsOf,
} from './zone-facts.ts';

/** What live simulations of the last 30 days showed, as coverage counted them. */
export interface LiveShown {
  readonly hasMatched: (rule: Rule) => boolean;
}

export interface LintSettings extends CompileSettings {
  /** The operator's limit on items of one request; a witness has at most this many. */
  readonly itemsMax: number;
  /** The local day of the shop, `YYYY-MM-DD`; without it holidays are not compared with today. */
  readonly today?: string;
  /** Absent where coverage knows of no traffic. */
  readonly live?: LiveShown;
  /** Carts kept of live traffic. */
  readonly kept?: readonly Probe[];
}

/** The clock of carts that no time condition needs, in the zone of the shop: an ordinary day, so that reports are equal. */
const PLAIN_MOMENT = { date: 2026_0107, minutes: 720 };

/** A zone with a place in it: what a method's `zoneId` names. */
interface Binding {
  readonly zone: ZoneFacts;
  readonly place: PlaceIndex;
}

/** Records that replace each other: methods of one group, or blended rates, whose kind is "". */
const kindOf = (record: ShippingMethod | BlendedRate): string =>
  'productGroupId' in record ? record.productGroupId : '';

/**
 * The enabled methods and blended rates that are bound to each zone and subzone, and the places at which each is in force.
 * A record that is bound to a zone is in force outside the subzones with records of their own (contract section 4.5).
 */
class ZoneMap {
  readonly zones: readonly ZoneFacts[];
  readonly #bindings = new Map<string, Binding>();
  readonly #methods: ReadonlyMap<string, readonly ShippingMethod[]>;
  readonly #blendedRates: ReadonlyMap<string, readonly BlendedRate[]>;
  /** Zone id -> kind of records -> the subzones to which such records are bound. */
  readonly #subzones = new Map<string, Map<string, Set<PlaceIndex>>>();
  readonly #places = new Map<string, Places>();

  constructor({ zones, methods, blendedRates }: ShopConfig) {
    this.zones = zoneFactsOf(zones);
    for (const zone of this.zones) {
      this.#bindings.set(zone.zone.id, { zone, place: OUTSIDE_SUBZONES });
      for (const [place, { id }] of zone.zone.subzones.entries()) this.#bindings.set(id, { zone, place });
    }
    const bound = <T extends ShippingMethod | BlendedRate>(records: readonly T[]) =>
      groupedBy(
        records.filter(({ enabled }) => enabled),
        ({ zoneId }) => zoneId,
      );
    this.#methods = bound(methods);
    this.#blendedRates = bound(blendedRates);
    for (const record of [...this.#methods.values(), ...this.#blendedRates.values()].flat()) {
      const binding = this.#bindings.get(record.zoneId);
      if (binding === undefined || binding.place === OUTSIDE_SUBZONES) continue;
      const kinds = valueAt(this.#subzones, binding.zone.zone.id, () => new Map<string, Set<PlaceIndex>>());
      valueAt(kinds, kindOf(record), () => new Set<PlaceIndex>()).add(binding.place);
    }
  }

  binding(zoneId: string): Binding | undefined {
    return this.#bindings.get(zoneId);
  }

  /** Enabled methods bound to the zone or subzone itself, in position order. */
  methodsBoundTo(zoneId: string): readonly ShippingMethod[] {
    return this.#methods.get(zoneId) ?? [];
  }

  /** Enabled blended rates bound to the zone or subzone itself, in position order. */
  blendedRatesBoundTo(zoneId: string): readonly BlendedRate[] {
    return this.#blendedRates.get(zoneId) ?? [];
  }

  /** The subzones to which enabled methods or blended rates are bound. */
  subzonesWithRecords({ zone }: ZoneFacts): Iterable<PlaceIndex> {
    return new Set([...(this.#subzones.get(zone.id)?.values() ?? [])].flatMap((places) => [...places]));
  }

  /** The reachable places at which the record, if it is enabled, is in force. */
  placesOf(record: ShippingMethod | BlendedRate): Places {
    const kind = kindOf(record);
    return valueAt(this.#places, `${record.zoneId} ${kind}`, () => {
      const binding = this.binding(record.zoneId);
      if (binding === undefined) return placesOf();
      const { zone, place } = binding;
      if (place !== OUTSIDE_SUBZONES) return zone.reachable.has(place) ? placesOf(place) : placesOf();
      const replacing = this.#subzones.get(zone.zone.id)?.get(kind);
      return new Places(zone.reachable, (each) => !replacing?.has(each));
    });
  }
}

export class ShopFacts {
  readonly config: ShopConfig;
  readonly settings: LintSettings;
  readonly zones: ZoneMap;
  readonly finder: CartFinder;
  readonly witnesses: WitnessMaker;
  readonly methodsById: ReadonlyMap<string, ShippingMethod>;
  /** The groups that an item can belong to, in list order. */
  readonly fillable: readonly GroupKeys[];
  readonly #compiled: CompiledShop;
  readonly #nowMs: number;
  readonly #reader = new MethodReader();
  readonly #methods = new Map<string, MethodFacts | null>();
  readonly #preferences = new Map<string, ReadonlyMap<string, string>>();
  #run: ProbeRun | null = null;

  constructor(config: ShopConfig, settings: LintSettings, previous?: CompiledShop) {
    this.config = config;
    this.settings = settings;
    this.#compiled = compileShop(config, settings, previous);
    this.zones = new ZoneMap(config);
    this.#nowMs = instantOf(this.#compiled.calendar, PLAIN_MOMENT) ?? 0;
    this.finder = new CartFinder(this.#compiled, this.#nowMs);
    this.fillable = [...this.finder.groups.values()].filter(({ canBeFilled }) => canBeFilled);
    this.witnesses = new WitnessMaker(this.#compiled, this.#nowMs, settings.itemsMax);
    this.methodsById = new Map(config.methods.map((method) => [method.id, method]));
  }

  /** What the evaluator showed for the probe carts, made on first use. */
  get run(): ProbeRun {
    if (this.#run === null) {
      const given = [...checkProbes(this.config, this.#nowMs), ...(this.settings.kept ?? [])];
      this.#run = new ProbeRun(this.#compiled, this.finder, given);
    }
    return this.#run;
  }

  canBeFilled(groupId: string): boolean {
    return this.finder.groups.get(groupId)?.canBeFilled ?? false;
  }

  groupName(groupId: string): string {
    return this.finder.groups.get(groupId)?.group.name ?? groupId;
  }

  /** A cart with a plain item of each group to the zone or subzone. */
  cartAt(placeId: string, groupIds: readonly string[]): Probe | null {
    const draft = this.finder.mixed(placeId, groupIds);
    return draft && probeOf(draft);
  }

  /** Group id -> the preferred method; a group without a preference uses its lowest rate. */
  preferencesOf({ id, preferences }: Pick<BlendedRate, 'id' | 'preferences'>): ReadonlyMap<string, string> {
    return valueAt(this.#preferences, id, () => {
      const given = preferences.filter(({ preferredMethodId }) => preferredMethodId !== null);
      return new Map(given.map((each) => [each.productGroupId, each.preferredMethodId as string]));
    });
  }

  /** Where an enabled method is in force; null when no destination or no item can reach it. */
  #placeOf(method: ShippingMethod): MethodPlace | null {
    const zone = this.zones.binding(method.zoneId)?.zone;
    if (zone === undefined || !this.canBeFilled(method.productGroupId)) return null;
    const places = this.zones.placesOf(method);
    return places.isEmpty ? null : { zone, places };
  }

  /** Returns null for a method that is never evaluated: disabled, or its place or group is unreachable. */
  method(method: ShippingMethod): MethodFacts | null {
    return valueAt(this.#methods, method.id, () => {
      const at = method.enabled ? this.#placeOf(method) : null;
      return at === null ? null : this.#reader.factsOf(method, at);
    });
  }

  /** Returns the facts of all methods that have facts, in position order. */
  methods(): readonly MethodFacts[] {
    return this.config.methods.flatMap((method) => this.method(method) ?? []);
  }
}
