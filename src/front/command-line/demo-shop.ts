/**
 * The demo shop, made from `data/` by the same commands as any other shop when the data folder is empty, so that a first
 * start has something to show.
 *
 * Its admin key is made last. A demo shop without a key was interrupted while it was made, and the next start completes
 * it. A complete shop always has a key, because the last admin key cannot be revoked.
 */
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import Type, { type Static } from '#typebox';
import { packageFolder } from '../../base/runtime/package-files.ts';
import { asError } from '../../base/runtime/thrown-error.ts';
import { newKeySecret, printOf } from '../../base/secrets/key-secret.ts';
import type { Command } from '../../engine/change/command.ts';
import type { Outcome } from '../../engine/domain/failure.ts';
import { ShopSettings } from '../../engine/domain/shop.ts';
import { compileSchema } from '../../engine/wire/schema-check.ts';
import { ConfigData } from '../../engine/wire/write-bodies.ts';
import type { LiveKeyRing } from '../../shop/actor/key-ring.ts';
import type { LiveShopDirectory } from '../../shop/actor/shop-directory.ts';
import type { ShopAccess } from '../../shop/reader/shop-access.ts';
import { AuthorityUnavailableError } from '../../store/log/authority.ts';
import type { EventLog } from '../../store/log/event-log.ts';
import type { SharedNode } from '../../store/node/shared-node.ts';
import { KEY_VARIABLE } from '../settings.ts';
import { print } from './command.ts';
import { CommandError } from './exit-code.ts';

export const DEMO_SHOP_ID = 'shop_demo';
const DEMO_PLAN = 'enterprise';
const DEMO_KEY_LABEL = 'Demo admin';
/** Interval at which a node that could not join prepares the demo shop again. */
const JOIN_RETRY_MS = 1_000;

const { name, currency, timezone, fulfilment } = ShopSettings.properties;
const DemoFile = Type.Object({
  shop: Type.Object({ name, currency, timezone, fulfilment }),
  config: ConfigData,
});

/**
 * Makes the demo shop when the log has no shop, and completes one that was cut short. Resolves with the
 * shop when it still needs its key, else with null. Rejects with `CommandError` when it cannot be made. `read` gives the
 * content of the shop, where that was read before.
 */
export async function prepareDemoShop(
  log: Pick<EventLog, 'shopIds'>,
  shops: LiveShopDirectory,
  read = readDemoFile,
): Promise<ShopAccess | null> {
  const [first, second] = log.shopIds();
  if (second !== undefined || (first !== undefined && first !== DEMO_SHOP_ID)) return null;
  const shop = first === undefined ? null : await shops.load(DEMO_SHOP_ID);
  if (shop !== null && shop.state.keys.length > 0) return null;
  const file = read();
  const { fulfilment, ...settings } = file.shop;
  const made = shop ?? accepted(await shops.createShop({ id: DEMO_SHOP_ID, plan: DEMO_PLAN, ...settings }));
  // Version 1 is the empty shop.
  if (made.state.version.number === 1) {
    if (fulfilment !== undefined) await change(made, { kind: 'updateShop', body: { fulfilment } });
    await change(made, { kind: 'executeConfig', data: file.config });
  }
  return made;
}

/**
 * Gives the demo shop its admin key: the chosen one, or a random one, with which it resolves. `show` prints a random one
 * first: a process that is killed in between leaves a shop without a key, which the next start completes, and never a key
 * that nobody has seen.
 */
export async function giveDemoKey(
  shop: ShopAccess,
  chosen: string | null,
  show: (secret: string) => void,
): Promise<string | null> {
  const secret = chosen ?? newKeySecret();
  if (chosen === null) show(secret);
  await change(shop, { kind: 'createKey', label: DEMO_KEY_LABEL, permission: 'admin', ...printOf(secret) });
  return chosen === null ? secret : null;
}

/**
 * Starts a node and makes the demo shop of its cluster. Where the database cannot be reached this is tried again while the
 * node serves, as one does that has lost its database. Resolves with a function that says whether the node has joined;
 * `failed` is called for an error that another attempt would not mend.
 */
