/** A CSV file as rows with their line numbers; the first row is the header. */
import { CsvError, parse } from 'csv-parse/sync';

export interface CsvRow {
  /** 1-based line on which the row begins. */
  readonly line: number;
  /** Trimmed. */
  readonly cells: readonly string[];
}

export interface CsvTable {
  readonly header: readonly string[];
  readonly rows: readonly CsvRow[];
}

/** Reads a table; a string is what is wrong with it. Lines without any text are passed over. */
export function readCsvTable(text: string): CsvTable | string {
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
    const rows = records.map(({ record, info }) => ({ line: beginOf(record, info.lines), cells: record }));
    const [header, ...others] = rows.filter(({ cells }) => cells.some((cell) => cell !== ''));
    return header === undefined ? 'the file is empty' : { header: header.cells, rows: others };
  } catch (error) {
    if (error instanceof CsvError) return error.message;
    throw error;
  }
}

const firstLine = (text: string): string => text.slice(0, 1_000).split('\n', 1)[0] ?? '';

/** The parser tells the line on which a row ends; quoted cells may hold line breaks. */
const beginOf = (cells: readonly string[], endLine: number): number =>
  endLine - cells.reduce((breaks, cell) => breaks + cell.split('\n').length - 1, 0);
