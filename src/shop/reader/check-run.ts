/**
 * Runs checks against a configuration (contract section 10.1). A check costs one simulation of its rates; one that
 * misses a rate is evaluated again with its trace, for the reason.
 */

import { invariant } from '../../base/runtime/invariant.ts';
import type { CompiledShop } from '../../engine/compile/compiled-shop.ts';
import { dayOfDate } from '../../engine/domain/calendar-day.ts';
import type { Check } from '../../engine/domain/check.ts';
import { notFound, type Outcome, success } from '../../engine/domain/failure.ts';
import { parseIsoTime } from '../../engine/domain/iso-time.ts';
import { evaluateToParts } from '../../engine/evaluate/evaluate.ts';
import { unmetReason } from '../../engine/explain/unmet-expectation.ts';
import type { AnswerFields, RatesAnswer, SimulateAnswer } from '../../engine/wire/answer.ts';
import type { CheckResults, UnmetExpectation } from '../../engine/wire/check-results.ts';

/** The configuration that the checks are run against. */
interface CheckedShop {
  readonly shop: CompiledShop;
  /** Null for a configuration that is no version. */
  readonly versionId: string | null;
  /** The clock of checks that name no time, ms since the epoch. */
  readonly nowMs: number;
}

/** The checks to run: those that are named, enabled or not, else all that are enabled. NOT_FOUND for an unknown id. */
export function chosenChecks(
  checks: readonly Check[],
  ids: readonly string[] | undefined,
): Outcome<readonly Check[]> {
  if (ids === undefined) return success(checks.filter(({ enabled }) => enabled));
  const known = new Map(checks.map((check) => [check.id, check]));
  const unknown = ids.find((id) => !known.has(id));
  if (unknown !== undefined) return notFound('check', unknown);
  const wanted = new Set(ids);
  return success(checks.filter(({ id }) => wanted.has(id)));
}

/** The results in the order of the checks. */
export function runChecks(checked: CheckedShop, checks: readonly Check[]): CheckResults {
  const results = checks.map((check) => {
    const failures = failuresOf(checked, check);
    return { checkId: check.id, name: check.name, passed: failures.length === 0, failures };
  });
  const passed = results.filter((result) => result.passed).length;
  return { versionId: checked.versionId, passed, failed: results.length - passed, results };
}

function failuresOf(checked: CheckedShop, check: Check): UnmetExpectation[] {
  const { settings, config } = checked.shop;
  const { request, expectations } = check;
  const offered = answerOf<RatesAnswer>(checked, check, 'rates');
  if (!offered.ok) {
    // The request has its shape, but an amount is too large or a date too late.
    return expectations.map((expectation) => ({ expectation, actual: [], reason: `${offered.message}.` }));
  }
  const { rates } = offered.value;
  let traced: SimulateAnswer | undefined;
  const today = dayOfDate(checked.shop.calendar.at(timeOf(checked, check)).date);
  const cart = {
    config,
    today,
    country: request.destination.country,
    currency: request.currency ?? settings.currency,
    rates,
    trace: () => (traced ??= tracedAnswer(checked, check)),
  };
  return expectations.flatMap((expectation) => {
    const reason = unmetReason(cart, expectation);
    if (reason === null) return [];
    const actual = rates.map(({ serviceCode, totalPrice }) => ({ serviceCode, totalPrice }));
    return [{ expectation, actual, reason }];
  });
}

/** The answer with its trace. The request must have an answer. */
function tracedAnswer(checked: CheckedShop, check: Check): SimulateAnswer {
  const answer = answerOf<SimulateAnswer>(checked, check, 'all');
  invariant(answer.ok, 'a request that has rates has a trace');
  return answer.value;
}

/** The clock of the check, ms since the epoch. */
const timeOf = ({ nowMs }: CheckedShop, { at }: Check): number =>
  at === null ? nowMs : (parseIsoTime(at) ?? nowMs);

function answerOf<A>(checked: CheckedShop, check: Check, fields: AnswerFields): Outcome<A> {
  const text = evaluateToParts(checked.shop, check.request, timeOf(checked, check), fields);
  return text.ok ? success(JSON.parse(text.value.join('')) as A) : text;
}
