/**
 * `import`: replaces a shop's configuration by that of a file (contract section 8). A file of another system is translated
 * first; as it replaces everything, the command shows the changes and asks. It executes exactly what the preview showed,
 * or nothing.
 */

import type { ChangeCounts, CompareEntry } from '../../engine/domain/version.ts';
import type { SourceFinding } from '../../engine/import/source-report.ts';
import type { PreviewAnswer } from '../../engine/wire/answer-schemas.ts';
import { compileSchema } from '../../engine/wire/schema-check.ts';
import { CONFIG_DEFECTS_MAX, ConfigData } from '../../engine/wire/write-bodies.ts';
import { withoutUndefined } from '../client/caller.ts';
import type { RatewrightClient, Schemas, SimulateRequest } from '../client/client.ts';
import { HTTP_LIMITS } from '../http/dependencies.ts';
import { AT_OPTION, readCart, readTime } from './cart-input.ts';
import { failureLines } from './check-text.ts';
import { type Command, type CommandInput, JSON_OPTION, printResult, writeJson } from './command.ts';
import { confirm } from './confirmation.ts';
import { effectLines } from './effect-text.ts';
import { CommandError, usageError } from './exit-code.ts';
import { answered, SHOP_OPTIONS, withShop } from './find-service.ts';
import { findingLines } from './finding-text.ts';
import {
  assertOptionsOfSource,
  remarkLines,
  SOURCE_NAMES,
  SOURCE_OPTIONS,
  translateSource,
} from './foreign-source.ts';
import { parseJsonInput, readTextInput } from './json-input.ts';
import { counted, paintFor } from './terminal.ts';
import { traceText } from './trace-text.ts';

export const command: Command = {
  arguments: [{ name: 'FILE', description: 'What export printed; - reads standard input' }],
  options: {
    ...SHOP_OPTIONS,
    ...SOURCE_OPTIONS,
    'dry-run': { description: 'Print what would change, and change nothing' },
    cart: { value: 'FILE', description: 'With --dry-run: also what this cart would be offered, and why' },
    at: AT_OPTION,
    yes: { description: 'Do not ask before a file of another system replaces everything' },
    json: JSON_OPTION,
  },
  notes: () =>
    'A kind of record that the file leaves out stays as it is; an empty array clears it. What is imported\n' +
    `from another system (${SOURCE_NAMES.join(', ')}) replaces the whole configuration: the\n` +
    'command shows what would change and asks on the terminal; without one it needs --yes.\n',
  async run(input) {
    const trial = await readTrial(input);
    const { data, remarks } = await readConfiguration(input);
    const out = input.option('out');
    if (out !== undefined) {
      writeJson(out, data);
      report(input, remarks, { out }, [`${out}: ${contentText(data)}`]);
      return;
    }
    if (input.hasSwitch('dry-run')) await showPreview(input, data, trial, remarks);
    else await replace(input, data, remarks);
  },
};

async function showPreview(
  input: CommandInput,
  data: ConfigData,
  trial: Trial,
  remarks: readonly SourceFinding[],
): Promise<void> {
  await withShop(input, async (client) => {
    const preview = await previewOf(client, data, trial);
    const trace = await trialLines(client, data, trial, preview);
    report(input, remarks, preview, [...previewLines(preview), ...trace]);
  });
}

/** What is of another system is shown first; where the command asks, nobody is kept waiting by its question. */
async function replace(
  input: CommandInput,
  data: ConfigData,
  remarks: readonly SourceFinding[],
): Promise<void> {
  const isForeign = input.option('from') !== undefined;
  const previewed = isForeign ? await withShop(input, (client) => guardedPreview(client, data)) : null;
  const isShown = previewed !== null && asksFirst(input);
  if (isShown) {
    report(input, remarks, previewed.preview, previewLines(previewed.preview));
    await confirm('Replace the whole configuration?', 'y');
  }
  await withShop(input, async (client) => {
    const body = { action: 'execute' as const, data: data as Schemas['ConfigData'] };
    const executed = await client.replaceConfig(body, withoutUndefined({ ifMatch: previewed?.tag }));
    const { version, summary } = answered(executed) as Schemas['ExecuteAnswer'];
    const outcome = version === null ? 'staged' : `version ${version.number} (${version.id})`;
    report(input, isShown ? [] : remarks, { version, summary }, [
      ...(previewed === null || isShown ? [] : changeLines(previewed.preview)),
      `${outcome}: ${countsText(summary)}`,
    ]);
  });
}

/** A preview, and the tag of the live version or of the changeset that it is about. */
async function guardedPreview(client: RatewrightClient, data: ConfigData) {
  // A preview has no tag of its own.
  const read = await client.getStaging();
  answered(read);
  return { preview: await previewOf(client, data, {}), tag: (read.ok && read.entityTag) || undefined };
}

