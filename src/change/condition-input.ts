/** Conditions as a client writes them, turned into conditions as they are stored (contract section 3). */
import { type Condition, DEFAULT_SCOPE, findConditionDefect } from '../domain/condition.ts';
import type { ConditionInput } from '../domain/write-bodies.ts';
import type { Defects } from './defects.ts';

const EXPONENT_FORM = /^(-?)(\d+)(?:\.(\d+))?e([+-]\d+)$/;

/** A number in decimal digits, never in exponent form: 1e21 -> "1000000000000000000000". */
export function decimalText(value: number): string {
  const text = String(value);
  const parts = EXPONENT_FORM.exec(text);
  if (parts === null) return text;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts;
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  // Numbers in exponent form have at most 17 digits and an exponent of 21 or more: no fraction is left.
  return sign + digits.padEnd(point, '0');
}

/** The conditions of a rule; `path` is that of the array. Defects name the condition and its field. */
export function readConditions(
  inputs: readonly ConditionInput[],
  path: string,
  defects: Defects,
): readonly Condition[] {
  return inputs.map((input, index) => {
    const { conditionType, operator, value = '', scope = DEFAULT_SCOPE } = input;
    if (typeof value === 'number' && !Number.isFinite(value)) {
      defects.add(`${path}/${index}/value`, 'must be text or a finite number');
    }
    const text = typeof value === 'number' ? decimalText(value) : value;
    const condition: Condition = { conditionType, operator, value: text, scope };
    const defect = findConditionDefect(condition);
    if (defect !== null) defects.add(`${path}/${index}/${defect.field}`, defect.message);
    return condition;
  });
}
