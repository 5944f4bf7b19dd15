/**
 * The coverage of one shop: the sums of uses, in memory, stored and shown (contract section 10.5), and how the uses are
 * collected. The counts of a record restart at 0 when its mark changes.
 */
import { hash } from 'node:crypto';
import { jsonSteps } from '../bytes/json-steps.ts';
import type { CompiledMethod } from '../compile/compiled-method.ts';
import type { ProductGroup } from '../domain/product-group.ts';
import { tiersOfRate } from '../domain/rate-type.ts';
import type { Rule } from '../domain/rule.ts';
import type { ShippingMethod } from '../domain/shipping-method.ts';
import type { PlacedConfig } from '../domain/shop-event.ts';
import type { Subzone, Zone } from '../domain/zone.ts';
import type { TakenUses } from '../evaluate/evaluate.ts';
import type { ShouldYield, WorkSteps } from '../pace/work-steps.ts';
import type { Coverage } from '../wire/coverage.ts';

/** Version of the stored form; a text of another version is ignored. */
const FORMAT = 1;

/** `lastMs`: epoch ms of the last use; 0 = never. */
interface UseRows {
  readonly zones: [zoneId: string, subzoneId: string | null, mark: string, count: number][];
  readonly groups: [groupId: string, mark: string, count: number][];
  readonly methods: MethodRow[];
  readonly rules: [ruleId: string, mark: string, evaluated: number, matched: number, lastMs: number][];
  readonly tiers: [methodId: string, mark: string, counts: readonly number[]][];
}
type MethodRow = [
  ...[methodId: string, mark: string],
  ...[considered: number, visible: number, offered: number, lastMs: number],
];

/**
 * How often live simulations used the records of a shop, in the form that threads exchange and the log stores. Each row
 * has the id of its record and its mark (see `RecordMarks`); rows with an outdated mark are ignored.
 */
export type Uses = { readonly simulations: number } & {
  readonly [T in keyof UseRows]: readonly Readonly<UseRows[T][number]>[];
};

/** The numbers of a record in the order of its row in `Uses`. */
interface Row {
  readonly mark: string;
  readonly counts: readonly number[];
}

type TableName = Exclude<keyof Uses, 'simulations'>;

const zoneKey = (zoneId: string, subzoneId?: string | null): string => `${zoneId} ${subzoneId ?? ''}`;