async function previewOf(client: RatewrightClient, data: ConfigData, trial: Trial): Promise<PreviewAnswer> {
  // The server checks that each config fits its rate type.
  const body = { action: 'preview' as const, data: data as Schemas['ConfigData'], ...trial };
  return answered(await client.replaceConfig(body)) as PreviewAnswer;
}

/** A cart that the new configuration is to answer. */
interface Trial {
  readonly request?: SimulateRequest;
  readonly at?: string;
}

async function readTrial(input: CommandInput): Promise<Trial> {
  const path = input.option('cart');
  if (path !== undefined && !input.hasSwitch('dry-run')) throw usageError('--cart needs --dry-run');
  if (path === undefined && input.option('at') !== undefined) throw usageError('--at needs --cart');
  if (path === undefined) return {};
  const at = readTime(input);
  return withoutUndefined({ request: await readCart(input, path), at });
}

/** Groups that have no id yet are shown by the id of the answer. */
async function trialLines(
  client: RatewrightClient,
  { productGroups: given }: ConfigData,
  { request }: Trial,
  { simulation }: PreviewAnswer,
): Promise<string[]> {
  if (request === undefined || simulation === undefined) return [];
  const currency = request.currency ?? answered(await client.getShop()).shop.currency;
  const productGroups =
    given?.flatMap(({ id, name }) => (id === undefined ? [] : [{ id, name }])) ??
    answered(await client.getConfig()).productGroups;
  return ['', traceText(simulation, { currency, productGroups }, paintFor(process.stdout)).trimEnd()];
}

/** True when a file of another system would replace everything and `--yes` is not given. */
const asksFirst = (input: CommandInput): boolean =>
  input.option('from') !== undefined &&
  input.option('out') === undefined &&
  !input.hasSwitch('dry-run') &&
  !input.hasSwitch('yes');

/** Throws `CommandError` (usage), before anything is read, when a confirmation is needed and there is no terminal. */
function assertAnswerable(input: CommandInput): void {
  const canAsk = process.stdin.isTTY && input.argument(0) !== '-' && !input.hasSwitch('json');
  if (asksFirst(input) && !canAsk)
    throw usageError(
      'a file of another system replaces the whole configuration: --yes replaces it without asking, --dry-run shows what would change',
    );
}

async function readConfiguration(
  input: CommandInput,
): Promise<{ readonly data: ConfigData; readonly remarks: readonly SourceFinding[] }> {
  const path = input.requiredArgument(0);
  assertOptionsOfSource(input);
  assertAnswerable(input);
  const text = await readTextInput(path, HTTP_LIMITS.configBodyBytesMax);
  if (input.option('from') === undefined) {
    // Checked by who executes it.
    return {
      data: parseJsonInput(path, text, ': --from reads files of other systems') as ConfigData,
      remarks: [],
    };
  }
  const { data, errors, remarks } = translateSource(input, path, text);
  if (data !== null) return { data: checkedData(data), remarks };
  printResult(input, { errors, remarks }, () => [...remarkLines(errors), ...remarkLines(remarks)]);
  throw new CommandError(`${counted(errors.length, 'error')} in ${path}: nothing was changed`);
}

function checkedData(value: unknown): ConfigData {
  const check = compileSchema(ConfigData);
  if (check.check(value)) return value;
  throw new CommandError(check.failure(value, CONFIG_DEFECTS_MAX).message);
}

function report(
  input: CommandInput,
  remarks: readonly SourceFinding[],
  value: object,
  lines: readonly string[],
): void {
  const isForeign = input.option('from') !== undefined;
  const result = isForeign ? { ...value, remarks } : value;
  printResult(input, result, () => [...remarkLines(remarks), ...lines]);
}

function entryLines({ added, modified, removed }: PreviewAnswer): string[] {
  const line = (sign: string, { kind, id, name }: CompareEntry) => `${sign} ${kind} ${name} (${id ?? 'new'})`;
  return [
    ...added.map((entry) => line('+', entry)),
    ...modified.map((entry) => line('~', entry)),
    ...removed.map((entry) => line('-', entry)),
  ];
}

/** The records that differ, and what is wrong or doubtful in the result. */
const changeLines = (preview: PreviewAnswer): string[] => [
  ...entryLines(preview),
  ...(preview.warnings.length === 0 ? [] : findingLines(preview, paintFor(process.stdout))),
];

const previewLines = (preview: PreviewAnswer): string[] => [
  ...changeLines(preview),
  ...failureLines(preview.checks, paintFor(process.stdout)),
  `would change: ${countsText(preview.summary)}`,
  ...(preview.effects.probes === 0 ? [] : effectLines(preview.effects)),
];

const countsText = ({ added, modified, removed }: ChangeCounts): string =>
  `${added} added, ${modified} modified, ${removed} removed`;

const contentText = ({ zones = [], methods = [] }: ConfigData): string =>
  `${zones.length} zones, ${methods.length} methods`;
