/**
 * `shop set-shopify-secret`: the secret is read from standard input, so that neither a list of processes nor
 * a shell's history shows it.
 */
import { createInterface } from 'node:readline';
import { type Command, JSON_OPTION, printResult } from './command.ts';
import { usageError } from './exit-code.ts';
import { answered, SHOP_OPTIONS, shopIdIn, withOperator } from './find-service.ts';

export const command: Command = {
  options: {
    clear: { description: 'Remove the secret: callbacks are refused from then on' },
    ...SHOP_OPTIONS,
    json: JSON_OPTION,
  },
  notes: () =>
    "Reads one line from standard input: the client secret of the Shopify app. The app's carrier service\n" +
    'is then created with the callback URL https://HOST/carriers/shopify/ID.\n',
  async run(input) {
    const secret = input.hasSwitch('clear') ? null : await readSecret();
    await withOperator(input, async (operator) => {
      const shopId = await shopIdIn(operator, input);
      answered(await operator.setShopifySecret(shopId, { secret }));
      const path = secret === null ? null : `/carriers/shopify/${shopId}`;
      printResult(input, { shopId, path }, () =>
        path === null
          ? `${shopId} takes no callbacks of Shopify any more`
          : `${shopId} takes callbacks of Shopify at ${path}`,
      );
    });
  },
};

/** The first line of standard input. Throws `CommandError` (usage) when there is none. */
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
  if (secret === '')
    throw usageError('standard input must hold the secret: 16 to 256 visible ASCII characters');
  return secret;
}