export async function joinCluster(
  shared: SharedNode,
  parts: { readonly shops: LiveShopDirectory; readonly keys: LiveKeyRing },
  chosenKey: string | null,
  failed: (error: Error) => void,
): Promise<() => boolean> {
  const prepare = async (read?: typeof readDemoFile): Promise<boolean> => {
    await shared.prepareDemoShop(async (shopIds) => {
      const made = await prepareDemoShop({ shopIds: () => shopIds }, parts.shops, read);
      if (made !== null) await giveDemoKey(made, chosenKey, showKey);
    });
    return true;
  };
  const isReached = (joining: Promise<boolean>): Promise<boolean> =>
    joining.catch((error: unknown) => {
      if (error instanceof AuthorityUnavailableError) return false;
      throw error;
    });
  const joinLater = async (): Promise<void> => {
    // Read now: a service that has started compiles no schemas.
    const file = readDemoFile();
    do await wait(JOIN_RETRY_MS, undefined, { ref: false });
    while (!(await isReached(shared.untilCurrent().then(() => prepare(() => file)))));
    hasJoined = true;
  };
  let hasJoined = await isReached(shared.start(parts).then(() => prepare()));
  if (!hasJoined) joinLater().catch((error: unknown) => failed(asError(error)));
  return () => hasJoined;
}

async function change(shop: ShopAccess, command: Command): Promise<void> {
  const render = () => ({ status: 0, body: '' });
  accepted(
    await shop.write({ command, keyId: null, batchId: null, ifMatch: null, idempotency: null, render }),
  );
}

/** Throws `AuthorityUnavailableError` where another attempt may succeed. */
function accepted<T>(outcome: Outcome<T>): T {
  if (!outcome.ok && outcome.code === 'UNAVAILABLE') throw new AuthorityUnavailableError(outcome.message);
  if (!outcome.ok) throw new CommandError(`the demo shop cannot be made: ${outcome.message}`);
  return outcome.value;
}

function readDemoFile(): Static<typeof DemoFile> {
  const path = join(packageFolder(), 'data', 'demo-shop.json');
  const check = compileSchema(DemoFile);
  const file: unknown = JSON.parse(readFileSync(path, 'utf8'));
  if (!check.check(file)) throw new CommandError(`${path}: ${check.failure(file).message}`);
  return file;
}

export const keyText = (secret: string): string => `Admin key of the demo shop, shown only now: ${secret}\n`;

export const showKey = (secret: string): void => print(keyText(secret));

/** The text that a start prints. `key` is the random key of the demo shop when it was just made. */
export function welcomeText(host: string, port: number, key: string | null): string {
  const localUrl = urlOf(ANY_ADDRESS.has(host) ? '127.0.0.1' : host, port);
  const bearer =
    key === null ? `"Authorization: Bearer $${KEY_VARIABLE}"` : quoted(`Authorization: Bearer ${key}`);
  const lines = [
    `Ratewright listens on ${urlOf(host, port)}`,
    `Try: curl -s ${localUrl}/api/simulate -H ${bearer} -H 'Content-Type: application/json' --data ${quoted(`@${exampleCart()}`)}`,
  ];
  if (key === null) lines.push('A new key: ratewright key create (its secret is printed once)');
  return `${lines.join('\n')}\n`;
}

/** Addresses that mean every address of the machine; the example then uses the loopback address. */
const ANY_ADDRESS: ReadonlySet<string> = new Set(['0.0.0.0', '::', '*']);

const urlOf = (host: string, port: number): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

/** For a POSIX shell. */
const quoted = (text: string): string =>
  /^[A-Za-z0-9@%+=:,./_-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** A cart of the package, as a path from the current directory. */
function exampleCart(): string {
  const path = join(packageFolder(), 'data', 'carts', 'us-two-groups.json');
  const fromHere = relative(process.cwd(), path);
  return fromHere.startsWith('..') ? path : fromHere;
}
