/** What speaks for and against publishing the draft, read together. */
import type { CallOutcome } from '../../client/call-outcome.ts';
import type { Schemas } from '../../client/call-table.ts';
import { numberText } from '../english.ts';
import type { Reads } from '../guarded-calls.ts';
import { GATE_LABELS } from '../labels.ts';
import { checksText } from '../parts/checks-sentence.ts';
import { counted } from '../words.ts';

type Finding = Schemas['Finding'];

export interface Evidence {
  readonly staging: Schemas['ShadowedStaging'];
  readonly gate: Schemas['GateReport'];
  readonly checks: {
    readonly passed: number;
    readonly failed: number;
    /** Those that fail; the first of them where many do. */
    readonly failing: readonly Omit<Schemas['CheckResult'], 'passed'>[];
  };
  /** Errors and warnings of the draft that the live configuration does not have. */
  readonly findings: readonly Finding[];
}

export interface Draft {
  /** Null while no draft is open. */
  readonly evidence: Evidence | null;
}

const NO_DRAFT: Draft = { evidence: null };

const sameFinding = ({ code, record, message }: Finding): string => `${code} ${record.id} ${message}`;

export async function readDraft(calls: Reads, signal: AbortSignal): Promise<CallOutcome<Draft>> {
  const read = await calls.getStaging({ signal });
  if (!read.ok) return read;
  const { staging } = read.value;
  if (staging === null) return { ...read, value: NO_DRAFT };
  const view = 'staged';
  const [gate, listed, staged] = await Promise.all([
    calls.getPromotionGate({ signal }),
    calls.listChecks({ query: { view }, signal }),
    calls.lintConfig({ query: { view }, signal }),
  ]);
  if (!gate.ok) return gate;
  if (!listed.ok) return listed;
  if (!staged.ok) return staged;
  const guard = gate.value.criteria.find(({ criterion }) => criterion === 'checksPass');
  const count = listed.value.checks.filter(({ enabled }) => enabled).length;
  const grave = staged.value.findings.filter(({ severity }) => severity !== 'info');
  // Each of these takes a thread that answers carts: not where the answers above have all that the page needs.
  const [run, live] = await Promise.all([
    guard === undefined && count > 0 ? calls.createOrRunChecks({ action: 'run', view }, { signal }) : null,
    grave.length > 0 ? calls.lintConfig({ query: { view: 'live' }, signal }) : null,
  ]);
  if (run?.ok === false) return run;
  if (live?.ok === false) return live;
  const known = new Set(live?.value.findings.map(sameFinding));
  const findings = grave.filter((finding) => !known.has(sameFinding(finding)));
  const failed = guard?.actual ?? run?.value.failed ?? 0;
  const results = guard?.evidence ?? run?.value.results ?? [];
  const failing = results.flatMap((each) => ('failures' in each && each.failures.length > 0 ? [each] : []));
  const checks = { passed: Math.max(0, count - failed), failed, failing };
  return { ...read, value: { evidence: { staging, gate: gate.value, checks, findings } } };
}

/** One thing to know before the draft is published. */
export interface Concern {
  readonly about: 'checks' | 'findings' | 'effects' | 'carts' | 'gate';
  readonly kind: 'bad' | 'warning' | 'good' | 'info';
  readonly text: string;
}

/** The worst first. `money` writes a difference in cents. */
export function concernsOf(evidence: Evidence, money: (cents: number) => string): readonly Concern[] {
  const concerns = [
    aboutChecks(evidence.checks),
    aboutFindings(evidence.findings),
    ...aboutEffects(evidence.staging.effects),
    aboutCarts(evidence.staging.shadow, money),
    aboutGate(evidence.gate),
  ];
  const order = ['bad', 'warning', 'good', 'info'];
  return concerns.sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
}

const concern = (about: Concern['about'], kind: Concern['kind'], text: string): Concern => ({
  about,
  kind,
  text,
});

