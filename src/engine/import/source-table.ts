/** Imports a rate table: a CSV file with a header. */
import { CsvError, parse } from 'csv-parse/sync';
import { canonicalPostalCode, postalFormOf } from '../domain/postal-code.ts';
import { twoLetterCode } from './country-codes.ts';
import { regionOf } from './magento-regions.ts';
import { configOfRateTable, type RateRow } from './rate-table.ts';
import {
  ceilOf,
  type Decimal,
  floorOf,
  RATE_UNIT_NAMES,
  type RateUnit,
  type Scale,
  scaleOf,
  unitOfHeader,
  WEIGHT_UNIT_NAMES,
  WEIGHT_UNITS,
  type WeightUnit,
} from './source-amounts.ts';
import { type Imported, SourceReport } from './source-report.ts';

interface TableForm<R> {
  readonly columnCount: number;
  /** The column whose header names the quantity of the table: weight, subtotal or items. */
  readonly boundColumn: number;
  /** Null, with a finding, when the row cannot be imported. */
  readonly readRow: (row: RowReader) => R | null;
  readonly rateRows: (rows: readonly R[], report: SourceReport) => readonly RateRow[];
}

export function importTable<R>(
  text: string,
  options: TableOptions,
  { columnCount, boundColumn, readRow, rateRows }: TableForm<R>,
): Imported {
  const report = new SourceReport();
  const [header, ...csvRows] = readCsvTable(text, columnCount, report);
  const units = header && unitsOfTable(header.cells[boundColumn] ?? '', options, report);
  if (!header || !units) return report.finish();
  if (units.unit === 'subtotal') {
    const why =
      'the source compares the subtotal after discounts, this service the prices of the items before them';
    report.remark(header.line, header.cells[boundColumn] ?? null, 'after_discounts', why);
  }
  const read = csvRows.flatMap((csvRow) => {
    const row = new RowReader(csvRow, { columns: header.cells, scale: units.scale, report });
    const { length } = csvRow.cells;
    if (length >= columnCount) return readRow(row) ?? [];
    row.fail(null, 'missing_column', `the row has ${length} cells, not ${columnCount}`);
    return [];
  });
  const rows = rateRows(read, report);
  return report.finish(() => configOfRateTable(rows, units.unit));
}

export interface TableOptions {
  /** The unit of weights in the source; required for a table by weight. */
  readonly weightUnit: WeightUnit | null;
  /** The quantity of the table, when its header does not name it. */
  readonly unit: RateUnit | null;
}

interface TableUnits {
  readonly unit: RateUnit;
  /** Grams, cents or pieces per unit of the source. */
  readonly scale: Scale;
}

interface RowSource extends Pick<TableUnits, 'scale'> {
  /** The header's names of the columns. */
  readonly columns: readonly string[];
  readonly report: SourceReport;
}

const HEADER_LINE = 1;

/** The unit of the bounds; null, with an error, when it is unknown. */
function unitsOfTable(header: string, options: TableOptions, report: SourceReport): TableUnits | null {
  const unit = options.unit ?? unitOfHeader(header);
  if (unit === null) {
    const why = `"${header}" names none of ${RATE_UNIT_NAMES.join(', ')}: --condition says which the table is by`;
    report.error(HEADER_LINE, header, 'unknown_condition', why);
    return null;
  }
  if (unit !== 'weight') return { unit, scale: scaleOf(unit === 'items' ? 1 : 100) };
  if (options.weightUnit !== null) return { unit, scale: WEIGHT_UNITS[options.weightUnit] };
  const why = `weights need a unit: --weight-unit with one of ${WEIGHT_UNIT_NAMES.join(', ')}`;
  report.error(HEADER_LINE, header, 'no_weight_unit', why);
  return null;
}

/** How files write that there is no bound. */
const NO_BOUND = /^(?:\*|-1(?:[.,]0+)?)$/;

export const isAny = (cell: string): boolean => cell === '' || cell === '*';

/** Reads the cells of one row by their index, and reports those that are not accepted. */
export class RowReader {
  readonly line: number;
  /** True once a cell could not be read. */
  isBroken = false;
  readonly #cells: readonly string[];
  readonly #source: RowSource;

  constructor({ line, cells }: CsvRow, source: RowSource) {
    this.line = line;
    this.#cells = cells;
    this.#source = source;
  }

  fail(index: number | null, code: string, message: string): null {
    this.isBroken = true;
    this.#source.report.error(this.line, index === null ? null : this.#column(index), code, message);
    return null;
  }

  /** The header's name of a column; null when it has none. */
  #column = (index: number): string | null => this.#source.columns[index] ?? null;

  text = (index: number): string => this.#cells[index] ?? '';

  /** Null for any country. */
  country(index: number): string | null {
    const cell = this.text(index);
    if (isAny(cell)) return null;
    return (
      twoLetterCode(cell) ??
      this.fail(index, 'unknown_country', `"${cell}" is not a country code of 2 or 3 letters`)
    );
  }

  /** A city, or part of a place; null for any. Refused without a country, as in the source systems. */
  place(index: number, country: string | null): string | null {
    const cell = this.text(index);
    if (isAny(cell)) return null;
    if (country === null) return this.fail(index, 'place_without_country', `"${cell}" needs a country`);
    if (cell.endsWith('*')) return this.fail(index, 'wildcard', `"${cell}" may not end in *`);
    return cell;
  }

