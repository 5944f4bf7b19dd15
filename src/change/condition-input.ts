/** Conditions as a client writes them, turned into conditions as they are stored (contract section 3). */
import {
  type Condition,
  type ConditionDefect,
  DEFAULT_SCOPE,
  findConditionDefect,
} from '../domain/condition.ts';
import type { ConditionInput } from '../wire/write-bodies.ts';
import type { Defects } from './defects.ts';

const EXPONENT_FORM = /^(-?)(\d)(?:\.(\d+))?e-(\d+)$/;

/** A number within `isTold` in decimal digits, never in exponent form: 1e-7 -> "0.0000001". */
export function decimalText(value: number): string {
  const text = String(value);
  const parts = EXPONENT_FORM.exec(text);
  if (parts === null) return text;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts;
  return `${sign}0.${'0'.repeat(Number(exponent) - 1)}${whole}${fraction}`;
}

/** False beyond the whole numbers that JSON tells apart: of the digits that the client wrote some may be lost. */
const isTold = (value: number): boolean => Math.abs(value) <= Number.MAX_SAFE_INTEGER;

const NOT_TOLD: ConditionDefect = {
  field: 'value',
  message: `must be text, or a number of at most ${Number.MAX_SAFE_INTEGER}`,
};

/** The conditions of a rule; `path` is that of the array. Defects name the condition and its field. */
export function readConditions(
  inputs: readonly ConditionInput[],
  path: string,
  defects: Defects,
): readonly Condition[] {
  return inputs.map((input, index) => {
    const { conditionType, operator, value = '', scope = DEFAULT_SCOPE } = input;
    const text = typeof value === 'number' ? decimalText(value) : value;
    const condition: Condition = { conditionType, operator, value: text, scope };
    const defect = typeof value === 'number' && !isTold(value) ? NOT_TOLD : findConditionDefect(condition);
    if (defect !== null) defects.add(`${path}/${index}/${defect.field}`, defect.message);
    return condition;
  });
}
