/**
 * What fields of the API are called. Editors label their fields from this table, and differences and refusals name fields
 * by it.
 */
import type { Schemas } from '../client/call-table.ts';
import { capitalized, words } from './words.ts';

/** Criteria of the gate, in the order of its form. */
export const GATE_LABELS: Readonly<Record<keyof Schemas['PromotionGate'], string>> = {
  checksPass: 'No check fails',
  secondPerson: 'A second person publishes: another key than those that made the changes',
  noNewLintErrors: 'No new error among the findings',
  noLostCarts: 'No cart loses all its rates',
  differentPercentMax: 'Carts with other rates, percent at most',
  coveragePercentMin: 'At least this share of zone and group pairs seen',
  evaluatedMin: 'At least this many carts compared',
};

/** What a key may do, the least first. */
export const PERMISSIONS: Readonly<Record<Schemas['KeyRecord']['permission'], string>> = {
  simulate: 'may ask for rates',
  read: 'may read',
  write: 'may change prices',
  admin: 'may do everything',
};

const LABELS: Readonly<Record<string, string>> = {
  directWrites: 'Changes may go live at once, without a draft and these rules',
  subtitle: 'Description',
  zoneId: 'Zone or subzone',
  productGroupId: 'Product group',
  enabled: 'Active',
  position: 'Place in its list',
  rateType: 'Priced by',
  config: 'Price',
  minPrice: 'At least',
  maxPrice: 'At most',
  freeShippingThreshold: 'Free from',
  thresholdBasis: 'Compared with',
  phoneRequired: 'The checkout asks for a phone number',
  minDays: 'Working days, at least',
  maxDays: 'Working days, at most',
  preferredMethodId: 'Method',
  adjustmentType: 'By',
  adjustmentValue: 'Amount',
  conditionType: 'Looks at',
  operator: 'Compares',
  scope: 'Items',
  isDefault: 'Default group',
  skus: 'SKUs',
  sku: 'SKU',
  request: 'Cart',
  at: 'Moment',
  kind: 'What is expected',
  totalPrice: 'Price',
  minDate: 'Not before',
  maxDate: 'Not after',
  province: 'State',
  address1: 'Address line',
  grams: 'Weight',
  requiresShipping: 'Needs shipping',
  timezone: 'Time zone',
  promotionGate: 'Rules for publishing',
  ...GATE_LABELS,
};

/** Labels that hold within one list only. */
const LABELS_IN_LISTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  rules: { name: 'Name, for you' },
  tiers: {
    minWeight: 'From',
    minPrice: 'From',
    minItems: 'From',
    maxWeight: 'To below',
    maxPrice: 'To below',
    maxItems: 'To below',
  },
  expectations: { minPrice: 'From', maxPrice: 'To' },
};

/** What an entry of a list is called. */
const ENTRIES: Readonly<Record<string, string>> = {
  rules: 'rule',
  conditions: 'condition',
  tiers: 'tier',
  subzones: 'subzone',
  preferences: 'preference',
  expectations: 'expectation',
  rates: 'rate',
  items: 'item',
};

/** Parts of a path that are left out where another part follows. */
const SILENT: readonly string[] = ['config', ...Object.keys(ENTRIES)];

/** `list`: the list that the record of the field is in. */
const labelOf = (field: string, list = ''): string =>
  LABELS_IN_LISTS[list]?.[field] ??
  LABELS[field] ??
  capitalized(words(field.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)));

/** `Free from` -> `free from`, but not `SKUs`. */
export const uncapitalized = (text: string): string =>
  /^[A-Z](?![A-Z])/.test(text) ? `${text.charAt(0).toLowerCase()}${text.slice(1)}` : text;

const partsOf = (path: string): readonly string[] => path.split('/').slice(1);

/** The label of the field at a JSON path: `/rules/0/adjustmentValue` -> `Amount`. */
export function pathLabel(path: string): string {
  const parts = partsOf(path);
  return labelOf(parts.at(-1) ?? '', parts.at(-3));
}

/** Names what is at a path of a record: `['rules', '0', 'adjustmentValue']` -> `Rule 1, amount`. */
export function fieldText(path: readonly string[]): string {
  const named = path.flatMap((part, at) => {
    const list = path[at - 1] ?? '';
    const isPlace = /^\d+$/.test(part);
    if (isPlace || list in ENTRIES)
      return [`${ENTRIES[list] ?? 'entry'} ${isPlace ? Number(part) + 1 : part}`];
    return SILENT.includes(part) && at < path.length - 1 ? [] : [uncapitalized(labelOf(part, path[at - 2]))];
  });
  return capitalized(named.join(', '));
}

/** The same of a JSON path. */
export const pathText = (path: string): string => fieldText(partsOf(path));
