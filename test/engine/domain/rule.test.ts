/** Why rules hide a method (contract section 5.5), also when the results of some rules are unknown. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { hidingReason, RULE_ACTIONS } from '../../../src/engine/domain/rule.ts';

const rule = fc.record({ action: fc.constantFrom(...RULE_ACTIONS), must: fc.boolean(), may: fc.boolean() });

describe('the reason why rules hide a method', () => {
  it('is a hide rule that matches, else show rules of which none matches', () => {
    const property = fc.property(fc.array(rule, { maxLength: 5 }), (rules) => {
      const matched = rules.filter(({ must }) => must).map(({ action }) => action);
      const hasShow = rules.some(({ action }) => action === 'show');
      const expected = matched.includes('hide')
        ? 'hidden_by_rule'
        : hasShow && !matched.includes('show')
          ? 'not_shown_by_rule'
          : null;
      assert.equal(
        hidingReason(rules, ({ must }) => must),
        expected,
      );
    });
    fc.assert(property);
  });

  it('holds whether or not the rules with an unknown result match', () => {
    const property = fc.property(fc.array(rule, { maxLength: 4 }), (list) => {
      // A rule that must match may match.
      const rules = list.map((each) => ({ ...each, may: each.must || each.may }));
      const reason = hidingReason(
        rules,
        ({ must }) => must,
        ({ may }) => may,
      );
      const outcomes = Array.from({ length: 2 ** rules.length }, (_, bits) => bits)
        .map((bits) => rules.map((_, index) => ((bits >> index) & 1) === 1))
        .filter((matches) => rules.every(({ must, may }, i) => (matches[i] ? may : !must)));
      const isHidden = outcomes.every(
        (matches) => hidingReason(rules, (_, i) => matches[i] === true) !== null,
      );
      assert.equal(reason !== null, isHidden);
    });
    fc.assert(property);
  });
});
