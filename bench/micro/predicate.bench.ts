/** What one condition costs a simulation: every type once, and every operator of every kind of value. */
import {
  CONDITION_TYPE_NAMES,
  CONDITION_TYPES,
  type Condition,
  type ConditionType,
  OPERATORS_BY_KIND,
  type Operator,
  operandCount,
  type ValueKind,
} from '../../src/engine/domain/condition.ts';
import type { Part } from '../part.ts';
import { makeRequests } from '../profiles/cart-maker.ts';
import { SeededRandom } from '../profiles/seeded-random.ts';
import { makeConditionProbe } from './condition-probe.ts';
import { type MicroTask, measureTasks } from './micro-bench.ts';

/** Operands of each kind: three alternatives where several are allowed. */
const OPERANDS: Readonly<Record<ValueKind, readonly [string, string]>> = {
  text: ['alder,pine,ak', '10'],
  tags: ['fragile,chilled,hazmat', '10'],
  postal: ['995*,10001-10299,78704', '99'],
  number: ['900,2250,12900', '2000'],
  day: ['monday,thursday', 'monday'],
  time: ['09:00,10:30', '09:00'],
  date: ['2026-11-19,2026-12-24', '2026-11-19'],
};

const BETWEEN: Readonly<Partial<Record<ValueKind, string>>> = {
  number: '500,5000',
  time: '09:00,17:00',
  date: '2026-11-01,2026-11-30',
};

function operandOf(kind: ValueKind, operator: Operator): string {
  const { min, max } = operandCount(operator);
  if (min === 0) return '';
  if (min === 2) return BETWEEN[kind] ?? '';
  return OPERANDS[kind][max === 1 ? 1 : 0];
}

const probeCondition = (conditionType: ConditionType, operator: Operator): Condition => ({
  conditionType,
  operator,
  value: operandOf(CONDITION_TYPES[conditionType].kind, operator),
  scope: 'any_product_in_order',
});

/** Each type with its first operator, and the first type of each kind with all its operators. */
function probedPairs(): readonly (readonly [ConditionType, Operator])[] {
  const seen = new Set<ValueKind>();
  return CONDITION_TYPE_NAMES.flatMap((type) => {
    const { kind } = CONDITION_TYPES[type];
    const operators = OPERATORS_BY_KIND[kind];
    const isFirst = !seen.has(kind);
    seen.add(kind);
    return operators.slice(0, isFirst ? undefined : 1).map((operator) => [type, operator] as const);
  });
}

export const predicatePart: Part = {
  id: 'micro/predicate',
  title: 'One condition against a cart of three items, tested anew as in each request',
  async run(part) {
    const requests = makeRequests(new SeededRandom(7), { items: 3 }, 64);
    const tasks: MicroTask[] = probedPairs().map(([type, operator]) => ({
      id: `micro/predicate/${type}/${operator}`,
      label: `${type} ${operator}`,
      run: makeConditionProbe(probeCondition(type, operator), requests),
    }));
    measureTasks(part, tasks);
    part.note(
      'Item conditions test three items. Texts of the cart are converted to lower case once per request, not per condition.',
    );
  },
};
