/**
 * The small alphabets for random shops and carts. Configurations and requests share them, so that conditions match,
 * codes are at the bounds of patterns and totals meet thresholds often enough.
 */
import fc, { type Arbitrary } from 'fast-check';

export const pick = <T>(pool: readonly T[]): Arbitrary<T> => fc.constantFrom(...pool);

/** Draws from the pools with the given weights. */
export const weighted = <T>(...choices: readonly [number, Arbitrary<T>][]): Arbitrary<T> =>
  fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })));

export const CENTS_LIMIT = Number.MAX_SAFE_INTEGER;

export const PRICES = [0, 1, 5, 50, 99, 100, 250, 333, 999, 1000, 2500, 12_345];
export const SIDE_LIMIT = 100_000;
export const SIDES = [0, 1, 10, 99, 100, 101, 200, 350, 1200, SIDE_LIMIT];
export const GRAMS = [0, 1, 99, 100, 250, 500, 999, 1000, 5000];
export const QUANTITIES = [1, 1, 1, 2, 2, 3, 5, 10];
const HUGE_PRICES = [CENTS_LIMIT, CENTS_LIMIT - 1, 2 ** 52, 2 ** 52 - 1, 9_007_199_254_740_000];
export const PERCENTAGES = [0, 0.01, 0.5, 1, 2.5, 7.77, 10, 12.5, 33.33, 99.99, 100, 150.05, 1000];
export const POINTS = [0, 1, 5, 10, 15, 33, 50, 99, 100, 101, 250, 1000];

/** Typical amounts in cents; sometimes near 2^53. */
export const cents = weighted<number>([24, pick(PRICES)], [1, pick(HUGE_PRICES)]);

/** Text without control characters or lone surrogates, as configurations allow. */
export const PRINTABLE_NAMES = [
  'Standard',
  'Express',
  'Über Nacht',
  'Next "day"',
  'back\\slash',
  '5 \u{1F69A} trucks',
  'line\u2028and\u2029paragraph',
  '<b>&amp;</b>',
  'Español 日本語',
  'ΑΣ',
  '\uFEFFmark\u00A0space',
];

/** Any text that JSON can represent, as a shop system may send. */
const ITEM_NAMES = [
  ...PRINTABLE_NAMES,
  'Widget Pro',
  'widget pro, blue',
  ' Widget  ',
  '',
  'tab\tand\nline',
  'bell\u0007 null\u0000 esc\u001b del\u007f',
  'lone \ud800 high',
  'lone \udc00 low',
  '\udc00\ud800',
  'c1 \u0085',
];

const anyUnits = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 6 })
  .map((units) => String.fromCharCode(...units));
export const itemName = weighted<string>([9, pick(ITEM_NAMES)], [1, anyUnits]);

export const SKUS = [
  'HVY-1',
  'hvy-2',
  'ABC',
  'abc',
  'ab*c',
  'A,B',
  '12',
  ' HVY-1 ',
  'Ü1',
  'ü1',
  'ΑΣ1',
  'b\\c',
];
export const SKU_NUMBERS = [12, 0, -5, 9_007_199_254_740_991];
export const VENDORS = ['Acme', 'ACME', 'acme co', 'Ärmel', 'O"Neil', 'İstanbul', 'acme*'];
export const PRODUCT_IDS = ['p1', 'P2', '3', 'p10', '12'];
export const VARIANT_IDS = ['v1', 'V2', '900', 'v10', '12'];
export const TAGS = [
  'fragile',
  'VIP',
  'vip',
  'hazmat',
  'Very Fragile',
  'a b',
  'Über',
  'U\u0308ber',
  'a \u00a0 b',
  'x*',
  'v',
];
export const TITLES = ['Widget Pro', 'widget pro, blue', 'Widget', 'pro', 'Über Nacht', '日本', '\u{1F69A}'];

