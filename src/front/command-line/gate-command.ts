/** `gate`: whether the gate of the shop lets the active changeset pass (contract section 10.2). */

import type { GateReport } from '../../engine/wire/gate-report.ts';
import { gateLines } from './check-text.ts';
import { type Command, JSON_OPTION, printResult } from './command.ts';
import { effectLines } from './effect-text.ts';
import { CommandError } from './exit-code.ts';
import { answered, SHOP_OPTIONS, withShop } from './find-service.ts';

export const command: Command = {
  options: { ...SHOP_OPTIONS, json: JSON_OPTION },
  notes: () =>
    'The exit code is 1 when the changeset does not pass. Carts count since the last staged write.\n',
  async run(input) {
    await withShop(input, async (client) => {
      const report: GateReport = answered(await client.getPromotionGate());
      printResult(input, report, (paint) => [...effectLines(report.effects), ...gateLines(report, paint)]);
      const failed = report.criteria.filter(({ passed }) => !passed).map(({ criterion }) => criterion);
      if (failed.length > 0) throw new CommandError(`the gate asks for ${failed.join(', ')}`);
    });
  },
};
