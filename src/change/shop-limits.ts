/**
 * Whether a write would make a shop larger than its plan, or any shop, may be (contract sections 2 and 12.1). Only growth is
 * refused: a shop can exceed a limit after the operator changed its plan or the table; it keeps its records and may
 * change and delete them.
 */
import { type Failure, failure } from '../domain/failure.ts';
import { limitsOf, type PlanLimits, type PlanTable, SHOP_MAX } from '../domain/plan.ts';
import { splitPostalPatterns } from '../domain/postal-code.ts';
import type { ConfigChange, PlacedConfig, PlacedMethod } from '../domain/shop-event.ts';
import type { Zone } from '../domain/zone.ts';

/** The counted limits of a plan, as messages name them. */
const COUNTED = {
  zones: 'zones',
  groups: 'groups',
  methods: 'methods',
  rulesPerMethod: 'rules per method',
  blendedRates: 'blended rates',
  checks: 'checks',
  keys: 'keys',
} as const satisfies Partial<Record<keyof PlanLimits, string>>;
type CountedLimit = keyof typeof COUNTED;

/** The limit, or null when there is none. A plan that the operator removed from the table allows no growth. */
function most(plans: PlanTable, plan: string, limit: CountedLimit): number | null {
  const limits = limitsOf(plans, plan);
  return limits === null ? 0 : limits[limit];
}

/** The refusal when `after` exceeds the limit and is more than `before`, else null. */
export function countExcess(
  plans: PlanTable,
  plan: string,
  limit: CountedLimit,
  before: number,
  after: number,
): Failure | null {
  const allowed = most(plans, plan, limit);
  if (allowed === null || after <= before || after <= allowed) return null;
  return failure(
    'PLAN_LIMIT_EXCEEDED',
    `plan ${plan} allows ${allowed} ${COUNTED[limit]} (limit ${limit}), and this would make it ${after}`,
  );
}

/** As `countExcess`, for a limit of every shop. */
function shopExcess(limit: keyof typeof SHOP_MAX, before: number, after: number): Failure | null {
  const { most, words } = SHOP_MAX[limit];
  if (after <= before || after <= most) return null;
  const allowed = most.toLocaleString('en-US');
  return failure(
    'PLAN_LIMIT_EXCEEDED',
    `a shop has at most ${allowed} ${words}, whatever its plan, and this would make it ${after.toLocaleString('en-US')}`,
  );
}

/**
 * The first limit that a write from one configuration to the other would exceed, or null. Linear. When the change is
 * given, the rules of all methods are counted only if the change adds rules.
 */
export const configExcess = (
  plans: PlanTable,
  plan: string,
  from: PlacedConfig,
  to: PlacedConfig,
  change?: ConfigChange,
): Failure | null =>
  countExcess(plans, plan, 'zones', from.zones.length, to.zones.length) ??
  countExcess(plans, plan, 'groups', from.productGroups.length, to.productGroups.length) ??
  countExcess(plans, plan, 'methods', from.methods.length, to.methods.length) ??
  shopExcess('methods', from.methods.length, to.methods.length) ??
  countExcess(plans, plan, 'blendedRates', from.blendedRates.length, to.blendedRates.length) ??
  countExcess(plans, plan, 'checks', from.checks.length, to.checks.length) ??
  (change === undefined || placesRules(change) ? rulesExcess(plans, plan, from.methods, to.methods) : null) ??
  patternsExcess(from.zones, to.zones);

/** Counts the patterns only if a zone has other subzones than before. */
function patternsExcess(from: readonly Zone[], to: readonly Zone[]): Failure | null {
  const before = new Set(from.map(({ subzones }) => subzones));
  if (to.every(({ subzones }) => before.has(subzones))) return null;
  return shopExcess('postalPatterns', patternsIn(from), patternsIn(to));
}

const patternsIn = (zones: readonly Zone[]): number =>
  zones
    .flatMap(({ subzones }) => subzones)
    .reduce((sum, { postalCodes }) => sum + splitPostalPatterns(postalCodes).length, 0);

const rulesIn = (methods: readonly PlacedMethod[]): number =>
  methods.reduce((sum, { rules }) => sum + rules.length, 0);

const placesRules = ({ rules = {} }: ConfigChange): boolean =>
  Object.values(rules).some(({ placed }) => placed !== undefined);

function rulesExcess(
  plans: PlanTable,
  plan: string,
  from: readonly PlacedMethod[],
  to: readonly PlacedMethod[],
): Failure | null {
  if (from === to) return null;
  const excessOfShop = shopExcess('rules', rulesIn(from), rulesIn(to));
  const allowed = most(plans, plan, 'rulesPerMethod');
  if (excessOfShop !== null || allowed === null) return excessOfShop;
  let lengths: Map<string, number> | undefined;
  for (let index = 0; index < to.length; index++) {
    const method = to[index] as PlacedMethod;
    if (method === from[index] || method.rules.length <= allowed) continue;
    lengths ??= new Map(from.map(({ id, rules }) => [id, rules.length]));
    const before = lengths.get(method.id) ?? 0;
    const excess = countExcess(plans, plan, 'rulesPerMethod', before, method.rules.length);
    if (excess !== null) return excess;
  }
  return null;
}
