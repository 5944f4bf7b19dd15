/**
 * Counts against the plan (contract section 2). Only growth is refused: a shop that is over a limit, because
 * the operator changed plan or table, keeps what it has and may change and shrink it.
 */
import { type Failure, failure } from '../domain/failure.ts';
import type { PlanLimits, PlanTable } from '../domain/plan.ts';
import type { PlacedConfig, PlacedMethod } from '../domain/shop-event.ts';
import type { ShouldYield, WorkSteps } from '../pace/work-steps.ts';
import { alignSteps } from './align.ts';

/** The counted limits of a plan, as a message names them. */
const COUNTED = {
  zones: 'zones',
  groups: 'groups',
  methods: 'methods',
  rulesPerMethod: 'rules per method',
  blendedRates: 'blended rates',
  keys: 'keys',
} as const satisfies Partial<Record<keyof PlanLimits, string>>;
type CountedLimit = keyof typeof COUNTED;

/** The refusal when `after` is over the limit and more than `before`, else null. */
export function countExcess(
  plans: PlanTable,
  plan: string,
  limit: CountedLimit,
  before: number,
  after: number,
): Failure | null {
  if (after <= before) return null;
  const limits = Object.hasOwn(plans, plan) ? plans[plan] : undefined;
  // A plan that the operator took out of the table allows no growth rather than any.
  const most = limits === undefined ? 0 : limits[limit];
  if (most === null || after <= most) return null;
  return failure(
    'PLAN_LIMIT_EXCEEDED',
    `plan ${plan} allows ${most} ${COUNTED[limit]} (limit ${limit}), and this would make it ${after}`,
  );
}

/** The first limit that a write from one configuration to another would pass, or null. Linear. */
export function* configExcessSteps(
  plans: PlanTable,
  plan: string,
  from: PlacedConfig,
  to: PlacedConfig,
  shouldYield: ShouldYield,
): WorkSteps<Failure | null> {
  return (
    countExcess(plans, plan, 'zones', from.zones.length, to.zones.length) ??
    countExcess(plans, plan, 'groups', from.productGroups.length, to.productGroups.length) ??
    countExcess(plans, plan, 'methods', from.methods.length, to.methods.length) ??
    countExcess(plans, plan, 'blendedRates', from.blendedRates.length, to.blendedRates.length) ??
    (yield* rulesExcess(plans, plan, from.methods, to.methods, shouldYield))
  );
}

function* rulesExcess(
  plans: PlanTable,
  plan: string,
  from: readonly PlacedMethod[],
  to: readonly PlacedMethod[],
  shouldYield: ShouldYield,
): WorkSteps<Failure | null> {
  if (from === to) return null;
  const { start, fromIndexes } = yield* alignSteps(from, to, shouldYield);
  for (const [at, fromIndex] of fromIndexes.entries()) {
    if (shouldYield()) yield;
    const method = to[start + at] as PlacedMethod;
    const old = fromIndex < 0 ? undefined : from[fromIndex];
    if (old === method) continue;
    const before = old?.rules.length ?? 0;
    const excess = countExcess(plans, plan, 'rulesPerMethod', before, method.rules.length);
    if (excess !== null) return excess;
  }
  return null;
}
