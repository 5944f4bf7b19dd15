/** The frame of every import of a rate table: a CSV file whose rows are read one by one. */
import { readCsvTable } from './csv-table.ts';
import { configOfRateTable, type RateRow } from './rate-table.ts';
import { SourceAmounts } from './source-amounts.ts';
import { type Imported, SourceFindings } from './source-finding.ts';
import { RowReader, type TableOptions, type TableUnits, unitsOfTable } from './table-cells.ts';

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
