/** The cost of one answer in process, request parsed, bytes written out: the measure of every growth series. */

import type { AnswerText } from '../../src/base/bytes/answer-text.ts';
import { type CompiledShop, compileShop } from '../../src/engine/compile/compiled-shop.ts';
import type { SimulateRequest } from '../../src/engine/domain/cart.ts';
import type { Outcome } from '../../src/engine/domain/failure.ts';
import { evaluateToParts } from '../../src/engine/evaluate/evaluate.ts';
import { asciiBytes } from '../../src/front/http/output.ts';
import type { MicroTask } from '../micro/micro-bench.ts';
import { NOW_MS, type Profile } from '../profiles/profile.ts';

/** Answers after which the caches of a shop have their final content. */
export const WARM_ANSWERS = 2_000;

/** Bytes of the answer once it is written out: before that, its text is in pieces. */
export const writeAnswer = (outcome: Outcome<AnswerText>): number =>
  outcome.ok ? asciiBytes(outcome.value).length : 0;

/** A point of a series: `growth/<series>/<size>`. */
export const growthId = (series: string, size: number): string => `growth/${series}/${size}`;

/** Carts go to the shops in turn: with many shops each is out of the processor's caches when it answers. */
export function answerTask(
  series: string,
  size: number,
  label: string,
  shops: readonly CompiledShop[],
  requests: readonly SimulateRequest[],
): MicroTask {
  let at = 0;
  return {
    id: growthId(series, size),
    label,
    warmCount: WARM_ANSWERS * shops.length,
    run(count) {
      let bytes = 0;
      for (let i = 0; i < count; i++, at++) {
        const shop = shops[at % shops.length] as CompiledShop;
        // Each round of the shops begins at another cart, so that every shop meets every cart.
        const cart = (at + Math.floor(at / shops.length)) % requests.length;
        const outcome = evaluateToParts(shop, requests[cart] as SimulateRequest, NOW_MS);
        bytes += writeAnswer(outcome);
      }
      return bytes;
    },
  };
}

export const profileTask = (series: string, size: number, label: string, profile: Profile): MicroTask =>
  answerTask(series, size, label, [compileShop(profile.config, profile.settings)], profile.requests);
