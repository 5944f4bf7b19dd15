/** `lint`: findings in a shop's configuration. */

import { systemClock } from '../../base/runtime/clock.ts';
import type { LintReport } from '../../engine/domain/finding.ts';
import { readView } from './cart-input.ts';
import { ANSWER_OPTION, type Command, printResult } from './command.ts';
import { findingLines, findingsTable } from './finding-text.ts';
import { answered, onShop, SHOP_OPTIONS } from './service-client.ts';

export const command: Command = {
  options: {
    ...SHOP_OPTIONS,
    view: { value: 'VIEW', description: 'live or staged (default: staged while a changeset is active)' },
    json: ANSWER_OPTION,
  },
  notes: () =>
    'An error has no effect as it is written; a warning works, but probably not as intended. Disabled records\n' +
    `are ignored.\n\n${findingsTable()}`,
  async run(input) {
    const view = readView(input);
    const query = view === undefined ? {} : { view };
    const report: LintReport = await onShop(input, {
      service: async (client) => answered(await client.lintConfig({ query })),
      folder: (shop, shops) =>
        shops.valueOf(
          shop.lint(view ?? (shop.state.staging === null ? 'live' : 'staged'), systemClock.nowMs()),
        ),
    });
    const { findings: warnings, omitted: warningsOmitted } = report;
    printResult(input, report, (paint) => findingLines({ warnings, warningsOmitted }, paint));
  },
};
