/** A live simulation as it is counted and timed, in whichever thread it is answered. */

import type { AnswerText } from '../bytes/answer-text.ts';
import type { CompiledShop } from '../compile/compiled-shop.ts';
import type { SimulateRequest } from '../domain/cart.ts';
import type { Outcome } from '../domain/failure.ts';
import { evaluateToParts } from '../evaluate/evaluate.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Clock } from '../runtime/clock.ts';
import type { AnswerFields } from '../wire/answer.ts';

const SIMULATIONS_PER_MEASURED = 8;

export interface SimulationPorts {
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly metrics: Metrics;
}

/** As `evaluateToParts`. */
export function simulateLive(
  { clock, metrics }: SimulationPorts,
  shop: CompiledShop,
  request: SimulateRequest,
  nowMs: number,
  fields: AnswerFields,
): Outcome<AnswerText> {
  // Two looks at the clock would cost more than all other counting together.
  if (++metrics.values.simulations % SIMULATIONS_PER_MEASURED !== 0) {
    return evaluateToParts(shop, request, nowMs, fields);
  }
  const startMs = clock.monotonicMs();
  const answer = evaluateToParts(shop, request, nowMs, fields);
  metrics.durations.simulate.observe(clock.monotonicMs() - startMs);
  return answer;
}
