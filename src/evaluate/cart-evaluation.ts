/** The evaluation of one request, from which the answer is assembled. */
import type { CompiledZone, Plan } from '../compile/compiled-zone.ts';
import type { BlendResult } from './blend-evaluator.ts';
import type { CartFacts } from './cart-facts.ts';
import type { MethodResult } from './method-evaluator.ts';

export interface CartEvaluation {
  /** Zone of the destination; null when there is none. */
  readonly zone: CompiledZone | null;
  /** Totals and groups of the cart. */
  readonly facts: CartFacts;
  /** The considered methods in position order. */
  readonly methods: readonly MethodResult[];
  /** Empty for a cart of one group. */
  readonly blends: readonly BlendResult[];
  /** Methods and blended rates in force at the destination; null without a zone. */
  readonly plan: Plan | null;
}
