/** The report of the gate about a changeset (contract section 10.2). */
import Type, { type Static } from '#typebox';
import { Finding } from '../domain/finding.ts';
import { GATE_CRITERIA } from '../domain/promotion-gate.ts';
import { countOf, strict } from '../domain/schema.ts';
import { CheckResult } from './check-results.ts';
import { Effects } from './effects.ts';
import { MissingPair, ShadowSample } from './shadow-results.ts';

/** Maximum checks, findings, samples or pairs that a criterion lists. */
export const EVIDENCE_MAX = 20;

export const GateCriterionReport = strict('GateCriterionReport', {
  criterion: Type.Enum(GATE_CRITERIA),
  limit: Type.Number({ description: '0 for a criterion that allows none' }),
  actual: Type.Number(),
  passed: Type.Boolean(),
  evidence: Type.Array(Type.Union([CheckResult, Finding, ShadowSample, MissingPair]), {
    maxItems: EVIDENCE_MAX,
    description: 'Failed checks, new errors, samples of lost or different carts, or pairs without a cart',
  }),
});
export type GateCriterionReport = Readonly<Static<typeof GateCriterionReport>>;

export const GateReport = strict('GateReport', {
  passed: Type.Boolean(),
  criteria: Type.Array(GateCriterionReport),
  dropped: countOf(
    'Live simulations that were not evaluated against the changeset, as there were too many in one second',
  ),
  /** What a promotion would change for probe carts. */
  effects: Effects,
});
export type GateReport = Readonly<Static<typeof GateReport>>;
/** What the criteria say. */
export type GateJudgement = Omit<GateReport, 'effects'>;
