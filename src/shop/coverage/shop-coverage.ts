/**
 * The coverage of one shop: how often live simulations used each record, and what they were answered on each day, in memory,
 * stored and shown (contract sections 10.5 and 12.8). The counts of a record restart at 0 when its mark changes.
 */
import { hash } from 'node:crypto';
import type { CompiledMethod } from '../../engine/compile/compiled-method.ts';
import { localDay } from '../../engine/compile/local-calendar.ts';
import type { ProductGroup } from '../../engine/domain/product-group.ts';
import { tiersOfRate } from '../../engine/domain/rate-type.ts';
import type { Rule } from '../../engine/domain/rule.ts';
import type { ShippingMethod } from '../../engine/domain/shipping-method.ts';
import type { ShopSettings } from '../../engine/domain/shop.ts';
import type { PlacedConfig } from '../../engine/domain/shop-event.ts';
import type { Subzone, Zone } from '../../engine/domain/zone.ts';
import type { TakenUses } from '../../engine/evaluate/evaluate.ts';
import type { Coverage } from '../../engine/wire/coverage.ts';
import type { UseRow, Uses } from '../reader/simulation-watch.ts';
import { DayCounts } from './day-counts.ts';

/** Version of the stored form; a text of another version is ignored. */
const FORMAT = 3;

interface StoredCoverage extends Uses {
  readonly format: number;
  readonly since: string;
}

type Clocked = Pick<ShopSettings, 'timezone'>;

/** What of a shop is shown. */
interface CoveredShop {
  readonly config: PlacedConfig;
  readonly settings: Clocked;
}

/** The counts of one record. */
interface RecordUses {
  readonly mark: string;
  /** Of the last use, ms since the epoch; 0 = never. */
  lastMs: number;
  readonly counts: number[];
}

const NOT_USED: Pick<RecordUses, 'lastMs' | 'counts'> = { lastMs: 0, counts: [] };

/** The names of records: those of one kind are unique. */
const KEY = {
  zone: (id: string) => `zone ${id}`,
  subzone: (zoneId: string, id: string) => `subzone ${zoneId} ${id}`,
  group: (id: string) => `group ${id}`,
  method: (id: string) => `method ${id}`,
  rule: (id: string) => `rule ${id}`,
  tiers: (methodId: string) => `tiers ${methodId}`,
} as const;

export class ShopCoverage {
  /** ISO time at which counting started. */
  readonly since: string;
  readonly #marks: RecordMarks;
  readonly #records = new Map<string, RecordUses>();
  readonly #days = new DayCounts();
  #simulations = 0;

  constructor(since: string, marks: RecordMarks) {
    this.since = since;
    this.#marks = marks;
  }

  /** Reads a stored text; null when it has another format version. */
  static read(text: string, marks: RecordMarks): ShopCoverage | null {
    const stored = JSON.parse(text) as StoredCoverage;
    if (stored.format !== FORMAT) return null;
    const coverage = new ShopCoverage(stored.since, marks);
    coverage.add(stored);
    return coverage;
  }

  get simulations(): number {
    return this.#simulations;
  }

  add({ simulations, days, records }: Uses): void {
    this.#simulations += simulations;
    this.#days.add(days);
    for (const [key, mark, lastMs, ...counts] of records) this.#count(key, mark, lastMs, counts);
  }

