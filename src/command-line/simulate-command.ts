/** `simulate`: the rates of a cart and the reasons (contract section 5). */

import type { ShopActor } from '../actor/shop-actor.ts';
import { joinedText } from '../bytes/answer-text.ts';
import type { SimulateRequest } from '../domain/cart.ts';
import type { PlacedConfig } from '../domain/shop-event.ts';
import type { SimulationSource } from '../shop/compiled-configs.ts';
import type { SimulateAnswer } from '../wire/answer.ts';
import type { ExplainedAnswer } from '../wire/explained-answer.ts';
import { CART_ARGUMENT, readCart, readSource, readTime } from './cart-input.ts';
import { type Command, type CommandInput, print } from './command.ts';
import { withShops } from './open-shops.ts';
import { answered, URL_OPTION, withService } from './service-client.ts';
import { paintFor } from './terminal.ts';
import { type TraceContext, traceText } from './trace-text.ts';

export const simulateCommand: Command = {
  arguments: [CART_ARGUMENT],
  options: {
    shop: { value: 'ID', description: 'The shop (default: the only one)' },
    url: URL_OPTION,
    view: { value: 'VIEW', description: 'live or staged, which is the changeset (default: live)' },
    version: { value: 'ID', description: 'The configuration of this version instead' },
    at: { value: 'TIME', description: 'ISO time that time conditions see (default: now)' },
    json: { description: 'Print the answer of the API as it is' },
  },
  notes: () => 'On a terminal the trace has colours, unless NO_COLOR is set.\n',
  async run(input) {
    const nowMs = readTime(input);
    const source = readSource(input);
    const request = await readCart(input, input.argument(0));
    if (await simulateRemotely(input, request, source)) return;
    await withShops(input.settings, async (shops) => {
      const shop = await shops.shop(input.option('shop'));
      const isPlain = input.hasSwitch('json');
      if (isPlain) {
        const simulated = shop.simulate(request, nowMs, { source, form: 'all' });
        if (!simulated.ok) throw shops.refused(simulated);
        print(joinedText(simulated.value));
        return;
      }
      const explained = shop.simulate(request, nowMs, { source, form: 'explained' });
      if (!explained.ok) throw shops.refused(explained);
      const { settings } = shop.state;
      const currency = request.currency ?? settings.currency;
      const { productGroups } = configOf(shop, source);
      printTrace(JSON.parse(joinedText(explained.value)) as ExplainedAnswer, { currency, productGroups });
    });
  },
};

/** True when `--url` names a server, whose answer was then printed. */
async function simulateRemotely(
  input: CommandInput,
  request: SimulateRequest,
  source: SimulationSource,
): Promise<boolean> {
  const at = input.option('at');
  const isPlain = input.hasSwitch('json');
  const view: 'live' | 'staged' = source === 'staged' ? source : 'live';
  const query = {
    ...(typeof source === 'string' ? { view } : { version: source.versionId }),
    ...(at === undefined ? {} : { at }),
    ...(isPlain ? {} : { explain: 'full' as const }),
  };
  const remote = await withService(input, async (client) => {
    const answer = answered(await client.simulate(request, { query }));
    if (isPlain) {
      print(JSON.stringify(answer));
      return;
    }
    const currency = request.currency ?? answered(await client.getShop()).shop.currency;
    // The configuration that answered: another may call its groups otherwise.
    const { productGroups } =
      typeof source === 'string'
        ? answered(await client.getConfig({ query: { view } }))
        : answered(await client.getVersion(source.versionId)).version.config;
    printTrace(answer, { currency, productGroups });
  });
  return remote !== undefined;
}

const printTrace = (answer: SimulateAnswer | ExplainedAnswer, context: TraceContext): void =>
  print(traceText(answer, context, paintFor(process.stdout)));

/** The configuration of this source. */
function configOf({ state, history }: ShopActor, source: SimulationSource): PlacedConfig {
  if (source === 'staged') return (state.staging ?? state).config;
  if (source === 'live') return state.config;
  const version = history.read(source.versionId);
  return version.ok ? version.value.config : state.config;
}
