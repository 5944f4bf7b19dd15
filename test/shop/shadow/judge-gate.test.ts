/** The verdict of the gate: each criterion on both sides of its limit, its evidence, and the refusal. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  FINDING_CODE_NAMES,
  FINDING_CODES,
  type Finding,
  type LintReport,
} from '../../../src/engine/domain/finding.ts';
import { GATE_CRITERIA, type PromotionGate } from '../../../src/engine/domain/promotion-gate.ts';
import { EVIDENCE_MAX, GateReport } from '../../../src/engine/wire/gate-report.ts';
import { compileSchema } from '../../../src/engine/wire/schema-check.ts';
import { gateRefusal, judgeGate, type Measured } from '../../../src/shop/shadow/judge-gate.ts';

const schema = compileSchema(GateReport);

const coverage = {
  seen: 3,
  possible: 4,
  percent: 75,
  missing: [{ zoneId: 'z', zoneName: 'Z', productGroupId: 'g', productGroupName: 'G' }],
};
const rate = { serviceName: 'A', serviceCode: 'a', description: '', totalPrice: 5, currency: 'USD' };
const sample = (staged: readonly (typeof rate)[]) => ({
  at: '2026-11-18T17:00:00.000Z',
  destination: { country: 'US', province: null, postalCode: null },
  items: [],
  itemCount: 1,
  cartTotal: 0,
  live: [rate],
  staged: [...staged],
  differences: [{ serviceCode: 'a', serviceName: 'A', live: 5, staged: null }],
  request: null,
  replayed: false,
});
const LOST = sample([]);
const DEARER = sample([{ ...rate, totalPrice: 6 }]);
const results = {
  writes: 1,
  evaluated: 300,
  different: 2,
  lost: 1,
  dropped: 7,
  coverage,
  samples: [LOST, DEARER],
  lostSamples: [LOST],
};
const failure = { expectation: { kind: 'some_rate' as const }, actual: [], reason: 'No rate is offered.' };
const FAILED = { checkId: 'check_a', name: 'A', passed: false, failures: [failure] };
const PASSED = { checkId: 'check_b', name: 'B', passed: true, failures: [] };
const checks = { versionId: null, passed: 1, failed: 1, results: [FAILED, PASSED] };

const [error, otherError] = FINDING_CODE_NAMES.filter((code) => FINDING_CODES[code].severity === 'error');
const [warning] = FINDING_CODE_NAMES.filter((code) => FINDING_CODES[code].severity === 'warning');
assert.ok(error !== undefined && otherError !== undefined && warning !== undefined);
const finding = (code: typeof error, id: string): Finding => ({
  code,
  severity: FINDING_CODES[code].severity,
  record: { kind: 'method', id, name: id },
  message: 'A sentence.',
  witness: null,
});
const report = (findings: readonly Finding[], omitted: LintReport['omitted'] = []): LintReport => ({
  findings,
  omitted,
});

const NO_EFFECTS = { probes: 0, changed: 0, lost: 0, gained: 0, samples: [], limited: false };

const NOTHING: Measured = {
  checks: null,
  lint: null,
  results: { ...results, different: 0, lost: 0, samples: [] },
  ownWrites: 0,
};

const judge = (gate: PromotionGate, measured: Partial<Measured>) => {
  const made = judgeGate(gate, { ...NOTHING, ...measured });
  assert.deepEqual(schema.defects({ ...made, effects: NO_EFFECTS }, 3), []);
  return made;
};

test('a criterion passes at its limit, and fails beyond it with its evidence', () => {
  const cases: readonly (readonly [PromotionGate, Partial<Measured>, number, number, readonly unknown[]])[] =
    [
      [{ checksPass: true }, { checks: { ...checks, failed: 0, results: [PASSED] } }, 0, 0, []],
      [{ checksPass: true }, { checks }, 0, 1, [FAILED]],
      [{ secondPerson: true }, { ownWrites: 0 }, 0, 0, []],
      [{ secondPerson: true }, { ownWrites: 1 }, 0, 1, []],
      [{ noLostCarts: true }, {}, 0, 0, []],
      [{ noLostCarts: true }, { results }, 0, 1, [LOST]],
      [{ differentPercentMax: 0.67 }, { results }, 0.67, 0.67, []],
      [{ differentPercentMax: 0.66 }, { results }, 0.66, 0.67, [LOST, DEARER]],
      [{ differentPercentMax: 0 }, { results: { ...results, evaluated: 0, different: 0 } }, 0, 0, []],
      [{ coveragePercentMin: 75 }, { results }, 75, 75, []],
      [{ coveragePercentMin: 75.1 }, { results }, 75.1, 75, coverage.missing],
      [{ evaluatedMin: 300 }, { results }, 300, 300, []],
      [{ evaluatedMin: 301 }, { results }, 301, 300, []],
    ];
  for (const [gate, measured, limit, actual, evidence] of cases) {
    const passed = Object.keys(gate)[0]?.endsWith('Min') ? actual >= limit : actual <= limit;
    const [criterion = ''] = Object.keys(gate);
    assert.deepEqual(judge(gate, measured), {
      passed,
      criteria: [{ criterion, limit, actual, passed, evidence }],
      dropped: 7,
    });
  }
});

test('only errors that the live configuration does not have count, including those that a report omits', () => {
  const gate = { noNewLintErrors: true };
  const known = finding(error, 'method_known');
  const added = finding(error, 'method_added');
  const second = { ...known, message: 'Another sentence.' };
  const cases: readonly (readonly [
    live: LintReport,
    staged: LintReport,
    count: number,
    shown: readonly Finding[],
  ])[] = [
    [report([known]), report([known]), 0, []],
    [report([]), report([finding(warning, 'method_w')]), 0, []],
    [report([known]), report([known, added]), 1, [added]],
    // One error is fixed and another appears; that one is new.
    [report([known]), report([added]), 1, [added]],
    [report([finding(otherError, 'method_added')]), report([added]), 1, [added]],
    // A second error of the same record, such as a preference of another group, is new; a renamed record is not.
    [report([known]), report([second, known]), 1, [second]],
    [report([known, second]), report([known]), 0, []],
    [report([known]), report([second]), 0, []],
    [report([known]), report([known], [{ code: error, count: 3 }]), 3, []],
    [report([known], [{ code: error, count: 3 }]), report([added], [{ code: error, count: 3 }]), 0, []],
  ];
  for (const [live, staged, actual, evidence] of cases) {
    const [criterion] = judge(gate, { lint: { live, staged } }).criteria;
    assert.deepEqual(criterion, {
      criterion: 'noNewLintErrors',
      limit: 0,
      actual,
      passed: actual === 0,
      evidence,
    });
  }
});

test('evidence is bounded, and only the criteria of the gate are judged', () => {
  const many = Array.from({ length: EVIDENCE_MAX + 1 }, () => FAILED);
  const { criteria } = judge(
    { checksPass: true },
    { checks: { ...checks, failed: many.length, results: many } },
  );
  assert.deepEqual([criteria[0]?.actual, criteria[0]?.evidence.length], [EVIDENCE_MAX + 1, EVIDENCE_MAX]);
  const none = { checksPass: false, noNewLintErrors: false, noLostCarts: false };
  assert.deepEqual(judge(none, { checks, results }), { passed: true, criteria: [], dropped: 7 });
});

test('a refusal names the first failed criterion, with its limit and the actual value', () => {
  const all = {
    checksPass: true,
    secondPerson: true,
    noNewLintErrors: true,
    noLostCarts: true,
    evaluatedMin: 1_000,
  };
  const made = judge(all, {
    results,
    checks: { ...checks, failed: 0, results: [] },
    lint: { live: report([]), staged: report([]) },
  });
  assert.deepEqual(
    made.criteria.map(({ criterion, passed }) => [criterion, passed]),
    [
      ['checksPass', true],
      ['secondPerson', true],
      ['noNewLintErrors', true],
      ['noLostCarts', false],
      ['evaluatedMin', false],
    ],
  );
  assert.match(gateRefusal(made) ?? '', /noLostCarts: the limit is 0, and it is 1;/);
  assert.equal(gateRefusal(judge({}, { results })), null);
  assert.deepEqual(
    judge({ ...all, differentPercentMax: 1, coveragePercentMin: 1 }, {}).criteria.map(
      ({ criterion }) => criterion,
    ),
    GATE_CRITERIA,
  );
});
