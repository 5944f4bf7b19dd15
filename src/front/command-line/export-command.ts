/** `export`: a shop's whole configuration as a JSON file (contract section 8). */
import { writtenConfig } from '../../engine/change/decide.ts';
import { shopConfigOf } from '../../engine/domain/shop-event.ts';
import { snapshotOf } from '../../engine/wire/record-view.ts';
import { type Command, printJson, writeJson } from './command.ts';
import { answered, onShop, SHOP_OPTIONS } from './service-client.ts';

export const command: Command = {
  options: {
    ...SHOP_OPTIONS,
    output: { value: 'FILE', description: 'Write to this file instead of standard output' },
  },
  notes: () => 'The output is what import accepts.\n',
  async run(input) {
    const snapshot = await onShop<object>(input, {
      service: async (client) => answered(await client.getConfig()),
      // As the API shows it, changeset included, so that importing it changes nothing.
      folder: ({ state }) => snapshotOf(shopConfigOf(writtenConfig(state)), state.version.id),
    });
    const file = input.option('output');
    if (file === undefined) printJson(snapshot);
    else writeJson(file, snapshot);
  },
};
