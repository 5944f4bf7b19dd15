/**
 * Condition board: the outcome of each predicate for one request. A predicate is tested at most once, even if many
 * rules share it. All requests reuse the typed arrays of outcomes: a stamp per slot marks the outcomes of the current
 * request, so that no array is cleared.
 */
import type { CompiledCondition } from '../compile/compiled-method.ts';
import {
  type Predicate,
  QUANTIFIER,
  SOURCE,
  testNumber,
  testPostalCode,
  testTags,
  testText,
} from '../compile/predicate.ts';
import { groupSum } from '../compile/rate-function.ts';
import { type CartFacts, type CartGroup, type ItemFacts, itemNumber, orderNumber } from './cart-facts.ts';

/** Bits of the result of a condition for one group: it matched; an item of its scope satisfied its test. */
export const PASSED = 1;
export const HAS_ITEM = 2;

export class ConditionBoard {
  #stamp = 0;
  #stamps = new Uint32Array(256);
  /** Outcomes of predicates that are not about single items: 0 or `PASSED`. */
  #whole = new Uint8Array(256);
  /** Item masks, `maskWords` words per slot. */
  #masks = new Int32Array(256);
  #predicates: readonly Predicate[] = [];
  #facts: CartFacts | null = null;

  /** Starts a request; `predicates` is the predicate table of its zone. */
  begin(facts: CartFacts, predicates: readonly Predicate[]): void {
    this.#facts = facts;
    this.#predicates = predicates;
    this.#stamp++;
    if (this.#stamps.length < predicates.length || this.#stamp === 0xffff_ffff) {
      const slots = Math.max(256, predicates.length * 2);
      this.#stamps = new Uint32Array(slots);
      this.#whole = new Uint8Array(slots);
      this.#stamp = 1;
    }
    const words = predicates.length * facts.maskWords;
    if (this.#masks.length < words) this.#masks = new Int32Array(words * 2);
  }

  /** Drops the references to the request, so that an idle board keeps no cart in memory. */
  end(): void {
    this.#facts = null;
    this.#predicates = [];
  }

  /** The result of the condition for a method of this group, as bits; `HAS_ITEM` only for a condition on items. */
  resultOf({ slot, quantifier, inGroup }: CompiledCondition, group: CartGroup): number {
    if (this.#stamps[slot] !== this.#stamp) {
      const predicate = this.#predicates[slot] as Predicate;
      this.#stamps[slot] = this.#stamp;
      if (predicate.source <= SOURCE.itemNumber) this.#testItems(slot, predicate);
      else this.#whole[slot] = this.#testWhole(predicate, group) !== predicate.negated ? PASSED : 0;
    }
    if (quantifier === QUANTIFIER.whole) return this.#whole[slot] as number;
    const facts = this.#facts as CartFacts;
    const over = inGroup ? group.mask : facts.everyItem;
    const start = slot * facts.maskWords;
    let some = 0;
    let others = 0;
    for (let word = 0; word < facts.maskWords; word++) {
      const mask = this.#masks[start + word] as number;
      some |= mask & (over[word] as number);
      others |= ~mask & (over[word] as number);
    }
    const isPassed =
      quantifier === QUANTIFIER.all ? others === 0 : (some !== 0) === (quantifier === QUANTIFIER.any);
    return (isPassed ? PASSED : 0) | (some === 0 ? 0 : HAS_ITEM);
  }

  /** One word of the mask of the items that satisfy an item condition. Requires an earlier call of `resultOf`. */
  matchedItems({ slot, inGroup }: CompiledCondition, group: CartGroup, word: number): number {
    const facts = this.#facts as CartFacts;
    const over = inGroup ? group.mask : facts.everyItem;
    return (this.#masks[slot * facts.maskWords + word] as number) & (over[word] as number);
  }

  #testWhole(predicate: Predicate, group: CartGroup): boolean {
    const facts = this.#facts as CartFacts;
    const { source, field } = predicate;
    if (source === SOURCE.orderNumber) return testNumber(predicate, orderNumber(facts, field));
    if (source === SOURCE.groupSum) return testNumber(predicate, groupSum(group.totals, field));
    if (source === SOURCE.customerTags) return testTags(predicate, facts.customerTags());
    if (source === SOURCE.postalCode) return testPostalCode(predicate, facts.postalForm, facts.postalCode);
    return facts.mayPass(predicate) && testText(predicate, facts.requestText(field));
  }

  #testItems(slot: number, predicate: Predicate): void {
    const facts = this.#facts as CartFacts;
    const { source, field, negated } = predicate;
    const count = facts.request.items.length;
    const start = slot * facts.maskWords;
    for (let word = 0; word < facts.maskWords; word++) {
      const last = Math.min(count, (word + 1) * 32);
      let mask = 0;
      for (let at = word * 32; at < last; at++) {
        const item = facts.items[at] as ItemFacts;
        let isMet: boolean;
        if (source === SOURCE.itemText)
          isMet = item.mayPass(predicate) && testText(predicate, item.text(field));
        else if (source === SOURCE.itemTags)
          isMet = item.mayPass(predicate) && testTags(predicate, item.tags());
        else isMet = testNumber(predicate, itemNumber(item.item, field));
        if (isMet !== negated) mask |= 1 << (at & 31);
      }
      this.#masks[start + word] = mask;
    }
  }
}
