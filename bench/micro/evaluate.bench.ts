/**
 * Evaluation with full traces, from the parsed request to the bytes of the answer, against what reading the
 * request costs: `JSON.parse` of the same body. Both take the carts of the profile in turn.
 */

import { type AnswerText, lengthOf } from '../../src/base/bytes/answer-text.ts';
import { compileShop } from '../../src/engine/compile/compiled-shop.ts';
import type { SimulateRequest } from '../../src/engine/domain/cart.ts';
import { evaluate, evaluateToParts } from '../../src/engine/evaluate/evaluate.ts';
import { asciiBytes } from '../../src/front/http/output.ts';
import { WARM_ANSWERS } from '../growth/answer-task.ts';
import { type Part, type PartRun, profilesOf } from '../part.ts';
import { makeEverySize } from '../profiles/every-size.ts';
import { bodiesOf, NOW_MS, type Profile } from '../profiles/profile.ts';
import { type MicroTask, measureTasks } from './micro-bench.ts';

export const evaluateId = (what: 'parse' | 'text' | 'answer', profile: string): string =>
  `micro/evaluate/${what}/${profile}`;

function makeTasks(profile: Profile): readonly MicroTask[] {
  const { name, requests } = profile;
  const shop = compileShop(profile.config, profile.settings);
  const bodies = bodiesOf(profile);
  const ats = { parse: 0, text: 0, answer: 0 };
  const answer = (at: number): AnswerText => {
    const outcome = evaluateToParts(shop, requests[at % requests.length] as SimulateRequest, NOW_MS);
    if (!outcome.ok) throw new Error(outcome.message);
    return outcome.value;
  };
  return [
    {
      id: evaluateId('parse', name),
      label: `${name}: JSON.parse of the request`,
      warmCount: WARM_ANSWERS,
      run(count) {
        let items = 0;
        for (let i = 0; i < count; i++) {
          const request = JSON.parse(bodies[ats.parse++ % bodies.length] as string) as SimulateRequest;
          items += request.items.length;
        }
        return items;
      },
    },
    {
      id: evaluateId('text', name),
      label: `${name}: evaluate, text in pieces`,
      warmCount: WARM_ANSWERS,
      run(count) {
        let length = 0;
        for (let i = 0; i < count; i++) length += lengthOf(answer(ats.text++));
        return length;
      },
    },
    {
      id: evaluateId('answer', name),
      label: `${name}: evaluate, assemble, write out`,
      warmCount: WARM_ANSWERS,
      run(count) {
        let bytes = 0;
        // The text is in pieces until it is written; a measurement without that would flatter.
        for (let i = 0; i < count; i++) bytes += asciiBytes(answer(ats.answer++)).length;
        return bytes;
      },
    },
  ];
}

function noteSizes(part: PartRun, profile: Profile): void {
  const shop = compileShop(profile.config, profile.settings);
  let answers = 0;
  for (const request of profile.requests) {
    const outcome = evaluate(shop, request, NOW_MS);
    if (outcome.ok) answers += outcome.value.length;
  }
  const bodies = bodiesOf(profile).reduce((sum, body) => sum + Buffer.byteLength(body), 0);
  const mean = (sum: number) => Math.round(sum / profile.requests.length).toLocaleString('en-US');
  part.note(`${profile.name}: ${profile.description}; request ${mean(bodies)} B, answer ${mean(answers)} B.`);
}

export const evaluatePart: Part = {
  id: 'micro/evaluate',
  title: 'Evaluation with full traces, and JSON.parse of the same request',
  takesShop: true,
  async run(part) {
    const profiles = profilesOf(part, () => makeEverySize(part.effort));
    measureTasks(part, profiles.flatMap(makeTasks));
    for (const profile of profiles) noteSizes(part, profile);
  },
};
