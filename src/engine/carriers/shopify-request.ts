/**
 * Converts the callback that Shopify's checkout sends to a carrier service into a simulate request. Pure. Fields have
 * the names that Shopify uses. A null from Shopify counts as absent, and unknown fields are ignored, so that a new
 * field of Shopify breaks nothing.
 */
import Type, { type Static } from '#typebox';
import {
  type CartItem,
  Customer,
  Destination,
  GRAMS_MAX,
  ORDER_TOTAL_MAX,
  type OrderTotals,
  PRICE_MAX,
  QUANTITY_MAX,
  SimulateRequest,
} from '../domain/cart.ts';
import { invalid, type Outcome, success } from '../domain/failure.ts';
import { orNull } from '../domain/schema.ts';
import { fromShopifyAmount } from './currency-units.ts';

const optionalText = Type.Optional(orNull(Type.String(), { 'x-accepts': 'a string or null' }));
/** Shopify's ids are integers; a string is accepted unchanged. */
const optionalId = Type.Optional(
  Type.Union([Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }), Type.String(), Type.Null()], {
    'x-accepts': 'a whole number from 0 to 2^53-1, a string or null',
  }),
);

const ShopifyItem = Type.Object(
  {
    name: optionalText,
    sku: optionalText,
    quantity: Type.Integer({ minimum: 1, maximum: QUANTITY_MAX }),
    grams: Type.Integer({ minimum: 0, maximum: GRAMS_MAX, description: 'Of one piece' }),
    price: Type.Integer({
      minimum: 0,
      // The bound of a cart is in the smallest unit, which may be a hundred times the unit of Shopify.
      maximum: 100 * PRICE_MAX,
      description: 'Of one piece, in hundredths of the currency, also of one that has no subunit',
    }),
    vendor: optionalText,
    requires_shipping: Type.Optional(orNull(Type.Boolean())),
    product_id: optionalId,
    variant_id: optionalId,
    properties: Type.Optional(
      Type.Unknown({ description: "The line item's own properties; only `tag`, when it is a text, is used" }),
    ),
  },
  { title: 'ShopifyItem' },
);
type ShopifyItem = Static<typeof ShopifyItem>;

const ShopifyAddress = Type.Object(
  {
    country: Destination.properties.country,
    province: optionalText,
    city: optionalText,
    postal_code: optionalText,
    name: optionalText,
    address1: optionalText,
    address2: optionalText,
    address3: optionalText,
    phone: optionalText,
    company_name: optionalText,
  },
  { title: 'ShopifyAddress' },
);

const ShopifyCustomer = Type.Object(
  { id: optionalId, tags: Customer.properties.tags },
  { title: 'ShopifyCustomer' },
);

const optionalAmount = Type.Optional(
  orNull(
    Type.Integer({
      minimum: 0,
      maximum: 100 * ORDER_TOTAL_MAX,
      description: 'In hundredths of the currency, also of one that has no subunit',
    }),
  ),
);
const ShopifyOrderTotals = Type.Object(
  { subtotal_price: optionalAmount, total_price: optionalAmount, discount_amount: optionalAmount },
  { title: 'ShopifyOrderTotals' },
);

/** `itemsMax` is the operator's limit on items per request. */
export const shopifyRequestSchema = (itemsMax: number) =>
  Type.Object(
    {
      rate: Type.Object({
        destination: ShopifyAddress,
        items: Type.Array(ShopifyItem, {
          maxItems: itemsMax,
          'x-accepts': `an array of at most ${itemsMax.toLocaleString('en-US')} items`,
        }),
        currency: SimulateRequest.properties.currency,
        locale: optionalText,
        customer: Type.Optional(orNull(ShopifyCustomer)),
        order_totals: Type.Optional(orNull(ShopifyOrderTotals)),
      }),
    },
    { title: 'ShopifyRequest' },
  );
export type ShopifyRequest = Readonly<Static<ReturnType<typeof shopifyRequestSchema>>>;

/**
 * The cart in the form of `/api/simulate`, or null when the callback has no items, so that there is nothing to ship. A
 * price or a total beyond the bounds of a request is VALIDATION_ERROR.
 */
export function simulateRequestOf(
  request: ShopifyRequest,
  shopCurrency: string,
): Outcome<SimulateRequest | null> {
  const { rate } = request;
  if (rate.items.length === 0) return success(null);
  // Shopify always sends the currency.
  const currency = (rate.currency ?? shopCurrency).toUpperCase();
  const items = rate.items.map((item) => cartItemOf(item, currency));
  const tooDear = items.findIndex(({ price }) => price > PRICE_MAX);
  if (tooDear >= 0) {
    return invalid(`/rate/items/${tooDear}/price must be at most ${PRICE_MAX.toLocaleString('en-US')} units`);
  }
  const orderTotals = orderTotalsOf(rate.order_totals, currency);
  if (Object.values(orderTotals ?? {}).some((total) => (total ?? 0) > ORDER_TOTAL_MAX)) {
    return invalid(
      `/rate/order_totals must be at most ${ORDER_TOTAL_MAX.toLocaleString('en-US')} units each`,
    );
  }
  return success({
    destination: destinationOf(rate.destination),
    items,
    currency,
    locale: rate.locale ?? null,
    ...customerOf(rate.customer),
    ...(orderTotals !== null && { orderTotals }),
  });
}

const customerOf = (customer: Static<typeof ShopifyCustomer> | null | undefined) =>
  customer === null || customer === undefined
    ? {}
    : { customer: { id: idText(customer.id), tags: customer.tags ?? null } };

function orderTotalsOf(
  totals: Static<typeof ShopifyOrderTotals> | null | undefined,
  currency: string,
): OrderTotals | null {
  if (totals === null || totals === undefined) return null;
  const amount = (value: number | null | undefined): number | null =>
    value === null || value === undefined ? null : fromShopifyAmount(value, currency);
  return {
    subtotalPrice: amount(totals.subtotal_price),
    totalPrice: amount(totals.total_price),
    discountAmount: amount(totals.discount_amount),
  };
}

const destinationOf = (address: Static<typeof ShopifyAddress>): Destination => ({
  country: address.country,
  province: address.province ?? null,
  city: address.city ?? null,
  postalCode: address.postal_code ?? null,
  name: address.name ?? null,
  address1: address.address1 ?? null,
  address2: address.address2 ?? null,
  address3: address.address3 ?? null,
  phone: address.phone ?? null,
  company: address.company_name ?? null,
});

function cartItemOf(item: ShopifyItem, currency: string): CartItem {
  const tag = tagOf(item.properties);
  return {
    name: item.name ?? null,
    sku: item.sku ?? null,
    quantity: item.quantity,
    grams: item.grams,
    price: fromShopifyAmount(item.price, currency),
    vendor: item.vendor ?? null,
    requiresShipping: item.requires_shipping ?? null,
    productId: idText(item.product_id),
    variantId: idText(item.variant_id),
    ...(tag === null ? {} : { properties: { tag } }),
  };
}

const idText = (id: number | string | null | undefined): string | null =>
  id === null || id === undefined ? null : String(id);

function tagOf(properties: unknown): string | null {
  if (typeof properties !== 'object' || properties === null || !Object.hasOwn(properties, 'tag')) return null;
  const { tag } = properties as { readonly tag: unknown };
  return typeof tag === 'string' ? tag : null;
}
