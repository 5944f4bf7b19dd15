/** Arguments and options that commands on a cart share: the cart, the configuration and the time. */

import { systemClock } from '../../base/runtime/clock.ts';
import { type SimulateRequest, simulateRequestSchema } from '../../engine/domain/cart.ts';
import { parseIsoTime } from '../../engine/domain/iso-time.ts';
import { compileSchema } from '../../engine/wire/schema-check.ts';
import type { ShopActor } from '../../shop/actor/shop-actor.ts';
import type { SimulationSource } from '../../shop/reader/version-cache.ts';
import type { CommandInput } from './command.ts';
import { CommandError, usageError } from './exit-code.ts';
import { readJsonInput } from './json-input.ts';

export const CART_ARGUMENT = {
  name: 'FILE',
  description: 'A simulate request as JSON (default: standard input)',
  isOptional: true,
} as const;

export const AT_OPTION = { value: 'TIME', description: 'ISO time that time conditions see (default: now)' };

/** The simulate request in a file, or on standard input for "-". Throws `CommandError` when it is not valid. */
export async function readCart({ settings }: CommandInput, path = '-'): Promise<SimulateRequest> {
  const request = await readJsonInput(path, settings.bodyBytesMax);
  const check = compileSchema(simulateRequestSchema(settings.itemsMax));
  if (!check.check(request)) throw new CommandError(check.failure(request).message);
  return request;
}

export function readView(input: CommandInput): 'live' | 'staged' | undefined {
  const view = input.option('view');
  if (view === undefined || view === 'live' || view === 'staged') return view;
  throw usageError('--view must be live or staged');
}

export function readSource(input: CommandInput): SimulationSource {
  const view = readView(input) ?? 'live';
  const versionId = input.option('version');
  if (view === 'staged' && versionId !== undefined) {
    throw usageError('--view staged and --version exclude each other');
  }
  return versionId === undefined ? view : { versionId };
}

/** The same with the id of the version that `--version` names by its number or as `live`. */
export const sourceIn = ({ history }: ShopActor, source: SimulationSource): SimulationSource =>
  typeof source === 'string' ? source : { versionId: history.idOf(source.versionId) };

/** `--at` in milliseconds since the epoch, now unless given. */
export function readTime(input: CommandInput): number {
  const text = input.option('at');
  if (text === undefined) return systemClock.nowMs();
  const ms = parseIsoTime(text);
  if (ms === null) throw usageError('--at must be an ISO time such as 2026-11-27T09:30:00Z');
  return ms;
}
