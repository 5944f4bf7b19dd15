/** `gate`: whether the gate of the shop lets the active changeset pass (contract section 10.2). */

import { systemClock } from '../../base/runtime/clock.ts';
import type { Outcome } from '../../engine/domain/failure.ts';
import type { GateReport } from '../../engine/wire/gate-report.ts';
import { NO_CHANGESET } from '../../engine/wire/staging.ts';
import type { ShopActor } from '../../shop/actor/shop-actor.ts';
import { readAnswer } from '../../shop/pool/answer-question.ts';
import { type Ask, askForGate } from '../../shop/pool/gate-questions.ts';
import { judgeGate } from '../../shop/shadow/judge-gate.ts';
import { ShadowTally } from '../../shop/shadow/shadow-tally.ts';
import { gateLines } from './check-text.ts';
import { ANSWER_OPTION, type Command, printResult } from './command.ts';
import { effectLines } from './effect-text.ts';
import { CommandError } from './exit-code.ts';
import type { OpenShops } from './open-shops.ts';
import { answered, onShop, SHOP_OPTIONS } from './service-client.ts';

export const command: Command = {
  options: { ...SHOP_OPTIONS, json: ANSWER_OPTION },
  notes: () =>
    'The exit code is 1 when the changeset does not pass. Carts count since the last staged write.\n',
  async run(input) {
    const report: GateReport = await onShop(input, {
      service: async (client) => answered(await client.getPromotionGate()),
      folder: judgeHere,
    });
    printResult(input, report, (paint) => [...effectLines(report.effects), ...gateLines(report, paint)]);
    const failed = report.criteria.filter(({ passed }) => !passed).map(({ criterion }) => criterion);
    if (failed.length > 0) throw new CommandError(`the gate asks for ${failed.join(', ')}`);
  },
};

/** Judges with the results that a server last stored in the data folder. */
async function judgeHere(shop: ShopActor, shops: OpenShops): Promise<GateReport> {
  const { settings, staging } = shop.state;
  if (staging === null) throw shops.refused(NO_CHANGESET);
  const text = shops.log.readShopText('shadowResults', shop.shopId);
  const stored = text === null ? null : ShadowTally.read(text, shop.shopId, staging.id);
  const tally = stored ?? new ShadowTally(shop.shopId, staging.id);
  tally.edited(staging.writes.length);
  const elsewhere = (await shops.log.textsElsewhere?.('shadowResults', shop.shopId)) ?? [];
  const gate = settings.promotionGate ?? {};
  const answerHere: Ask = (question) => readAnswer(shop, question) as Outcome<never>;
  const asked = await askForGate(gate, systemClock.nowMs(), answerHere);
  const judged = judgeGate(gate, {
    ...shops.valueOf(asked),
    results: tally.plus(elsewhere).sinceEdit(staging.config),
    // The command line has no key.
    ownWrites: 0,
  });
  return { ...judged, effects: shops.valueOf(shop.effects(systemClock.nowMs(), [])) };
}