export class ShopCoverage {
  /** ISO time at which counting started. */
  readonly since: string;
  #simulations = 0;
  readonly #tables: Readonly<Record<TableName, Map<string, Row>>> = {
    zones: new Map(),
    groups: new Map(),
    methods: new Map(),
    rules: new Map(),
    tiers: new Map(),
  };

  constructor(since: string) {
    this.since = since;
  }

  /** Reads a stored text; null when it has another format version. */
  static read(text: string): ShopCoverage | null {
    const { format, since, ...uses } = JSON.parse(text) as Uses & {
      readonly format: number;
      readonly since: string;
    };
    if (format !== FORMAT) return null;
    const coverage = new ShopCoverage(since);
    coverage.add(uses);
    return coverage;
  }

  get simulations(): number {
    return this.#simulations;
  }

  add({ simulations, zones, groups, methods, rules, tiers }: Uses): void {
    this.#simulations += simulations;
    for (const [zoneId, subzoneId, ...row] of zones) this.#add('zones', zoneKey(zoneId, subzoneId), ...row);
    for (const row of groups) this.#add('groups', ...row);
    for (const row of methods) this.#add('methods', ...row);
    for (const row of rules) this.#add('rules', ...row);
    for (const [id, mark, counts] of tiers) this.#add('tiers', id, mark, ...counts);
  }

  #add(name: TableName, id: string, mark: string, ...counts: readonly number[]): void {
    const row = this.#tables[name].get(id);
    this.#tables[name].set(id, { mark, counts: sumOf(name, row?.mark === mark ? row.counts : [], counts) });
  }

  /**
   * The view for clients: every record of the configuration in order; unused records have the count 0. `others` are the
   * counts of other nodes for the same shop; those of records with another mark are left out.
   */
  *viewSteps(
    config: PlacedConfig,
    marks: RecordMarks,
    shouldYield: ShouldYield,
    others: readonly ShopCoverage[] = [],
  ): WorkSteps<Coverage> {
    const parts = [this, ...others];
    const countsOf = (name: TableName, id: string, mark: () => string): readonly number[] =>
      parts.reduce((sum: readonly number[], part) => {
        const row = part.#tables[name].get(id);
        return row === undefined || row.mark !== mark() ? sum : sumOf(name, sum, row.counts);
      }, []);
    const zones: Coverage['zones'] = [];
    for (const zone of config.zones) {
      const [count = 0] = countsOf('zones', zoneKey(zone.id), () => marks.ofZone(zone));
      zones.push({ zoneId: zone.id, subzoneId: null, count });
      for (const subzone of zone.subzones) {
        const mark = () => marks.ofSubzone(zone, subzone);
        const [ofSubzone = 0] = countsOf('zones', zoneKey(zone.id, subzone.id), mark);
        zones.push({ zoneId: zone.id, subzoneId: subzone.id, count: ofSubzone });
        if (shouldYield()) yield;
      }
    }
    const methods: Coverage['methods'] = [];
    const rules: Coverage['rules'] = [];
    const tiers: Coverage['tiers'] = [];
    for (const placed of config.methods) {
      const method = placed as ShippingMethod;
      const { id: methodId } = method;
      const counts = countsOf('methods', methodId, () => marks.ofMethod(method));
      const [considered = 0, visible = 0, offered = 0, lastMs = 0] = counts;
      methods.push({ methodId, considered, visible, offered, lastOfferedAt: timeOf(lastMs) });
      const ofTiers = countsOf('tiers', methodId, () => marks.ofTiers(method));
      const tierCount = 'tiers' in method.config ? method.config.tiers.length : 0;
      for (let index = 0; index < tierCount; index++) {
        tiers.push({ methodId, index, count: ofTiers[index] ?? 0 });
      }
      for (const rule of method.rules) {
        const [evaluated = 0, matched = 0, lastMs = 0] = countsOf('rules', rule.id, () => marks.ofRule(rule));
        rules.push({ ruleId: rule.id, evaluated, matched, lastMatchedAt: timeOf(lastMs) });
      }
      if (shouldYield()) yield;
    }
    const groups = config.productGroups.map((group) => {
      const [count = 0] = countsOf('groups', group.id, () => marks.ofGroup(group));
      return { productGroupId: group.id, count };
    });
    const [since = this.since] = parts.map((part) => part.since).sort();
    const simulations = parts.reduce((sum, part) => sum + part.simulations, 0);
    return { since, simulations, zones, methods, rules, tiers, groups };
  }

  /**
   * Removes rows of deleted records, so that the size stays bounded over years of edits. Rows that are added between the
   * steps stay.
   */
  *pruneSteps({ zones, productGroups, methods }: PlacedConfig, shouldYield: ShouldYield): WorkSteps<void> {
    const methodIds = methods.map(({ id }) => id);
    const keys: Readonly<Record<TableName, readonly string[]>> = {
      zones: zones.flatMap(({ id, subzones }) => [null, ...subzones].map((each) => zoneKey(id, each?.id))),
      groups: productGroups.map(({ id }) => id),
      methods: methodIds,
      rules: methods.flatMap(({ rules }) => rules.map(({ id }) => id)),
      tiers: methodIds,
    };
    const stored = this.#entries().map(([name, table]) => ({ name, table, rows: [...table.keys()] }));
    for (const { name, table, rows } of stored) {
      const known = new Set<string>();
      for (const key of keys[name]) {
        known.add(key);
        if (shouldYield()) yield;
      }
      for (const key of rows) {
        if (!known.has(key)) table.delete(key);
        if (shouldYield()) yield;
      }
    }
  }

  #entries() {
    return Object.entries(this.#tables) as [TableName, Map<string, Row>][];
  }

  /** Makes the text for `read`. Uses that are added between the steps may be in it for some of their records only. */
  *textSteps(shouldYield: ShouldYield): WorkSteps<string> {
    const rows: Partial<Record<TableName, unknown[]>> = {};
    for (const [name, table] of this.#entries()) {
      const list: unknown[] = [];
      rows[name] = list;
      for (const [key, { mark, counts }] of table) {
        const [id = '', subzoneId = ''] = key.split(' ');
        if (name === 'zones') list.push([id, subzoneId === '' ? null : subzoneId, mark, ...counts]);
        else list.push(name === 'tiers' ? [id, mark, counts] : [id, mark, ...counts]);
        if (shouldYield()) yield;
      }
    }
    const stored = { format: FORMAT, since: this.since, simulations: this.#simulations, ...rows };
    return (yield* jsonSteps(stored, shouldYield)).join('');
  }
}

