/** `export` and `import`: a shop's whole configuration as a JSON file (contract section 8). */
import { writeFileSync } from 'node:fs';
import type { ConfigPreview } from '../domain/command.ts';
import { snapshotOf } from '../domain/record-view.ts';
import { compileSchema } from '../domain/schema-check.ts';
import type { ShopConfig } from '../domain/shop-config.ts';
import type { ChangeCounts, CompareEntry } from '../domain/version.ts';
import { CONFIG_DEFECTS_MAX, ConfigData } from '../domain/write-bodies.ts';
import { type Command, print, printJson } from './command.ts';
import { CommandError } from './exit-code.ts';
import { readJsonInput } from './json-input.ts';
import { withShops } from './open-shops.ts';

const SHOP_OPTION = { value: 'ID', description: 'The shop (default: the only one)' };

export const exportConfig: Command = {
  options: {
    shop: SHOP_OPTION,
    output: { value: 'FILE', description: 'Write to this file instead of standard output' },
  },
  notes: () => 'The output is what import accepts.\n',
  async run(input) {
    const snapshot = await withShops(input.settings, async (shops) => {
      const { config, version } = (await shops.shop(input.option('shop'))).state;
      return snapshotOf(config as ShopConfig, version.id);
    });
    const file = input.option('output');
    if (file === undefined) printJson(snapshot);
    else writeFileSync(file, `${JSON.stringify(snapshot, null, 2)}\n`);
  },
};

export const importConfig: Command = {
  arguments: [{ name: 'FILE', description: 'What export printed; - reads standard input' }],
  options: {
    shop: SHOP_OPTION,
    'dry-run': { description: 'Print what would change, and change nothing' },
    json: { description: 'Print JSON' },
  },
  notes: () => 'A kind of record that the file leaves out stays as it is; an empty array clears it.\n',
  async run(input) {
    const data = checkedData(
      await readJsonInput(input.requiredArgument(0), input.settings.configBodyBytesMax),
    );
    await withShops(input.settings, async (shops) => {
      const shop = await shops.shop(input.option('shop'));
      if (input.hasSwitch('dry-run')) {
        const preview = shop.preview(data);
        if (!preview.ok) throw shops.refused(preview);
        if (input.hasSwitch('json')) printJson(preview.value);
        else print(`${entryLines(preview.value)}would change: ${countsText(preview.value.summary)}`);
        return;
      }
      const result = await shops.write(shop, { kind: 'executeConfig', data });
      if (result.kind !== 'executed') return;
      const { version, summary } = result;
      if (input.hasSwitch('json')) printJson({ version, summary });
      else if (version === null) print(`staged: ${countsText(summary)}`);
      else print(`version ${version.number} (${version.id}): ${countsText(summary)}`);
    });
  },
};

function checkedData(value: unknown): ConfigData {
  const check = compileSchema(ConfigData);
  if (check.check(value)) return value;
  throw new CommandError(check.defects(value, CONFIG_DEFECTS_MAX).join('; '));
}

function entryLines({ added, modified, removed }: ConfigPreview): string {
  const line = (sign: string, { kind, id, name }: CompareEntry) =>
    `${sign} ${kind} ${name} (${id ?? 'new'})\n`;
  return [
    ...added.map((entry) => line('+', entry)),
    ...modified.map((entry) => line('~', entry)),
    ...removed.map((entry) => line('-', entry)),
  ].join('');
}

const countsText = ({ added, modified, removed }: ChangeCounts): string =>
  `${added} added, ${modified} modified, ${removed} removed`;
