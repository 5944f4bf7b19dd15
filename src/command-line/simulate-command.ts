/** `simulate`: what a cart would be offered, with the reasons (contract section 5). */

import type { SimulateAnswer } from '../domain/answer.ts';
import { simulateRequestSchema } from '../domain/cart.ts';
import { compileSchema } from '../domain/schema-check.ts';
import { parseIsoTime } from '../http/iso-time.ts';
import { systemClock } from '../runtime/clock.ts';
import { type Command, print } from './command.ts';
import { CommandError, usageError } from './exit-code.ts';
import { readJsonInput } from './json-input.ts';
import { withShops } from './open-shops.ts';
import { traceText } from './trace-text.ts';

export const simulateCommand: Command = {
  arguments: [
    { name: 'FILE', description: 'A simulate request as JSON (default: standard input)', isOptional: true },
  ],
  options: {
    shop: { value: 'ID', description: 'The shop (default: the only one)' },
    at: { value: 'TIME', description: 'ISO time that time conditions see (default: now)' },
    json: { description: 'Print the answer of the API as it is' },
  },
  async run(input) {
    const nowMs = readTime(input.option('at'));
    const { itemsMax, bodyBytesMax } = input.settings;
    const request = await readJsonInput(input.argument(0) ?? '-', bodyBytesMax);
    const check = compileSchema(simulateRequestSchema(itemsMax));
    if (!check.check(request)) throw new CommandError(check.failure(request).message);
    await withShops(input.settings, async (shops) => {
      const shop = await shops.shop(input.option('shop'));
      const outcome = shop.simulate(request, nowMs);
      if (!outcome.ok) throw shops.refused(outcome);
      if (input.hasSwitch('json')) print(outcome.value);
      else print(traceText(JSON.parse(outcome.value) as SimulateAnswer, shop.state.config));
    });
  },
};

function readTime(text: string | undefined): number {
  if (text === undefined) return systemClock.nowMs();
  const ms = parseIsoTime(text);
  if (ms === null) throw usageError('--at must be an ISO time such as 2026-11-27T09:30:00Z');
  return ms;
}