  /** As `place`, by its ISO code where that is known; a remark says what a region is compared as. */
  region(index: number, country: string | null): string | null {
    const cell = this.place(index, country);
    if (cell === null || country === null) return cell;
    const code = regionOf(country, cell);
    const { report } = this.#source;
    if (code === null) {
      const why = `"${cell}" is no known region of ${country}: it is compared with the province of the cart as it is written`;
      report.remark(this.line, this.#column(index), 'unknown_region', why);
    } else if (code !== cell) {
      const why = `"${cell}" is compared with the province of the cart by its ISO code, ${code}`;
      report.remark(this.line, this.#column(index), 'region_code', why);
    }
    return code ?? cell;
  }

  /** A complete code, in the canonical form of the country. */
  postalCode(index: number, country: string | null): string | null {
    const cell = this.text(index);
    // A British outward part alone is canonical with a space behind it.
    const code = canonicalPostalCode(postalFormOf(country ?? ''), cell).trimEnd();
    if (!/^[A-Z0-9]+(?: [A-Z0-9]+)*$/.test(code)) {
      const why = `"${cell}" is not a postal code: letters, digits, spaces and hyphens`;
      return this.fail(index, 'not_a_postal_code', why);
    }
    return code;
  }

  /** A bound in grams, cents or pieces, rounded down; null for `*` and for -1, which stand for none. */
  boundDown = (index: number): number | null => this.#bound(index, floorOf);

  /** As `boundDown`, rounded up. */
  boundUp = (index: number): number | null => this.#bound(index, ceilOf);

  #bound(index: number, round: (value: Decimal, scale: Scale) => number): number | null {
    if (NO_BOUND.test(this.text(index))) return null;
    return round(this.#decimal(index), this.#source.scale);
  }

  cents(index: number): number {
    return this.#source.report.cents(this.#decimal(index), this.text(index), this.line, this.#column(index));
  }

  #decimal(index: number): Decimal {
    const value = this.#source.report.amount(this.text(index), this.line, this.#column(index));
    if (typeof value !== 'string') return value;
    this.fail(index, 'not_a_decimal', value);
    return 0n;
  }

  /**
   * True, with a remark, for a ZIP+4 code. The row cannot be imported, because this service compares the first five digits
   * only, which would include more destinations.
   */
  isZipPlus4(index: number, country: string | null): boolean {
    const cell = this.text(index);
    const digits = cell.replace(/[\s-]+/g, '');
    if (!/^\d{9}$/.test(digits) || (country !== null && postalFormOf(country) !== 'us')) return false;
    const why = `"${cell}" is a ZIP+4 code: those count as their first five digits, so the row is left out (for example ${digits.slice(0, 5)}-0000)`;
    this.#source.report.remark(this.line, this.#column(index), 'zip_plus_4', why);
    return true;
  }
}

interface CsvRow {
  /** 1-based line on which the row begins. */
  readonly line: number;
  /** Trimmed. */
  readonly cells: readonly string[];
}

/**
 * The rows of a table of at least `columnCount` columns, of which the first is the header; none, with an error in
 * `report`, when the text is not such a table. Empty lines are skipped.
 */
function readCsvTable(text: string, columnCount: number, report: SourceReport): readonly CsvRow[] {
  const [mark, named] = /^\uFEFF?sep=(.)(?=[\r\n])/i.exec(text) ?? [];
  // The line of the mark stays, empty, so that lines keep their numbers.
  const table = text.slice(mark?.length ?? 0);
  try {
    const records = parse(table, {
      bom: true,
      delimiter: named ?? delimiterOf(table),
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
    }) as unknown as readonly {
      readonly record: readonly string[];
      readonly info: { readonly lines: number };
    }[];
    // The parser leaves spaces within quotes.
    const rows = records
      .map(({ record, info }) => ({
        line: beginOf(record, info.lines),
        cells: record.map((cell) => cell.trim()),
      }))
      .filter(({ cells }) => cells.some((cell) => cell !== ''));
    const count = rows[0]?.cells.length ?? 0;
    if (rows.length === 0) report.error(1, null, 'not_a_table', 'the file is empty');
    else if (count >= columnCount) return rows;
    else {
      const why = `the header has ${count} ${count === 1 ? 'column' : 'columns'}, not ${columnCount}: ${SAVE_AS}`;
      report.error(rows[0]?.line ?? 1, null, 'missing_column', why);
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    // The parser names the line at the end of its message, if it does.
    const line = Number(/\bline (\d+)/.exec(error.message)?.[1] ?? 1);
    const why = error.message.replace(/ (?:at|on) line \d+.*$/, '');
    report.error(line, null, 'not_a_table', `${why}: ${SAVE_AS}`);
  }
  return [];
}

const SAVE_AS =
  'save the file as CSV in UTF-8, with commas, semicolons, tabs or pipes between the columns and quotes around texts that hold one';

const DELIMITERS = [',', ';', '\t', '|'];

/** The delimiter that stands most often in the first line that is not empty, outside of quotes. */
function delimiterOf(text: string): string {
  // A line may end with a carriage return alone.
  const header = (/[^\r\n]+/.exec(text.slice(0, 10_000))?.[0] ?? '').replace(/"[^"]*"/g, '');
  const countOf = (delimiter: string): number => header.split(delimiter).length;
  return DELIMITERS.reduce((best, each) => (countOf(each) > countOf(best) ? each : best));
}

/** The parser reports the line on which a row ends; quoted cells may hold line breaks. */
const beginOf = (cells: readonly string[], endLine: number): number =>
  endLine - cells.reduce((breaks, cell) => breaks + cell.split('\n').length - 1, 0);
