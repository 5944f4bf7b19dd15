/** `bisect`: the versions at which the rates of a cart changed, and by whom (contract section 10.3). */

import { datesText } from '../../engine/domain/calendar-day.ts';
import { moneyText } from '../../engine/domain/money-text.ts';
import type { BisectAnswer } from '../../engine/wire/answer-schemas.ts';
import type { BisectedRates } from '../../engine/wire/bisect.ts';
import { withoutUndefined } from '../client/caller.ts';
import { AT_OPTION, CART_ARGUMENT, readCart, readTime } from './cart-input.ts';
import { type Command, columns, JSON_OPTION, printResult } from './command.ts';
import { answered, SHOP_OPTIONS, withShop } from './find-service.ts';
import { counted } from './terminal.ts';

export const command: Command = {
  arguments: [CART_ARGUMENT],
  options: {
    ...SHOP_OPTIONS,
    from: { value: 'VERSION', description: 'Id or number of the first version (default: the oldest kept)' },
    to: { value: 'VERSION', description: 'Id or number of the last version (default: live)' },
    service: { value: 'CODE', description: 'Only the price of this service code (default: all rates)' },
    at: AT_OPTION,
    json: JSON_OPTION,
  },
  async run(input) {
    const [from, to, serviceCode] = ['from', 'to', 'service'].map((name) => input.option(name));
    const at = readTime(input);
    const request = await readCart(input, input.argument(0));
    const options = withoutUndefined({ from, to, at, serviceCode });
    await withShop(input, async (client) => {
      const bisected = await client.changeVersion({ action: 'bisect', request, ...options });
      const answer = answered(bisected) as BisectAnswer;
      const currency = request.currency ?? answered(await client.getShop()).shop.currency;
      printResult(input, answer, () => bisectLines(answer, currency));
    });
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
