/** Conditions in the words of the vocabulary, and the values that one text of the API holds. */
import type { Schemas } from '../../client/call-table.ts';
import { kindOfNumber } from '../words.ts';
import type { Condition } from './method-kind.ts';

export type Vocabulary = Schemas['Vocabulary'];

/** The values between the commas; for kinds whose values hold no comma. */
export const valuesOf = (value: string): readonly string[] =>
  value.trim() === '' ? [] : value.split(',').map((part) => part.trim());

export const typeWord = (vocabulary: Vocabulary, name: string): Vocabulary['conditionTypes'][number] | null =>
  vocabulary.conditionTypes.find((word) => word.name === name) ?? null;

/** How many values the operator takes; most: null for any number. */
export function valueCount(
  vocabulary: Vocabulary,
  operator: string,
): readonly [least: number, most: number | null] {
  const word = vocabulary.operators.find(({ name }) => name === operator);
  return [word?.valuesMin ?? 1, word === undefined ? null : word.valuesMax];
}

/** The condition with another type; operator and scope stay where the type takes them. */
export function withType(vocabulary: Vocabulary, condition: Condition, conditionType: string): Condition {
  const [word, before] = [conditionType, condition.conditionType].map((name) => typeWord(vocabulary, name));
  if (word == null) return condition;
  const operator = word.operators.includes(condition.operator) ? condition.operator : word.operators[0];
  const scope =
    word.scopes.length === 0 || word.scopes.includes(condition.scope) ? condition.scope : word.scopes[0];
  const isLike = word.kind === before?.kind && kindOfNumber(word.name) === kindOfNumber(before.name);
  return {
    ...condition,
    conditionType: word.name as Condition['conditionType'],
    operator: operator as Condition['operator'],
    scope: scope as Condition['scope'],
    value: isLike ? condition.value : '',
  };
}

/** A new condition: the first type of the vocabulary that looks at the order, without a value. */
export function firstCondition(vocabulary: Vocabulary): Condition {
  const word =
    vocabulary.conditionTypes.find(({ subject }) => subject === 'order') ?? vocabulary.conditionTypes[0];
  return {
    conditionType: (word?.name ?? 'cart_total') as Condition['conditionType'],
    operator: (word?.operators.find((name) => name === 'greater_than_or_equal') ??
      word?.operators[0] ??
      'equals') as Condition['operator'],
    value: '',
    scope: 'any_product_in_order',
  };
}
