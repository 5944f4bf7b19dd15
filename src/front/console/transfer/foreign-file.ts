/** Files of other systems, which the command line translates into a configuration. */

export interface ForeignSystem {
  readonly name: string;
  /** Where its file comes from. */
  readonly from: string;
  /** The system as `import --from` names it. */
  readonly option: string;
  readonly example: string;
  readonly isIts: (text: string) => boolean;
}

/** The words of the first line of a table. */
const headerOf = (text: string): string =>
  (/^[^\r\n]*/.exec(text.replace(/^sep=.\r?\n/i, ''))?.[0] ?? '').toLowerCase();
const isTable = (text: string): boolean => /country/.test(headerOf(text)) && !/^\s*[[{]/.test(text);
const hasRanges = (text: string): boolean => /zip.* from/.test(headerOf(text));

export const FOREIGN_SYSTEMS: readonly ForeignSystem[] = [
  {
    name: 'Magento table rates',
    from: 'Stores, Configuration, Sales, Delivery methods, Table rates: Export CSV',
    option: 'magento-tablerate',
    example: 'tablerates.csv',
    isIts: (text) => isTable(text) && !hasRanges(text),
  },
  {
    name: 'WebShopApps Matrixrate',
    from: 'Stores, Configuration, Sales, Delivery methods, Matrixrate: Export CSV',
    option: 'matrixrate',
    example: 'matrixrates.csv',
    isIts: (text) => isTable(text) && hasRanges(text),
  },
  {
    name: 'WooCommerce shipping zones',
    from: 'The REST API, read by the program export-woocommerce.mjs of data/migration',
    option: 'woocommerce-zones',
    example: 'zones.json',
    isIts: (text) => /^\s*[[{]/.test(text) && /"locations"\s*:/.test(text) && /"method_id"\s*:/.test(text),
  },
];

export const foreignSystemOf = (text: string): ForeignSystem | undefined =>
  FOREIGN_SYSTEMS.find(({ isIts }) => isIts(text));

export const translation = ({ option }: ForeignSystem, file: string): string =>
  `ratewright import --from ${option} ${/^[\w.-]+$/.test(file) ? file : `'${file.replaceAll("'", `'\\''`)}'`} --out shop.json`;
