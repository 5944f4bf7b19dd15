/** `lint`: findings in a shop's configuration. */

import type { LintReport } from '../../engine/domain/finding.ts';
import { withoutUndefined } from '../client/caller.ts';
import { readView, viewOption } from './cart-input.ts';
import { type Command, JSON_OPTION, printResult } from './command.ts';
import { answered, SHOP_OPTIONS, withShop } from './find-service.ts';
import { findingLines, findingsTable } from './finding-text.ts';

export const command: Command = {
  options: { ...SHOP_OPTIONS, view: viewOption('staged while a changeset is active'), json: JSON_OPTION },
  notes: () =>
    'An error has no effect as it is written; a warning works, but probably not as intended. Disabled records\n' +
    `are ignored.\n\n${findingsTable()}`,
  async run(input) {
    const query = withoutUndefined({ view: readView(input) });
    await withShop(input, async (client) => {
      const report: LintReport = answered(await client.lintConfig({ query }));
      const { findings: warnings, omitted: warningsOmitted } = report;
      printResult(input, report, (paint) => findingLines({ warnings, warningsOmitted }, paint));
    });
  },
};
