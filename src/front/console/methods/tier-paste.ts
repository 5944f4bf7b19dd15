/** Reads tiers from cells that were copied from a spreadsheet: a row on each line, cells separated by tabs. */
import { parseCount, parseMoney, parseWeight } from '../amounts.ts';
import { kindOfNumber, type NumberKind } from '../words.ts';
import type { Tier } from './method-kind.ts';

const HEADED_KILOGRAMS = /\bkg\b|kilogram/i;

/** Without tabs, cells are separated by semicolons, or else by commas that no digit follows. */
const cellsOf = (line: string): readonly string[] =>
  line.split(line.includes('\t') ? '\t' : line.includes(';') ? ';' : /,(?!\d)/).map((cell) => cell.trim());

/** True for an empty cell, and for signs and words that mean no upper bound. */
const isOpen = (cell: string): boolean => /^(?:|-|–|∞|null|and more|or more)$/i.test(cell);

function numberIn(cell: string, kind: NumberKind, isKilograms: boolean, currency: string): number | null {
  if (kind === 'money') return parseMoney(cell, currency);
  if (kind === 'weight') return parseWeight(isKilograms && /^[\d.,]+$/.test(cell) ? `${cell} kg` : cell);
  return parseCount(cell);
}

/**
 * The tiers in a text, or a sentence that says why it holds none. `columns` are the names of a tier's fields: begin, end,
 * price. Rows have these three cells, or begin and price: then each tier ends where the next begins. A first row without a
 * digit is a heading, which may say that weights are in kg. Money is in the currency of the shop.
 */
export function parseTiers(
  text: string,
  columns: readonly [string, string, string],
  currency: string,
): readonly Tier[] | string {
  const rows = text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .map(cellsOf);
  const [first] = rows;
  if (first === undefined) return 'There are no rows.';
  const isHeaded = !first.some((cell) => /\d/.test(cell));
  const isKilograms = isHeaded && first.some((cell) => HEADED_KILOGRAMS.test(cell));
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
    const [least, most] = [from, to].map((cell) => numberIn(cell ?? '', kind, isKilograms, currency));
    const cents = numberIn(amount ?? '', 'money', false, currency);
    if (least == null) return `${line}: “${from}” is not ${NAMES[kind]}.`;
    if (most == null && !isOpen(to ?? '')) return `${line}: “${to}” is not ${NAMES[kind]}.`;
    if (cents === null) return `${line}: “${amount}” is not a price in ${currency}.`;
    const previous = tiers.at(-1);
    if (previous !== undefined && previous[end] === null) previous[end] = least;
    tiers.push({ [begin]: least, [end]: most ?? null, [price]: cents });
  }
  return tiers;
}

const NAMES: Readonly<Record<NumberKind, string>> = {
  money: 'an amount',
  weight: 'a weight',
  percent: 'a percentage',
  count: 'a whole number',
};
