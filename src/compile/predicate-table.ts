/**
 * Predicate table of one zone: equal conditions of different rules share one predicate, which is then
 * tested once per request. Slots are only ever added, so that an unchanged method keeps its compiled form
 * when another changes; a table that is mostly waste is dropped by its owner.
 */
import { type Condition, SCOPES } from '../domain/condition.ts';
import { compilePredicate, type Predicate, SOURCE } from './predicate.ts';

/** How an item condition combines its items; `whole` is a condition that is not about items. */
export const QUANTIFIER = { whole: 0, any: 1, all: 2, none: 3 } as const;
export type Quantifier = (typeof QUANTIFIER)[keyof typeof QUANTIFIER];

/** Bits that say what came of a test: when all items satisfy it, whether there are any is another question. */
export const testBits = (quantifier: Quantifier): number => (quantifier === QUANTIFIER.all ? 2 : 1);

export class PredicateTable {
  readonly predicates: Predicate[] = [];
  readonly #slots = new Map<string, number>();
  readonly #tests = new Map<number, number>();

  /** Slot of the condition's predicate in a method of this group; made when it is new. */
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

  /** How many different tests there are; their numbers are those below. */
  get testCount(): number {
    return this.#tests.size;
  }

  /** Number of the test that a predicate, its quantifier and its scope make; equal ones have the same. */
  testOf(slot: number, quantifier: Quantifier, inGroup: boolean): number {
    const key = slot * 8 + quantifier * 2 + (inGroup ? 1 : 0);
    const known = this.#tests.get(key);
    if (known !== undefined) return known;
    const test = this.#tests.size;
    this.#tests.set(key, test);
    return test;
  }

  /** True for predicates that are tested item by item. */
  isAboutItems(slot: number): boolean {
    const predicate = this.predicates[slot];
    return predicate !== undefined && predicate.source <= SOURCE.itemNumber;
  }
}
