/** Reads tiers from cells that were copied from a spreadsheet: a row on each line, cells separated by tabs. */
import {
  decimalsText,
  formatMoney,
  type Readings,
  readCount,
  readInUnit,
  readMoney,
  sole,
  WEIGHT_UNITS,
} from '../amounts.ts';
import { kindOfNumber, type NumberKind } from '../words.ts';
import type { Tier } from './method-kind.ts';

/** Units that a heading may name. */
const HEADED: readonly (readonly [unit: string, pattern: RegExp])[] = [
  ['kg', /\bkg\b|kilo/i],
  ['lb', /\blbs?\b|pound/i],
  ['oz', /\boz\b|ounce/i],
  ['g', /\bg\b|gram/i],
];

/** Without tabs, cells are separated by semicolons, or else by commas that no digit follows. */
const cellsOf = (line: string): readonly string[] =>
  line.split(line.includes('\t') ? '\t' : line.includes(';') ? ';' : /,(?!\d)/).map((cell) => cell.trim());

/** True for an empty cell, and for signs and words that mean no upper bound. */
const isOpen = (cell: string): boolean => /^(?:|-|–|∞|null|and more|or more)$/i.test(cell);

function readingsOf(cell: string, kind: NumberKind, unit: string, currency: string): Readings {
  if (kind === 'money') return readMoney(cell, currency);
  if (kind === 'weight') return readInUnit(cell, WEIGHT_UNITS, unit);
  return readCount(cell);
}

/**
 * The tiers in a text, or a sentence that says why it holds none. `columns` are the names of a tier's fields: begin, end,
 * price. Rows have these three cells, or begin and price: then each tier ends where the next begins. A first row without a
 * digit is a heading, which may name the unit of weights; else `unit` is that of weights without one. Money is in the
 * currency of the shop.
 */
export function parseTiers(
  text: string,
  columns: readonly [string, string, string],
  currency: string,
  unit: string,
): readonly Tier[] | string {
  const rows = text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .map(cellsOf);
  const [first] = rows;
  if (first === undefined) return 'There are no rows.';
  const isHeaded = !first.some((cell) => /\d/.test(cell));
  const headed = isHeaded
    ? HEADED.find(([, pattern]) => first.some((cell) => pattern.test(cell)))
    : undefined;
  const body = isHeaded ? rows.slice(1) : rows;
  if (body.length === 0) return 'There are no rows below the heading.';
  const [begin, end, price] = columns;
  const kind = kindOfNumber(begin);
  const tiers: Record<string, number | null>[] = [];
  for (const [index, cells] of body.entries()) {
    const line = `Row ${index + (isHeaded ? 2 : 1)}`;
    if (cells.length !== 2 && cells.length !== 3)
      return `${line} has ${cells.length} cells instead of 2 or 3.`;
    const [from, to, amount] = cells.length === 2 ? [cells[0], '', cells[1]] : cells;
    const read = (cell: string, of: NumberKind): number | string => {
      const readings = readingsOf(cell, of, headed?.[0] ?? unit, currency);
      const named = sole(readings);
      if (named !== null) return named;
      const { numbers, fine } = readings;
      if (numbers.length === 0)
        return fine === null
          ? `${line}: “${cell}” is not ${NAMES[of]}${of === 'money' ? ` in ${currency}` : ''}.`
          : `${line}: ${decimalsText(fine)}.`;
      const texts = [
        ...numbers.map((reading) => (of === 'money' ? formatMoney(reading, currency) : `${reading} g`)),
        ...(fine === null ? [] : [`${fine}, with too many decimals`]),
      ];
      return `${line}: “${cell}” can be read in two ways: ${texts.join(' or ')}. Write it without the separator.`;
    };
    const least = read(from ?? '', kind);
    const most = isOpen(to ?? '') ? null : read(to ?? '', kind);
    const cents = read(amount ?? '', 'money');
    for (const number of [least, most, cents]) if (typeof number === 'string') return number;
    const previous = tiers.at(-1);
    if (previous !== undefined && previous[end] === null) previous[end] = least as number;
    tiers.push({ [begin]: least, [end]: most, [price]: cents } as Record<string, number | null>);
  }
  return tiers;
}

const NAMES: Readonly<Record<NumberKind, string>> = {
  money: 'a price',
  weight: 'a weight',
  size: 'a size',
  percent: 'a percentage',
  count: 'a whole number',
};