function aboutChecks(checks: Evidence['checks']): Concern {
  const { passed, failed } = checks;
  if (passed + failed === 0) return concern('checks', 'info', 'The shop has no checks');
  return concern('checks', failed === 0 ? 'good' : 'bad', checksText(checks));
}

function aboutFindings(findings: readonly Finding[]): Concern {
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  if (errors > 0)
    return concern('findings', 'bad', `It brings ${counted(errors, 'error')} among the findings`);
  if (findings.length > 0)
    return concern('findings', 'warning', `It brings ${counted(findings.length, 'new finding')}`);
  return concern('findings', 'good', 'It brings no new finding');
}

type CartCounts = Pick<Schemas['ShadowResults'], 'different' | 'lost' | 'gained'>;

/** `2 of 5 carts would get other rates, 1 would lose all` */
export const impactText = ({ different, lost, gained }: CartCounts, carts: string): string =>
  [
    `${different === 0 ? 'none' : numberText(different)} of ${carts} would get other rates`,
    lost === 0 ? '' : `${numberText(lost)} would lose all`,
    gained === 0 ? '' : `${numberText(gained)} would get their first`,
  ]
    .filter(Boolean)
    .join(', ');

export function aboutEffects(effects: Schemas['Effects'] | undefined): readonly Concern[] {
  if (effects === undefined) return [];
  const { probes, changed, lost, gained, limited } = effects;
  const tried = `${limited ? 'the first ' : ''}${numberText(probes)} carts tried`;
  if (probes === 0) return [concern('effects', 'info', 'No cart was tried')];
  if (changed === 0) return [concern('effects', 'info', `None of ${tried} would get other rates`)];
  const text = impactText({ different: changed, lost, gained }, tried);
  return [concern('effects', lost > 0 ? 'bad' : 'warning', text)];
}

function aboutCarts(
  { evaluated, different, lost, byZone }: Schemas['ShadowResults'],
  money: (cents: number) => string,
): Concern {
  if (evaluated === 0)
    return concern('carts', 'info', 'No cart of a customer came in since the draft was opened');
  const cents = Object.values(byZone).reduce((sum, { differenceCents }) => sum + differenceCents, 0);
  const carts = `Of ${counted(evaluated, 'cart')} of customers since the draft was opened`;
  if (different === 0) return concern('carts', 'good', `${carts}, none would get other rates`);
  const text = `${carts}, ${different} would get other rates (${money(cents)} in all)`;
  return lost > 0
    ? concern('carts', 'bad', `${text} and ${lost} no rate`)
    : concern('carts', 'warning', text);
}

function aboutGate({ passed, criteria }: Evidence['gate']): Concern {
  if (criteria.length === 0)
    return concern('gate', 'warning', 'Nothing guards publishing: the shop has no rules for it');
  if (passed) return concern('gate', 'good', 'The rules for publishing hold');
  const failing = criteria.filter((criterion) => !criterion.passed).length;
  const rules = failing === 1 ? 'One rule for publishing does' : `${failing} rules for publishing do`;
  return concern('gate', 'bad', `${rules} not hold`);
}

type Criterion = Schemas['GateReport']['criteria'][number];

/** What speaks against a rule that asks for none of something, by its number. */
const AGAINST: Readonly<Partial<Record<Criterion['criterion'], (count: number) => string>>> = {
  checksPass: (count) => `${count} ${count === 1 ? 'does' : 'do'}`,
  secondPerson: (count) => `${counted(count, 'change')} of it made with this key`,
  noNewLintErrors: (count) => `${counted(count, 'new error')}`,
  noLostCarts: (count) => `${count} ${count === 1 ? 'does' : 'do'}`,
};

/** A rule for publishing that does not hold, and why: `No check fails: 2 do`. */
export const brokenRuleText = ({ criterion, limit, actual }: Criterion): string =>
  `${GATE_LABELS[criterion]}${AGAINST[criterion] === undefined ? ` ${limit}` : ''}: ${AGAINST[criterion]?.(actual) ?? actual}`;
