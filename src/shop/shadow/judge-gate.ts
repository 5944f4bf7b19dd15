/**
 * Judges a changeset by the gate of its shop (contract section 10.2). Pure: the caller measures and passes in the
 * data.
 */
import { FINDING_CODE_NAMES, type Finding, type LintReport } from '../../engine/domain/finding.ts';
import {
  asksFor,
  GATE_CRITERIA,
  type GateCriterion,
  type PromotionGate,
} from '../../engine/domain/promotion-gate.ts';
import type { StagingState } from '../../engine/domain/shop-event.ts';
import type { CheckResults } from '../../engine/wire/check-results.ts';
import { EVIDENCE_MAX, type GateCriterionReport, type GateJudgement } from '../../engine/wire/gate-report.ts';
import type { EditShadowResults } from '../../engine/wire/shadow-results.ts';

/** The data about a changeset; null where no criterion of the gate needs it. */
export interface Measured {
  readonly checks: CheckResults | null;
  readonly lint: { readonly live: LintReport; readonly staged: LintReport } | null;
  readonly results: EditShadowResults;
  /** Writes of the changeset by the key that asks. */
  readonly ownWrites: number;
}

/** A maximum or minimum, and the measured value. */
interface Judged extends Pick<GateCriterionReport, 'limit' | 'actual'> {
  readonly evidence: readonly GateCriterionReport['evidence'][number][];
  readonly isMinimum?: true;
}

type Judge = (measured: Measured, limit: number) => Judged;

const JUDGES: Readonly<Record<GateCriterion, Judge>> = {
  checksPass: ({ checks }) => {
    const failed = (checks?.results ?? []).filter(({ passed }) => !passed);
    return { limit: 0, actual: failed.length, evidence: failed };
  },
  secondPerson: ({ ownWrites }) => ({ limit: 0, actual: ownWrites, evidence: [] }),
  noNewLintErrors: ({ lint }) => {
    const { findings, count } = lint === null ? NONE : newErrors(lint.live, lint.staged);
    return { limit: 0, actual: count, evidence: findings };
  },
  noLostCarts: ({ results: { lost, lostSamples } }) => ({ limit: 0, actual: lost, evidence: lostSamples }),
  differentPercentMax: ({ results: { different, evaluated, samples } }, limit) => ({
    limit,
    // Rounded up to two decimals.
    actual: evaluated === 0 ? 0 : Math.ceil((10_000 * different) / evaluated) / 100,
    evidence: samples,
  }),
  coveragePercentMin: ({ results: { coverage } }, limit) => ({
    limit,
    actual: coverage.percent,
    evidence: coverage.missing,
    isMinimum: true,
  }),
  evaluatedMin: ({ results: { evaluated } }, limit) => ({
    limit,
    actual: evaluated,
    evidence: [],
    isMinimum: true,
  }),
};

/** How many writes of a changeset are by this key; none without a key. */
export const ownWritesOf = ({ writes }: StagingState, key: string | null): number =>
  key === null ? 0 : writes.filter(({ keyId }) => keyId === key).length;

export function judgeGate(gate: PromotionGate, measured: Measured): GateJudgement {
  const criteria = GATE_CRITERIA.filter((criterion) => asksFor(gate, criterion)).map((criterion) => {
    const setting = gate[criterion];
    const wanted = typeof setting === 'number' ? setting : 0;
    const { limit, actual, evidence, isMinimum } = JUDGES[criterion](measured, wanted);
    const passed = isMinimum ? actual >= limit : actual <= limit;
    return { criterion, limit, actual, passed, evidence: passed ? [] : evidence.slice(0, EVIDENCE_MAX) };
  });
  return { passed: criteria.every(({ passed }) => passed), criteria, dropped: measured.results.dropped };
}

/** The reason why a changeset with this report is not promoted; null when it may be promoted. */
export function gateRefusal({ criteria }: GateJudgement): string | null {
  const failed = criteria.find(({ passed }) => !passed);
  if (failed === undefined) return null;
  const { criterion, limit, actual } = failed;
  return (
    `the promotion gate asks for ${criterion}: the limit is ${limit}, and it is ${actual}; ` +
    'GET /api/staging/gate has the evidence, and {"action": "promote", "force": true} with an admin key passes the gate'
  );
}

const NONE = { findings: [] as readonly Finding[], count: 0 };

/**
 * The errors of `staged` that are not in `live`, compared by code and record: a record with more errors of a code than
 * before has new ones. When a report omits findings of a code, `count` uses the difference of the totals instead.
 */
function newErrors(live: LintReport, staged: LintReport): typeof NONE {
  const found: Finding[] = [];
  let count = 0;
  for (const code of FINDING_CODE_NAMES) {
    const errorsOf = ({ findings }: LintReport) =>
      findings.filter((finding) => finding.code === code && finding.severity === 'error');
    const omittedIn = ({ omitted }: LintReport) => omitted.find((row) => row.code === code)?.count ?? 0;
    const [before, after] = [errorsOf(live), errorsOf(staged)];
    if (after.length === 0) continue;
    // Findings with the same sentence first, so that those left are the new ones of their record.
    const sentenceOf = (finding: Finding) => `${keyOf(finding)} ${finding.message}`;
    const changed = without(after, before, sentenceOf);
    const added = without(changed, without(before, after, sentenceOf), keyOf);
    found.push(...added);
    const more = after.length + omittedIn(staged) - before.length - omittedIn(live);
    count += omittedIn(live) + omittedIn(staged) > 0 ? Math.max(0, more) : added.length;
  }
  return { findings: found, count };
}

const keyOf = ({ record: { kind, id } }: Finding): string => `${kind} ${id}`;

/** The findings, without one for each of `others` with the same key. */
function without(
  findings: readonly Finding[],
  others: readonly Finding[],
  key: (finding: Finding) => string,
): readonly Finding[] {
  const left = new Map<string, number>();
  for (const each of others) left.set(key(each), (left.get(key(each)) ?? 0) + 1);
  return findings.filter((each) => {
    const count = left.get(key(each)) ?? 0;
    left.set(key(each), count - 1);
    return count <= 0;
  });
}
