/**
 * Plans: limits on the records and request rates of a shop (contract section 2). This is the schema of the data file
 * with the limits, which the operator may change; null means unlimited.
 */
import Type, { type Static } from 'typebox';

const limit = Type.Union([Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }), Type.Null()], {
  'x-accepts': 'a whole number, or null for unlimited',
});

export const PlanLimits = Type.Object(
  {
    methods: limit,
    groups: limit,
    zones: limit,
    blendedRates: limit,
    rulesPerMethod: limit,
    keys: limit,
    /** Per key, all routes but simulate. */
    requestsPerMinute: limit,
    /** Per shop. */
    simulationsPerSecond: limit,
    historyDays: limit,
  },
  { additionalProperties: false, title: 'PlanLimits' },
);
export type PlanLimits = Readonly<Static<typeof PlanLimits>>;

export const PlanTable = Type.Record(Type.String({ pattern: '^[a-z][a-z0-9_-]{0,31}$' }), PlanLimits);
export type PlanTable = Readonly<Record<string, PlanLimits>>;
