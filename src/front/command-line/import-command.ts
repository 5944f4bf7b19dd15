/**
 * `import`: replaces a shop's configuration by that of a file (contract section 8), on the data folder or,
 * with `--url`, on a running server. A file of another system is translated first; as it replaces everything, the command
 * shows the changes and asks. It executes exactly what the preview showed, or nothing.
 */

import { systemClock } from '../../base/runtime/clock.ts';
import { createIdSource } from '../../base/runtime/id-source.ts';
import type { Failure } from '../../engine/domain/failure.ts';
import type { ChangeCounts, CompareEntry, Version } from '../../engine/domain/version.ts';
import type { SourceFinding } from '../../engine/import/source-report.ts';
import type { PreviewAnswer } from '../../engine/wire/answer-schemas.ts';
import { compileSchema } from '../../engine/wire/schema-check.ts';
import { CONFIG_DEFECTS_MAX, ConfigData, configActionSchema } from '../../engine/wire/write-bodies.ts';
import type { Previewed } from '../../shop/reader/shop-reader.ts';
import type { Schemas } from '../client/client.ts';
import { HTTP_LIMITS } from '../http/dependencies.ts';
import { readCart } from './cart-input.ts';
import { failureLines } from './check-text.ts';
import { type Command, type CommandInput, JSON_OPTION, printResult, writeJson } from './command.ts';
import { confirm } from './confirmation.ts';
import { effectLines } from './effect-text.ts';
import { CommandError, usageError } from './exit-code.ts';
import { findingLines } from './finding-text.ts';
import {
  assertOptionsOfSource,
  remarkLines,
  SOURCE_NAMES,
  SOURCE_OPTIONS,
  translateSource,
} from './foreign-source.ts';
import { parseJsonInput, readTextInput } from './json-input.ts';
import { answered, onShop, SHOP_OPTIONS } from './service-client.ts';
import { counted, paintFor, withProgress } from './terminal.ts';
import { type TraceContext, traceText } from './trace-text.ts';

export const command: Command = {
  arguments: [{ name: 'FILE', description: 'What export printed; - reads standard input' }],
  options: {
    ...SHOP_OPTIONS,
    ...SOURCE_OPTIONS,
    'dry-run': { description: 'Print what would change, and change nothing' },
    cart: { value: 'FILE', description: 'With --dry-run: also what this cart would be offered, and why' },
    at: { value: 'TIME', description: 'ISO time that time conditions see for that cart (default: now)' },
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
    const asks = asksFirst(input);
    const { preview, context, executed } = await replace(input, data, trial, async (shown) => {
      if (!asks) return;
      report(input, remarks, shown, previewLines(shown));
      await confirm('Replace the whole configuration?', 'y');
    });
    const isShown = asks && executed !== null;
    const lines = preview === null || isShown ? [] : [...entryLines(preview), ...warningLines(preview)];
    if (executed !== null) {
      const { version, summary } = executed;
      report(input, isShown ? [] : remarks, { version, summary }, [
        ...lines,
        version === null
          ? `staged: ${countsText(summary)}`
          : `version ${version.number} (${version.id}): ${countsText(summary)}`,
      ]);
    } else if (preview !== null) {
      report(input, remarks, preview, [...previewLines(preview), ...trialLines(preview, context)]);
    }
  },
};

/** A cart that the new configuration is to answer. */
type Trial = Pick<Previewed, 'request' | 'at'>;

async function readTrial(input: CommandInput): Promise<Trial> {
  const [path, at] = [input.option('cart'), input.option('at')];
  if (path !== undefined && !input.hasSwitch('dry-run')) throw usageError('--cart needs --dry-run');
  if (path === undefined && at !== undefined) throw usageError('--at needs --cart');
  if (path === undefined) return {};
  return { request: await readCart(input, path), ...(at === undefined ? {} : { at }) };
}

const trialLines = ({ simulation }: PreviewAnswer, context: TraceContext | null): string[] =>
  simulation === undefined || context === null
    ? []
    : ['', traceText(simulation, context, paintFor(process.stdout)).trimEnd()];

