/**
 * The coverage of one shop: the sums of uses, in memory, stored and shown (contract section 10.5). The counts of a
 * record restart at 0 when its mark changes.
 */
import { jsonSteps } from '../bytes/json-steps.ts';
import type { ShippingMethod } from '../domain/shipping-method.ts';
import type { PlacedConfig } from '../domain/shop-event.ts';
import type { ShouldYield, WorkSteps } from '../pace/work-steps.ts';
import type { Coverage } from '../wire/coverage.ts';
import type { RecordMarks } from './record-marks.ts';
import type { MethodRow, RuleRow, Uses } from './uses.ts';

/** Version of the stored form; a text of another version is ignored. */
const FORMAT = 1;

interface Row {
  mark: string;
  /** Counts in the order of the row in `Uses`. */
  counts: number[];
  lastMs: number;
}

type Table = Map<string, Row>;

const zoneKey = (zoneId: string, subzoneId: string | null): string => `${zoneId} ${subzoneId ?? ''}`;

export class ShopCoverage {
  /** ISO time at which counting started. */
  readonly since: string;
  #simulations = 0;
  readonly #zones: Table = new Map();
  readonly #groups: Table = new Map();
  readonly #methods: Table = new Map();
  readonly #rules: Table = new Map();
  readonly #tiers: Table = new Map();

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
    for (const [zoneId, subzoneId, mark, count] of zones)
      addRow(this.#zones, zoneKey(zoneId, subzoneId), mark, [count]);
    for (const [id, mark, count] of groups) addRow(this.#groups, id, mark, [count]);
    for (const [id, mark, considered, visible, offered, lastMs] of methods) {
      addRow(this.#methods, id, mark, [considered, visible, offered], lastMs);
    }
    for (const [id, mark, evaluated, matched, lastMs] of rules) {
      addRow(this.#rules, id, mark, [evaluated, matched], lastMs);
    }
    for (const [id, mark, counts] of tiers) addRow(this.#tiers, id, mark, counts);
  }

  /** The view for clients: every record of the configuration in order; unused records have the count 0. */
  *viewSteps(config: PlacedConfig, marks: RecordMarks, shouldYield: ShouldYield): WorkSteps<Coverage> {
    const zones: Coverage['zones'] = [];
    for (const zone of config.zones) {
      const [count = 0] = countsOf(this.#zones, zoneKey(zone.id, null), () => marks.ofZone(zone));
      zones.push({ zoneId: zone.id, subzoneId: null, count });
      for (const subzone of zone.subzones) {
        const mark = () => marks.ofSubzone(zone, subzone);
        const [ofSubzone = 0] = countsOf(this.#zones, zoneKey(zone.id, subzone.id), mark);
        zones.push({ zoneId: zone.id, subzoneId: subzone.id, count: ofSubzone });
        if (shouldYield()) yield;
      }
    }
    const methods: Coverage['methods'] = [];
    const rules: Coverage['rules'] = [];
    const tiers: Coverage['tiers'] = [];
    for (const placed of config.methods) {
      const method = placed as ShippingMethod;
      const row = rowOf(this.#methods, method.id, () => marks.ofMethod(method));
      const [considered = 0, visible = 0, offered = 0] = row?.counts ?? [];
      methods.push({ methodId: method.id, considered, visible, offered, lastOfferedAt: timeOf(row) });
      const counts = countsOf(this.#tiers, method.id, () => marks.ofTiers(method));
      const tierCount = 'tiers' in method.config ? method.config.tiers.length : 0;
      for (let index = 0; index < tierCount; index++) {
        tiers.push({ methodId: method.id, index, count: counts[index] ?? 0 });
      }
      for (const rule of method.rules) {
        const ruleRow = rowOf(this.#rules, rule.id, () => marks.ofRule(rule));
        const [evaluated = 0, matched = 0] = ruleRow?.counts ?? [];
        rules.push({ ruleId: rule.id, evaluated, matched, lastMatchedAt: timeOf(ruleRow) });
      }
      if (shouldYield()) yield;
    }
    const groups = config.productGroups.map((group) => {
      const [count = 0] = countsOf(this.#groups, group.id, () => marks.ofGroup(group));
      return { productGroupId: group.id, count };
    });
    return { since: this.since, simulations: this.#simulations, zones, methods, rules, tiers, groups };
  }

  /** Removes rows of deleted records, so that the size stays bounded over years of edits. */
  prune(config: PlacedConfig): void {
    const ids = new Set(config.methods.map(({ id }) => id));
    const ruleIds = new Set(config.methods.flatMap(({ rules }) => rules.map(({ id }) => id)));
    const groupIds = new Set(config.productGroups.map(({ id }) => id));
    const zoneKeys = new Set(
      config.zones.flatMap(({ id, subzones }) => [
        zoneKey(id, null),
        ...subzones.map((each) => zoneKey(id, each.id)),
      ]),
    );
    keepOnly(this.#methods, ids);
    keepOnly(this.#tiers, ids);
    keepOnly(this.#rules, ruleIds);
    keepOnly(this.#groups, groupIds);
    keepOnly(this.#zones, zoneKeys);
  }

  /** Makes the text for `read`. Uses that are added between the steps may be in it for some of their records only. */
  *textSteps(shouldYield: ShouldYield): WorkSteps<string> {
    const zones = yield* rowSteps(this.#zones, shouldYield, (key, { mark, counts }) => {
      const [zoneId = '', subzoneId = ''] = key.split(' ');
      return [zoneId, subzoneId === '' ? null : subzoneId, mark, counts[0] ?? 0] as const;
    });
    const groups = yield* rowSteps(
      this.#groups,
      shouldYield,
      (id, { mark, counts }) => [id, mark, counts[0] ?? 0] as const,
    );
    const methods = yield* rowSteps(this.#methods, shouldYield, (id, row): MethodRow => {
      const [considered = 0, visible = 0, offered = 0] = row.counts;
      return [id, row.mark, considered, visible, offered, row.lastMs];
    });
    const rules = yield* rowSteps(this.#rules, shouldYield, (id, row): RuleRow => {
      const [evaluated = 0, matched = 0] = row.counts;
      return [id, row.mark, evaluated, matched, row.lastMs];
    });
    const tiers = yield* rowSteps(
      this.#tiers,
      shouldYield,
      (id, { mark, counts }) => [id, mark, counts] as const,
    );
    const uses: Uses = { simulations: this.#simulations, zones, groups, methods, rules, tiers };
    const parts = yield* jsonSteps({ format: FORMAT, since: this.since, ...uses }, shouldYield);
    return parts.join('');
  }
}

function* rowSteps<T>(
  table: Table,
  shouldYield: ShouldYield,
  make: (key: string, row: Row) => T,
): WorkSteps<T[]> {
  const made: T[] = [];
  for (const [key, row] of table) {
    made.push(make(key, row));
    if (shouldYield()) yield;
  }
  return made;
}

function addRow(table: Table, id: string, mark: string, counts: readonly number[], lastMs = 0): void {
  const row = table.get(id);
  if (row === undefined || row.mark !== mark) {
    table.set(id, { mark, counts: [...counts], lastMs });
    return;
  }
  row.counts = counts.map((count, index) => count + (row.counts[index] ?? 0));
  row.lastMs = Math.max(row.lastMs, lastMs);
}

function rowOf(table: Table, id: string, mark: () => string): Row | null {
  const row = table.get(id);
  return row === undefined || row.mark !== mark() ? null : row;
}

const countsOf = (table: Table, id: string, mark: () => string): readonly number[] =>
  rowOf(table, id, mark)?.counts ?? [];

const timeOf = (row: Row | null): string | null =>
  row === null || row.lastMs === 0 ? null : new Date(row.lastMs).toISOString();

function keepOnly(table: Table, ids: ReadonlySet<string>): void {
  for (const id of table.keys()) if (!ids.has(id)) table.delete(id);
}
