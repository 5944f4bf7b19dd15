/**
 * Finds methods by their id and by the id of one of their rules: a search through 20,000 methods and 100,000 rules
 * takes longer than the rest of a write. The writer of a shop owns one index and passes it to each decision.
 *
 * The index describes one list of methods and follows the changes of that list. When it is asked about another list
 * (for example after a discarded changeset), it is rebuilt. The answers are always correct; only their cost varies.
 */
import type { ConfigChange, PlacedMethod } from '../domain/shop-event.ts';
import { finishSteps, NEVER, type ShouldYield, type WorkSteps } from '../pace/work-steps.ts';

export class MethodIndex {
  /** The list that the maps describe. */
  #methods: readonly PlacedMethod[] = [];
  /**
   * Method id -> index in the list, or near it: when a method is added or removed, those behind it are not renumbered.
   */
  #indexes = new Map<string, number>();
  /** Rule id -> method id. */
  #methodIds = new Map<string, string>();

  /** Builds the index of these methods. Otherwise the first look-up builds it without yielding. */
  *prepareSteps(methods: readonly PlacedMethod[], shouldYield: ShouldYield): WorkSteps<void> {
    if (methods === this.#methods) return;
    const indexes = new Map<string, number>();
    const methodIds = new Map<string, string>();
    for (const [index, { id, rules }] of methods.entries()) {
      indexes.set(id, index);
      for (const rule of rules) methodIds.set(rule.id, id);
      if (shouldYield()) yield;
    }
    this.#methods = methods;
    this.#indexes = indexes;
    this.#methodIds = methodIds;
  }

  /** Index of the method with this id, or -1. */
  indexOf(methods: readonly PlacedMethod[], id: string): number {
    if (methods !== this.#methods) finishSteps(this.prepareSteps(methods, NEVER));
    return this.#search(methods, id);
  }

  /** Index of the method that has the rule with this id, or -1. */
  indexOfRule(methods: readonly PlacedMethod[], ruleId: string): number {
    if (methods !== this.#methods) finishSteps(this.prepareSteps(methods, NEVER));
    return this.#search(methods, this.#methodIds.get(ruleId) ?? '');
  }

  #search(methods: readonly PlacedMethod[], id: string): number {
    const known = this.#indexes.get(id);
    if (known === undefined) return -1;
    const near = Math.min(known, methods.length - 1);
    for (let distance = 0; distance < methods.length; distance++) {
      for (const index of [near - distance, near + distance]) {
        if (methods[index]?.id !== id) continue;
        if (index !== known) this.#indexes.set(id, index);
        return index;
      }
    }
    return -1;
  }

  /** Updates the index with the change that turned `from` into `to`. Linear in the change. */
  *followSteps(
    from: readonly PlacedMethod[],
    to: readonly PlacedMethod[],
    { methods: { removed = [], placed = [] } = {}, rules = {} }: ConfigChange,
    shouldYield: ShouldYield,
  ): WorkSteps<void> {
    if (from !== this.#methods || from === to) return;
    // Until the end the index describes no list, because the caller may abandon these steps.
    this.#methods = [];
    for (const id of removed) {
      for (const rule of from[this.#search(from, id)]?.rules ?? []) this.#methodIds.delete(rule.id);
      this.#indexes.delete(id);
      if (shouldYield()) yield;
    }
    for (const { index, record } of placed) {
      this.#indexes.set(record.id, index);
      if (shouldYield()) yield;
    }
    // Remove before adding: one change may move a rule from one method to another.
    const changes = Object.entries(rules);
    for (const [, change] of changes) for (const id of change.removed ?? []) this.#methodIds.delete(id);
    for (const [methodId, change] of changes) {
      for (const { record } of change.placed ?? []) this.#methodIds.set(record.id, methodId);
      if (shouldYield()) yield;
    }
    this.#methods = to;
  }
}
