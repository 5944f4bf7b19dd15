/** `lint`: findings in a shop's configuration. */

import type { LintReport } from '../domain/finding.ts';
import { systemClock } from '../runtime/clock.ts';
import { type Command, print, printJson } from './command.ts';
import { usageError } from './exit-code.ts';
import { findingLines, findingsTable } from './finding-text.ts';
import { answered, onShop, SHOP_OPTIONS } from './service-client.ts';
import { paintFor } from './terminal.ts';

const VIEWS = ['live', 'staged'] as const;
type View = (typeof VIEWS)[number];

export const lintCommand: Command = {
  options: {
    ...SHOP_OPTIONS,
    view: { value: 'VIEW', description: 'live or staged (default: staged while a changeset is active)' },
    json: { description: 'Print the answer of the API as it is' },
  },
  notes: () =>
    'An error does nothing as it is written; a warning works, but hardly as it was meant. Disabled records are\n' +
    `not looked at.\n\n${findingsTable()}`,
  async run(input) {
    const view = readView(input.option('view'));
    const query = view === undefined ? {} : { view };
    const report: LintReport = await onShop(input, {
      service: async (client) => answered(await client.lintConfig({ query })),
      folder: (shop, shops) =>
        shops.valueOf(
          shop.lint(view ?? (shop.state.staging === null ? 'live' : 'staged'), systemClock.nowMs()),
        ),
    });
    if (input.hasSwitch('json')) printJson(report);
    else {
      const { findings: warnings, omitted: warningsOmitted } = report;
      print(findingLines({ warnings, warningsOmitted }, paintFor(process.stdout)).join('\n'));
    }
  },
};

function readView(text: string | undefined): View | undefined {
  const view = VIEWS.find((known) => known === text);
  if (text !== undefined && view === undefined) throw usageError(`--view must be ${VIEWS.join(' or ')}`);
  return view;
}
