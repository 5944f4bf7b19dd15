/**
 * Findings against brute force: on random shops no request over the values that matter refutes a finding,
 * and every witness shows its defect when it is simulated.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { compileShop } from '../../../src/engine/compile/compiled-shop.ts';
import { ITEMS_MAX_DEFAULT, type SimulateRequest } from '../../../src/engine/domain/cart.ts';
import {
  FINDING_CODE_NAMES,
  type Finding,
  type FindingCode,
  LintReport,
} from '../../../src/engine/domain/finding.ts';
import type { ShopConfig } from '../../../src/engine/domain/shop-config.ts';
import { lintReport } from '../../../src/engine/lint/lint-config.ts';
import { compileSchema } from '../../../src/engine/wire/schema-check.ts';
import { shopCase } from '../../support/shop-arbitraries.ts';
import { lintConfig } from './config-builder.ts';
import { conditionsOf, isShown, referenceShop, refuterOf, testedShop } from './finding-truth.ts';
import { SMALL_SETTINGS, smallShop } from './small-shops.ts';
import { trialsFor } from './trial-requests.ts';

const SMALL_SHOPS = Number(process.env['RATEWRIGHT_LINT_SHOPS'] ?? 300);
/** Requests that try to refute a finding that depends on conditions, and any other finding. */
const TRIALS = { conditional: 24, other: 8 } as const;
/** Limits of an operator on the items of a request. */
const ITEM_LIMITS = [1, 2, ITEMS_MAX_DEFAULT];
/** Too rare in these shops for a short run; cart-findings.test.ts makes shops that have it. */
const RARE: FindingCode = 'cart_without_rates';
/** Of the rules that probe carts did not match, the share that others may match; the shops are the same in each run. */
const UNMATCHED_SHOPS = 60;
const UNMATCHED_TRIALS = 200;
const MATCHED_SHARE_MAX = 0.1;
const SAMPLED = { numRuns: UNMATCHED_SHOPS, seed: Number(process.env['RATEWRIGHT_SEED'] ?? 1) };
/** Shops whose carts the naive reference evaluator answers, and carts of a finding. */
const REFERENCE_SHOPS = 150;
const REFERENCE_TRIALS = 16;
const LARGE_SHOPS = 50;
const CARTS_PER_SHOP = 20;

const refutation = (finding: Finding, request: SimulateRequest, nowMs: number): string =>
  `${JSON.stringify(finding)} is refuted by ${JSON.stringify(request)} at ${nowMs}`;

/** Gives each record its own name, because messages name records. */
const namedById = (config: ShopConfig): ShopConfig => {
  const named = <T extends { readonly id: string; readonly name: string }>(records: readonly T[]): T[] =>
    records.map((record) => ({ ...record, name: `The ${record.id}` }));
  return {
    zones: named(config.zones).map((zone) => ({ ...zone, subzones: named(zone.subzones) })),
    productGroups: named(config.productGroups),
    methods: named(config.methods),
    blendedRates: named(config.blendedRates),
  };
};

const clock = compileShop({ zones: [], productGroups: [], methods: [], blendedRates: [] }, SMALL_SETTINGS);

