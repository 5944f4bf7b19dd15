/** MatrixRate as plainly as it can be read: the first kind of place that has fitting rows gives all of them. */

export interface MatrixRow {
  readonly country: string;
  readonly region: string;
  readonly city: string;
  readonly zipFrom: string;
  readonly zipTo: string;
  readonly from: number;
  readonly to: number;
  readonly price: string;
  readonly delivery: string;
}

export interface MatrixPlace {
  readonly country: string;
  readonly region: string;
  readonly city: string;
  readonly zip: string;
}

/** Which of region, city and zip a row of each kind names. */
const KINDS: readonly (readonly [region: boolean, city: boolean, zip: boolean])[] = [
  [true, true, true],
  [true, false, true],
  [true, true, false],
  [false, true, false],
  [false, false, true],
  [true, false, false],
  [false, false, false],
];

/** All prices that are offered, with their delivery types. */
export function matrixRates(rows: readonly MatrixRow[], place: MatrixPlace, value: number): MatrixRow[] {
  const fits = (row: MatrixRow): boolean => row.from < value && value <= row.to;
  for (const [region, city, zip] of KINDS) {
    const found = rows.filter(
      (row) =>
        row.country === place.country &&
        (row.region !== '*') === region &&
        (row.city !== '*') === city &&
        (row.zipFrom !== '*') === zip &&
        (!region || row.region === place.region) &&
        (!city || row.city.toLowerCase() === place.city.toLowerCase()) &&
        (!zip || takesZip(row, place.zip)) &&
        fits(row),
    );
    if (found.length > 0) return found;
  }
  return rows.filter((row) => row.country === '*' && fits(row));
}

function takesZip({ zipFrom, zipTo }: MatrixRow, zip: string): boolean {
  if (zipFrom.endsWith('%')) return zip.startsWith(zipFrom.slice(0, -1));
  if (zipTo === '') return zip === zipFrom;
  return /^\d+$/.test(zip) && Number(zip) >= Number(zipFrom) && Number(zip) <= Number(zipTo);
}

export const matrixText = (rows: readonly MatrixRow[]): string =>
  [
    'Country,Region/State,City,Zip/Postal Code From,Zip/Postal Code To,Price From,Price To,Shipping Price,Delivery Type',
    ...rows.map((row) => Object.values(row).join(',')),
  ].join('\n');
