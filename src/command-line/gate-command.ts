/** `gate`: whether the gate of the shop lets the active changeset pass (contract section 10.2). */

import { finishSteps, NEVER } from '../pace/work-steps.ts';
import { systemClock } from '../runtime/clock.ts';
import { judgeGate } from '../shadow/judge-gate.ts';
import { ShadowTally } from '../shadow/shadow-tally.ts';
import type { GateReport } from '../wire/gate-report.ts';
import { NO_CHANGESET } from '../wire/staging.ts';
import { gateLines } from './check-text.ts';
import { type Command, type CommandInput, print, printJson } from './command.ts';
import { CommandError } from './exit-code.ts';
import { withShops } from './open-shops.ts';
import { answered, URL_OPTION, withService } from './service-client.ts';
import { paintFor } from './terminal.ts';

export const gateCommand: Command = {
  options: {
    shop: { value: 'ID', description: 'The shop (default: the only one)' },
    url: URL_OPTION,
    json: { description: 'Print the answer of the API as it is' },
  },
  notes: () =>
    'The exit code is 1 when the changeset does not pass. Carts count since the last staged write.\n',
  async run(input) {
    const remote = await withService(input, async (client) => answered(await client.getPromotionGate()));
    const report: GateReport = remote === undefined ? await judgeHere(input) : remote.result;
    if (input.hasSwitch('json')) printJson(report);
    else print(gateLines(report, paintFor(process.stdout)).join('\n'));
    const failed = report.criteria.filter(({ passed }) => !passed).map(({ criterion }) => criterion);
    if (failed.length > 0) throw new CommandError(`the gate asks for ${failed.join(', ')}`);
  },
};

/** From the data folder: with the results that a server wrote there last. */
const judgeHere = (input: CommandInput): Promise<GateReport> =>
  withShops(input.settings, async (shops) => {
    const shop = await shops.shop(input.option('shop'));
    const { settings, staging } = shop.state;
    if (staging === null) throw shops.refused(NO_CHANGESET);
    const text = shops.log.readShopText('shadowResults', shop.shopId);
    const stored = text === null ? null : ShadowTally.read(text, shop.shopId, staging.id);
    const tally = stored ?? new ShadowTally(shop.shopId, staging.id);
    tally.edited(staging.writes.length);
    const elsewhere = (await shops.log.textsElsewhere?.('shadowResults', shop.shopId)) ?? [];
    const checks = shop.runChecks('staged', undefined, systemClock.nowMs());
    const [live, staged] = [shop.lint('live'), shop.lint('staged')];
    if (!checks.ok) throw shops.refused(checks);
    if (!live.ok) throw shops.refused(live);
    if (!staged.ok) throw shops.refused(staged);
    return judgeGate(settings.promotionGate ?? {}, {
      checks: checks.value,
      lint: { live: live.value, staged: staged.value },
      results: finishSteps(tally.plus(elsewhere).editSteps(staging.config, NEVER)),
    });
  });
