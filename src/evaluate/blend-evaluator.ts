/**
 * One blended rate against one cart of several groups: the sum over the groups of the preferred method's
 * final price, or of the lowest visible one (contract section 5.7).
 */
import type { CompiledBlend } from '../compile/compiled-blend.ts';
import { asciiJson } from '../compile/json-text.ts';
import type { AnswerFields, BlendedReason } from '../domain/answer.ts';
import { addExact } from '../domain/money.ts';
import type { CartFacts } from './cart-facts.ts';
import type { MethodResult } from './method-evaluator.ts';

export interface BlendResult {
  /** null when available; else that of the first failing component. */
  readonly reason: BlendedReason | null;
  /** Final price in cents and, behind a comma, the rate's JSON; only meaningful when available. */
  readonly priceCents: number;
  readonly rateJson: string;
  /** Element of `"blendedRates"`. */
  readonly json: string;
}

/** Among the methods of a group in position order, the first of the lowest visible price. */
function lowestVisible(methods: readonly MethodResult[], groupAt: number): MethodResult | null {
  let lowest: MethodResult | null = null;
  for (const method of methods) {
    if (method.groupAt !== groupAt || method.reason !== null) continue;
    if (lowest === null || method.priceCents < lowest.priceCents) lowest = method;
  }
  return lowest;
}

/** null when an available sum is beyond 2^53-1 cents. `methods` are the evaluated ones in position order. */
export function evaluateBlend(
  facts: CartFacts,
  blend: CompiledBlend,
  methods: readonly MethodResult[],
  currencyTail: string,
  fields: AnswerFields,
): BlendResult | null {
  let reason: BlendedReason | null = null;
  let sum: number | null = 0;
  let components = '';
  for (const [groupAt, group] of facts.groups.entries()) {
    const preferredId = blend.preferred.get(group.index);
    const chosen =
      preferredId === undefined
        ? lowestVisible(methods, groupAt)
        : (methods.find(
            ({ method, reason, groupAt: at }) =>
              at === groupAt && reason === null && method.methodId === preferredId,
          ) ?? null);
    if (chosen === null) {
      reason ??= preferredId === undefined ? 'group_without_rate' : 'preferred_method_unavailable';
    } else if (sum !== null) {
      sum = addExact(sum, chosen.priceCents);
    }
    if (fields === 'rates') continue;
    const methodId =
      chosen?.method.methodIdJson ?? (preferredId === undefined ? 'null' : asciiJson(preferredId));
    components += `${groupAt > 0 ? ',' : ''}{"productGroupId":${asciiJson(facts.shop.groupIds[group.index] as string)},"methodId":${methodId},"price":${chosen?.priceCents ?? null}}`;
  }
  // What is not available has no price, so nothing of it can be too large.
  if (sum === null && reason === null) return null;
  const priceCents = facts.totalCents >= blend.freeThreshold ? 0 : (sum ?? 0);
  const rate = reason === null ? blend.rateHead + priceCents + currencyTail : 'null';
  if (fields === 'rates') return { reason, priceCents, rateJson: `,${rate}`, json: '' };
  const json =
    reason === null
      ? `${blend.head}"visible":true,"reason":null,"rate":${rate},"components":[${components}]}`
      : `${blend.head}"visible":false,"reason":"${reason}","rate":${rate},"components":[${components}]}`;
  return { reason, priceCents, rateJson: `,${rate}`, json };
}
