/** What is said before a draft is published. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  brokenRuleText,
  concernsOf,
  type Evidence,
  readDraft,
} from '../../../src/front/console/changeset/draft-evidence.ts';

const money = (cents: number): string => `${cents} cents`;

/** Only what the sentences are made of. */
const evidence = (over: Record<string, unknown> = {}): Evidence =>
  ({
    checks: { passed: 2, failed: 0, failing: [] },
    findings: [],
    gate: { passed: true, criteria: [{ passed: true }] },
    staging: {
      effects: { probes: 40, changed: 0, lost: 0, gained: 0, limited: false },
      shadow: { evaluated: 0, different: 0, lost: 0, byZone: {} },
    },
    ...over,
  }) as unknown as Evidence;

test('a draft that changes nothing has no bad word and no warning', () => {
  const kinds = concernsOf(evidence(), money).map(({ about, kind }) => `${about} ${kind}`);
  assert.deepEqual(kinds, ['checks good', 'findings good', 'gate good', 'effects info', 'carts info']);
});

test('failing checks, errors, lost carts and rules that do not hold come first', () => {
  const concerns = concernsOf(
    evidence({
      checks: { passed: 1, failed: 1, failing: [] },
      findings: [{ severity: 'error' }, { severity: 'warning' }],
      gate: { passed: false, criteria: [{ passed: false }, { passed: true }] },
      staging: {
        effects: { probes: 40, changed: 9, lost: 2, gained: 1, limited: true },
        shadow: {
          evaluated: 5,
          different: 3,
          lost: 1,
          byZone: { a: { differenceCents: 30 }, b: { differenceCents: -70 } },
        },
      },
    }),
    money,
  );
  assert.deepEqual(
    concerns.map(({ kind, text }) => `${kind}: ${text}`),
    [
      'bad: 1 of 2 checks fails',
      'bad: It brings 1 error among the findings',
      'bad: 9 of the first 40 carts tried would get other rates, 2 would lose all, 1 would get their first',
      'bad: Of 5 carts of customers since the draft was opened, 3 would get other rates (-40 cents in all) and 1 no rate',
      'bad: One rule for publishing does not hold',
    ],
  );
});

test('a shop without rules for publishing is warned, and so are other rates', () => {
  const concerns = concernsOf(
    evidence({
      gate: { passed: true, criteria: [] },
      checks: { passed: 0, failed: 0, failing: [] },
      staging: { shadow: { evaluated: 1, different: 1, lost: 0, byZone: {} } },
    }),
    money,
  );
  assert.deepEqual(
    concerns.map(({ about, kind }) => `${about} ${kind}`),
    ['carts warning', 'gate warning', 'findings good', 'checks info'],
  );
});

test('a rule that does not hold says in words what speaks against it', () => {
  const broken = (criterion: string, actual: number, limit = 0): string =>
    brokenRuleText({ criterion, limit, actual, passed: false, evidence: [] } as never);
  assert.equal(broken('checksPass', 2), 'No check fails: 2 do');
  assert.equal(broken('noNewLintErrors', 1), 'No new error among the findings: 1 new error');
  assert.equal(broken('differentPercentMax', 16.4, 5), 'Carts with other rates, percent at most 5: 16.4');
});

test('checks are run, and the live configuration is looked through, only where the answers before lack them', async () => {
  const failing = { checkId: 'c', name: 'c', failures: [{ reason: 'x' }] };
  const read = async (criteria: readonly unknown[], findings: readonly unknown[]) => {
    const asked: string[] = [];
    const answer = (name: string, value: unknown) => async () => {
      asked.push(name);
      return { ok: true, value, versionId: 'v1' };
    };
    const calls = {
      getStaging: answer('staging', { staging: {} }),
      getPromotionGate: answer('gate', { passed: true, criteria }),
      listChecks: answer('list', { checks: [{ enabled: true }, { enabled: true }, { enabled: false }] }),
      lintConfig: answer('lint', { findings }),
      createOrRunChecks: answer('run', {
        passed: 1,
        failed: 1,
        results: [failing, { ...failing, failures: [] }],
      }),
    } as unknown as Parameters<typeof readDraft>[0];
    const outcome = await readDraft(calls, new AbortController().signal);
    assert.ok(outcome.ok);
    return { asked, evidence: outcome.value.evidence };
  };
  const guard = { criterion: 'checksPass', actual: 1, evidence: [failing] };
  const guarded = await read([guard], [{ severity: 'info', record: { id: 'a' } }]);
  assert.deepEqual(guarded.asked, ['staging', 'gate', 'list', 'lint']);
  assert.deepEqual(guarded.evidence?.checks, { passed: 1, failed: 1, failing: [failing] });
  const open = await read([], [{ severity: 'error', code: 'x', message: 'y', record: { id: 'a' } }]);
  assert.deepEqual(open.asked, ['staging', 'gate', 'list', 'lint', 'run', 'lint']);
  assert.deepEqual(open.evidence?.checks, { passed: 1, failed: 1, failing: [failing] });
  assert.deepEqual(open.evidence?.findings, []);
});
