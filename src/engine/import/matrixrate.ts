/**
 * MatrixRate (WebShopApps): `Country,Region/State,City,Zip from,Zip to,<condition> from,<condition> to,Shipping
 * Price,Delivery Type`. A row fits a value above `from` up to and including `to`; `*` is no bound. Of the rows that fit, all of the most
 * specific place are offered, each as a method named by its delivery type.
 */
import { canonicalPostalPart, postalFormOf, RANGE_DIGITS_MAX } from '../domain/postal-code.ts';
import { NAME_LENGTH_MAX, slugOf } from '../domain/text.ts';
import type { RateRow } from './rate-table.ts';
import type { Imported } from './source-report.ts';
import { importTable, isAny, type RowReader, type TableOptions } from './source-table.ts';

const COLUMNS = {
  country: 0,
  region: 1,
  city: 2,
  postalFrom: 3,
  postalTo: 4,
  from: 5,
  to: 6,
  price: 7,
  delivery: 8,
} as const;

const SLUG_LENGTH_MAX = 60;

/** The fields among region, city and postal code that a row names, most specific first. */
const LEVELS = ['region city postal', 'region postal', 'region city', 'city', 'postal', 'region', ''];

export const importMatrixRate = (text: string, options: TableOptions): Imported =>
  importTable(text, options, {
    columnCount: 9,
    boundColumn: COLUMNS.from,
    readRow,
    rateRows: (rows) => rows,
  });

function readRow(row: RowReader): RateRow | null {
  const country = row.country(COLUMNS.country);
  if (row.isBroken) return null;
  const region = row.region(COLUMNS.region, country);
  const city = row.place(COLUMNS.city, country);
  const postal = readPostal(row, country);
  const isLeftOut = row.isZipPlus4(COLUMNS.postalFrom, country);
  const above = row.boundDown(COLUMNS.from);
  // Without a lower bound a row also fits the value 0.
  const from = above === null ? 0 : above + 1;
  const upTo = isAny(row.text(COLUMNS.to)) ? null : row.boundDown(COLUMNS.to);
  const priceCents = row.cents(COLUMNS.price);
  const methodName = row.text(COLUMNS.delivery);
  if (isAny(methodName) || methodName.length > NAME_LENGTH_MAX) {
    const why = `a delivery type of 1 to ${NAME_LENGTH_MAX} characters is needed`;
    row.fail(COLUMNS.delivery, 'no_delivery_type', why);
  }
  if (!row.isBroken && upTo !== null && upTo < from) {
    row.fail(COLUMNS.to, 'empty_interval', 'no whole value lies above "from" and up to "to"');
  }
  const named = Object.entries({ region, city, postal }).filter(([, place]) => place !== null);
  const level = LEVELS.indexOf(named.map(([field]) => field).join(' '));
  if (!row.isBroken && level < 0) {
    const why = 'a city with a postal code needs a region: MatrixRate never finds such a row';
    row.fail(null, 'unknown_place', why);
  }
  if (row.isBroken || isLeftOut) return null;
  return {
    level: country === null ? LEVELS.length : level,
    country,
    region,
    city,
    postal,
    from,
    to: upTo === null ? null : upTo + 1,
    priceCents,
    methodName,
    serviceCode: `matrixrate_${slugOf(methodName, SLUG_LENGTH_MAX) || 'rate'}`,
  };
}

/** A code, a prefix with a trailing % or *, or a range of numbers; null for any. */
function readPostal(row: RowReader, country: string | null): string | null {
  const from = row.text(COLUMNS.postalFrom);
  const to = row.text(COLUMNS.postalTo);
  if (isAny(from)) {
    return isAny(to) ? null : row.fail(COLUMNS.postalFrom, 'no_range_start', 'a range needs its first code');
  }
  if (country === null)
    return row.fail(COLUMNS.postalFrom, 'place_without_country', `"${from}" needs a country`);
  // A space before the wildcard counts where codes keep theirs: `PA6 %` does not take PA67.
  const wildcard = /^(.*[A-Za-z0-9]\s*)[%*]$/.exec(from)?.[1];
  if (wildcard !== undefined && isAny(to)) {
    if (!/^[A-Za-z0-9 -]+$/.test(wildcard)) {
      const why = `"${from}" is not the beginning of a postal code`;
      return row.fail(COLUMNS.postalFrom, 'not_a_postal_code', why);
    }
    return `${canonicalPostalPart(postalFormOf(country), wildcard)}*`;
  }
  if (isAny(to) || to === from) return row.postalCode(COLUMNS.postalFrom, country);
  const [first, last] = [from, to].map((code) => code.replace(/[\s-]+/g, '')) as [string, string];
  const isRange = /^\d+$/.test(first) && /^\d+$/.test(last) && first.length === last.length;
  if (!isRange || first.length > RANGE_DIGITS_MAX) {
    const why = 'both ends of a range are numbers of equally many digits';
    return row.fail(COLUMNS.postalTo, 'not_a_range', why);
  }
  if (first > last) return row.fail(COLUMNS.postalTo, 'not_a_range', 'the range ends before it begins');
  return `${first}-${last}`;
}
