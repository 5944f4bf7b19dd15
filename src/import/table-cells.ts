/** Cells that Magento's tables share: place, amounts, and the unit of the bounds. */
import { canonicalPostalCode, postalFormOf } from '../domain/postal-code.ts';
import { twoLetterCode } from './country-codes.ts';
import { type Fraction, fraction, multiply, wholeOf } from './fraction.ts';
import {
  RATE_UNIT_NAMES,
  type RateUnit,
  unitOfHeader,
  WEIGHT_UNIT_NAMES,
  type WeightUnit,
} from './rate-unit.ts';
import type { SourceAmounts } from './source-amounts.ts';
import type { SourceFindings } from './source-finding.ts';

export interface TableOptions {
  /** The unit of weights in the source; needed for a table by weight. */
  readonly weightUnit: WeightUnit | null;
  /** What the table is by, when its header does not say. */
  readonly unit: RateUnit | null;
}

export interface TableUnits {
  readonly unit: RateUnit;
  readonly weightUnit: WeightUnit;
}

const HEADER_LINE = 1;

/** The unit of the bounds; null, with an error, when it is unknown. */
export function unitsOfTable(
  header: string,
  options: TableOptions,
  errors: SourceFindings,
): TableUnits | null {
  const unit = options.unit ?? unitOfHeader(header);
  if (unit === null) {
    const accepted = RATE_UNIT_NAMES.join(', ');
    errors.add(
      HEADER_LINE,
      header,
      'unknown_condition',
      `"${header}" names none of ${accepted}: say which the table is by`,
    );
    return null;
  }
  if (unit === 'weight' && options.weightUnit === null) {
    const accepted = WEIGHT_UNIT_NAMES.join(', ');
    errors.add(HEADER_LINE, header, 'no_weight_unit', `weights need a unit: one of ${accepted}`);
    return null;
  }
  return { unit, weightUnit: options.weightUnit ?? 'g' };
}

export const isAny = (cell: string): boolean => cell === '' || cell === '*';

/** Reads the cells of one row by column name, and reports what is wrong with them. */
export class RowReader {
  readonly line: number;
  readonly #cells: readonly string[];
  readonly #columns: readonly string[];
  readonly #errors: SourceFindings;
  readonly #amounts: SourceAmounts;
  /** True once a cell could not be read. */
  isBroken = false;

  constructor(
    line: number,
    cells: readonly string[],
    columns: readonly string[],
    errors: SourceFindings,
    amounts: SourceAmounts,
  ) {
    this.line = line;
    this.#cells = cells;
    this.#columns = columns;
    this.#errors = errors;
    this.#amounts = amounts;
  }

  fail(index: number | null, code: string, message: string): null {
    this.isBroken = true;
    this.#errors.add(this.line, index === null ? null : this.column(index), code, message);
    return null;
  }

  /** What the header calls a column; null where it has none. */
  column = (index: number): string | null => this.#columns[index] ?? null;

  text = (index: number): string => this.#cells[index] ?? '';

  /** null = any country. */
  country(index: number): string | null {
    const cell = this.text(index);
    if (isAny(cell)) return null;
    return (
      twoLetterCode(cell) ??
      this.fail(index, 'unknown_country', `"${cell}" is no country code of 2 or 3 letters`)
    );
  }

  /** A region or a city; null = any. One of any country is refused, as the sources do. */
  place(index: number, country: string | null): string | null {
    const cell = this.text(index);
    if (isAny(cell)) return null;
    if (country === null) return this.fail(index, 'place_without_country', `"${cell}" needs a country`);
    if (cell.endsWith('*')) return this.fail(index, 'wildcard', `"${cell}" may not end in *`);
    return cell;
  }

  /** One whole code, canonical for the country. */
  postalCode(index: number, country: string | null): string | null {
    const cell = this.text(index);
    const code = canonicalPostalCode(postalFormOf(country ?? ''), cell);
    if (!/^[A-Z0-9]+(?: [A-Z0-9]+)*$/.test(code)) {
      return this.fail(
        index,
        'not_a_postal_code',
        `"${cell}" is no postal code: letters, digits, spaces and hyphens`,
      );
    }
    return code;
  }

  decimal(index: number): Fraction {
    const value = this.#amounts.read(this.text(index), this.line, this.column(index));
    if (typeof value !== 'string') return value;
    this.fail(index, 'not_a_decimal', value);
    return fraction(0);
  }

  cents(index: number): number {
    const cents = wholeOf(multiply(this.decimal(index), fraction(100)));
    if (cents === null && !this.isBroken) {
      this.fail(index, 'not_whole_cents', `"${this.text(index)}" is no whole number of cents`);
    }
    return cents ?? 0;
  }
}

/**
 * True, with a remark, for a ZIP+4 code. This service compares the first five digits only, so the row, which is for fewer
 * destinations, cannot be imported.
 */
export function isZipPlus4(
  row: RowReader,
  index: number,
  country: string | null,
  remarks: SourceFindings,
): boolean {
  const cell = row.text(index);
  const digits = cell.replace(/[\s-]+/g, '');
  if (!/^\d{9}$/.test(digits) || (country !== null && postalFormOf(country) !== 'us')) return false;
  const why = `"${cell}" is a ZIP+4 code: those count as their first five digits, so the row is left out`;
  remarks.add(row.line, row.column(index), 'zip_plus_4', why, `${digits.slice(0, 5)}-0000`);
  return true;
}

/** A name in the form of a part of a service code. */
export const codePart = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60) || 'rate';