/** Adds up two lists of counts; a row of a method or a rule ends with a time, of which the later one stays. */
const sumOf = (name: TableName, before: readonly number[], counts: readonly number[]): readonly number[] =>
  counts.map((count, index) => {
    const known = before[index] ?? 0;
    const isTime = (name === 'methods' || name === 'rules') && index === counts.length - 1;
    return isTime ? Math.max(known, count) : known + count;
  });

const timeOf = (lastMs: number): string | null => (lastMs === 0 ? null : new Date(lastMs).toISOString());

/**
 * Collects the uses that `UseCounter.take` returned and resets their counts; `nowMs` becomes the time of use. Can yield
 * after each method; uses that are counted meanwhile are in the next result.
 */
export function* foldUses(
  { simulations, plans, groups }: TakenUses,
  marks: RecordMarks,
  nowMs: number,
  shouldYield: ShouldYield,
): WorkSteps<Uses> {
  const rows: UseRows = { zones: [], groups: [], methods: [], rules: [], tiers: [] };
  // Without yielding, so that uses that are counted meanwhile stay for the next call.
  for (const [plan, { records }] of plans) {
    const { zone } = records;
    const subzone = zone.subzones.find(({ id }) => id === plan.subzoneId);
    const mark = subzone === undefined ? marks.ofZone(zone) : marks.ofSubzone(zone, subzone);
    rows.zones.push([zone.id, subzone?.id ?? null, mark, plan.uses]);
    plan.uses = 0;
  }
  for (const [group, count] of groups) rows.groups.push([group.id, marks.ofGroup(group), count]);
  for (const plan of plans.keys()) {
    for (const { methods } of plan.groups.values()) {
      for (const { method } of methods) {
        if (method.use.considered === 0) continue;
        foldMethod(method, marks, nowMs, rows);
        if (shouldYield()) yield;
      }
    }
  }
  return { simulations, ...rows };
}

function foldMethod(method: CompiledMethod, marks: RecordMarks, nowMs: number, rows: UseRows): void {
  const { record, use, rules } = method;
  const { considered, visible, offered, tiers } = use;
  const lastMs = offered > 0 ? nowMs : 0;
  rows.methods.push([record.id, marks.ofMethod(record), considered, visible, offered, lastMs]);
  if (tiers?.some((count) => count > 0)) rows.tiers.push([record.id, marks.ofTiers(record), [...tiers]]);
  tiers?.fill(0);
  use.considered = 0;
  use.visible = 0;
  use.offered = 0;
  for (const rule of rules) {
    const { record: ruleRecord, uses } = rule;
    rows.rules.push([ruleRecord.id, marks.ofRule(ruleRecord), considered, uses, uses > 0 ? nowMs : 0]);
    rule.uses = 0;
  }
}

const MARK_LENGTH = 10;

/**
 * Marks of records: a short hash of the fields that decide what a record matches. Changes of other fields keep the
 * mark. Computed once for each record object.
 */
export class RecordMarks {
  readonly #marks = new WeakMap<object, string>();
  readonly #tierMarks = new WeakMap<object, string>();

  /** For the part of a zone outside its subzones: its countries, and the postal codes of the subzones. */
  ofZone(zone: Zone): string {
    return this.#of(zone, () => [zone.countries, zone.subzones.map(({ postalCodes }) => postalCodes)]);
  }

  ofSubzone(zone: Zone, subzone: Subzone): string {
    return this.#of(subzone, () => [zone.countries, subzone.postalCodes]);
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
    const bounds = () => [method.rateType, tiersOfRate(method)?.map(({ from, to }) => [from, to])];
    return this.#of(method, bounds, this.#tierMarks);
  }

  #of(record: object, matched: () => unknown, marks = this.#marks): string {
    let mark = marks.get(record);
    if (mark === undefined) {
      mark = hash('sha1', JSON.stringify(matched()), 'base64url').slice(0, MARK_LENGTH);
      marks.set(record, mark);
    }
    return mark;
  }
}
