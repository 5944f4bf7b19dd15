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
import { type MethodFacts, MethodReader } from './method-facts.ts';
import { WitnessMaker } from './witness-maker.ts';
import { OUTSIDE_SUBZONES, type PlaceIndex, type ZoneFacts, zoneFactsOf } from './zone-facts.ts';

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

/** The enabled methods and blended rates that are bound to each zone and subzone. */
class ZoneMap {
  readonly zones: readonly ZoneFacts[];
  readonly #bindings = new Map<string, Binding>();
  readonly #methods: ReadonlyMap<string, readonly ShippingMethod[]>;
  readonly #blendedRates: ReadonlyMap<string, readonly BlendedRate[]>;

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
  }

  /** The zone of a zone or subzone that a destination can reach; undefined for any other. */
  reached(zoneId: string): ZoneFacts | undefined {
    const { zone, place = OUTSIDE_SUBZONES } = this.#bindings.get(zoneId) ?? {};
    return zone?.reachable.has(place) ? zone : undefined;
  }

  /** Enabled methods bound to the zone or subzone itself, in position order. */
  methodsBoundTo(zoneId: string): readonly ShippingMethod[] {
    return this.#methods.get(zoneId) ?? [];
  }

  /** Enabled blended rates bound to the zone or subzone itself, in position order. */
  blendedRatesBoundTo(zoneId: string): readonly BlendedRate[] {
    return this.#blendedRates.get(zoneId) ?? [];
  }

  /** Whether enabled methods or blended rates are bound to the zone or subzone itself. */
  hasRecords(zoneId: string): boolean {
    return this.#methods.has(zoneId) || this.#blendedRates.has(zoneId);
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
    this.fillable = [...this.finder.groups.values()].filter(({ keys }) => keys.length > 0);
    this.witnesses = new WitnessMaker(this.#compiled, settings.itemsMax);
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
    return (this.finder.groups.get(groupId)?.keys.length ?? 0) > 0;
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

  /** Returns null for a method that is never evaluated: disabled, or its place or group is unreachable. */
  method(method: ShippingMethod): MethodFacts | null {
    return valueAt(this.#methods, method.id, () => {
      const isUsed = method.enabled && this.canBeFilled(method.productGroupId);
      const zone = isUsed ? this.zones.reached(method.zoneId) : undefined;
      return zone === undefined ? null : this.#reader.factsOf(method, zone);
    });
  }

  /** Returns the facts of all methods that have facts, in position order. */
  methods(): readonly MethodFacts[] {
    return this.config.methods.flatMap((method) => this.method(method) ?? []);
  }
}