/** For texts of any kind. */
export const WORDS = ['alpha', 'Beta', 'beta 2', 'Größe', 'gamma, delta'];
export const CURRENCIES = ['USD', 'EUR', 'usd', 'GBP'];
export const LOCALES = ['en', 'en-US', 'de', 'de-AT', 'FR'];
export const STATES = ['CA', 'NY', 'AK', 'HI', 'ny'];
export const CITIES = [
  'Berlin',
  'New York',
  'Köln',
  'Ko\u0308ln',
  'San José',
  'san jose\u0301',
  'york',
  'New\u00a0 York',
];
export const PEOPLE = ['Ann', 'Bob Ünal', 'ann marie', 'Q. "Doc" R'];
export const COMPANIES = ['Acme Inc', 'ACME', 'Inc, Ltd', 'Müller & Söhne'];
export const PHONES = ['+1 555 0100', '030 123', '555'];
export const ADDRESS_LINES = [
  'PO Box 12',
  'P.O. Box',
  '12 Main St',
  'Apt 4',
  'Straße 5',
  ' Main',
  'PO  Box 12',
  'po\u00a0box',
  'PO\tBox\n12',
  'E\u0301tage',
  'Étage',
  '   ',
  'st apt',
];

export const REQUEST_COUNTRIES = ['US', 'us', 'GB', 'gb', 'JE', 'IM', 'DE', 'FR', 'CA', 'JP', 'NL', 'PR'];
export const ZONE_COUNTRIES: readonly (readonly string[])[] = [
  ['US'],
  ['US'],
  ['US', 'CA'],
  ['GB', 'US'],
  ['GB', 'JE', 'IM'],
  ['DE', 'FR'],
  ['NL', 'PR'],
  ['*'],
  ['*'],
  ['*'],
  ['FR', '*', 'DE'],
  [],
];
/** Countries of the first zone, so that most carts are in a zone. */
export const FIRST_ZONE_COUNTRIES: readonly (readonly string[])[] = [
  ['US'],
  ['US', 'GB', 'DE', 'JE'],
  ['US', 'DE', 'FR'],
  ['DE', '*'],
  ['US', '*'],
  ['*'],
];

/** Spellings of codes that other codes and patterns here have in ASCII. */
const SPELLED_CODES = [
  ...[
    '９９５０１',
    '〒998-11',
    '998\u201311',
    '99\u200b501',
    '9\u00ad9811',
    'pa6\u00a07ln',
    'ＰＡ６ ７ＬＮ',
    '012\u30fc3456',
  ],
];
const US_CODES = [
  ...['99501', '99811', '99811-0001', '998110001', '99 501', '99820', '99850', '95000', '15000', '10115'],
];
export const UK_CODES = [
  ...[
    'PA6 7LN',
    'pa67ln',
    'PA67 1AA',
    'pa6-7ln',
    'IV40 8AA',
    'iv408aa',
    'JE2 3AB',
    'SW1A 1AA',
    'PA6',
    'PA67',
    'iv4',
    'IV40',
  ],
];
const OTHER_CODES = [
  ...['10115', '15000', '1', '12', '0150', 'K1A 0B6', 'k1a-0b6', '012-3456', '1A', 'A1', 'ß1 2', '1 00 00'],
  ...['1A345', '123456789012', '', ' ', '-', ' - '],
];
const DUTCH_CODES = ['1012 AB', '1012ab', '1012', '1100 AA', '10125'];
/** A country with a postal code, mostly one of that country. */
export const COUNTRY_CODES: Arbitrary<readonly [country: string, code: string]> = weighted(
  [6, fc.tuple(pick(['US', 'US', 'US', 'us']), pick(US_CODES))],
  [3, fc.tuple(pick(['GB', 'GB', 'gb', 'JE', 'IM', 'GG']), pick(UK_CODES))],
  [3, fc.tuple(pick(['DE', 'FR', 'CA', 'JP']), pick([...US_CODES, ...OTHER_CODES]))],
  [1, fc.tuple(pick(['NL', 'PR']), pick([...US_CODES, ...DUTCH_CODES]))],
  [2, fc.tuple(pick(REQUEST_COUNTRIES), pick([...US_CODES, ...UK_CODES, ...OTHER_CODES, ...SPELLED_CODES]))],
);
export const POSTAL_PATTERNS = [
  ...[
    '*',
    '*',
    '9*',
    '9*',
    '99*',
    '1*',
    'P*',
    '995*',
    '998*',
    '99811',
    '99811-0001',
    '998110001',
    '99501',
    '99 5 01',
  ],
  ...[
    '99801-99850',
    '99800-99899',
    '99811-99811',
    '998 01 - 998 50',
    '10000-20000',
    '1-9',
    '10-20',
    '0100-0200',
  ],
  ...[
    'PA6 7*',
    'PA67*',
    'PA6 *',
    'pa6*',
    'PA6  7*',
    'PA6 7LN',
    'pa67ln',
    'IV40 8AA',
    'IV*',
    'JE2*',
    'JE2 3*',
    'PA6',
    'PA6-PA67',
    'iv40 - iv40',
    'PA1-PA6',
  ],
  ...['1000-1099', '1012-1012', '1012 AB', '1012*', '９９８＊', '998\u201311', '012－3456'],
  ...['K1A*', 'K1A 0*', 'k1a-0b6', '012-3456', '012-3*', '1*', 'A1', 'SS1*', '100000000000-200000000000'],
];
/** Operands of contains, starts_with and ends_with on postal codes. */
export const POSTAL_PARTS = [
  '9',
  '99',
  '811',
  'PA6',
  'PA6 7',
  '6 7',
  '67',
  '7ln',
  '1aa',
  '-0001',
  '8-1',
  'A1',
  '0',
];

