/** Magento's table rates as plainly as they can be read: filter, sort, take the first. */

export interface TableRow {
  readonly country: string;
  readonly region: string;
  readonly zip: string;
  /** As written, in the unit of the table. */
  readonly bound: string;
  readonly price: string;
}

export interface Place {
  readonly country: string;
  readonly region: string;
  readonly zip: string;
}

const isAny = (cell: string): boolean => cell === '' || cell === '*';

/** The price as written, or null; `value` is in the unit of the table. */
export function tableRate(rows: readonly TableRow[], place: Place, value: number): string | null {
  const beforeDash = place.zip.split('-')[0];
  const fitting = rows.filter(
    (row) =>
      (isAny(row.country) || row.country === place.country) &&
      (isAny(row.region) || row.region === place.region) &&
      (isAny(row.zip) || row.zip === place.zip || row.zip === beforeDash) &&
      Number(row.bound) <= value,
  );
  const rank = (row: TableRow): number[] => [
    isAny(row.country) ? 0 : 1,
    isAny(row.region) ? 0 : 1,
    isAny(row.zip) ? 0 : row.zip === place.zip ? 2 : 1,
    Number(row.bound),
  ];
  const [best] = fitting.sort((a, b) => {
    const [left, right] = [rank(a), rank(b)];
    const at = left.findIndex((each, index) => each !== right[index]);
    return at < 0 ? 0 : (right[at] ?? 0) - (left[at] ?? 0);
  });
  return best?.price ?? null;
}

export const tableText = (header: string, rows: readonly TableRow[]): string =>
  [
    `Country,Region/State,"Zip/Postal Code","${header}","Shipping Price"`,
    ...rows.map(({ country, region, zip, bound, price }) =>
      [country, region, `"${zip}"`, bound, price].join(','),
    ),
  ].join('\r\n');
