/** What a check expects, and why that is not met, with the names of rates in place of their codes. */
import type { Schemas } from '../../client/call-table.ts';
import { formatMoney } from '../amounts.ts';
import { listed } from '../words.ts';
import type { Expectation } from './check-kind.ts';

/** The name of the method or blended rate with a service code. */
export type NameOf = (serviceCode: string) => string;

type Rate = Schemas['ExpectedRate'];

const EXPECTED_MAX = 4;

export const ratesText = (rates: readonly Rate[], nameOf: NameOf, currency: string): string =>
  listed(
    rates.map(({ serviceCode, totalPrice }) => `${nameOf(serviceCode)} ${formatMoney(totalPrice, currency)}`),
    EXPECTED_MAX,
  ) || 'no rate';

export function expectationText(expectation: Expectation, nameOf: NameOf, currency: string): string {
  const money = (amount: number): string => formatMoney(amount, currency);
  switch (expectation.kind) {
    case 'some_rate':
      return 'any rate';
    case 'rates':
      return ratesText(expectation.rates, nameOf, currency);
    case 'rate':
      return ratesText([expectation], nameOf, currency);
    case 'rate_between': {
      const { serviceCode, minPrice, maxPrice } = expectation;
      return `${nameOf(serviceCode)} ${money(minPrice)} to ${money(maxPrice)}`;
    }
    case 'no_rate':
      return `no ${nameOf(expectation.serviceCode)}`;
    case 'delivery': {
      const { serviceCode, minDate, maxDate } = expectation;
      const bounds = [
        ['from', minDate],
        ['until', maxDate],
      ].flatMap(([word, date]) => (date === undefined ? [] : [`${word} ${dateText(date)}`]));
      return `${nameOf(serviceCode)} delivered ${bounds.join(' ') || 'on a known date'}`;
    }
  }
}

/** `+5` is a number of days after the day of the check. */
const dateText = (date: string): string => (date.startsWith('+') ? `day ${date.slice(1)}` : date);

/** The sentence of the service: `us-standard costs 8.95 USD (895), instead of 7.95 USD (795).` */
export const reasonText = (reason: string, nameOf: NameOf): string =>
  reason
    .replace(/[\d.]+ ([A-Z]{3}) \((\d+)\)/g, (_, currency, amount) => formatMoney(Number(amount), currency))
    .replace(/^.+?(?= (?:costs|is not offered:|is delivered|has no delivery))/, nameOf)
    .replace(/(rule ".*?") \([\w-]+\)/g, '$1')
    .replace(/\brule (?!")[\w-]+/g, 'a rule');
