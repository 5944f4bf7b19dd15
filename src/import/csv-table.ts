/** A CSV file as rows with their line numbers; the first row is the header. */
import { CsvError, parse } from 'csv-parse/sync';
import type { SourceFindings } from './source-finding.ts';

interface CsvRow {
  /** 1-based line on which the row begins. */
  readonly line: number;
  /** Trimmed. */
  readonly cells: readonly string[];
}

interface CsvTable {
  readonly header: readonly string[];
  readonly rows: readonly CsvRow[];
}

/**
 * Reads a table of at least `columnCount` columns; null, with an error in `errors`, when the text is no such table. Empty
 * lines are skipped.
 */
export function readCsvTable(text: string, columnCount: number, errors: SourceFindings): CsvTable | null {
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
