/**
 * `shop set-shopify-secret`: the secret is read from standard input, so that neither a list of processes nor
 * a shell's history shows it, and is sealed before it reaches the log.
 */
import { createInterface } from 'node:readline';
import { asError } from '../../base/runtime/thrown-error.ts';
import { openFolderBox, SharedBox, WrongSecretKeyError } from '../../base/secrets/secret-box.ts';
import type { Settings } from '../settings.ts';
import { type Command, print } from './command.ts';
import { CommandError, usageError } from './exit-code.ts';
import { SHOP_OPTION, withShop } from './open-shops.ts';

const SECRET = /^[\x21-\x7e]{16,256}$/;

export const command: Command = {
  options: {
    shop: SHOP_OPTION,
    clear: { description: 'Remove the secret: callbacks are refused from then on' },
  },
  notes: () =>
    "Reads one line from standard input: the client secret of the Shopify app. The app's carrier service\n" +
    'is then created with the callback URL https://HOST/carriers/shopify/ID.\n',
  async run(input) {
    const { settings } = input;
    const secret = input.hasSwitch('clear') ? null : await readSecret();
    await withShop(input, async (shop, shops) => {
      const { shopId } = shop;
      const sealed = secret === null ? null : sealFor(shopId, secret, settings);
      await shops.write(shop, { kind: 'setShopifySecret', sealed });
      print(
        sealed === null
          ? `${shopId} takes no callbacks of Shopify any more`
          : `${shopId} takes callbacks of Shopify at /carriers/shopify/${shopId}`,
      );
    });
  },
};

/** Throws `CommandError` when no key can be read or made, and `WrongSecretKeyError`. */
function sealFor(shopId: string, secret: string, settings: Settings): string {
  const { secretKey: keyText, dataPath: dataFolder, databaseUrl } = settings;
  try {
    const box = databaseUrl === null ? openFolderBox({ keyText, dataFolder }) : new SharedBox({ keyText });
    return box.seal(secret, shopId);
  } catch (error) {
    if (error instanceof WrongSecretKeyError) throw error;
    throw new CommandError(`the secret cannot be sealed: ${asError(error).message}`);
  }
}

/** The first line of standard input. Throws `CommandError` (usage) when it cannot be a secret. */
async function readSecret(): Promise<string> {
  if (process.stdin.isTTY) process.stderr.write('Client secret of the Shopify app: ');
  const lines = createInterface({ input: process.stdin });
  let secret = '';
  for await (const line of lines) {
    secret = line.trim();
    break;
  }
  lines.close();
  process.stdin.destroy();
  if (!SECRET.test(secret)) {
    throw usageError('standard input must hold the secret: 16 to 256 visible ASCII characters');
  }
  return secret;
}
