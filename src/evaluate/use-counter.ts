/**
 * Use counter: counts what the live simulations of a shop used (contract section 10.5). Counting only adds to numbers of
 * the compiled pieces; `take` hands over where to read them.
 */
import type { CompiledRule } from '../compile/compiled-method.ts';
import type { CompiledShop } from '../compile/compiled-shop.ts';
import type { CompiledZone, Plan } from '../compile/compiled-zone.ts';
import type { ProductGroup } from '../domain/product-group.ts';
import type { CartEvaluation } from './cart-evaluation.ts';
import type { CartGroup } from './cart-facts.ts';
import type { MethodResult } from './method-evaluator.ts';

/** The uses since the last call: the counts of the plans and of their methods and rules are not reset yet. */
export interface TakenUses {
  readonly simulations: number;
  /** The zone of each plan that was used. */
  readonly plans: ReadonlyMap<Plan, CompiledZone>;
  readonly groups: ReadonlyMap<ProductGroup, number>;
}

export class UseCounter {
  readonly #firstUsed: () => void;
  #simulations = 0;
  #plans = new Map<Plan, CompiledZone>();
  #groups = new Map<ProductGroup, number>();

  /** `firstUsed` is called for the first use after each `take`. */
  constructor(firstUsed: () => void = () => {}) {
    this.#firstUsed = firstUsed;
  }

  count({ config }: CompiledShop, { zone, plan, facts, methods, blends }: CartEvaluation): void {
    if (this.#simulations++ === 0) this.#firstUsed();
    if (zone === null || plan === null) return;
    if (plan.uses++ === 0) this.#plans.set(plan, zone);
    for (const { index } of facts.groups) {
      const group = config.productGroups[index] as ProductGroup;
      this.#groups.set(group, (this.#groups.get(group) ?? 0) + 1);
    }
    const isBlended = blends.length > 0;
    for (let i = 0; i < methods.length; i++) countMethod(methods[i] as MethodResult, facts.groups, isBlended);
    for (const { reason, chosen } of blends) {
      if (reason !== null) continue;
      for (const { method } of chosen) method.use.offered++;
    }
  }

  take(): TakenUses {
    const taken = { simulations: this.#simulations, plans: this.#plans, groups: this.#groups };
    this.#simulations = 0;
    this.#plans = new Map();
    this.#groups = new Map();
    return taken;
  }
}

function countMethod(result: MethodResult, groups: readonly CartGroup[], isBlended: boolean): void {
  const { method, reason, outcome, groupAt } = result;
  const { use, tierIndex } = method;
  use.considered++;
  if (reason === null) {
    use.visible++;
    if (!isBlended) use.offered++;
  }
  const { matched } = outcome;
  for (let i = 0; i < matched.length; i++) (matched[i] as CompiledRule).uses++;
  if (tierIndex === null || use.tiers === null) return;
  const tier = tierIndex((groups[groupAt] as CartGroup).totals);
  if (tier >= 0) use.tiers[tier] = (use.tiers[tier] as number) + 1;
}
