/** Names of the API in the words of people: rate types, actions, conditions. */
import { formatMoney, formatWeight } from './amounts.ts';

/** `cart_total` -> `cart total`. */
export const words = (name: string): string => name.replaceAll('_', ' ');

export const capitalized = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** A JSON path as people read it: `/preferences/0/productGroupId` -> `Preferences, entry 1, product group id`. */
export const pathText = (path: string): string =>
  capitalized(
    path
      .slice(1)
      .split('/')
      .map((part) =>
        /^\d+$/.test(part)
          ? `entry ${Number(part) + 1}`
          : words(part.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)),
      )
      .join(', '),
  );

const RATE_TYPE_TEXTS: Readonly<Record<string, string>> = {
  flat: 'Flat price',
  free: 'Free',
  by_weight_table: 'Weight table',
  by_price_table: 'Price table',
  by_items_table: 'Quantity table',
  by_items: 'Per item',
  by_weight: 'Per weight',
  by_dimensional_weight: 'Per weight or volume',
  percentage: 'Percentage of the cart',
};

export const rateTypeText = (rateType: string): string =>
  RATE_TYPE_TEXTS[rateType] ?? rateType.replaceAll('_', ' ');

const ACTION_TEXTS: Readonly<Record<string, string>> = {
  hide: 'Hide',
  show: 'Show',
  free: 'Make free',
  adjust_add: 'Add',
  adjust_subtract: 'Subtract',
};

export const actionText = (action: string): string => ACTION_TEXTS[action] ?? action;

/** Types whose numbers are amounts of money. */
export const isMoney = (type: string): boolean => /_(?:price|total)$/.test(type);

/** The values of a condition as people read them: amounts in the currency, weights with their unit. */
export function expectedText(
  condition: { readonly conditionType: string; readonly operator: string; readonly value: string },
  currency: string,
): string {
  const { conditionType, operator, value } = condition;
  if (conditionType === 'day_of_week')
    return value
      .split(',')
      .map((day) => capitalized(day.trim()))
      .join(' or ');
  const isWeight = conditionType.endsWith('_weight');
  if (!isMoney(conditionType) && !isWeight) return value;
  const format = (amount: number): string =>
    isWeight ? formatWeight(amount) : formatMoney(amount, currency);
  return value
    .split(',')
    .map((part) => (/^\d+$/.test(part.trim()) ? format(Number(part)) : part))
    .join(operator === 'between' ? ' and ' : ' or ');
}