export const TIMEZONES = [
  'America/New_York',
  'America/New_York',
  'Europe/London',
  'Europe/Berlin',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Pacific/Kiritimati',
  'America/St_Johns',
  'UTC',
];

/** Times of clock changes and of ends of days, months and years in some time zone. */
const MOMENTS = [
  '2026-03-08T07:00:00Z',
  '2026-11-01T06:00:00Z',
  '2026-03-29T01:00:00Z',
  '2026-10-25T01:00:00Z',
  '2026-04-04T15:00:00Z',
  '2026-10-03T15:30:00Z',
  '2024-02-29T00:00:00Z',
  '2027-01-01T00:00:00Z',
  '2026-11-23T05:00:00Z',
  '2026-11-18T17:00:00Z',
  '2038-01-19T03:14:08Z',
  '1883-11-18T17:00:00Z',
  '9999-12-31T23:30:00Z',
].map((moment) => Date.parse(moment));

const MINUTE_MS = 60_000;
/** The time of a simulation, in ms: one of these times, or minutes to hours away from it. */
export const nowMs: Arbitrary<number> = fc
  .tuple(pick(MOMENTS), pick([0, -1, 1, -30, 30, -60, 60, 299, -240, 720]), pick([0, 0, -1, 59_999]))
  .map(([moment, minutes, ms]) => moment + minutes * MINUTE_MS + ms);

export const TIMES = ['00:00', '00:30', '01:00', '02:00', '02:30', '03:00', '12:00', '17:00', '23:59'];
export const DATES = [
  '2024-02-29',
  '2026-03-08',
  '2026-03-29',
  '2026-11-01',
  '2026-11-18',
  '2026-12-31',
  '2027-01-01',
];

/** Ids are numbered from 0, so that conditions can name them without knowing the shop. */
export const ZONES_MAX = 4;
export const SUBZONES_MAX = 3;
export const GROUPS_MAX = 4;
export const zoneId = (zone: number): string => `zone_${zone}`;
export const subzoneId = (zone: number, subzone: number): string => `sub_${zone}_${subzone}`;
export const groupId = (group: number): string => `group_${group}`;
