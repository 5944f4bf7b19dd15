/** Commands with `--url` work over HTTP on the shop of the key in `RATEWRIGHT_KEY`, others on the data folder. */

import type { ShopActor } from '../../shop/actor/shop-actor.ts';
import type { CallOutcome } from '../client/call-outcome.ts';
import { createClient, type RatewrightClient } from '../client/client.ts';
import { KEY_VARIABLE, readApiKey } from '../settings.ts';
import type { CommandInput } from './command.ts';
import { CommandError, usageError } from './exit-code.ts';
import { type OpenShops, SHOP_OPTION, withShop } from './open-shops.ts';

export const SHOP_OPTIONS = {
  shop: SHOP_OPTION,
  url: {
    value: 'URL',
    description: `Ask a running server instead of the data folder, with the key in ${KEY_VARIABLE}`,
  },
};

/** Long enough for a whole configuration. */
const DEADLINE_MS = 60_000;

/** The same work on either side. */
interface ShopWork<T> {
  readonly service: (client: RatewrightClient) => Promise<T>;
  readonly folder: (shop: ShopActor, shops: OpenShops) => T | Promise<T>;
}

/** Works on the server that `--url` names or, without that option, on the data folder. */
export async function onShop<T>(input: CommandInput, { service, folder }: ShopWork<T>): Promise<T> {
  const url = input.option('url');
  if (url === undefined) return withShop(input, folder);
  if (input.option('shop') !== undefined)
    throw usageError('--shop goes without --url: the key names the shop');
  const key = readApiKey();
  if (key === null) throw usageError(`${KEY_VARIABLE} must hold an API key when --url is given`);
  const client = clientOf(url, key);
  try {
    return await service(client);
  } finally {
    await client.close();
  }
}

function clientOf(url: string, key: string): RatewrightClient {
  try {
    return createClient({ url, key, deadlineMs: DEADLINE_MS });
  } catch {
    throw usageError('--url must be an address such as http://127.0.0.1:8080');
  }
}

/** The value of a call that must succeed. */
export function answered<T>(outcome: CallOutcome<T>): T {
  if (outcome.ok) return outcome.value;
  const doubt = outcome.mayHaveHappened ? '; it may have been carried out all the same' : '';
  throw new CommandError(`${outcome.message} (${outcome.code})${doubt}`);
}