  #count(key: string, mark: string, lastMs: number, counts: Iterable<number>): void {
    const known = this.#records.get(key);
    const uses = known?.mark === mark ? known : { mark, lastMs, counts: [] };
    uses.lastMs = Math.max(uses.lastMs, lastMs);
    let at = 0;
    for (const count of counts) uses.counts[at] = (uses.counts[at++] ?? 0) + count;
    this.#records.set(key, uses);
  }

  /** Adds what `UseCounter.take` returned and resets those counts; `nowMs` becomes the time of use, and its local day their day. */
  collect(
    { simulations, plans, groups, ...answered }: TakenUses,
    { timezone }: Clocked,
    nowMs: number,
  ): void {
    this.#simulations += simulations;
    const { withoutRate, cheapest } = answered;
    this.#days.add([[localDay(timezone, nowMs), simulations, withoutRate, 1, ...[...cheapest].flat()]]);
    const marks = this.#marks;
    for (const [group, count] of groups)
      this.#count(KEY.group(group.id), marks.ofGroup(group), nowMs, [count]);
    for (const [plan, { records }] of plans) {
      const { zone } = records;
      const subzone = zone.subzones.find(({ id }) => id === plan.subzoneId);
      if (subzone === undefined) this.#count(KEY.zone(zone.id), marks.ofZone(zone), nowMs, [plan.uses]);
      else this.#count(KEY.subzone(zone.id, subzone.id), marks.ofSubzone(zone, subzone), nowMs, [plan.uses]);
      plan.uses = 0;
      for (const { methods } of plan.groups.values()) {
        for (const { method } of methods) if (method.use.considered > 0) this.#collectMethod(method, nowMs);
      }
    }
  }

  #collectMethod({ record, use, rules }: CompiledMethod, nowMs: number): void {
    const { considered, visible, offered, tiers } = use;
    const marks = this.#marks;
    const counts = [considered, visible, offered];
    this.#count(KEY.method(record.id), marks.ofMethod(record), offered > 0 ? nowMs : 0, counts);
    if (tiers !== null) this.#count(KEY.tiers(record.id), marks.ofTiers(record), nowMs, tiers);
    for (const rule of rules) {
      const { id } = rule.record;
      this.#count(KEY.rule(id), marks.ofRule(rule.record), rule.uses > 0 ? nowMs : 0, [
        considered,
        rule.uses,
      ]);
      rule.uses = 0;
    }
    use.considered = 0;
    use.visible = 0;
    use.offered = 0;
    tiers?.fill(0);
  }

  /**
   * The view for clients at this time: every record of the configuration in order; unused records have the count 0. `others`
   * are the counts of other nodes for the same shop; those of records with another mark are left out.
   */
  view({ config, settings }: CoveredShop, nowMs: number, others: readonly ShopCoverage[] = []): Coverage {
    const parts = [this, ...others];
    const marks = this.#marks;
    const usesOf = (key: string, mark: () => string): Pick<RecordUses, 'lastMs' | 'counts'> => {
      const sum = new ShopCoverage('', marks);
      for (const part of parts) {
        const uses = part.#records.get(key);
        if (uses?.mark === mark()) sum.#count(key, uses.mark, uses.lastMs, uses.counts);
      }
      return sum.#records.get(key) ?? NOT_USED;
    };
    const countOf = (key: string, mark: () => string): number => usesOf(key, mark).counts[0] ?? 0;
    const zones = config.zones.flatMap((zone) => [
      { zoneId: zone.id, subzoneId: null, count: countOf(KEY.zone(zone.id), () => marks.ofZone(zone)) },
      ...zone.subzones.map((subzone) => ({
        zoneId: zone.id,
        subzoneId: subzone.id,
        count: countOf(KEY.subzone(zone.id, subzone.id), () => marks.ofSubzone(zone, subzone)),
      })),
    ]);
    const placedMethods = config.methods as readonly ShippingMethod[];
    const methods = placedMethods.map((method) => {
      const { counts, lastMs } = usesOf(KEY.method(method.id), () => marks.ofMethod(method));
      const [considered = 0, visible = 0, offered = 0] = counts;
      return { methodId: method.id, considered, visible, offered, lastOfferedAt: timeOf(lastMs) };
    });
    const rules = placedMethods.flatMap((method) =>
      method.rules.map((rule) => {
        const { counts, lastMs } = usesOf(KEY.rule(rule.id), () => marks.ofRule(rule));
        const [evaluated = 0, matched = 0] = counts;
        return { ruleId: rule.id, evaluated, matched, lastMatchedAt: timeOf(lastMs) };
      }),
    );
    const tiers = placedMethods.flatMap((method) => {
      const { counts } = usesOf(KEY.tiers(method.id), () => marks.ofTiers(method));
      const indexes = 'tiers' in method.config ? [...method.config.tiers.keys()] : [];
      return indexes.map((index) => ({ methodId: method.id, index, count: counts[index] ?? 0 }));
    });
    const groups = config.productGroups.map((group) => ({
      productGroupId: group.id,
      count: countOf(KEY.group(group.id), () => marks.ofGroup(group)),
    }));
    const [since = this.since] = parts.map((part) => part.since).sort();
    const simulations = parts.reduce((sum, part) => sum + part.simulations, 0);
    const counted = new DayCounts();
    for (const part of parts) counted.add(part.#days.rows());
    const [first, today] = [Date.parse(since), nowMs].map((ms) => localDay(settings.timezone, ms));
    const days = counted.view(first ?? 0, today ?? 0);
    return { since, simulations, days, zones, methods, rules, tiers, groups };
  }

  /** Removes counts of deleted records and of days long past, so that the size stays bounded over years. */
  prune({ config: { zones, productGroups, methods }, settings }: CoveredShop, nowMs: number): void {
    this.#days.prune(localDay(settings.timezone, nowMs));
    const known = new Set([
      ...zones.flatMap(({ id, subzones }) => [
        KEY.zone(id),
        ...subzones.map((one) => KEY.subzone(id, one.id)),
      ]),
      ...productGroups.map(({ id }) => KEY.group(id)),
      ...methods.flatMap(({ id, rules }) => [
        KEY.method(id),
        KEY.tiers(id),
        ...rules.map((rule) => KEY.rule(rule.id)),
      ]),
    ]);
    for (const key of this.#records.keys()) if (!known.has(key)) this.#records.delete(key);
  }

  uses(): Uses {
    const records = Array.from(this.#records, ([key, { mark, lastMs, counts }]): UseRow => {
      return [key, mark, lastMs, ...counts];
    });
    return { simulations: this.#simulations, days: this.#days.rows(), records };
  }

  /** The text for `read`. */
  text(): string {
    return JSON.stringify({ format: FORMAT, since: this.since, ...this.uses() } satisfies StoredCoverage);
  }
}

const timeOf = (lastMs: number): string | null => (lastMs === 0 ? null : new Date(lastMs).toISOString());

const MARK_LENGTH = 10;

/**
 * Marks of records: a short hash of the fields that decide what a record matches. Changes of other fields keep the
 * mark. Computed once for each record object.
 */
export class RecordMarks {
  readonly #marks = new WeakMap<object, string>();

  /** For the part of a zone outside its subzones: its countries, and the postal codes of the subzones. */
  ofZone(zone: Zone): string {
    return this.#of(zone, () => [zone.countries, zone.subzones.map(({ postalCodes }) => postalCodes)]);
  }

  /** A subzone may stay the same object while the countries of its zone change. */
  ofSubzone({ countries }: Zone, subzone: Subzone): string {
    return this.#of(countries, () => countries) + this.#of(subzone, () => subzone.postalCodes);
  }

  ofGroup(group: ProductGroup): string {
    const { isDefault, variantIds, productIds, skus, tags, vendors } = group;
    return this.#of(group, () => [isDefault, variantIds, productIds, skus, tags, vendors]);
  }

  ofMethod(method: Pick<ShippingMethod, 'zoneId' | 'productGroupId'>): string {
    return this.#of(method, () => [method.zoneId, method.productGroupId]);
  }

  ofRule(rule: Rule): string {
    return this.#of(rule, () => rule.conditions);
  }

  /** For the bounds of a rate table. */
  ofTiers(method: ShippingMethod): string {
    const bounds = () => tiersOfRate(method)?.map(({ from, to }) => [from, to]);
    return this.#of(method.config, () => [method.rateType, bounds()]);
  }

  #of(record: object, matched: () => unknown): string {
    let mark = this.#marks.get(record);
    if (mark === undefined) {
      mark = hash('sha1', JSON.stringify(matched()), 'base64url').slice(0, MARK_LENGTH);
      this.#marks.set(record, mark);
    }
    return mark;
  }
}
