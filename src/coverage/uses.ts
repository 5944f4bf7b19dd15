/**
 * Uses: how often live simulations used the records of a shop, in the form that threads exchange and the log stores
 * (contract section 10.5). Each row has the id of its record and its mark (see `RecordMarks`); rows with an outdated
 * mark are ignored.
 */

import { hash } from 'node:crypto';
import type { CompiledMethod } from '../compile/compiled-method.ts';
import type { ProductGroup } from '../domain/product-group.ts';
import { tiersOfRate } from '../domain/rate-type.ts';
import type { Rule } from '../domain/rule.ts';
import type { ShippingMethod } from '../domain/shipping-method.ts';
import type { Subzone, Zone } from '../domain/zone.ts';
import type { TakenUses } from '../evaluate/use-counter.ts';
import type { ShouldYield, WorkSteps } from '../pace/work-steps.ts';

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

export type Uses = { readonly simulations: number } & {
  readonly [T in keyof UseRows]: readonly Readonly<UseRows[T][number]>[];
};

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
  const records = new Map(record.rules.map((rule) => [rule.id, rule]));
  for (const rule of rules) {
    const ruleRecord = records.get(rule.ruleId);
    if (ruleRecord === undefined) continue;
    const matched = rule.uses;
    rows.rules.push([rule.ruleId, marks.ofRule(ruleRecord), considered, matched, matched > 0 ? nowMs : 0]);
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
