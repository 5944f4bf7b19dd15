/** Blended rates: one price for a cart of several groups (contract section 5.7). */

import type { BlendedRate } from '../../../src/engine/domain/blended-rate.ts';
import type { ProductGroup } from '../../../src/engine/domain/product-group.ts';
import type { SimulateAnswer } from '../../../src/engine/wire/answer.ts';
import { bounded, sumOf } from './amount.ts';
import { type MethodOutcome, thresholdMet } from './method.ts';

type BlendedReason = SimulateAnswer['blendedRates'][number]['reason'];

interface Component {
  readonly groupId: string;
  readonly methodId: string | null;
  readonly price: bigint | null;
  readonly reason: BlendedReason;
}

export interface BlendedOutcome {
  readonly blended: BlendedRate;
  /** Null when the blended rate is not available. */
  readonly price: bigint | null;
  readonly reason: BlendedReason;
  readonly components: readonly Component[];
}

/** "Components follow the list order of the groups; the reason is that of the first failing one." */
export function evaluateBlended(
  blended: BlendedRate,
  groupsInCart: readonly ProductGroup[],
  methods: readonly MethodOutcome[],
  cartTotal: bigint,
  orderTotal: bigint,
): BlendedOutcome {
  const components = groupsInCart.map((group) => componentOf(blended, group.id, methods));
  const reason = components.find((component) => component.reason !== null)?.reason ?? null;
  if (reason !== null) return { blended, price: null, reason, components };
  const sum = bounded(sumOf(components.map((component) => component.price ?? 0n)));
  const price = thresholdMet(blended, cartTotal, orderTotal) ? 0n : sum;
  return { blended, price, reason, components };
}

/** The preferred method's final price, or the lowest visible one's of the group (ties: position). */
function componentOf(blended: BlendedRate, groupId: string, methods: readonly MethodOutcome[]): Component {
  const preferredId =
    blended.preferences.find((preference) => preference.productGroupId === groupId)?.preferredMethodId ??
    null;
  if (preferredId !== null) {
    const price = methods.find(({ method }) => method.id === preferredId)?.price ?? null;
    const reason = price === null ? 'preferred_method_unavailable' : null;
    return { groupId, methodId: preferredId, price, reason };
  }
  let lowest: { readonly methodId: string; readonly price: bigint } | null = null;
  for (const { method, price } of methods) {
    if (method.productGroupId !== groupId || price === null) continue;
    if (lowest === null || price < lowest.price) lowest = { methodId: method.id, price };
  }
  return lowest === null
    ? { groupId, methodId: null, price: null, reason: 'group_without_rate' }
    : { groupId, ...lowest, reason: null };
}
