/** A German shop, as a shipping manager types it in English, and as it is stored then. */

/** As a mail of the carrier has them: every dash and every separator. */
export const ISLANDS =
  '18565\u00a0; 25846 – 25847,25849\n25859\t25863—25869 26465\n26474;26486 26548-26571, 26579, 27498*';
const STORED_ISLANDS =
  '18565, 25846-25847, 25849, 25859, 25863-25869, 26465, 26474, 26486, 26548-26571, 26579, 27498*';

export interface MethodRow {
  readonly name: string;
  readonly zone: string;
  readonly group: 'Everything else' | 'Furniture';
  readonly type: string;
  /** Labels of fields and what is typed, a number as in English. */
  readonly fields: Readonly<Record<string, string>>;
  /** Where each tier ends, and its price. */
  readonly tiers?: readonly (readonly [end: string, price: string])[];
}

export const PARCEL: MethodRow = {
  ...{ name: 'Parcel', zone: 'Germany', group: 'Everything else', type: 'by_weight_table' },
  fields: { 'Free from (EUR)': '1,000.00' },
  tiers: [
    ['5', '4.90'],
    ['31.5', '9.90'],
    ['', '19.90'],
  ],
};

/** Beside the parcel, methods with every kind of field for a price. */
export const OTHERS: readonly MethodRow[] = [
  {
    ...{ name: 'Forwarder', zone: 'Germany', group: 'Furniture', type: 'by_items' },
    fields: { 'First item price (EUR)': '49.90', 'Additional item price (EUR)': '19.90' },
  },
  {
    ...{ name: 'Ferry', zone: 'Germany › Islands', group: 'Furniture', type: 'flat' },
    fields: { 'Price (EUR)': '89.00' },
  },
  {
    ...{ name: 'EU freight', zone: 'European Union', group: 'Furniture', type: 'by_dimensional_weight' },
    fields: {
      ...{ Divisor: '5,000', 'First weight': '20', 'First price (EUR)': '119.00' },
      ...{ 'Additional weight': '10', 'Additional price (EUR)': '24.50' },
    },
  },
  {
    ...{ name: 'Swiss parcel', zone: 'Switzerland', group: 'Everything else', type: 'percentage' },
    fields: { 'Percentage (%)': '12.5', 'At least (EUR)': '9.90', 'At most (EUR)': '60' },
  },
];

/** A rule of each action in the parcel: what it looks at, the value, the amount, and the sentence that it is. */
export const RULES: readonly (readonly [
  action: string,
  type: string,
  value: string,
  amount: string,
  text: string,
])[] = [
  ['hide', 'Item weight', '20', '', 'Hide if an item weighs 20 kg or more'],
  ['show', 'Cart total', '1', '', 'Show if the cart costs €1.00 or more'],
  ['free', 'Cart total', '500', '', 'Make free if the cart costs €500.00 or more'],
  ['adjust_add', 'Subzone', 'Germany › Islands', '8.50', 'Add €8.50 if the subzone is Islands'],
  ['adjust_subtract', 'Cart total', '50', '1', 'Subtract €1.00 if the cart costs €50.00 or more'],
];

export const STORED = {
  zones: [
    ['Germany', ['DE'], [['Islands', STORED_ISLANDS]]],
    [
      'European Union',
      'AT BE BG CY CZ DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' '),
      [],
    ],
    ['Switzerland', ['CH'], []],
  ],
  groups: [
    ['Everything else', true, []],
    ['Furniture', false, ['furniture', 'Möbel']],
  ],
  methods: [
    [
      'Parcel',
      {
        tiers: [
          { minWeight: 0, maxWeight: 5_000, price: 490 },
          { minWeight: 5_000, maxWeight: 31_500, price: 990 },
          { minWeight: 31_500, maxWeight: null, price: 1_990 },
        ],
      },
      100_000,
    ],
    ['Forwarder', { firstItemPrice: 4_990, additionalItemPrice: 1_990 }, null],
    ['Ferry', { price: 8_900 }, null],
    [
      'EU freight',
      {
        ...{ divisor: 5_000, firstWeight: 20_000, firstPrice: 11_900 },
        ...{ additionalWeight: 10_000, additionalPrice: 2_450 },
      },
      null,
    ],
    ['Swiss parcel', { percentage: 12.5, minPrice: 1_290, maxPrice: 6_000 }, null],
  ],
  rules: [
    ['hide', 'product_weight', '20000', null],
    ['show', 'cart_total', '100', null],
    ['free', 'cart_total', '50000', null],
    ['adjust_add', 'destination_subzone', 'Islands', 850],
    ['adjust_subtract', 'cart_total', '5000', 100],
  ],
};
