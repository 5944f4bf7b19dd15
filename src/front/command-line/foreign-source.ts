/** Files of other systems: the known ones, their options, and the text of their findings. */

import { invariant } from '../../base/runtime/invariant.ts';
import { importMagentoTableRate } from '../../engine/import/magento-tablerate.ts';
import { importMatrixRate } from '../../engine/import/matrixrate.ts';
import { RATE_UNIT_NAMES, WEIGHT_UNIT_NAMES } from '../../engine/import/source-amounts.ts';
import type { Imported, SourceFinding } from '../../engine/import/source-report.ts';
import type { TableOptions } from '../../engine/import/source-table.ts';
import { importWooZones } from '../../engine/import/woo-zones.ts';
import type { CommandInput, CommandOption } from './command.ts';
import { usageError } from './exit-code.ts';
import { parseJsonInput } from './json-input.ts';

type Source = (path: string, text: string, options: TableOptions) => Imported;

const SOURCES: Readonly<Record<string, Source>> = {
  'magento-tablerate': (_, text, options) => importMagentoTableRate(text, options),
  matrixrate: (_, text, options) => importMatrixRate(text, options),
  'woocommerce-zones': (path, text) => importWooZones(parseJsonInput(path, text)),
};
export const SOURCE_NAMES = Object.keys(SOURCES);

export const SOURCE_OPTIONS: Readonly<Record<string, CommandOption>> = {
  from: { value: 'SYSTEM', description: 'FILE is of this other system', choices: SOURCE_NAMES },
  'weight-unit': { value: 'UNIT', description: 'Unit of its weights', choices: WEIGHT_UNIT_NAMES },
  condition: {
    value: 'WHAT',
    description: 'The quantity of its table, when the header does not name it',
    choices: RATE_UNIT_NAMES,
  },
  out: { value: 'FILE', description: 'Write what import accepts to this file, and change nothing' },
};

/** Throws `CommandError` (usage) for an option that does not apply to an exported file. */
export function assertOptionsOfSource(input: CommandInput): void {
  if (input.option('from') !== undefined) return;
  const stray = Object.keys(SOURCE_OPTIONS).find((name) => input.option(name) !== undefined);
  if (stray !== undefined) throw usageError(`--${stray} goes with --from`);
}

/** `--from` must be given. */
export function translateSource(input: CommandInput, path: string, text: string): Imported {
  const source = SOURCES[input.option('from') ?? ''];
  invariant(source !== undefined, 'the system of the file was looked up before');
  return source(path, text, {
    weightUnit: input.choice('weight-unit', WEIGHT_UNIT_NAMES) ?? null,
    unit: input.choice('condition', RATE_UNIT_NAMES) ?? null,
  });
}

/** One line each. */
export const remarkLines = (findings: readonly SourceFinding[]): string[] =>
  findings.map(({ row, column, code, message }) => {
    const line = typeof row === 'number' ? `line ${row}` : row;
    const place = [line, column].filter((part) => part !== null && part !== '');
    return `${place.length === 0 ? 'the file' : place.join(', ')}: ${message} [${code}]`;
  });
