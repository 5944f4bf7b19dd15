/** Results of checks and of the gate for a person: one line each, with its reasons below where it fails. */
import type { CheckResult, CheckResults } from '../wire/check-results.ts';
import type { GateCriterionReport, GateReport } from '../wire/gate-report.ts';
import type { Paint } from './terminal.ts';
import { type TextNode, treeLines } from './text-tree.ts';

const mark = (passed: boolean, paint: Paint): string => (passed ? paint('green', '✔') : paint('red', '✘'));

const linesOf = (node: TextNode, paint: Paint): string[] => treeLines(node, (branch) => paint('dim', branch));

/** The checks that fail, each with its reasons. */
export const failureLines = ({ results }: CheckResults, paint: Paint): string[] =>
  results.filter(({ passed }) => !passed).flatMap((result) => linesOf(checkNode(result, paint), paint));

/** Every check, and how many pass. */
export function checkLines({ passed, failed, results }: CheckResults, paint: Paint): string[] {
  const lines = results.flatMap((result) => linesOf(checkNode(result, paint), paint));
  return [...lines, `${passed} passed, ${failed} failed`];
}

function checkNode({ checkId, name, passed, failures }: CheckResult, paint: Paint): TextNode {
  const [first] = failures;
  const offered = (first?.actual ?? []).map(({ serviceCode, totalPrice }) => `${serviceCode} ${totalPrice}`);
  return {
    text: `${mark(passed, paint)} ${name} ${paint('dim', `(${checkId ?? 'new'})`)}`,
    children: [
      ...failures.map(({ reason }) => ({ text: reason })),
      ...(first === undefined ? [] : [{ text: `offered: ${offered.join(', ') || 'nothing'}` }]),
    ],
  };
}

/** Every criterion of the gate with its limit, and the verdict. */
export function gateLines({ passed, criteria }: GateReport, paint: Paint): string[] {
  const width = Math.max(0, ...criteria.map(({ criterion }) => criterion.length));
  const lines = criteria.flatMap((row) => linesOf(criterionNode(row, width, paint), paint));
  const verdict = passed ? 'The changeset passes the gate.' : 'The changeset does not pass the gate.';
  return [...(criteria.length === 0 ? ['The shop has no gate.'] : lines), verdict];
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
  const rates = (list: typeof live) =>
    list.map(({ serviceCode, totalPrice }) => `${serviceCode} ${totalPrice}`).join(', ') || 'nothing';
  return `a cart of ${cartTotal} to ${place.join(', ')}: ${rates(live)} becomes ${rates(staged)}`;
}
