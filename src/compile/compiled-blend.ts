/** Compiled blended rates: the preferences by group index and the fixed text of the answer (contract section 5.7). */
import type { BlendedRate } from '../domain/blended-rate.ts';
import { rateHeadJson } from './compiled-method.ts';
import type { GroupIndex } from './group-index.ts';
import { asciiJson } from './json-text.ts';

export interface CompiledBlend {
  /** Group index -> id of the preferred method; a group without a preference uses its lowest visible rate. */
  readonly preferred: ReadonlyMap<number, string>;
  /** In cents; `Infinity` when the rate is never free by total. */
  readonly freeThreshold: number;
  /** The threshold is compared with the total of the order after discounts. */
  readonly isFreeByOrderTotal: boolean;
  /** `{"blendedRateId":...,"name":...,` */
  readonly head: string;
  readonly rateHead: string;
}

export function compileBlend(blended: BlendedRate, groups: GroupIndex): CompiledBlend {
  const preferred = new Map<number, string>();
  for (const { productGroupId, preferredMethodId } of blended.preferences) {
    if (preferredMethodId !== null) preferred.set(groups.indexOf(productGroupId), preferredMethodId);
  }
  return {
    preferred,
    freeThreshold: blended.freeShippingThreshold ?? Number.POSITIVE_INFINITY,
    isFreeByOrderTotal: blended.thresholdBasis === 'order_total',
    head: `{"blendedRateId":${asciiJson(blended.id)},"name":${asciiJson(blended.name)},`,
    rateHead: rateHeadJson(blended),
  };
}
