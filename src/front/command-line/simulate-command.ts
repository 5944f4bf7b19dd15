/** `simulate`: the rates of a cart and the reasons (contract section 5). */

import { joinedText } from '../../base/bytes/answer-text.ts';
import { writtenConfig } from '../../engine/change/decide.ts';
import type { PlacedConfig } from '../../engine/domain/shop-event.ts';
import type { SimulateAnswer } from '../../engine/wire/answer.ts';
import type { ExplainedAnswer } from '../../engine/wire/explained-answer.ts';
import type { ShopActor } from '../../shop/actor/shop-actor.ts';
import type { SimulationSource } from '../../shop/reader/version-cache.ts';
import { AT_OPTION, CART_ARGUMENT, readCart, readSource, readTime, sourceIn } from './cart-input.ts';
import { ANSWER_OPTION, type Command, print } from './command.ts';
import { answered, onShop, SHOP_OPTIONS } from './service-client.ts';
import { paintFor } from './terminal.ts';
import { type TraceContext, traceText } from './trace-text.ts';

export const command: Command = {
  arguments: [CART_ARGUMENT],
  options: {
    ...SHOP_OPTIONS,
    view: { value: 'VIEW', description: 'live or staged, which is the changeset (default: live)' },
    version: { value: 'VERSION', description: 'The configuration of this version instead, by id or number' },
    at: AT_OPTION,
    json: ANSWER_OPTION,
  },
  notes: () =>
    'On a terminal the trace has colours, unless NO_COLOR is set. Nothing counts the simulation as live traffic.\n',
  async run(input) {
    const nowMs = readTime(input);
    const source = readSource(input);
    const request = await readCart(input, input.argument(0));
    const isPlain = input.hasSwitch('json');
    await onShop(input, {
      service: async (client) => {
        const at = input.option('at');
        const view: 'live' | 'staged' = source === 'staged' ? source : 'live';
        const query = {
          ...(typeof source === 'string' ? { view } : { version: source.versionId }),
          ...(at === undefined ? {} : { at }),
          ...(isPlain ? {} : { explain: 'full' as const }),
        };
        const answer = answered(await client.simulate(request, { query, simulationSource: 'test' }));
        if (isPlain) return print(JSON.stringify(answer));
        const currency = request.currency ?? answered(await client.getShop()).shop.currency;
        // Names of groups come from the configuration that answered.
        const { productGroups } =
          typeof source === 'string'
            ? answered(await client.getConfig({ query: { view } }))
            : answered(await client.getVersion(source.versionId)).version.config;
        printTrace(answer, { currency, productGroups });
      },
      folder: (shop, shops) => {
        const form = isPlain ? 'all' : 'explained';
        const from = sourceIn(shop, source);
        const answer = joinedText(shops.valueOf(shop.simulate(request, nowMs, { source: from, form })));
        if (isPlain) return print(answer);
        const currency = request.currency ?? shop.state.settings.currency;
        const { productGroups } = configOf(shop, from);
        printTrace(JSON.parse(answer) as ExplainedAnswer, { currency, productGroups });
      },
    });
  },
};

const printTrace = (answer: SimulateAnswer | ExplainedAnswer, context: TraceContext): void =>
  print(traceText(answer, context, paintFor(process.stdout)));

function configOf({ state, history }: ShopActor, source: SimulationSource): PlacedConfig {
  if (source === 'staged') return writtenConfig(state);
  if (source === 'live') return state.config;
  const version = history.read(source.versionId);
  return version.ok ? version.value.config : state.config;
}