describe('findings', () => {
  it(`of ${SMALL_SHOPS} random small shops are refuted by no request, and their witnesses show them`, () => {
    const seen = new Set<FindingCode>();
    const property = fc.property(smallShop, fc.constantFrom(...ITEM_LIMITS), (config, itemsMax) => {
      const shop = testedShop(config, SMALL_SETTINGS, clock);
      for (const finding of lintConfig(config, { ...SMALL_SETTINGS, itemsMax }, clock)) {
        seen.add(finding.code);
        const { length = 0 } = finding.witness?.request.items ?? [];
        assert.ok(length <= itemsMax, `over ${itemsMax} items: ${JSON.stringify(finding)}`);
        assert.ok(isShown(finding, shop), `not shown: ${JSON.stringify(finding)}`);
        const refutes = refuterOf(finding, shop);
        const conditions = conditionsOf(config, finding);
        const count = conditions.length > 0 ? TRIALS.conditional : TRIALS.other;
        for (const { request, nowMs } of trialsFor(config, conditions, count)) {
          if (refutes(request, nowMs)) assert.fail(refutation(finding, request, nowMs));
        }
      }
    });
    fc.assert(property, { numRuns: SMALL_SHOPS, unbiased: true });
    assert.deepEqual(
      FINDING_CODE_NAMES.filter((code) => code !== RARE && !seen.has(code)),
      [],
      'codes that no random shop has',
    );
  });

  it(`of rules of ${UNMATCHED_SHOPS} random shops that matched no probe cart are seldom refuted by other carts`, () => {
    let [told, matched] = [0, 0];
    for (const { config, settings, carts } of fc.sample(shopCase(CARTS_PER_SHOP), SAMPLED)) {
      const { simulate } = testedShop(config, settings);
      for (const { code, record } of lintConfig(config, { ...settings, itemsMax: ITEMS_MAX_DEFAULT })) {
        if (code !== 'rule_unmatched') continue;
        const { rules = [] } = config.methods.find(({ id }) => id === record.parentId) ?? {};
        const conditions = rules.find(({ id }) => id === record.id)?.conditions ?? [];
        told++;
        const isMatched = [...carts, ...trialsFor(config, conditions, UNMATCHED_TRIALS)].some(
          ({ request, nowMs }) =>
            simulate(request, nowMs)?.methodEvaluations.some(({ ruleTraces }) =>
              ruleTraces.some((trace) => trace.ruleId === record.id && trace.matched),
            ) === true,
        );
        if (isMatched) matched++;
      }
    }
    assert.ok(told > 30, `${told} rules`);
    assert.ok(matched / told <= MATCHED_SHARE_MAX, `${matched} of ${told}`);
  });

  it(`of ${REFERENCE_SHOPS} random shops are refuted by no cart that the reference answers`, () => {
    const seen = new Set<FindingCode>();
    const property = fc.property(smallShop, (unnamed) => {
      const config = namedById(unnamed);
      const shop = referenceShop(config, SMALL_SETTINGS);
      for (const finding of lintConfig(config, SMALL_SETTINGS, clock)) {
        if (finding.severity === 'error') seen.add(finding.code);
        assert.ok(isShown(finding, shop), `not shown: ${JSON.stringify(finding)}`);
        const refutes = refuterOf(finding, shop);
        for (const { request, nowMs } of trialsFor(config, conditionsOf(config, finding), REFERENCE_TRIALS)) {
          if (refutes(request, nowMs)) assert.fail(refutation(finding, request, nowMs));
        }
      }
    });
    fc.assert(property, { numRuns: REFERENCE_SHOPS, unbiased: true });
    assert.ok(seen.has('rule_never_matches') && seen.has('method_never_visible'));
  });

  it(`of ${LARGE_SHOPS} random large shops are refuted by none of their carts`, () => {
    const report = compileSchema(LintReport);
    const property = fc.property(shopCase(CARTS_PER_SHOP), ({ config: unnamed, settings, carts }) => {
      const config = namedById(unnamed);
      const shop = testedShop(config, settings);
      const found = lintReport(config, { ...settings, itemsMax: ITEMS_MAX_DEFAULT });
      assert.ok(report.check(found), report.defects(found)[0]);
      for (const finding of found.findings) {
        assert.ok(isShown(finding, shop), `not shown: ${JSON.stringify(finding)}`);
        const refutes = refuterOf(finding, shop);
        for (const { request, nowMs } of carts) {
          if (refutes(request, nowMs)) assert.fail(refutation(finding, request, nowMs));
        }
      }
    });
    fc.assert(property, { numRuns: LARGE_SHOPS, unbiased: true });
  });
});
