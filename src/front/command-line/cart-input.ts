/** Arguments and options that commands on a cart share: the cart, the configuration and the time. */

import type { SimulateRequest } from '../../engine/domain/cart.ts';
import { parseIsoTime } from '../../engine/domain/iso-time.ts';
import type { CommandInput, CommandOption } from './command.ts';
import { usageError } from './exit-code.ts';
import { readJsonInput } from './json-input.ts';

export const CART_ARGUMENT = {
  name: 'FILE',
  description: 'A simulate request as JSON (default: standard input)',
  isOptional: true,
} as const;

export const AT_OPTION = { value: 'TIME', description: 'ISO time that time conditions see (default: now)' };

const VIEWS = ['live', 'staged'] as const;
type View = (typeof VIEWS)[number];

/** `fallback` is the view without this option. */
export const viewOption = (fallback: string): CommandOption => ({
  value: 'VIEW',
  description: `The live configuration or the changeset (default: ${fallback})`,
  choices: VIEWS,
});

/** The simulate request in a file, or on standard input for "-"; the service checks it. */
export const readCart = async ({ settings }: CommandInput, path = '-'): Promise<SimulateRequest> =>
  (await readJsonInput(path, settings.bodyBytesMax)) as SimulateRequest;

export const readView = (input: CommandInput): View | undefined => input.choice('view', VIEWS);

/** The configuration that answers, as parameters of the API: that of `--version`, else of `--view`. */
export function readSource(input: CommandInput): { readonly view: View } | { readonly version: string } {
  const view = readView(input);
  const version = input.option('version');
  if (version === undefined) return { view: view ?? 'live' };
  if (view !== undefined) throw usageError('--view and --version exclude each other');
  return { version };
}

/** `--at`, if given. */
export function readTime(input: CommandInput): string | undefined {
  const text = input.option('at');
  if (text === undefined || parseIsoTime(text) !== null) return text;
  throw usageError('--at must be an ISO time such as 2026-11-27T09:30:00Z');
}
