/**
 * Evaluates one blended rate for one cart of several groups: the sum over the groups of the preferred method's final
 * price, or of the lowest visible price (contract section 5.7).
 */

import { asciiJson } from '../../base/bytes/answer-text.ts';
import type { CompiledBlend } from '../compile/compiled-method.ts';
import type { Delivery } from '../domain/delivery.ts';
import { addExact } from '../domain/money.ts';
import type { AnswerFields, BlendedReason } from '../wire/answer.ts';
import type { CartFacts } from './cart-facts.ts';
import { type MethodResult, rateTail } from './method-evaluator.ts';

export interface BlendResult {
  /** Reason of the first component without a price; null when the blended rate is available. */
  readonly reason: BlendedReason | null;
  /** Final price in cents, and a comma with the JSON of the rate; valid only when available. */
  readonly priceCents: number;
  readonly rateJson: string;
  /** The method of each group, where there is one. */
  readonly chosen: readonly MethodResult[];
  /** Element of `"blendedRates"`. */
  readonly json: string;
}

/** Returns the method of a group with the lowest visible price, the first of equal ones; null when none is visible. */
function lowestVisible(methods: readonly MethodResult[], groupAt: number): MethodResult | null {
  let lowest: MethodResult | null = null;
  for (const method of methods) {
    if (method.groupAt !== groupAt || method.reason !== null) continue;
    if (lowest === null || method.priceCents < lowest.priceCents) lowest = method;
  }
  return lowest;
}

/** All parcels leave on the same day, so the most days give the latest dates (contract section 11.8). */
const laterOf = (a: Delivery | null, b: Delivery | null): Delivery | null =>
  a === null || b === null
    ? null
    : { minDays: Math.max(a.minDays, b.minDays), maxDays: Math.max(a.maxDays, b.maxDays) };

/** `methods` are in position order. Returns null when the rate is available but its sum exceeds 2^53-1 cents. */
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
  let delivery: Delivery | null = { minDays: 0, maxDays: 0 };
  let phoneRequired = false;
  const chosenMethods: MethodResult[] = [];
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
    } else {
      chosenMethods.push(chosen);
      if (sum !== null) sum = addExact(sum, chosen.priceCents);
    }
    delivery = laterOf(delivery, chosen?.method.delivery ?? null);
    phoneRequired ||= chosen?.method.phoneRequired === true;
    if (fields !== 'all') continue;
    const methodId = chosen?.method.methodId ?? preferredId;
    const methodJson = methodId === undefined ? 'null' : asciiJson(methodId);
    components += `${groupAt > 0 ? ',' : ''}{"productGroupId":${asciiJson(facts.shop.groupIds[group.index] as string)},"methodId":${methodJson},"price":${chosen?.priceCents ?? null}}`;
  }
  // A rate that is not available has no price that could be too large.
  if (sum === null && reason === null) return null;
  const priceCents = facts.isFree(blend) ? 0 : (sum ?? 0);
  const tail = rateTail(facts, { delivery, phoneRequired }, currencyTail, fields);
  const rate = reason === null ? blend.rateHead + priceCents + tail : 'null';
  const result = { reason, priceCents, rateJson: `,${rate}`, chosen: chosenMethods };
  if (fields !== 'all') return { ...result, json: '' };
  const visible = reason === null ? '"visible":true,"reason":null' : `"visible":false,"reason":"${reason}"`;
  return { ...result, json: `${blend.head}${visible},"rate":${rate},"components":[${components}]}` };
}
