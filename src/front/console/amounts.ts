/**
 * Money and weights as people type and read them. Amounts of the API are whole numbers of the smallest unit; a text that
 * does not name such a number exactly is refused, never rounded.
 */
import { hasSubunit } from '../../engine/domain/money-text.ts';

/** The amount as people of the page's language read it, with its currency: `$4.95`. */
export function formatMoney(amount: number, currency: string): string {
  const digits = hasSubunit(currency) ? 2 : 0;
  return new Intl.NumberFormat(undefined, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(amount / 10 ** digits);
}

/** The same with a sign, for a difference: `+$1.00`, `-$1.00`, `$0.00`. */
export const formatDifference = (amount: number, currency: string): string =>
  `${amount > 0 ? '+' : amount < 0 ? '\u2212' : ''}${formatMoney(Math.abs(amount), currency)}`;

/** The text of a field that holds this amount: digits and a point, no currency. */
export const moneyText = (amount: number, currency: string): string =>
  hasSubunit(currency) ? (amount / 100).toFixed(2) : String(amount);

/**
 * The amount that a typed text names, or null. Takes a point or a comma before the last one or two digits, separators of
 * thousands in front of it, and a currency sign or code at either end.
 */
export function parseMoney(text: string, currency: string): number | null {
  const bare = text.replace(/^[\p{Sc}\p{L}\s]+|[\p{Sc}\p{L}\s]+$/gu, '');
  const match = /^([1-9]\d{0,2}(?:[.,\s'’]\d{3})+|\d+)(?:[.,](\d{1,2}))?$/.exec(bare);
  if (match === null) return null;
  const [, whole = '', fraction = ''] = match;
  const digits = hasSubunit(currency) ? 2 : 0;
  if (fraction.length > digits) return null;
  const amount = Number(whole.replace(/\D/g, '') + fraction.padEnd(digits, '0'));
  return Number.isSafeInteger(amount) ? amount : null;
}

/** Grams as text: below a kilogram in grams, above in kilograms without loss. */
export const formatWeight = (grams: number): string =>
  grams < 1_000 ? `${grams} g` : `${String(grams / 1_000)} kg`;

/** Grams that a text such as `750`, `1,250 g` or `1.25 kg` names, or null. */
export function parseWeight(text: string): number | null {
  // Before three digits a point or a comma separates thousands of grams, but begins the fraction of a kilogram.
  const [grouped] = /^[1-9]\d{0,2}(?:[.,\s'’]\d{3})+(?=\s*g?$)/i.exec(text.trim()) ?? [];
  if (grouped !== undefined) return Number(grouped.replace(/\D/g, ''));
  const match = /^(\d+)(?:[.,](\d+))?\s*(g|kg|)$/i.exec(text.trim());
  if (match === null) return null;
  const [, whole = '', fraction = '', unit = ''] = match;
  const digits = unit.toLowerCase() === 'kg' ? 3 : 0;
  if (fraction.replace(/0+$/, '').length > digits) return null;
  const grams = Number(whole + fraction.slice(0, digits).padEnd(digits, '0'));
  return Number.isSafeInteger(grams) ? grams : null;
}

/** A whole number from 0, or null. */
export const parseCount = (text: string): number | null => {
  const count = /^\d{1,16}$/.test(text.trim()) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(count) ? count : null;
};

/** The number that a text such as `12.5` or `12,5 %` names, or null; the service knows the bounds. */
export function parsePercent(text: string): number | null {
  const match = /^(\d{1,4})(?:[.,](\d+))?\s*%?$/.exec(text.trim());
  return match === null ? null : Number(`${match[1]}.${match[2] ?? 0}`);
}
