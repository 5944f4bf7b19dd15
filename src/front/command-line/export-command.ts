/** `export`: a shop's whole configuration as a JSON file (contract section 8). */
import { type Command, JSON_OPTION, printJson, printResult, writeJson } from './command.ts';
import { answered, SHOP_OPTIONS, withShop } from './find-service.ts';
import { counted } from './terminal.ts';

export const command: Command = {
  options: {
    ...SHOP_OPTIONS,
    output: { value: 'FILE', description: 'Write to this file instead of standard output' },
    json: JSON_OPTION,
  },
  notes: () => 'The output is what import accepts; it is JSON also without --json.\n',
  async run(input) {
    await withShop(input, async (client) => {
      const snapshot = answered(await client.getConfig());
      const output = input.option('output');
      if (output === undefined) return printJson(snapshot);
      writeJson(output, snapshot);
      const { versionId, zones, methods } = snapshot;
      const content = `${counted(zones.length, 'zone')}, ${counted(methods.length, 'method')}`;
      printResult(input, { output, versionId }, () => `${output}: ${content}`);
    });
  },
};
