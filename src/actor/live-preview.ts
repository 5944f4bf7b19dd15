/** A preview as it is made from the state of a shop, without any write. */
import { previewConfig } from '../change/preview.ts';
import type { CompiledShop } from '../compile/compiled-shop.ts';
import type { PreviewAnswer } from '../domain/answer-schemas.ts';
import { type Outcome, success } from '../domain/failure.ts';
import type { PlanTable } from '../domain/plan.ts';
import type { ShopState } from '../domain/shop-event.ts';
import type { ConfigData } from '../domain/write-bodies.ts';
import { lintedPreview } from '../lint/linted-preview.ts';
import type { Clock } from '../runtime/clock.ts';
import type { IdSource } from '../runtime/id-source.ts';

export interface PreviewPorts {
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly ids: IdSource;
  readonly plans: PlanTable;
}

/** What execute would change, with the findings about what it would make. `live` compiles the shop as it is. */
export function previewLive(
  { clock, ids, plans }: PreviewPorts,
  state: ShopState,
  data: ConfigData,
  live: () => CompiledShop,
): Outcome<PreviewAnswer> {
  const now = new Date(clock.nowMs()).toISOString();
  const context = { now, seed: ids.next(), keyId: null, batchId: null, plans, findVersion: () => null };
  const previewed = previewConfig(state, data, context);
  return previewed.ok ? success(lintedPreview(previewed.value, state.settings, live())) : previewed;
}
