/**
 * Predicate table of one zone: equal conditions of different rules share one predicate, which a request tests at most
 * once. The table only grows, so a method that did not change keeps its compiled form. The zone makes a new table when
 * most slots are unused.
 */
import { type Condition, SCOPES } from '../domain/condition.ts';
import { compilePredicate, type Predicate, SOURCE } from './predicate.ts';

/** How an item condition combines the results of its items; `whole` marks a condition that is not on items. */
export const QUANTIFIER = { whole: 0, any: 1, all: 2, none: 3 } as const;
export type Quantifier = (typeof QUANTIFIER)[keyof typeof QUANTIFIER];

/** Bits for the result of a test. For `all`, a second bit is set when there are items. */
export const testBits = (quantifier: Quantifier): number => (quantifier === QUANTIFIER.all ? 2 : 1);

export class PredicateTable {
  readonly predicates: Predicate[] = [];
  readonly #slots = new Map<string, number>();
  readonly #tests = new Map<number, number>();

  /** Returns the slot of the condition's predicate for a method of this group; adds a slot for a new predicate. */
  slotOf(condition: Condition, groupId: string): number {
    const { conditionType, operator, value, scope } = condition;
    const sum = SCOPES[scope].quantifier === 'sum' ? scope : '';
    const group = sum !== '' && SCOPES[scope].items === 'group' ? groupId : '';
    const key = `${conditionType}\0${operator}\0${sum}\0${group}\0${value}`;
    const known = this.#slots.get(key);
    if (known !== undefined) return known;
    const slot = this.predicates.push(compilePredicate(condition)) - 1;
    this.#slots.set(key, slot);
    return slot;
  }

  /** Number of distinct tests; they are numbered from 0. */
  get testCount(): number {
    return this.#tests.size;
  }

  /** Number of the test with this predicate, quantifier and scope; equal tests have the same number. */
  testOf(slot: number, quantifier: Quantifier, inGroup: boolean): number {
    const key = slot * 8 + quantifier * 2 + (inGroup ? 1 : 0);
    const known = this.#tests.get(key);
    if (known !== undefined) return known;
    const test = this.#tests.size;
    this.#tests.set(key, test);
    return test;
  }

  /** True for a predicate that is tested item by item. */
  isAboutItems(slot: number): boolean {
    const predicate = this.predicates[slot];
    return predicate !== undefined && predicate.source <= SOURCE.itemNumber;
  }
}
