/** The table of methods: which of them fit a search, in which order they stand, and what stands in their cells. */
import type { Schemas } from '../../client/call-table.ts';
import { formatMoney } from '../amounts.ts';
import { ENGLISH } from '../english.ts';
import { zoneOptions } from '../place-names.ts';
import { rateTypeText } from '../words.ts';
import type { Method } from './method-kind.ts';

export interface MethodRow {
  readonly method: Method;
  readonly zone: string;
  readonly group: string;
  /** The least and the greatest base price in the smallest unit; null where it follows from the cart alone. */
  readonly prices: readonly [least: number, most: number] | null;
  /** ISO time; null: never, undefined: not known. */
  readonly lastOfferedAt: string | null | undefined;
}

/** Columns beside the name, in their order. */
export const COLUMNS = {
  zone: 'Zone',
  group: 'Product group',
  type: 'Priced by',
  price: 'Base price',
  threshold: 'Free from',
  rules: 'Rules',
  offered: 'Last offered',
} as const;
export type Column = keyof typeof COLUMNS;
export type SortColumn = Column | 'name';

/** Shown at first. */
export const FIRST_COLUMNS: readonly Column[] = ['zone', 'group', 'price', 'threshold', 'rules', 'offered'];

export function pricesOf({ rateType, config }: Method): MethodRow['prices'] {
  const span = (prices: readonly number[]) => [Math.min(...prices), Math.max(...prices)] as const;
  switch (rateType) {
    case 'free':
      return [0, 0];
    case 'flat':
      return [config.price, config.price];
    case 'percentage':
      return null;
    case 'by_items':
      return [config.firstItemPrice, config.firstItemPrice];
    case 'by_weight':
    case 'by_dimensional_weight':
      return [config.firstPrice, config.firstPrice];
    default:
      return config.tiers.length === 0 ? null : span(config.tiers.map(({ price }) => price));
  }
}

/** `$4.95`, `$4.95 – $12.95`, `from $3.00`, `8 % of the cart`. */
export function priceText(method: Method, currency: string): string {
  const { rateType, config } = method;
  if (rateType === 'percentage') return `${config.percentage} % of the cart`;
  const prices = pricesOf(method);
  if (prices === null) return rateTypeText(rateType);
  const [least, most] = prices.map((price) => formatMoney(price, currency));
  if (rateType === 'free') return 'Free';
  if (/^by_(?:items|weight|dimensional_weight)$/.test(rateType)) return `from ${least}`;
  return least === most ? `${least}` : `${least} – ${most}`;
}

const includes = ({ method, zone, group }: MethodRow, text: string): boolean =>
  [
    method.name,
    method.serviceCode,
    method.subtitle,
    method.id,
    zone,
    group,
    ...method.rules.map(({ name }) => name),
  ].some((each) => each.toLowerCase().includes(text));

/** Every method, below its zone and group, in the order of the shop. */
export function methodRows(
  config: Schemas['ConfigSnapshot'],
  coverage: Schemas['Coverage'] | null,
): readonly MethodRow[] {
  const zones = zoneOptions(config.zones);
  const [zonePlaces, groupPlaces] = [
    zones,
    config.productGroups.map(({ id, name }) => [id, name] as const),
  ].map((list) => new Map(list.map(([id, name], place) => [id, { name, place }])));
  const offered = new Map(coverage?.methods.map(({ methodId, lastOfferedAt }) => [methodId, lastOfferedAt]));
  const at = (places: typeof zonePlaces, id: string): number => places?.get(id)?.place ?? 0;
  return config.methods
    .map((method) => ({
      method,
      zone: zonePlaces?.get(method.zoneId)?.name ?? '',
      group: groupPlaces?.get(method.productGroupId)?.name ?? '',
      prices: pricesOf(method),
      lastOfferedAt: coverage === null ? undefined : (offered.get(method.id) ?? null),
    }))
    .sort(
      ({ method: a }, { method: b }) =>
        at(zonePlaces, a.zoneId) - at(zonePlaces, b.zoneId) ||
        at(groupPlaces, a.productGroupId) - at(groupPlaces, b.productGroupId),
    );
}

export interface RowFilter {
  readonly find: string;
  /** Ids; "" for all. */
  readonly zone: string;
  readonly group: string;
  readonly state: string;
}

/** What `state` can filter by. */
export const STATES = { on: 'Active', off: 'Switched off', unseen: 'Never offered' } as const;

export function fittingRows(rows: readonly MethodRow[], { find, zone, group, state }: RowFilter) {
  const text = find.trim().toLowerCase();
  return rows.filter(
    (row) =>
      (zone === '' || row.method.zoneId === zone) &&
      (group === '' || row.method.productGroupId === group) &&
      (state === '' ||
        (state === 'unseen' ? row.lastOfferedAt === null : row.method.enabled === (state === 'on'))) &&
      (text === '' || includes(row, text)),
  );
}

const SORT_KEYS: Readonly<Record<SortColumn, (row: MethodRow) => string | number>> = {
  name: ({ method }) => method.name,
  zone: ({ zone }) => zone,
  group: ({ group }) => group,
  type: ({ method }) => rateTypeText(method.rateType),
  price: ({ prices }) => prices?.[0] ?? -1,
  threshold: ({ method }) => method.freeShippingThreshold ?? Number.POSITIVE_INFINITY,
  rules: ({ method }) => method.rules.length,
  offered: ({ lastOfferedAt }) => lastOfferedAt ?? '',
};

/** `by`: a column, with a `-` before it for the greatest first; "" keeps the order of the shop. */
export function sortedRows(rows: readonly MethodRow[], by: string): readonly MethodRow[] {
  const key = SORT_KEYS[by.replace('-', '') as SortColumn];
  if (key === undefined) return rows;
  const order = new Intl.Collator(ENGLISH, { numeric: true });
  const sign = by.startsWith('-') ? -1 : 1;
  const compared = (a: string | number, b: string | number): number =>
    typeof a === 'number' && typeof b === 'number'
      ? a === b
        ? 0
        : a - b
      : order.compare(String(a), String(b));
  return [...rows].sort((a, b) => sign * compared(key(a), key(b)));
}
