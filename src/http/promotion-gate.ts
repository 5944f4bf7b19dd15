/**
 * Measures what the gate of a shop asks for, and judges the active changeset by it (contract section 10.2). The checks and
 * the lint run in worker threads when they are heavy.
 *
 * Promise: everything is measured of the state at the time of the call, which the judgement names.
 */
import type { JudgedChangeset } from '../change/command.ts';
import { type Outcome, success } from '../domain/failure.ts';
import type { LintReport } from '../domain/finding.ts';
import { asksFor } from '../domain/promotion-gate.ts';
import { gateRefusal, judgeGate } from '../shadow/judge-gate.ts';
import type { Work } from '../shop/work-estimate.ts';
import type { CheckResults } from '../wire/check-results.ts';
import type { GateReport } from '../wire/gate-report.ts';
import { NO_CHANGESET } from '../wire/staging.ts';
import type { Question } from '../worker/heavy-work.ts';
import type { ShopRequest } from './route.ts';

export interface JudgedGate {
  readonly report: GateReport;
  readonly judged: JudgedChangeset;
}

const NO_GATE: GateReport = { passed: true, criteria: [] };

/** CONFLICT without a changeset, RATE_LIMITED when the worker threads have no room. */
export async function judgeStaging(request: ShopRequest<unknown>): Promise<Outcome<JudgedGate>> {
  const { shop, dependencies } = request;
  const { state } = shop;
  const { staging } = state;
  if (staging === null) return NO_CHANGESET;
  const gate = state.settings.promotionGate ?? null;
  const of = { stagingId: staging.id, writes: staging.writes.length, gate };
  if (gate === null) return success({ report: NO_GATE, judged: { ...of, refusal: null } });
  const nowMs = dependencies.clock.nowMs();
  const lint = (view: 'live' | 'staged') =>
    asksFor(gate, 'noNewLintErrors')
      ? ask<LintReport>(request, { kind: 'lint' }, { kind: 'lint', view, nowMs }, () =>
          shop.lint(view, nowMs),
        )
      : null;
  const work = { kind: 'runChecks', source: 'staged', checks: staging.config.checks.length } as const;
  const question = { kind: 'runChecks', source: 'staged', ids: undefined, nowMs } as const;
  // All are asked in this turn of the event loop, and so of the same state.
  const [checks, live, staged, results] = await Promise.all([
    asksFor(gate, 'checksPass')
      ? ask<CheckResults>(request, work, question, () => shop.runChecks('staged', undefined, nowMs))
      : null,
    lint('live'),
    lint('staged'),
    dependencies.shadow.resultsSinceEdit(state),
  ]);
  if (checks !== null && !checks.ok) return checks;
  if (live !== null && !live.ok) return live;
  if (staged !== null && !staged.ok) return staged;
  if (!results.ok) return results;
  const report = judgeGate(gate, {
    checks: checks?.value ?? null,
    lint: live === null || staged === null ? null : { live: live.value, staged: staged.value },
    results: results.value,
  });
  return success({ report, judged: { ...of, refusal: gateRefusal(report) } });
}

/** A read for this service itself: in a worker thread when it is heavy. */
async function ask<T>(
  { shop, dependencies: { heavy } }: ShopRequest<unknown>,
  work: Work,
  question: Question,
  read: () => Outcome<T>,
): Promise<Outcome<T>> {
  if (!heavy.isHeavy(shop.costOf(work))) return read();
  const answerHere = (): Outcome<Uint8Array> => {
    const made = read();
    return made.ok ? success(Buffer.from(JSON.stringify(made.value))) : made;
  };
  const { outcome, release } = await heavy.answer(shop, question, answerHere);
  if (!outcome.ok) return outcome;
  const value = JSON.parse(Buffer.from(outcome.value).toString()) as T;
  release?.();
  return success(value);
}
