/**
 * Whether a write would make a shop larger than its plan, or any shop, may be (contract sections 2 and 12.1). Only growth is
 * refused: a shop can exceed a limit after the operator changed its plan or the table; it keeps its records and may
 * change and delete them.
 */
import { type Failure, failure } from '../domain/failure.ts';
import { limitsOf, type PlanLimits, type PlanTable, SHOP_MAX } from '../domain/plan.ts';
import { splitPostalPatterns } from '../domain/postal-code.ts';
import type { PlacedConfig, PlacedMethod } from '../domain/shop-event.ts';
import type { Subzone, Zone } from '../domain/zone.ts';
import type { ConfigData } from '../wire/write-bodies.ts';

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

/** As `countExcess`, for a limit of every shop; `before` counts. */
function shopExcess(limit: keyof typeof SHOP_MAX, before: () => number, after: number): Failure | null {
  const { most, words } = SHOP_MAX[limit];
  if (after <= most || after <= before()) return null;
  const allowed = most.toLocaleString('en-US');
  return failure(
    'PLAN_LIMIT_EXCEEDED',
    `a shop has at most ${allowed} ${words}, whatever its plan, and this would make it ${after.toLocaleString('en-US')}`,
  );
}

/** The first limit that a write from one configuration to the other would exceed, or null. Linear. */
export const configExcess = (
  plans: PlanTable,
  plan: string,
  from: PlacedConfig,
  to: PlacedConfig,
): Failure | null =>
  listExcess(plans, plan, from, to) ??
  rulesExcess(plans, plan, from.methods, to.methods) ??
  patternsExcess(from.zones, to.zones);

/**
 * As `configExcess`, for the data of a bulk write before its records are read. It does not count the rules and subzones
 * that stay because the data omits them.
 */
export function dataExcess(
  plans: PlanTable,
  plan: string,
  from: PlacedConfig,
  { methods = [], zones = [], ...lists }: ConfigData,
): Failure | null {
  return (
    listExcess(plans, plan, from, { methods, zones, ...lists }) ??
    shopExcess('rules', () => rulesIn(from.methods), rulesIn(methods)) ??
    shopExcess('postalPatterns', () => patternsIn(from.zones), patternsIn(zones))
  );
}

/** The first list that would be too long. */
const listExcess = (plans: PlanTable, plan: string, from: PlacedConfig, to: Lengths): Failure | null =>
  countExcess(plans, plan, 'zones', from.zones.length, to.zones?.length ?? 0) ??
  countExcess(plans, plan, 'groups', from.productGroups.length, to.productGroups?.length ?? 0) ??
  countExcess(plans, plan, 'methods', from.methods.length, to.methods?.length ?? 0) ??
  shopExcess('methods', () => from.methods.length, to.methods?.length ?? 0) ??
  countExcess(plans, plan, 'blendedRates', from.blendedRates.length, to.blendedRates?.length ?? 0) ??
  countExcess(plans, plan, 'checks', from.checks.length, to.checks?.length ?? 0);

type Lengths = { readonly [K in keyof PlacedConfig]?: { readonly length: number } | undefined };

/** Counts the patterns only if a zone has other subzones than before. */
function patternsExcess(from: readonly Zone[], to: readonly Zone[]): Failure | null {
  if (from === to) return null;
  const before = new Set(from.map(({ subzones }) => subzones));
  if (to.every(({ subzones }) => before.has(subzones))) return null;
  return shopExcess('postalPatterns', () => patternsIn(from), patternsIn(to));
}

const patternsIn = (zones: readonly { readonly subzones?: readonly PostalCodes[] }[]): number =>
  zones
    .flatMap(({ subzones = [] }) => subzones)
    .reduce((sum, { postalCodes }) => sum + splitPostalPatterns(postalCodes).length, 0);

type PostalCodes = Pick<Subzone, 'postalCodes'>;

const rulesIn = (methods: readonly { readonly rules?: readonly unknown[] }[]): number =>
  methods.reduce((sum, { rules = [] }) => sum + rules.length, 0);

function rulesExcess(
  plans: PlanTable,
  plan: string,
  from: readonly PlacedMethod[],
  to: readonly PlacedMethod[],
): Failure | null {
  if (from === to) return null;
  const excessOfShop = shopExcess('rules', () => rulesIn(from), rulesIn(to));
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
