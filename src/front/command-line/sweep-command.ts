/** `sweep`: the price curve of a cart as a table (contract section 10.4). */
import { datesText } from '../../engine/domain/calendar-day.ts';
import { moneyText } from '../../engine/domain/money-text.ts';
import { type PriceCurve, VARIED } from '../../engine/wire/price-curve.ts';
import { withoutUndefined } from '../client/caller.ts';
import { AT_OPTION, CART_ARGUMENT, readCart, readTime, readView, viewOption } from './cart-input.ts';
import { type Command, type CommandInput, columns, JSON_OPTION, printResult } from './command.ts';
import { usageError } from './exit-code.ts';
import { answered, SHOP_OPTIONS, withShop } from './find-service.ts';

export const command: Command = {
  arguments: [CART_ARGUMENT],
  options: {
    ...SHOP_OPTIONS,
    vary: { value: 'WHAT', description: 'What varies (default: cart_total)', choices: VARIED },
    item: { value: 'INDEX', description: 'The item that varies (default: the first shippable one)' },
    from: { value: 'NUMBER', description: 'First value: cents, grams or pieces; required' },
    to: { value: 'NUMBER', description: 'Last value; required' },
    at: AT_OPTION,
    view: viewOption('live'),
    json: JSON_OPTION,
  },
  async run(input) {
    const vary = input.choice('vary', VARIED) ?? 'cart_total';
    const view = readView(input) ?? 'live';
    const at = readTime(input);
    const itemIndex = input.option('item') === undefined ? undefined : numberOf(input, 'item');
    const [from, to] = [numberOf(input, 'from'), numberOf(input, 'to')];
    const request = await readCart(input, input.argument(0));
    const options = withoutUndefined({ itemIndex, at });
    await withShop(input, async (client) => {
      const curve = answered(await client.sweep({ request, vary, from, to, view, ...options }));
      const currency = request.currency ?? answered(await client.getShop()).shop.currency;
      printResult(input, curve, () => curveLines(curve, currency));
    });
  },
};

function numberOf(input: CommandInput, name: string): number {
  const text = input.requiredOption(name);
  if (!/^[0-9]{1,15}$/.test(text)) throw usageError(`--${name} must be a whole number`);
  return Number(text);
}

/** A table of the segments. */
export function curveLines({ vary, segments, limited }: PriceCurve, currency: string): string[] {
  const money = (amount: number) => moneyText(amount, currency);
  const valueText = (value: number): string =>
    vary === 'cart_total' ? money(value) : `${value} ${vary === 'quantity' ? 'pieces' : 'g'}`;
  const rows = segments.map(({ from, to, rates }) => {
    const all = rates.map((rate) => `${rate.serviceCode} ${money(rate.totalPrice)}${datesText(rate)}`);
    return [valueText(from), valueText(to), all.join(', ') || 'no rate'];
  });
  const more = limited
    ? ['The curve goes on: it has more segments than one answer holds, or prices beyond 2^53-1.']
    : [];
  return [...columns([['from', 'to', 'rates'], ...rows]), ...more];
}
