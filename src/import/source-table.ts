/** The import of a rate table: a CSV file whose rows are read one by one, cell by cell. */
import { CsvError, parse } from 'csv-parse/sync';
import { canonicalPostalCode, postalFormOf } from '../domain/postal-code.ts';
import { twoLetterCode } from './country-codes.ts';
import { configOfRateTable, type RateRow } from './rate-table.ts';
import {
  type Fraction,
  fraction,
  multiply,
  RATE_UNIT_NAMES,
  type RateUnit,
  SourceAmounts,
  unitOfHeader,
  WEIGHT_UNIT_NAMES,
  type WeightUnit,
  wholeOf,
} from './source-amounts.ts';
import { type Imported, SourceFindings } from './source-finding.ts';

interface TableForm<R> {
  readonly columnCount: number;
  /** The column whose name says what the table is by. */
  readonly boundColumn: number;
  /** Null, with a finding, when the row cannot be imported. */
  readonly readRow: (row: RowReader, units: TableUnits, remarks: SourceFindings) => R | null;
  readonly rateRows: (rows: readonly R[], errors: SourceFindings) => readonly RateRow[];
}

export function importTable<R>(
  text: string,
  options: TableOptions,
  { columnCount, boundColumn, readRow, rateRows }: TableForm<R>,
): Imported {
  const errors = new SourceFindings();
  const remarks = new SourceFindings();
  const amounts = new SourceAmounts(errors, remarks);
  const table = readCsvTable(text, columnCount, errors);
  const units = table === null ? null : unitsOfTable(table.header[boundColumn] ?? '', options, errors);
  if (table === null || units === null) return { data: null, errors: errors.list, remarks: remarks.list };
  const read = table.rows.flatMap(({ line, cells }) => {
    const row = new RowReader(line, cells, table.header, errors, amounts);
    if (cells.length >= columnCount) return readRow(row, units, remarks) ?? [];
    row.fail(null, 'missing_column', `the row has ${cells.length} cells, not ${columnCount}`);
    return [];
  });
  const rows = rateRows(read, errors);
  amounts.finish();
  const data = errors.list.length > 0 ? null : configOfRateTable(rows, units.unit);
  return { data, errors: errors.list, remarks: remarks.list };
}

export interface TableOptions {
  /** The unit of weights in the source; required for a table by weight. */
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
function unitsOfTable(header: string, options: TableOptions, errors: SourceFindings): TableUnits | null {
  const unit = options.unit ?? unitOfHeader(header);
  if (unit === null) {
    const why = `"${header}" names none of ${RATE_UNIT_NAMES.join(', ')}: say which the table is by`;
    errors.add(HEADER_LINE, header, 'unknown_condition', why);
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
      this.fail(index, 'unknown_country', `"${cell}" is not a country code of 2 or 3 letters`)
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
      const why = `"${cell}" is not a postal code: letters, digits, spaces and hyphens`;
      return this.fail(index, 'not_a_postal_code', why);
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
      this.fail(index, 'not_whole_cents', `"${this.text(index)}" is not a whole number of cents`);
    }
    return cents ?? 0;
  }
}

/**
 * True, with a remark, for a ZIP+4 code. This service compares the first five digits only, so the row, which is for
 * fewer destinations, cannot be imported.
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

interface CsvRow {
  /** 1-based line on which the row begins. */
  readonly line: number;
  /** Trimmed. */
  readonly cells: readonly string[];
}

/** A CSV file as rows with their line numbers; the first row is the header. */
interface CsvTable {
  readonly header: readonly string[];
  readonly rows: readonly CsvRow[];
}

/**
 * Reads a table of at least `columnCount` columns; null, with an error in `errors`, when the text is not such a table.
 * Empty lines are skipped.
 */
function readCsvTable(text: string, columnCount: number, errors: SourceFindings): CsvTable | null {
  try {
    const records = parse(text, {
      bom: true,
      delimiter: firstLine(text).includes(';') && !firstLine(text).includes(',') ? ';' : ',',
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
    }) as unknown as readonly {
      readonly record: readonly string[];
      readonly info: { readonly lines: number };
    }[];
    // The parser leaves spaces within quotes.
    const rows = records.map(({ record, info }) => ({
      line: beginOf(record, info.lines),
      cells: record.map((cell) => cell.trim()),
    }));
    const [header, ...others] = rows.filter(({ cells }) => cells.some((cell) => cell !== ''));
    const count = header?.cells.length ?? 0;
    if (header === undefined) errors.add(1, null, 'not_a_table', 'the file is empty');
    else if (count >= columnCount) return { header: header.cells, rows: others };
    else errors.add(1, null, 'missing_column', `the header has ${count} columns, not ${columnCount}`);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    // The parser names the line at the end of its message, if it does.
    const line = Number(/\bline (\d+)/.exec(error.message)?.[1] ?? 1);
    errors.add(line, null, 'not_a_table', error.message.replace(/ (?:at|on) line \d+.*$/, ''));
  }
  return null;
}

const firstLine = (text: string): string => text.slice(0, 1_000).split('\n', 1)[0] ?? '';

/** The parser reports the line on which a row ends; quoted cells may hold line breaks. */
const beginOf = (cells: readonly string[], endLine: number): number =>
  endLine - cells.reduce((breaks, cell) => breaks + cell.split('\n').length - 1, 0);
