/** The table of conditions: which types, operators, scopes and values go together, and the messages about others. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { SimulateRequest } from '../../../src/engine/domain/cart.ts';
import {
  CONDITION_TYPE_NAMES,
  CONDITION_TYPES,
  type ConditionType,
  findConditionDefect,
  OPERATOR_NAMES,
  OPERATORS_BY_KIND,
  type Operator,
  positiveTwin,
  SCOPE_NAMES,
  SCOPES,
  splitAlternatives,
} from '../../../src/engine/domain/condition.ts';
import { localTime } from '../../support/reference/clock.ts';
import { evaluateCondition, type Situation } from '../../support/reference/condition.ts';
import { readOrder } from '../../support/reference/order.ts';
import { alternativesOf } from '../../support/reference/text.ts';
import { cart, condition, exampleOf, group, item, NOW_MS } from '../../support/small-shop.ts';

const CART: SimulateRequest = { ...cart(item({ properties: { tag: 'a' } })), customer: { tags: 'a' } };
const AT: Situation = {
  order: readOrder(CART, [group('default', { isDefault: true })]),
  request: CART,
  orderTotal: 1n,
  currency: 'USD',
  subzoneId: '',
  now: localTime(NOW_MS, 'UTC'),
  groupItems: [],
};

describe('alternatives of a value', () => {
  it('are split at commas, trimmed, and empty ones are dropped', () => {
    assert.deepEqual(splitAlternatives(' AK , HI,,\t,x '), ['AK', 'HI', 'x']);
    assert.deepEqual(splitAlternatives(''), []);
    assert.deepEqual(splitAlternatives(' , '), []);
  });

  it('hold a literal comma where it is escaped; every other backslash stays', () => {
    assert.deepEqual(splitAlternatives('Ltd\\, Inc,b'), ['Ltd, Inc', 'b']);
    assert.deepEqual(splitAlternatives('\\,'), [',']);
    assert.deepEqual(splitAlternatives('a\\\\,b'), ['a\\,b']);
    assert.deepEqual(splitAlternatives('a\\b\\'), ['a\\b\\']);
  });

  it('equal the alternatives that the reference finds, for any text', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', ',', ',', '\\', ' ', '\u00a0', '\u{1F69A}'))
      .map((all) => all.join(''));
    fc.assert(
      fc.property(text, (value) => assert.deepEqual(splitAlternatives(value), alternativesOf(value))),
      { numRuns: 5_000 },
    );
  });
});

describe('the table of condition types and operators', () => {
  it('accepts every operator of a kind, and refuses every other operator by name', () => {
    for (const type of CONDITION_TYPE_NAMES) {
      for (const operator of OPERATOR_NAMES) {
        const defect = findConditionDefect(exampleOf(type, operator));
        if (OPERATORS_BY_KIND[CONDITION_TYPES[type].kind].includes(operator)) {
          assert.equal(defect, null, `${type} ${operator}`);
        } else assert.match(defect ?? '', /^\/operator /, `${type} ${operator}`);
      }
    }
  });

  it('has for each type the operators that the reference defines for its values', () => {
    for (const type of CONDITION_TYPE_NAMES) {
      for (const operator of OPERATOR_NAMES) {
        const isAccepted = OPERATORS_BY_KIND[CONDITION_TYPES[type].kind].includes(operator);
        const compare = () => evaluateCondition(exampleOf(type, operator), AT);
        if (isAccepted) assert.doesNotThrow(compare, `${type} ${operator}`);
        else assert.throws(compare, /is no positive operator of/, `${type} ${operator}`);
      }
    }
  });

  it('turns each negative operator into its positive twin', () => {
    assert.deepEqual(positiveTwin('not_equals'), { operator: 'equals', negated: true });
    assert.deepEqual(positiveTwin('is_not_empty'), { operator: 'is_empty', negated: true });
    assert.deepEqual(positiveTwin('less_than'), { operator: 'less_than', negated: false });
    for (const operator of OPERATOR_NAMES) {
      assert.equal(positiveTwin(operator).negated, operator.includes('not_'), operator);
    }
  });

  it('has sums only of weight, price and quantity; other types accept any scope and ignore it', () => {
    const summable = ['product_weight', 'product_price', 'product_quantity'];
    for (const type of CONDITION_TYPE_NAMES) {
      const { subject } = CONDITION_TYPES[type];
      for (const scope of SCOPE_NAMES) {
        const defect = findConditionDefect(exampleOf(type, 'equals', scope));
        const isRefused =
          subject === 'item' && SCOPES[scope].quantifier === 'sum' && !summable.includes(type);
        assert.equal(defect?.split(' ', 1)[0], isRefused ? '/scope' : undefined, `${type} ${scope}`);
      }
    }
  });
});

describe('the value of a condition', () => {
  const defectOf = (type: ConditionType, operator: Operator, value: string) =>
    findConditionDefect(condition(type, operator, value));
  const accepts = (type: ConditionType, operator: Operator, ...values: string[]) => {
    for (const value of values) assert.equal(defectOf(type, operator, value), null, JSON.stringify(value));
  };
  const refuses = (type: ConditionType, operator: Operator, ...values: string[]) => {
    for (const value of values) {
      assert.match(defectOf(type, operator, value) ?? '', /^\/value /, JSON.stringify(value));
    }
  };

  it('is required by every operator except is_empty and is_not_empty, which ignore it', () => {
    for (const operator of OPERATORS_BY_KIND.text) {
      const isIgnored = positiveTwin(operator).operator === 'is_empty';
      for (const value of ['', ' ', ',', ' ,,']) {
        if (isIgnored) accepts('product_sku', operator, value);
        else refuses('product_sku', operator, value);
      }
    }
    accepts('destination_postal_code', 'is_empty', '*a');
  });

  it('holds one operand for an ordering and two for between', () => {
    accepts('cart_total', 'greater_than', '5', ' 5 ', '5,');
    refuses('cart_total', 'greater_than', '5,6', '');
    accepts('cart_total', 'between', '5,10', '10,5');
    refuses('cart_total', 'between', '5', '5,6,7');
    accepts('time_of_day', 'between', '22:00,06:00');
  });

  it('is a list of whole numbers from 0 to 2^53-1 for numbers', () => {
    accepts('product_weight', 'equals', '0', '007', '9007199254740991', '1,2, 3');
    refuses(
      'product_weight',
      'equals',
      '9007199254740992',
      '-1',
      '1.5',
      '1e3',
      '0x10',
      'x',
      '1,x',
      '١',
      '99999999999999999',
    );
  });

  it('is a weekday in any case, a time of 24 hours, a date of the calendar', () => {
    accepts('day_of_week', 'equals', 'monday', 'Sunday, FRIDAY');
    refuses('day_of_week', 'equals', 'mon', 'mon*', 'monday;tuesday');
    accepts('time_of_day', 'equals', '00:00', '23:59');
    refuses('time_of_day', 'equals', '24:00', '9:00', '09:60', '09:00:00', 'noon');
    accepts('date', 'less_than', '2024-02-29', '0001-01-01', '9999-12-31');
    refuses(
      'date',
      'less_than',
      '2026-02-29',
      '2026-13-01',
      '2026-00-10',
      '2026-1-1',
      '26-01-01',
      '2026-04-31',
    );
  });

  it('is a list of postal patterns for equals, and parts of codes for the others', () => {
    accepts('destination_postal_code', 'equals', '*', '100*, 11201-11256', 'PA6 7*', '012-3456');
    refuses('destination_postal_code', 'equals', '1*2', '**', '200-100', '-', '-*', '1,-');
    accepts('destination_postal_code', 'contains', '6 7', '1*', '-1');
    refuses('destination_postal_code', 'starts_with', '-', ' - , ');
  });

  it('is refused with a message that names the condition type and the defect', () => {
    assert.match(defectOf('date', 'equals', '2026-02-30') ?? '', /date.*"2026-02-30"/);
    assert.match(defectOf('cart_total', 'between', '1') ?? '', /between.*2 values/);
    assert.match(defectOf('cart_total', 'contains', '1') ?? '', /cart_total.*equals/);
  });
});