/** What the trace of a trial needs beside the answer; groups that have no id yet are shown by the id of the answer. */
const contextOf = (
  { productGroups: given }: ConfigData,
  { request }: Trial,
  { currency, productGroups }: TraceContext,
): TraceContext => ({
  currency: request?.currency ?? currency,
  productGroups: given?.flatMap(({ id, name }) => (id === undefined ? [] : [{ id, name }])) ?? productGroups,
});

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
  const text = await withProgress('Reading', 'bytes', (show) =>
    readTextInput(path, HTTP_LIMITS.configBodyBytesMax, show),
  );
  if (input.option('from') === undefined) {
    // Checked by who executes it.
    return { data: parseJsonInput(path, text) as ConfigData, remarks: [] };
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

/** The refusal of malformed data, or null; `itemsMax` is the operator's limit on items of a cart. */
function findRefusal(data: unknown, itemsMax: number): Failure | null {
  const check = compileSchema(configActionSchema(itemsMax));
  const body = { action: 'execute', data };
  return check.check(body) ? null : check.failure(body, CONFIG_DEFECTS_MAX);
}

interface Replacement {
  /** Null when no preview was requested. */
  readonly preview: PreviewAnswer | null;
  /** Null without a trial. */
  readonly context: TraceContext | null;
  /** Null in a dry run; its version is null when the change went to a changeset. */
  readonly executed: { readonly version: Version | null; readonly summary: ChangeCounts } | null;
}

/** Gets a preview if needed, awaits `confirmed`, then executes unless it is a dry run. */
async function replace(
  input: CommandInput,
  data: ConfigData,
  trial: Trial,
  confirmed: (preview: PreviewAnswer) => Promise<void>,
): Promise<Replacement> {
  const isDryRun = input.hasSwitch('dry-run');
  const hasTrial = trial.request !== undefined;
  const wantsPreview = isDryRun || input.option('from') !== undefined;
  return onShop<Replacement>(input, {
    service: async (client) => {
      const ask = async (action: 'preview' | 'execute', more: Trial, ifMatch?: string | null) => {
        const guard = ifMatch == null ? {} : { ifMatch };
        // The server checks that each config fits its rate type.
        const body = { action, data: data as Schemas['ConfigData'], ...more };
        const outcome = await client.replaceConfig(body, guard);
        return { answer: answered(outcome), versionId: outcome.ok ? outcome.versionId : null };
      };
      const asked = wantsPreview ? await ask('preview', trial) : null;
      const preview = asked !== null && 'added' in asked.answer ? asked.answer : null;
      if (preview !== null) await confirmed(preview);
      const context = hasTrial
        ? contextOf(data, trial, {
            currency: answered(await client.getShop()).shop.currency,
            productGroups: answered(await client.getConfig()).productGroups,
          })
        : null;
      // Executes exactly what was shown.
      const executed = isDryRun ? null : await ask('execute', {}, asked?.versionId);
      return {
        preview,
        context,
        executed: executed !== null && 'version' in executed.answer ? executed.answer : null,
      };
    },
    folder: async (shop, shops) => {
      const refusal = findRefusal(data, input.settings.itemsMax);
      if (refusal !== null) throw shops.refused(refusal);
      const previewedId = wantsPreview ? shop.state.version.id : null;
      const moment = {
        now: new Date(systemClock.nowMs()).toISOString(),
        seed: createIdSource(systemClock).next(),
      };
      const preview = wantsPreview ? shops.valueOf(shop.preview({ data, ...trial }, moment)) : null;
      if (preview !== null) await confirmed(preview);
      const result = isDryRun ? null : await shops.write(shop, { kind: 'executeConfig', data }, previewedId);
      const { settings, config, staging } = shop.state;
      const { productGroups } = (staging ?? { config }).config;
      const context = hasTrial
        ? contextOf(data, trial, { currency: settings.currency, productGroups })
        : null;
      return { preview, context, executed: result?.kind === 'executed' ? result : null };
    },
  });
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

const previewLines = (preview: PreviewAnswer): string[] => [
  ...entryLines(preview),
  ...warningLines(preview),
  ...failureLines(preview.checks, paintFor(process.stdout)),
  `would change: ${countsText(preview.summary)}`,
  ...(preview.effects.probes === 0 ? [] : effectLines(preview.effects)),
];

/** An empty text without warnings. */
const warningLines = (preview: PreviewAnswer): string[] =>
  preview.warnings.length === 0 ? [] : findingLines(preview, paintFor(process.stdout));

const countsText = ({ added, modified, removed }: ChangeCounts): string =>
  `${added} added, ${modified} modified, ${removed} removed`;

const contentText = ({ zones = [], methods = [] }: ConfigData): string =>
  `${zones.length} zones, ${methods.length} methods`;
