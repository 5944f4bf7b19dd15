/** `export`: a shop's whole configuration as a JSON file (contract section 8). */
import { writtenConfig } from '../change/decide.ts';
import type { ShopConfig } from '../domain/shop-config.ts';
import { snapshotOf } from '../wire/record-view.ts';
import { type Command, type CommandInput, printJson, writeJson } from './command.ts';
import { withShops } from './open-shops.ts';
import { answered, URL_OPTION, withService } from './service-client.ts';

export const exportConfig: Command = {
  options: {
    shop: { value: 'ID', description: 'The shop (default: the only one)' },
    url: URL_OPTION,
    output: { value: 'FILE', description: 'Write to this file instead of standard output' },
  },
  notes: () => 'The output is what import accepts.\n',
  async run(input) {
    const remote = await withService(input, async (client) => answered(await client.getConfig()));
    const snapshot = remote === undefined ? await localSnapshot(input) : remote.result;
    const file = input.option('output');
    if (file === undefined) printJson(snapshot);
    else writeJson(file, snapshot);
  },
};

/** The configuration as the API shows it, changeset included, so that importing it changes nothing. */
const localSnapshot = (input: CommandInput) =>
  withShops(input.settings, async (shops) => {
    const { state } = await shops.shop(input.option('shop'));
    return snapshotOf(writtenConfig(state) as ShopConfig, state.version.id);
  });
