/**
 * How many simulations are evaluated for changesets in one second, over all shops of the process (contract section 12.1). The
 * evaluation runs where answers are made, so a large cart takes the place of many.
 *
 * Half of the budget is divided among the shops with a changeset, so that a busy one leaves the others their share; the
 * other half is for whoever comes first.
 */

/** What is left of a part of the budget in one second; below 0 after a large cart, which later seconds pay for. */
export interface BudgetPart {
  left: number;
  second: number;
}

export const emptyPart = (): BudgetPart => ({ left: 0, second: -1 });

/** Items times methods of the zone that count as one simulation: no more than most carts of most shops have. */
const WORK_OF_ONE = 500;

/** How many simulations a cart counts as. */
export const costOf = (items: number, methods: number): number =>
  1 + Math.floor((items * methods) / WORK_OF_ONE);

export class ShadowBudget {
  readonly #perSecond: number;
  readonly #monotonicMs: () => number;
  readonly #whole = emptyPart();
  readonly #free = emptyPart();

  constructor(perSecond: number, monotonicMs: () => number) {
    this.#perSecond = perSecond;
    this.#monotonicMs = monotonicMs;
  }

  /** Takes a cart out of the budget, first out of the share of its shop; false when nothing is left. */
  take(share: BudgetPart, shops: number, cost: number): boolean {
    const second = Math.floor(this.#monotonicMs() / 1_000);
    const shared = Math.floor(this.#perSecond / 2);
    refill(this.#whole, second, this.#perSecond);
    refill(this.#free, second, this.#perSecond - shared);
    refill(share, second, Math.floor(shared / Math.max(1, shops)));
    const part = share.left > 0 ? share : this.#free;
    if (part.left <= 0 || this.#whole.left <= 0) return false;
    part.left -= cost;
    this.#whole.left -= cost;
    return true;
  }
}

function refill(part: BudgetPart, second: number, perSecond: number): void {
  if (part.second === second) return;
  part.left = Math.min(perSecond, part.left + perSecond * (second - part.second));
  part.second = second;
}
