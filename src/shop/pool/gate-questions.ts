/** What the criteria of a gate need to know of a changeset (contract section 10.2). */
import { type Outcome, success } from '../../engine/domain/failure.ts';
import type { LintReport } from '../../engine/domain/finding.ts';
import { asksFor, type GateCriterion, type PromotionGate } from '../../engine/domain/promotion-gate.ts';
import type { CheckResults } from '../../engine/wire/check-results.ts';
import { NO_TRAFFIC } from '../reader/live-traffic.ts';
import type { Measured } from '../shadow/judge-gate.ts';
import type { ReadQuestion } from './question.ts';

type Ask = <T>(question: ReadQuestion) => Outcome<T> | Promise<Outcome<T>>;

/**
 * All questions are asked in this turn of the event loop, so they read the same state. The criteria need only errors of the
 * lint, which do not depend on live traffic.
 */
export async function askForGate(
  gate: PromotionGate,
  nowMs: number,
  ask: Ask,
): Promise<Outcome<Pick<Measured, 'checks' | 'lint'>>> {
  const of = <T>(criterion: GateCriterion, question: ReadQuestion) =>
    asksFor(gate, criterion) ? ask<T>(question) : success(null);
  const lint = (view: 'live' | 'staged') =>
    of<LintReport>('noNewLintErrors', { kind: 'lint', view, nowMs, traffic: NO_TRAFFIC });
  const [ran, live, staged] = await Promise.all([
    of<CheckResults>('checksPass', { kind: 'runChecks', source: 'staged', ids: undefined, nowMs }),
    lint('live'),
    lint('staged'),
  ]);
  if (!ran.ok) return ran;
  if (!live.ok) return live;
  if (!staged.ok) return staged;
  const isLinted = live.value !== null && staged.value !== null;
  return success({ checks: ran.value, lint: isLinted ? { live: live.value, staged: staged.value } : null });
}
