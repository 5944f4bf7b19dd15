/** A preview as it is made from the state of a shop, without any write, on the event loop and in worker threads. */
import { previewConfig } from '../change/preview.ts';
import type { CompiledShop } from '../compile/compiled-shop.ts';
import { type Outcome, success } from '../domain/failure.ts';
import type { PlanTable } from '../domain/plan.ts';
import type { ShopState } from '../domain/shop-event.ts';
import type { PreviewAnswer } from '../wire/answer-schemas.ts';
import type { ConfigData } from '../wire/write-bodies.ts';
import { lintedPreview } from './linted-preview.ts';

export interface PreviewContext {
  readonly plans: PlanTable;
  /** The operator's limit on items of one request. */
  readonly itemsMax: number;
  /** ISO time of the decision. */
  readonly now: string;
  /** From which ids are made that no answer shows. */
  readonly seed: string;
}

/** What execute would change, with the findings about what it would make. `live` compiles the shop as it is. */
export function previewLive(
  { plans, itemsMax, now, seed }: PreviewContext,
  state: ShopState,
  data: ConfigData,
  live: () => CompiledShop,
): Outcome<PreviewAnswer> {
  const context = { now, seed, keyId: null, batchId: null, plans, findVersion: () => null };
  const previewed = previewConfig(state, data, context);
  if (!previewed.ok) return previewed;
  return success(lintedPreview(previewed.value, { ...state.settings, itemsMax }, live()));
}
