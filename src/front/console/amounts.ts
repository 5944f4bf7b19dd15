/**
 * Money, weights and sizes as people type and read them. Amounts of the API are whole numbers of the smallest unit. A text
 * can be read in no way, in one, or in two: `4,999` is 4999 for one reader and 4.999 for another.
 */
import { hasSubunit } from '../../engine/domain/money-text.ts';
import { ENGLISH, numberText } from './english.ts';

/** The amount with its currency: `$4.95`, `€4.95`. */
export function formatMoney(amount: number, currency: string): string {
  const digits = hasSubunit(currency) ? 2 : 0;
  return numberText(amount / 10 ** digits, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}

/** The same with a sign, for a difference: `+$1.00`, `-$1.00`, `$0.00`. */
export const formatDifference = (amount: number, currency: string): string =>
  `${amount > 0 ? '+' : amount < 0 ? '\u2212' : ''}${formatMoney(Math.abs(amount), currency)}`;

/** The text of a field that holds this amount: digits and a point, no currency. */
export const moneyText = (amount: number, currency: string): string =>
  hasSubunit(currency) ? (amount / 100).toFixed(2) : String(amount);

/**
 * What a typed text names: no number when it cannot be read, two when readers could differ. All are exact: `fine` is the
 * number with more decimals than are stored that the text also is, or is alone.
 */
export interface Readings {
  readonly numbers: readonly number[];
  readonly fine: string | null;
}

export const NO_READING: Readings = { numbers: [], fine: null };

/** The number of a text that all read in one way, or null. */
export const sole = ({ numbers, fine }: Readings): number | null =>
  numbers.length === 1 && fine === null ? (numbers[0] ?? null) : null;

const COUNTS = ['no', 'one', 'two', 'three', 'four', 'five', 'six'];

/** `4.999 has three decimals` */
export function decimalsText(fine: string): string {
  const count = fine.length - fine.indexOf('.') - 1;
  return `${fine} has ${COUNTS[count] ?? count} decimal${count === 1 ? '' : 's'}`;
}

const GROUPED = /^[1-9]\d{0,2}(?:[.,\s'’]\d{3})+$/;

/**
 * The numbers that digits with separators name, with a point before a fraction: a point or a comma begins it, and separators
 * of thousands stand in front of it. `0.500` and `1234,567` have one reading, as no one groups so.
 */
function numbersIn(text: string): readonly string[] {
  const match = /^([\d.,\s'’]*?\d)(?:[.,](\d+))?$/.exec(text.trim());
  const found: string[] = [];
  if (GROUPED.test(text.trim())) found.push(text.replace(/\D/g, ''));
  if (match !== null) {
    const [, whole = '', fraction] = match;
    const isNumber = /^\d+$/.test(whole) || (GROUPED.test(whole) && fraction !== undefined);
    // In `1,234.567` the last separator differs from the others; `1,234,567` is a group.
    const isFraction = fraction === undefined || !whole.includes(text.trim().at(-fraction.length - 1) ?? '');
    if (isNumber && isFraction)
      found.push(`${whole.replace(/\D/g, '')}${fraction === undefined ? '' : `.${fraction}`}`);
  }
  return [...new Set(found)];
}

const isWhole = (amount: number): boolean => Number.isSafeInteger(amount);

/** Where there are no fractions, `1,000` is a thousand for everybody. */
function wholeIn(text: string): Readings {
  const [number = null] = numbersIn(text).map(Number).filter(isWhole);
  return number === null ? NO_READING : { numbers: [number], fine: null };
}

/** Whole numbers of the smallest unit, `factor` to a unit: a power of ten. */
function inSmallest(text: string, factor: number): Readings {
  const numbers = new Set<number>();
  let fine: string | null = null;
  for (const read of numbersIn(text)) {
    const amount = Math.round(Number(read) * factor);
    const [, fraction = ''] = read.replace(/(?<=\..*)0+$/, '').split('.');
    if (fraction.length > Math.log10(factor)) fine = read;
    else if (isWhole(amount)) numbers.add(amount);
  }
  return { numbers: [...numbers], fine };
}

/** The code of the currency and its signs, in English and in the language of the browser. */
function marksOf(currency: string): readonly string[] {
  const signs = [undefined, ENGLISH].flatMap((language) =>
    (['symbol', 'narrowSymbol'] as const).map((currencyDisplay) =>
      new Intl.NumberFormat(language, { style: 'currency', currency, currencyDisplay })
        .formatToParts(0)
        .find(({ type }) => type === 'currency'),
    ),
  );
  return [currency, ...signs.map((sign) => sign?.value ?? currency)].map((mark) => mark.toUpperCase());
}

/** `99,-` and `99.–`: a whole amount, as price tags have it. */
const NO_FRACTION = /(?<=\d)[.,]\s*[\p{Pd}\u2212]+(?=\D*$)/u;

/** The amounts that a typed text names, with the sign or the code of this currency, and no other, at one end. */
export function readMoney(typed: string, currency: string): Readings {
  const text = typed.replace(NO_FRACTION, '');
  const [, before = '', number = '', after = ''] =
    /^\s*([^\d\s.,-]*)\s*(.*?\d)\s*(\D*?)\s*$/.exec(text) ?? [];
  const marks = [before, after].filter((mark) => mark !== '').map((mark) => mark.toUpperCase());
  const known = marks.length === 0 ? [] : marksOf(currency);
  if (marks.length > 1 || !marks.every((mark) => known.includes(mark))) return NO_READING;
  return hasSubunit(currency) ? inSmallest(number, 100) : wholeIn(number);
}

export const parseMoney = (text: string, currency: string): number | null => sole(readMoney(text, currency));

/** Grams as text: below a kilogram in grams, above in kilograms without loss. */
export const formatWeight = (grams: number): string =>
  grams < 1_000 ? `${grams} g` : `${String(grams / 1_000)} kg`;

/** Unit -> how much of the smallest it is: grams, millimetres. */
export const WEIGHT_UNITS = { g: 1, kg: 1_000, lb: 453.592_37, oz: 28.349_523_125 } as const;
export const SIZE_UNITS = { mm: 1, cm: 10, in: 25.4 } as const;
export type Units = Readonly<Record<string, number>>;

/** Units in which the smallest is no whole number: a text in them names the nearest. */
const isRounded = (factor: number): boolean => !Number.isInteger(factor);

/** The number and the unit of a text; `unit` where it names none. */
export function splitUnit(text: string, units: Units, unit: string): readonly [number: string, unit: string] {
  const [, number = text, named = ''] = /^(.*?)\s*([a-z]+)$/i.exec(text.trim()) ?? [];
  const known = Object.keys(units).find((name) => name === named.toLowerCase());
  return named === '' ? [text, unit] : [known === undefined ? text : number, known ?? unit];
}

/** The amounts of the smallest unit that a text such as `750`, `1.25 kg` or `2 lb` names. */
export function readInUnit(text: string, units: Units, unit: string): Readings {
  const [number, named] = splitUnit(text, units, unit);
  const factor = units[named] ?? 1;
  if (!isRounded(factor)) return factor === 1 ? wholeIn(number) : inSmallest(number, factor);
  const rounded = numbersIn(number).map((read) => Math.round(Number(read) * factor));
  return { numbers: [...new Set(rounded)].filter(isWhole), fine: null };
}

export const parseWeight = (text: string, unit = 'g'): number | null =>
  sole(readInUnit(text, WEIGHT_UNITS, unit));

/** The number of this many of the smallest unit in a unit, without a loss. */
export function numberIn(amount: number, factor: number): string {
  for (let digits = 0; digits < 7; digits++) {
    const text = (amount / factor).toFixed(digits);
    if (isRounded(factor) ? Math.round(Number(text) * factor) === amount : Number(text) * factor === amount)
      return String(Number(text));
  }
  return String(amount / factor);
}

/** The preferred unit, unless it has the amount with a long fraction only: 0.5 kg, not 1.1023 lb. */
export function unitFor(amount: number | null, units: Units, preferred: string, other: string): string {
  if (amount === null || !isRounded(units[preferred] ?? 1)) return preferred;
  return /^\d+(?:\.\d{1,2})?$/.test(numberIn(amount, units[preferred] ?? 1)) ? preferred : other;
}

/** A whole number from 0. */
export const readCount = (text: string): Readings => wholeIn(text);
export const parseCount = (text: string): number | null => sole(readCount(text));

/** The numbers that a text such as `12.5` or `12,5 %` names; the service knows the bounds. */
export const readPercent = (text: string): Readings => ({
  numbers: numbersIn(text.trim().replace(/\s*%$/, '')).map(Number),
  fine: null,
});
