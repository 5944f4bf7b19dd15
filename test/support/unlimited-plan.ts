/** A plan without limits, for measurements, and for tests that add their own limits. */
import type { PlanLimits } from '../../src/engine/domain/plan.ts';

export const UNLIMITED: PlanLimits = {
  methods: null,
  groups: null,
  zones: null,
  blendedRates: null,
  checks: null,
  rulesPerMethod: null,
  keys: null,
  requestsPerMinute: null,
  simulationsPerSecond: null,
  historyDays: null,
};
