/**
 * Lint: finds defects and doubtful settings in a valid configuration, if possible with a request that shows each of them.
 * Findings are proved, or say what the evaluator showed.
 *
 * Pure; runs in a worker. The work is proportional to the records, except for searches, which have budgets: steps,
 * pairs of rules, pairs of service codes, and characters of simulated answers.
 */
import type { CompiledShop } from '../compile/compiled-shop.ts';
import {
  FINDING_CODE_NAMES,
  FINDING_CODES,
  FINDINGS_PER_CODE_MAX,
  type Finding,
  type FindingCode,
  type LintReport,
} from '../domain/finding.ts';
import type { ShopConfig } from '../domain/shop-config.ts';
import { cartFindings } from './cart-findings.ts';
import { coverageFindings } from './coverage-findings.ts';
import { deliveryFindings } from './delivery-findings.ts';
import type { Draft } from './draft.ts';
import { placeFindings } from './place-findings.ts';
import { rateFindings } from './rate-findings.ts';
import { ruleFindings } from './rule-findings.ts';
import { serviceCodeFindings } from './service-code-findings.ts';
import { type LintSettings, ShopFacts } from './shop-facts.ts';

const CHECKS: readonly ((shop: ShopFacts) => Iterable<Draft>)[] = [
  placeFindings,
  coverageFindings,
  ruleFindings,
  rateFindings,
  serviceCodeFindings,
  cartFindings,
  deliveryFindings,
];

/**
 * The findings of a valid configuration, errors first, then in the order of codes and records. Lists at most
 * FINDINGS_PER_CODE_MAX findings of a code and counts the rest. The same configuration always gets the same report.
 * `compiled` is a compiled form of the shop, if there is one; its unchanged parts are reused.
 */
export function lintReport(config: ShopConfig, settings: LintSettings, compiled?: CompiledShop): LintReport {
  const shop = new ShopFacts(config, settings, compiled);
  const byCode = new Map<FindingCode, Draft[]>(FINDING_CODE_NAMES.map((code) => [code, []]));
  for (const check of CHECKS) for (const draft of check(shop)) byCode.get(draft.code)?.push(draft);
  const drafts = [...byCode.values()].flatMap((list) => list.slice(0, FINDINGS_PER_CODE_MAX));
  const omitted = [...byCode]
    .filter(([, list]) => list.length > FINDINGS_PER_CODE_MAX)
    .map(([code, list]) => ({ code, count: list.length - FINDINGS_PER_CODE_MAX }));
  const findings = drafts.map(({ code, record, evidence }): Finding => {
    const { severity } = FINDING_CODES[code];
    return { code, severity, record, ...evidence() };
  });
  return { findings, omitted };
}
