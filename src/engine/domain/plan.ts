/**
 * Plans: limits on the records and request rates of a shop (contract section 2). This is the schema of the data file
 * with the limits, which the operator may change; null means unlimited.
 */
import Type, { type Static } from '#typebox';
import { orNull, strict } from './schema.ts';

const limit = orNull(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }), {
  'x-accepts': 'a whole number, or null for unlimited',
});

export const PlanLimits = strict('PlanLimits', {
  methods: limit,
  groups: limit,
  zones: limit,
  blendedRates: limit,
  rulesPerMethod: limit,
  checks: limit,
  keys: limit,
  /** Per key, all routes but simulate. */
  requestsPerMinute: limit,
  /** Per shop. */
  simulationsPerSecond: limit,
  historyDays: limit,
});
export type PlanLimits = Readonly<Static<typeof PlanLimits>>;

export type PlanTable = Readonly<Record<string, PlanLimits>>;

/** The most that any shop has, whatever its plan (contract section 12.1), in the words of messages. */
export const SHOP_MAX = {
  methods: { most: 5_000, words: 'methods' },
  rules: { most: 50_000, words: 'rules' },
  postalPatterns: { most: 200_000, words: 'postal patterns' },
} as const;

export const SHOP_MAX_TEXT = Object.values(SHOP_MAX)
  .map(({ most, words }) => `${most.toLocaleString('en-US')} ${words}`)
  .join(', ');

/** Null for a plan that the operator removed from the table. */
export const limitsOf = (plans: PlanTable, plan: string): PlanLimits | null =>
  Object.hasOwn(plans, plan) ? (plans[plan] ?? null) : null;

export const PLAN_NAME_PATTERN = '^[a-z][a-z0-9_-]{0,31}$';

/** The data file. */
export const PlanFile = Type.Record(Type.String({ pattern: PLAN_NAME_PATTERN }), PlanLimits);
