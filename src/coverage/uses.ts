/**
 * Uses: how often live simulations used the records of a shop, in the form that threads exchange and the log stores
 * (contract section 10.5). Each row has the id of its record and its mark (see `RecordMarks`); rows with an outdated
 * mark are ignored.
 */

/** `lastMs`: epoch ms of the last use; 0 = never. */
export interface Uses {
  readonly simulations: number;
  readonly zones: readonly (readonly [
    zoneId: string,
    subzoneId: string | null,
    mark: string,
    count: number,
  ])[];
  readonly groups: readonly (readonly [groupId: string, mark: string, count: number])[];
  readonly methods: readonly MethodRow[];
  readonly rules: readonly RuleRow[];
  readonly tiers: readonly (readonly [methodId: string, mark: string, counts: readonly number[]])[];
}

export type MethodRow = readonly [
  methodId: string,
  mark: string,
  considered: number,
  visible: number,
  offered: number,
  lastMs: number,
];
export type RuleRow = readonly [
  ruleId: string,
  mark: string,
  evaluated: number,
  matched: number,
  lastMs: number,
];
