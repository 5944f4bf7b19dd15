/** Reads and resets the use counts of compiled records. */
import type { CompiledMethod } from '../compile/compiled-method.ts';
import type { TakenUses } from '../evaluate/use-counter.ts';
import type { ShouldYield, WorkSteps } from '../pace/work-steps.ts';
import type { RecordMarks } from './record-marks.ts';
import type { MethodRow, RuleRow, Uses } from './uses.ts';

/**
 * Collects the uses that `UseCounter.take` returned; `nowMs` becomes the time of use. Can yield after each method; uses
 * that are counted meanwhile are in the next result.
 */
export function* foldUses(
  { simulations, plans, groups }: TakenUses,
  marks: RecordMarks,
  nowMs: number,
  shouldYield: ShouldYield,
): WorkSteps<Uses> {
  const zones: Uses['zones'][number][] = [];
  const rows: FoldedRows = { methods: [], rules: [], tiers: [] };
  // Without yielding, so that uses that are counted meanwhile stay for the next call.
  for (const [plan, { records }] of plans) {
    const { zone } = records;
    const subzone = zone.subzones.find(({ id }) => id === plan.subzoneId);
    const mark = subzone === undefined ? marks.ofZone(zone) : marks.ofSubzone(zone, subzone);
    zones.push([zone.id, subzone?.id ?? null, mark, plan.use.simulations]);
    plan.use.simulations = 0;
  }
  for (const plan of plans.keys()) {
    for (const { methods } of plan.groups.values()) {
      for (const { method } of methods) {
        if (method.use.considered === 0) continue;
        foldMethod(method, marks, nowMs, rows);
        if (shouldYield()) yield;
      }
    }
  }
  return {
    simulations,
    zones,
    groups: Array.from(groups, ([group, count]) => [group.id, marks.ofGroup(group), count] as const),
    ...rows,
  };
}

interface FoldedRows {
  readonly methods: MethodRow[];
  readonly rules: RuleRow[];
  readonly tiers: Uses['tiers'][number][];
}

function foldMethod(method: CompiledMethod, marks: RecordMarks, nowMs: number, rows: FoldedRows): void {
  const { record, use, rules } = method;
  const { considered, visible, offered, tiers } = use;
  rows.methods.push([
    record.id,
    marks.ofMethod(record),
    considered,
    visible,
    offered,
    offered > 0 ? nowMs : 0,
  ]);
  if (tiers?.some((count) => count > 0)) rows.tiers.push([record.id, marks.ofTiers(record), [...tiers]]);
  tiers?.fill(0);
  use.considered = 0;
  use.visible = 0;
  use.offered = 0;
  const records = new Map(record.rules.map((rule) => [rule.id, rule]));
  for (const rule of rules) {
    const ruleRecord = records.get(rule.ruleId);
    if (ruleRecord === undefined) continue;
    const { matched } = rule.use;
    rows.rules.push([rule.ruleId, marks.ofRule(ruleRecord), considered, matched, matched > 0 ? nowMs : 0]);
    rule.use.matched = 0;
  }
}
