/** `simulate`: the rates of a cart and the reasons (contract section 5). */

import { withoutUndefined } from '../client/caller.ts';
import type { RatewrightClient } from '../client/client.ts';
import { AT_OPTION, CART_ARGUMENT, readCart, readSource, readTime, viewOption } from './cart-input.ts';
import { type Command, JSON_OPTION, print, printJson } from './command.ts';
import { answered, SHOP_OPTIONS, withShop } from './find-service.ts';
import { paintFor } from './terminal.ts';
import { type TraceContext, traceText } from './trace-text.ts';

export const command: Command = {
  arguments: [CART_ARGUMENT],
  options: {
    ...SHOP_OPTIONS,
    view: viewOption('live'),
    version: { value: 'VERSION', description: 'The configuration of this version instead, by id or number' },
    at: AT_OPTION,
    json: JSON_OPTION,
  },
  notes: () =>
    'On a terminal the trace has colours, unless NO_COLOR is set. Nothing counts the simulation as live traffic.\n',
  async run(input) {
    const source = readSource(input);
    const plain = { ...source, ...withoutUndefined({ at: readTime(input) }) };
    const request = await readCart(input, input.argument(0));
    const simulationSource = 'test';
    await withShop(input, async (client) => {
      if (input.hasSwitch('json')) {
        return printJson(answered(await client.simulate(request, { query: plain, simulationSource })));
      }
      const query = { ...plain, explain: 'full' as const };
      const answer = answered(await client.simulate(request, { query, simulationSource }));
      const currency = request.currency ?? answered(await client.getShop()).shop.currency;
      const productGroups = await groupsIn(client, source);
      print(traceText(answer, { currency, productGroups }, paintFor(process.stdout)));
    });
  },
};

/** The names of groups come from the configuration that answered. */
async function groupsIn(
  client: RatewrightClient,
  source: ReturnType<typeof readSource>,
): Promise<TraceContext['productGroups']> {
  if ('version' in source) {
    return answered(await client.getVersion(source.version)).version.config.productGroups;
  }
  return answered(await client.getConfig({ query: source })).productGroups;
}
