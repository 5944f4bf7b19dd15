/**
 * The search for changes against brute force: in small worlds the reference evaluates every single change, and the
 * explanation must name the smallest change with the effect, or null when no change has it. The long form:
 * `RATEWRIGHT_WORLDS=2000 npm test -- why-not`.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { compileShop } from '../../../src/engine/compile/compiled-shop.ts';
import { findConditionDefect } from '../../../src/engine/domain/condition.ts';
import { findRateConfigDefect } from '../../../src/engine/domain/rate-type.ts';
import { explain } from '../../../src/engine/explain/explain.ts';
import type { SimulateAnswer } from '../../../src/engine/wire/answer.ts';
import type { ExplainedAnswer } from '../../../src/engine/wire/explained-answer.ts';
import { CHANGE_KINDS, type ChangeKind } from '../../../src/engine/wire/explained-answer.ts';
import { referenceSimulate } from '../../support/reference/simulate.ts';
import { changedRequest, type NamedChange } from './changed-request.ts';
import { everyChange, smallRequest, smallShop } from './small-world.ts';

const WORLDS = Number(process.env['RATEWRIGHT_WORLDS'] ?? 75);
const SETTINGS = { currency: 'USD', timezone: 'UTC' };
const NOW_MS = Date.parse('2026-11-18T17:00:00Z');

type Evaluation = ExplainedAnswer['methodEvaluations'][number];
type Claim = Evaluation['whyNot'];

interface Outcome {
  readonly change: NamedChange;
  readonly evaluations: SimulateAnswer['methodEvaluations'];
}

const rank = (kind: string): number => CHANGE_KINDS.indexOf(kind as ChangeKind);

/** Kinds whose listed changes are complete, so that exactly one change is right. */
const EXACT_KINDS: readonly string[] = [
  'cart_total',
  'order_total',
  'cart_weight',
  'quantity',
  'tag_removed',
  'item_dropped',
];

describe('the change that an explanation names', () => {
  it(`is the smallest that brute force finds in ${WORLDS} small worlds, but for a few texts`, () => {
    const counts: Record<string, number> = {};
    let missed = 0;
    fc.assert(
      fc.property(smallShop, smallRequest, (config, request) => {
        for (const method of config.methods) {
          assert.equal(findRateConfigDefect(method), null);
          for (const each of method.rules.flatMap((rule) => rule.conditions))
            assert.equal(findConditionDefect(each), null);
        }
        const answer = explain(compileShop(config, SETTINGS), request, NOW_MS);
        assert.ok(answer.ok);
        const outcomes = everyChange(request).map((change): Outcome => {
          const result = referenceSimulate(config, SETTINGS, changedRequest(request, change), NOW_MS);
          return { change, evaluations: result.status === 200 ? result.answer.methodEvaluations : [] };
        });
        const check = (claim: Claim, does: (outcome: Outcome) => boolean) => {
          if (checkClaim(claim, outcomes.filter(does))) missed++;
          const key = claim?.change.kind ?? 'null';
          counts[key] = (counts[key] ?? 0) + 1;
        };
        const { methodEvaluations } = JSON.parse(answer.value) as ExplainedAnswer;
        for (const evaluation of methodEvaluations) {
          assert.equal(evaluation.whyNotLimited, undefined);
          const after = ({ evaluations }: Outcome) =>
            evaluations.find(({ methodId, visible }) => methodId === evaluation.methodId && visible);
          if (evaluation.whyNot !== undefined)
            check(evaluation.whyNot, (outcome) => after(outcome) !== undefined);
          for (const { ruleId, whyNot, whyNotLimited } of evaluation.ruleTraces) {
            assert.equal(whyNotLimited, undefined);
            if (whyNot === undefined) continue;
            check(
              whyNot,
              (outcome) =>
                after(outcome)?.ruleTraces.some((trace) => trace.ruleId === ruleId && trace.matched) === true,
            );
          }
        }
      }),
      { numRuns: WORLDS },
    );
    const questions = Object.values(counts).reduce((sum, count) => sum + count, 0);
    assert.ok(questions > WORLDS / 3 && Object.keys(counts).length > 5, JSON.stringify(counts));
    assert.ok(missed <= questions / 20, `${missed} of ${questions} texts were missed`);
  });
});

/** Of these an explanation tries those that conditions name, and what two of them come to when they are joined. */
const TEXT_KINDS: readonly string[] = ['tag_added', 'state', 'postal_code'];

/**
 * `found`: the outcomes of all changes with the effect, in the order of preference. True when the claim misses only a text
 * that an explanation does not try.
 */
function checkClaim(claim: Claim, found: readonly Outcome[]): boolean {
  const claimed = claim?.change.kind;
  const isMissed =
    found.length > 0 &&
    TEXT_KINDS.includes(found[0]?.change.kind ?? '') &&
    (claimed === undefined || rank(claimed) > rank(found[0]?.change.kind ?? ''));
  const listed = isMissed ? found.filter(({ change }) => !TEXT_KINDS.includes(change.kind)) : found;
  checkListed(claim, listed);
  return isMissed;
}

function checkListed(claim: Claim, found: readonly Outcome[]): void {
  const best = found[0]?.change;
  if (claim === null || claim === undefined) {
    assert.equal(best, undefined);
    return;
  }
  const { text: _, ...change } = claim.change;
  if (best !== undefined) assert.ok(rank(change.kind) <= rank(best.kind), JSON.stringify({ change, best }));
  if (EXACT_KINDS.includes(change.kind)) assert.deepEqual(change, best);
  if (change.kind !== 'tag_added') return;
  const withThatTag = found.find(
    (outcome) => outcome.change.kind === 'tag_added' && outcome.change.tag === change.tag,
  );
  if (withThatTag !== undefined) assert.equal(change.itemIndex, withThatTag.change.itemIndex);
}
