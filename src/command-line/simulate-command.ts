/** `simulate`: the rates of a cart and the reasons (contract section 5). */

import type { ShopActor } from '../actor/shop-actor.ts';
import { joinedText } from '../bytes/answer-text.ts';
import { type SimulateRequest, simulateRequestSchema } from '../domain/cart.ts';
import { parseIsoTime } from '../domain/iso-time.ts';
import type { PlacedConfig } from '../domain/shop-event.ts';
import { systemClock } from '../runtime/clock.ts';
import type { SimulationSource } from '../shop/compiled-configs.ts';
import type { SimulateAnswer } from '../wire/answer.ts';
import type { ExplainedAnswer } from '../wire/explained-answer.ts';
import { compileSchema } from '../wire/schema-check.ts';
import { type Command, type CommandInput, print } from './command.ts';
import { CommandError, usageError } from './exit-code.ts';
import { readJsonInput } from './json-input.ts';
import { withShops } from './open-shops.ts';
import { answered, URL_OPTION, withService } from './service-client.ts';
import { paintFor } from './terminal.ts';
import { type TraceContext, traceText } from './trace-text.ts';

export const simulateCommand: Command = {
  arguments: [
    { name: 'FILE', description: 'A simulate request as JSON (default: standard input)', isOptional: true },
  ],
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
    const nowMs = readTime(input.option('at'));
    const source = readSource(input);
    const { itemsMax, bodyBytesMax } = input.settings;
    const request = await readJsonInput(input.argument(0) ?? '-', bodyBytesMax);
    const check = compileSchema(simulateRequestSchema(itemsMax));
    if (!check.check(request)) throw new CommandError(check.failure(request).message);
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

export function readSource(input: CommandInput): SimulationSource {
  const view = input.option('view');
  const versionId = input.option('version');
  if (view !== undefined && view !== 'live' && view !== 'staged') {
    throw usageError('--view must be live or staged');
  }
  if (view === 'staged' && versionId !== undefined) {
    throw usageError('--view staged and --version exclude each other');
  }
  return versionId === undefined ? (view ?? 'live') : { versionId };
}

export function readTime(text: string | undefined): number {
  if (text === undefined) return systemClock.nowMs();
  const ms = parseIsoTime(text);
  if (ms === null) throw usageError('--at must be an ISO time such as 2026-11-27T09:30:00Z');
  return ms;
}
