/** `bisect`: the versions at which the rates of a cart changed, and by whom (contract section 10.3). */

import { datesText } from '../../engine/domain/calendar-day.ts';
import { moneyText } from '../../engine/domain/money-text.ts';
import { LIVE_VERSION } from '../../engine/domain/version-reference.ts';
import type { BisectAnswer } from '../../engine/wire/answer-schemas.ts';
import type { BisectedRates } from '../../engine/wire/bisect.ts';
import { AT_OPTION, CART_ARGUMENT, readCart, readTime } from './cart-input.ts';
import { ANSWER_OPTION, type Command, columns, printResult } from './command.ts';
import { answered, onShop, SHOP_OPTIONS } from './service-client.ts';
import { counted } from './terminal.ts';

export const command: Command = {
  arguments: [CART_ARGUMENT],
  options: {
    ...SHOP_OPTIONS,
    from: { value: 'VERSION', description: 'Id or number of the first version (default: the oldest kept)' },
    to: { value: 'VERSION', description: 'Id or number of the last version (default: live)' },
    service: { value: 'CODE', description: 'Only the price of this service code (default: all rates)' },
    at: AT_OPTION,
    json: ANSWER_OPTION,
  },
  async run(input) {
    const [from, to, at, serviceCode] = ['from', 'to', 'at', 'service'].map((name) => input.option(name));
    const nowMs = readTime(input);
    const body = await readCart(input, input.argument(0));
    const { answer, currency } = await onShop(input, {
      service: async (client) => {
        const options = {
          ...(from !== undefined && { from }),
          ...(to !== undefined && { to }),
          ...(at !== undefined && { at }),
          ...(serviceCode !== undefined && { serviceCode }),
        };
        const answer = answered(await client.changeVersion({ action: 'bisect', request: body, ...options }));
        const { shop } = answered(await client.getShop());
        return { answer: answer as BisectAnswer, currency: body.currency ?? shop.currency };
      },
      folder: (shop, shops) => {
        const { history, state } = shop;
        const first = from === undefined ? null : history.idOf(from);
        const cart = { request: body, nowMs, serviceCode: serviceCode ?? null };
        const answer = shops.valueOf(shop.bisect(cart, first, history.idOf(to ?? LIVE_VERSION)));
        return { answer, currency: body.currency ?? state.settings.currency };
      },
    });
    printResult(input, answer, () => bisectLines(answer, currency));
  },
};

const HEAD = ['version', 'when', 'by', 'before', 'after'];

export function bisectLines(
  { from, to, evaluated, flips, limited }: BisectAnswer,
  currency: string,
): string[] {
  const shown = (rates: BisectedRates) =>
    rates
      .map((rate) => `${rate.serviceCode} ${moneyText(rate.totalPrice, currency)}${datesText(rate)}`)
      .join(', ') || 'no rate';
  const rows = flips.map(({ version, before, after }) => {
    const { number, createdAt, createdBy, keyId, keyLabel } = version;
    const author = keyLabel ?? keyId;
    const by = author === null ? createdBy : `${author} (${createdBy})`;
    return [String(number), createdAt, by, shown(before), shown(after)];
  });
  const found = rows.length === 1 ? '1 change' : `${rows.length}${limited ? ' or more' : ''} changes`;
  const changes = rows.length === 0 ? 'No change' : found;
  const between = `between version ${from.number} and version ${to.number}; ${counted(evaluated, 'version')} evaluated`;
  const table = rows.length === 0 ? [] : [...columns([HEAD, ...rows]), ''];
  return [...table, `${changes} ${between}`];
}
