/** Results of checks and of the gate for a person: one line each, with its reasons below where it fails. */
import type { OfferedRate } from '../../engine/domain/expectation.ts';
import type { CheckResult, CheckResults } from '../../engine/wire/check-results.ts';
import type { GateCriterionReport, GateReport } from '../../engine/wire/gate-report.ts';
import { type Paint, type TextNode, treeLines } from './terminal.ts';

const mark = (passed: boolean, paint: Paint): string => (passed ? paint('green', '✔') : paint('red', '✘'));

/** Rates by code and price; `none` when there is no rate. */
export const ratesText = (rates: readonly OfferedRate[], none: string): string =>
  rates.map(({ serviceCode, totalPrice }) => `${serviceCode} ${totalPrice}`).join(', ') || none;

export const failureLines = ({ results }: CheckResults, paint: Paint): string[] =>
  results.filter(({ passed }) => !passed).flatMap((result) => treeLines(checkNode(result, paint), paint));

export function checkLines({ passed, failed, results }: CheckResults, paint: Paint): string[] {
  const lines = results.flatMap((result) => treeLines(checkNode(result, paint), paint));
  return [...lines, `${passed} passed, ${failed} failed`];
}

function checkNode({ checkId, name, passed, failures }: CheckResult, paint: Paint): TextNode {
  const [first] = failures;
  return {
    text: `${mark(passed, paint)} ${name} ${paint('dim', `(${checkId ?? 'new'})`)}`,
    children: [
      ...failures.map(({ reason }) => ({ text: reason })),
      ...(first === undefined ? [] : [{ text: `offered: ${ratesText(first.actual ?? [], 'nothing')}` }]),
    ],
  };
}

/** Every criterion of the gate with its limit, and the verdict. */
export function gateLines({ passed, criteria, dropped }: GateReport, paint: Paint): string[] {
  const width = Math.max(0, ...criteria.map(({ criterion }) => criterion.length));
  const lines = criteria.flatMap((row) => treeLines(criterionNode(row, width, paint), paint));
  const verdict = passed ? 'The changeset passes the gate.' : 'The changeset does not pass the gate.';
  const notes =
    dropped === 0 ? [] : [`${dropped} live simulations were not evaluated against the changeset.`];
  return [...(criteria.length === 0 ? ['The shop has no gate.'] : lines), ...notes, verdict];
}

function criterionNode(row: GateCriterionReport, width: number, paint: Paint): TextNode {
  const { criterion, limit, actual, passed, evidence } = row;
  const bound = criterion.endsWith('Min') ? 'at least' : 'at most';
  return {
    text: `${mark(passed, paint)} ${criterion.padEnd(width)}  ${actual} (${bound} ${limit})`,
    children: evidence.map((each) => ({ text: evidenceText(each) })),
  };
}

function evidenceText(evidence: GateCriterionReport['evidence'][number]): string {
  if ('checkId' in evidence) return `${evidence.name}: ${evidence.failures[0]?.reason ?? ''}`;
  if ('code' in evidence) return `${evidence.code}: ${evidence.message}`;
  if ('zoneId' in evidence) return `no cart of ${evidence.productGroupName} to ${evidence.zoneName}`;
  const { destination, cartTotal, live, staged } = evidence;
  const place = [destination.country, destination.province, destination.postalCode].filter((part) => part);
  const [before, after] = [ratesText(live, 'nothing'), ratesText(staged, 'nothing')];
  return `a cart of ${cartTotal} to ${place.join(', ')}: ${before} becomes ${after}`;
}
