/**
 * The coverage of one shop: the sums of uses, in memory, stored and shown (contract section 10.5). The counts of a
 * record restart at 0 when its mark changes.
 */
import { jsonSteps } from '../bytes/json-steps.ts';
import type { ShippingMethod } from '../domain/shipping-method.ts';
import type { PlacedConfig } from '../domain/shop-event.ts';
import type { ShouldYield, WorkSteps } from '../pace/work-steps.ts';
import type { Coverage } from '../wire/coverage.ts';
import type { RecordMarks, Uses } from './uses.ts';

/** Version of the stored form; a text of another version is ignored. */
const FORMAT = 1;

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
   * The view for clients: every record of the configuration in order; unused records have the count 0. The counts of
   * `others`, which other nodes keep of the same shop, are added where they are of records that match the same.
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
    const simulations = parts.reduce((sum, part) => sum + part.#simulations, 0);
    return { since, simulations, zones, methods, rules, tiers, groups };
  }

  /** Removes rows of deleted records, so that the size stays bounded over years of edits. */
  prune({ zones, productGroups, methods }: PlacedConfig): void {
    const methodIds = methods.map(({ id }) => id);
    const known: Readonly<Record<TableName, readonly string[]>> = {
      zones: zones.flatMap(({ id, subzones }) => [null, ...subzones].map((each) => zoneKey(id, each?.id))),
      groups: productGroups.map(({ id }) => id),
      methods: methodIds,
      rules: methods.flatMap(({ rules }) => rules.map(({ id }) => id)),
      tiers: methodIds,
    };
    for (const [name, table] of this.#entries()) {
      const ids = new Set(known[name]);
      for (const id of table.keys()) if (!ids.has(id)) table.delete(id);
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
