/**
 * The simulate request: a destination and a cart (contract sections 5 and 11). Only the country and, per item,
 * quantity, grams and price are required; null counts as absent; unknown fields are ignored.
 */
import Type, { type Static, type TSchema } from '#typebox';
import { ISO_TIME_ACCEPTS, ISO_TIME_PATTERN } from './iso-time.ts';
import { orNull } from './schema.ts';
import { splitTags } from './text.ts';

export const QUANTITY_MIN = 1;
export const QUANTITY_MAX = 1_000_000;
export const GRAMS_MAX = 1_000_000_000;
export const PRICE_MAX = 1_000_000_000;
/** Millimetres of one side of an item. */
export const SIDE_MAX = 100_000;
/** A time in a body, the clock of time conditions. */
export const IsoTime = Type.String({ pattern: ISO_TIME_PATTERN, 'x-accepts': ISO_TIME_ACCEPTS });
/** Cents of a total of the order after discounts. */
export const ORDER_TOTAL_MAX = 1_000_000_000_000;
const COUNTRY_PATTERN = '^[A-Za-z]{2}$';
const CURRENCY_PATTERN = '^[A-Za-z]{3}$';

const accepts = (text: string) => ({ 'x-accepts': text });
const countAccepts = (minimum: number, maximum: number, unit: string): string =>
  `a whole number from ${minimum} to ${maximum.toLocaleString('en-US')} (${unit})`;
const count = (minimum: number, maximum: number, unit: string) =>
  Type.Integer({ minimum, maximum, ...accepts(countAccepts(minimum, maximum, unit)) });

const optional = <T extends TSchema>(schema: T, acceptsText?: string) =>
  Type.Optional(orNull(schema, acceptsText === undefined ? {} : accepts(acceptsText)));
const optionalCount = (minimum: number, maximum: number, unit: string) =>
  optional(Type.Integer({ minimum, maximum }), `${countAccepts(minimum, maximum, unit)} or null`);
const optionalText = optional(Type.String(), 'a string or null');
const optionalIdText = Type.Optional(
  Type.Union(
    [
      Type.String(),
      Type.Integer({ minimum: -Number.MAX_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }),
      Type.Null(),
    ],
    accepts('a string, a whole number of at most 2^53-1, or null'),
  ),
);

const side = optionalCount(0, SIDE_MAX, 'millimetres');

export const CartItem = Type.Object(
  {
    name: optionalText,
    sku: optionalIdText,
    quantity: count(QUANTITY_MIN, QUANTITY_MAX, 'pieces'),
    grams: count(0, GRAMS_MAX, 'grams of one piece'),
    price: count(0, PRICE_MAX, 'cents of one piece'),
    vendor: optionalText,
    productId: optionalIdText,
    variantId: optionalIdText,
    properties: optional(Type.Object({ tag: optional(Type.String(), 'comma-separated tags') })),
    requiresShipping: optional(Type.Boolean(), 'true, false or null'),
    length: side,
    width: side,
    height: side,
  },
  { title: 'CartItem' },
);
export type CartItem = Readonly<Static<typeof CartItem>>;

export const Destination = Type.Object(
  {
    country: Type.String({
      pattern: COUNTRY_PATTERN,
      ...accepts('an ISO 3166-1 alpha-2 country code'),
      examples: ['US'],
    }),
    province: optionalText,
    city: optionalText,
    postalCode: optionalText,
    name: optionalText,
    address1: optionalText,
    address2: optionalText,
    address3: optionalText,
    phone: optionalText,
    company: optionalText,
  },
  { title: 'Destination' },
);
export type Destination = Readonly<Static<typeof Destination>>;

/** The customer of the order (contract section 11.1). Tags of an array are not split at commas. */
export const Customer = Type.Object(
  {
    id: optionalIdText,
    tags: Type.Optional(
      Type.Union(
        [Type.String(), Type.Array(Type.String()), Type.Null()],
        accepts('comma-separated tags, an array of strings, or null'),
      ),
    ),
  },
  { title: 'Customer' },
);
export type Customer = Readonly<Static<typeof Customer>>;

/** The tags of the customer, trimmed, without blank tags. */
export function customerTagsOf(customer: Customer | null | undefined): readonly string[] {
  const tags = customer?.tags ?? '';
  return typeof tags === 'string'
    ? splitTags(tags)
    : tags.map((tag) => tag.trim()).filter((tag) => tag !== '');
}

const orderTotal = optionalCount(0, ORDER_TOTAL_MAX, 'cents');

/** Totals of the order after discounts (contract section 11.2). */
export const OrderTotals = Type.Object(
  { subtotalPrice: orderTotal, totalPrice: orderTotal, discountAmount: orderTotal },
  { title: 'OrderTotals' },
);
export type OrderTotals = Readonly<Static<typeof OrderTotals>>;

export const ITEMS_MAX_DEFAULT = 500;

/** The items of a request; `itemsMax` is the operator's limit. */
export const itemList = <T extends TSchema>(item: T, itemsMax: number) =>
  Type.Array(item, {
    minItems: 1,
    maxItems: itemsMax,
    ...accepts(`an array of 1 to ${itemsMax.toLocaleString('en-US')} items`),
  });

/** `itemsMax` is the operator's limit on items per request. */
export const simulateRequestSchema = (itemsMax: number) =>
  Type.Object(
    {
      destination: Destination,
      items: itemList(CartItem, itemsMax),
      currency: optional(Type.String({ pattern: CURRENCY_PATTERN }), 'a currency code of 3 letters'),
      locale: optionalText,
      customer: optional(Customer),
      orderTotals: optional(OrderTotals),
    },
    { title: 'SimulateRequest' },
  );

export const BATCH_REQUESTS_MAX = 100;

const batchSchema = <R extends TSchema>(request: R) =>
  Type.Object(
    {
      requests: Type.Array(request, {
        minItems: 1,
        maxItems: BATCH_REQUESTS_MAX,
        ...accepts(`an array of 1 to ${BATCH_REQUESTS_MAX} simulate requests`),
      }),
      at: Type.Optional(
        orNull(Type.String({ pattern: ISO_TIME_PATTERN }), {
          description: 'The clock of time conditions for all of them, as the query parameter',
          ...accepts(ISO_TIME_ACCEPTS),
        }),
      ),
    },
    { title: 'SimulateBatch' },
  );

/** Several carts that are answered from one version; `itemsMax` is the operator's limit on items of each. */
export const simulateBatchSchema = (itemsMax: number) => batchSchema(simulateRequestSchema(itemsMax));
/** The schema of a batch without its requests: each request is checked in its turn, and its refusal is its answer. */
export const SimulateBatchFrame = batchSchema(Type.Unknown());
export type SimulateBatchFrame = Readonly<Static<typeof SimulateBatchFrame>>;

export const SimulateRequest = simulateRequestSchema(ITEMS_MAX_DEFAULT);
export type SimulateRequest = Readonly<Static<typeof SimulateRequest>>;

/** What conditions read: a whole request, and the objects in it. */
export const READ_OBJECTS = {
  item: CartItem,
  order: OrderTotals,
  request: SimulateRequest,
  customer: Customer,
  destination: Destination,
} as const;

/**
 * The fields of a request in an answer, which may have been written under another limit on items. Use them without the
 * title: it belongs to the schema with the operator's limit.
 */
export const KEPT_REQUEST_FIELDS = {
  ...SimulateRequest.properties,
  items: Type.Array(CartItem, { minItems: 1 }),
};
