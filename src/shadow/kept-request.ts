/**
 * The part of a simulate request that is kept for a replay: every field that can affect an answer, and no other. Fields
 * that the contract does not name are dropped too.
 */
import type { CartItem, Destination, SimulateRequest } from '../domain/cart.ts';
import { PERSONAL_FIELD } from './personal-fields.ts';

/** Of the personal fields keeps only `fields`. The answer stays the same if no rule reads another personal field. */
export function keptRequest(request: SimulateRequest, fields: number): SimulateRequest {
  return {
    destination: keptDestination(request.destination, fields),
    items: request.items.map(keptItem),
    currency: request.currency ?? null,
    locale: request.locale ?? null,
    ...keptCustomer(request, fields),
    ...keptOrderTotal(request),
  };
}

function keptCustomer({ customer }: SimulateRequest, fields: number): Pick<SimulateRequest, 'customer'> {
  const hasId = (fields & PERSONAL_FIELD.customerId) !== 0;
  const hasTags = (fields & PERSONAL_FIELD.customerTags) !== 0;
  if (customer === undefined || customer === null || !(hasId || hasTags)) return {};
  return {
    customer: { ...(hasId && { id: customer.id ?? null }), ...(hasTags && { tags: customer.tags ?? null }) },
  };
}

const keptOrderTotal = ({ orderTotals }: SimulateRequest): Pick<SimulateRequest, 'orderTotals'> =>
  typeof orderTotals?.totalPrice === 'number' ? { orderTotals: { totalPrice: orderTotals.totalPrice } } : {};

function keptDestination(destination: Destination, fields: number): Destination {
  const { country, province, city, postalCode, name, company, phone } = destination;
  const { address1, address2, address3 } = destination;
  const hasStreet = (fields & PERSONAL_FIELD.street) !== 0;
  return {
    country,
    province: province ?? null,
    city: city ?? null,
    postalCode: postalCode ?? null,
    name: (fields & PERSONAL_FIELD.name) !== 0 ? (name ?? null) : null,
    company: (fields & PERSONAL_FIELD.company) !== 0 ? (company ?? null) : null,
    phone: (fields & PERSONAL_FIELD.phone) !== 0 ? (phone ?? null) : null,
    address1: hasStreet ? (address1 ?? null) : null,
    address2: hasStreet ? (address2 ?? null) : null,
    address3: hasStreet ? (address3 ?? null) : null,
  };
}

const keptSides = ({ length = null, width = null, height = null }: CartItem) =>
  length === null && width === null && height === null ? {} : { length, width, height };

const keptItem = (item: CartItem): CartItem => ({
  name: item.name ?? null,
  sku: item.sku ?? null,
  quantity: item.quantity,
  grams: item.grams,
  price: item.price,
  vendor: item.vendor ?? null,
  productId: item.productId ?? null,
  variantId: item.variantId ?? null,
  properties:
    item.properties === undefined || item.properties === null ? null : { tag: item.properties.tag ?? null },
  requiresShipping: item.requiresShipping ?? null,
  ...keptSides(item),
});
