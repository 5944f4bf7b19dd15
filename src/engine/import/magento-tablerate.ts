/**
 * Magento's table rates: `Country,Region/State,Zip/Postal Code,<condition>,Shipping Price`. A row fits a cart whose value is
 * at or above its bound. Of the rows that fit, the one with the most specific country applies, then region, then postal
 * code, then the highest bound.
 */
import { groupedBy } from '../../base/runtime/map-entries.ts';
import type { RateRow } from './rate-table.ts';
import type { Imported, SourceReport } from './source-report.ts';
import { importTable, isAny, type RowReader, type TableOptions } from './source-table.ts';

const COLUMNS = { country: 0, region: 1, postal: 2, bound: 3, price: 4 } as const;

/** Magento's default name and code of the method. */
const TABLE_RATE_NAME = 'Table Rate';
const SERVICE_CODE = 'tablerate_bestway';

/** Precedence of a fitting row: country before region before postal code. */
const LEVEL_STEPS = { anyCountry: 6, anyRegion: 3, partOfCode: 1, anyPostal: 2 } as const;

/**
 * Countries whose postal codes have a dash, with the digits before it and in all: Magento also compares a row with the
 * part before the dash. (In the US that part is the code itself.)
 */
const DASHED_CODES: Readonly<Record<string, readonly [before: number, behind: number]>> = {
  BR: [5, 3],
  JP: [3, 4],
  PL: [2, 3],
  PT: [4, 3],
};

interface BoundRow extends Omit<RateRow, 'to'> {
  readonly line: number;
}

export const importMagentoTableRate = (text: string, options: TableOptions): Imported =>
  importTable(text, options, {
    columnCount: 5,
    boundColumn: COLUMNS.bound,
    readRow,
    rateRows: closed,
  });

function readRow(row: RowReader): BoundRow | null {
  const country = row.country(COLUMNS.country);
  if (row.isBroken) return null;
  const region = row.region(COLUMNS.region, country);
  const place = readPostal(row, country);
  const bound = row.boundUp(COLUMNS.bound) ?? 0;
  const priceCents = row.cents(COLUMNS.price);
  if (row.isBroken || place === null) return null;
  const level =
    (country === null ? LEVEL_STEPS.anyCountry : 0) +
    (region === null ? LEVEL_STEPS.anyRegion : 0) +
    (place.postal === null ? LEVEL_STEPS.anyPostal : place.isPart ? LEVEL_STEPS.partOfCode : 0);
  return {
    line: row.line,
    level,
    country,
    region,
    city: null,
    postal: place.postal,
    // Totals are whole, so a bound between two of them is the upper one.
    from: bound,
    priceCents,
    methodName: TABLE_RATE_NAME,
    serviceCode: SERVICE_CODE,
  };
}

/** Null when the row cannot be imported. */
function readPostal(
  row: RowReader,
  country: string | null,
): { readonly postal: string | null; readonly isPart: boolean } | null {
  const cell = row.text(COLUMNS.postal);
  if (isAny(cell)) return { postal: null, isPart: false };
  const postal = row.postalCode(COLUMNS.postal, country);
  if (postal === null) return null;
  if (row.isZipPlus4(COLUMNS.postal, country)) return null;
  const digits = cell.replace(/[\s-]+/g, '');
  const dashed = country === null ? undefined : DASHED_CODES[country];
  if (dashed === undefined || !/^\d+$/.test(digits) || digits.length !== dashed[0])
    return { postal, isPart: false };
  const [, behind] = dashed;
  return { postal: `${digits}${'0'.repeat(behind)}-${digits}${'9'.repeat(behind)}`, isPart: true };
}

/** Each bound applies up to the next bound of the same place; the last has no upper end. */
function closed(rows: readonly BoundRow[], report: SourceReport): RateRow[] {
  const places = groupedBy(rows, ({ country, region, postal }) =>
    JSON.stringify([country, region?.toLowerCase(), postal]),
  );
  return [...places.values()].flatMap((own) => {
    const sorted = [...own].sort((a, b) => a.from - b.from || a.line - b.line);
    return sorted.map(({ line, ...row }, index) => {
      const next = sorted[index + 1];
      if (next?.from === row.from) {
        report.error(next.line, null, 'duplicate_row', `line ${line} has the same place and bound`);
      }
      return { ...row, to: next?.from ?? null };
    });
  });
}
