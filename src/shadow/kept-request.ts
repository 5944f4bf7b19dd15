/**
 * The part of a simulate request that is kept for a replay, and the part that a sample shows (contract section 10.6).
 *
 * Kept is every field that can affect an answer, and no other; a personal field (name, company, street, phone, id and
 * tags of the customer) only if a rule reads it. A sample shows no personal data: of a customer's tags those that a
 * condition names, and of the other texts those that a rule or product group reads.
 */
import { compilePredicate, type Predicate, TEST, testText } from '../compile/predicate.ts';
import { type CartItem, customerTagsOf, type Destination, type SimulateRequest } from '../domain/cart.ts';
import type { ConditionType } from '../domain/condition.ts';
import type { GroupMatcherField } from '../domain/product-group.ts';
import type { ShopConfig } from '../domain/shop-config.ts';
import type { PlacedConfig } from '../domain/shop-event.ts';
import { comparable } from '../domain/text.ts';
import { finishSteps, NEVER, type ShouldYield, type WorkSteps } from '../pace/work-steps.ts';

/** Condition type that reads a text of the request -> the bit of this text in a set of fields. */
export const FIELD = {
  // Personal: kept only if a rule reads them.
  destination_name: 1,
  destination_company: 2,
  destination_phone: 4,
  destination_address: 8,
  customer_id: 16,
  customer_tag: 32,
  // A sample shows them only if something reads them.
  destination_city: 64,
  cart_locale: 128,
  product_title: 256,
  product_vendor: 512,
  product_id: 1024,
  product_variant_id: 2048,
  product_tag: 4096,
} as const satisfies Partial<Record<ConditionType, number>>;

const ALL_PERSONAL = 2 * FIELD.customer_tag - 1;

const FIELD_OF: Partial<Record<ConditionType, number>> = FIELD;

/** Matchers of a product group -> the field of the request that they read. */
const FIELD_MATCHED: readonly (readonly [GroupMatcherField, number])[] = [
  ['variantIds', FIELD.product_variant_id],
  ['productIds', FIELD.product_id],
  ['tags', FIELD.product_tag],
  ['vendors', FIELD.product_vendor],
];

type MethodRules = ShopConfig['methods'][number] | PlacedConfig['methods'][number];

/** Fields by method: after an edit only changed methods are searched again. */
const known = new WeakMap<MethodRules, number>();

function fieldsReadBy(method: MethodRules): number {
  let fields = known.get(method);
  if (fields === undefined) {
    fields = 0;
    for (const { conditions } of method.rules) {
      for (const { conditionType } of conditions) fields |= FIELD_OF[conditionType] ?? 0;
    }
    known.set(method, fields);
  }
  return fields;
}

/** The personal fields that any rule of the configurations reads, including disabled rules; asks after each method. */
export function* personalFieldsSteps(
  configs: readonly PlacedConfig[],
  shouldYield: ShouldYield,
): WorkSteps<number> {
  let fields = 0;
  for (const { methods } of configs) {
    for (const method of methods) {
      fields |= fieldsReadBy(method) & ALL_PERSONAL;
      if (fields === ALL_PERSONAL) return fields;
      if (shouldYield()) yield;
    }
  }
  return fields;
}

/** As `personalFieldsSteps`, without yielding. */
export const personalFieldsRead = (...configs: readonly PlacedConfig[]): number =>
  finishSteps(personalFieldsSteps(configs, NEVER));

/** Of the personal fields keeps only `fields`. The answer stays the same if no rule reads another personal field. */
export function keptRequest(request: SimulateRequest, fields: number): SimulateRequest {
  const { destination, items, currency, locale, orderTotals } = request;
  return {
    destination: keptDestination(destination, fields),
    items: items.map(keptItem),
    currency: currency ?? null,
    locale: locale ?? null,
    ...keptCustomer(request, fields),
    ...(typeof orderTotals?.totalPrice === 'number' && {
      orderTotals: { totalPrice: orderTotals.totalPrice },
    }),
  };
}

function keptCustomer({ customer }: SimulateRequest, fields: number): Pick<SimulateRequest, 'customer'> {
  const hasId = (fields & FIELD.customer_id) !== 0;
  const hasTags = (fields & FIELD.customer_tag) !== 0;
  if (customer === undefined || customer === null || !(hasId || hasTags)) return {};
  return {
    customer: { ...(hasId && { id: customer.id ?? null }), ...(hasTags && { tags: customer.tags ?? null }) },
  };
}

function keptDestination(destination: Destination, fields: number): Destination {
  const { country, province, city, postalCode, name, company, phone } = destination;
  const { address1, address2, address3 } = destination;
  const ifRead = (field: number, text: string | null | undefined) =>
    (fields & field) !== 0 ? (text ?? null) : null;
  return {
    country,
    province: province ?? null,
    city: city ?? null,
    postalCode: postalCode ?? null,
    name: ifRead(FIELD.destination_name, name),
    company: ifRead(FIELD.destination_company, company),
    phone: ifRead(FIELD.destination_phone, phone),
    address1: ifRead(FIELD.destination_address, address1),
    address2: ifRead(FIELD.destination_address, address2),
    address3: ifRead(FIELD.destination_address, address3),
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

/** Maximum characters of JSON; a larger request is not shown. */
const SHOWN_REQUEST_LENGTH_MAX = 8_192;

/** What rules and groups read of a request. */
export interface FieldsRead {
  readonly fields: number;
  /** The conditions on tags of the customer. */
  readonly customerTags: readonly Predicate[];
}

/** What any rule or group of these configurations reads. */
export function fieldsRead(configs: readonly ShopConfig[]): FieldsRead {
  let fields = 0;
  const customerTags: Predicate[] = [];
  for (const { methods, productGroups } of configs) {
    for (const method of methods) {
      const read = fieldsReadBy(method);
      fields |= read;
      if ((read & FIELD.customer_tag) === 0) continue;
      const conditions = method.rules.flatMap((rule) => rule.conditions);
      const onTags = conditions.filter(({ conditionType }) => conditionType === 'customer_tag');
      customerTags.push(...onTags.map(compilePredicate));
    }
    for (const [matcher, field] of FIELD_MATCHED) {
      if (productGroups.some((group) => group[matcher].length > 0)) fields |= field;
    }
  }
  return { fields, customerTags };
}

/** The tags that a condition matches; all tags when a condition asks whether there are any. */
function shownTags({ customer }: SimulateRequest, { customerTags }: FieldsRead) {
  const tags = customerTagsOf(customer).filter((tag) =>
    customerTags.some((predicate) => predicate.test === TEST.isEmpty || testText(predicate, comparable(tag))),
  );
  return tags.length === 0 ? {} : { customer: { tags } };
}

/** Returns the request to show; null when it is too large. */
export function shownRequest(request: SimulateRequest, reading: FieldsRead): SimulateRequest | null {
  const kept = keptRequest(request, 0);
  const read = <T>(field: number, value: T): T | null => ((reading.fields & field) !== 0 ? value : null);
  const shown = {
    ...kept,
    ...shownTags(request, reading),
    destination: { ...kept.destination, city: read(FIELD.destination_city, kept.destination.city) },
    items: kept.items.map((item) => ({
      ...item,
      name: read(FIELD.product_title, item.name),
      vendor: read(FIELD.product_vendor, item.vendor),
      productId: read(FIELD.product_id, item.productId),
      variantId: read(FIELD.product_variant_id, item.variantId),
      properties: read(FIELD.product_tag, item.properties),
    })),
    locale: read(FIELD.cart_locale, kept.locale),
  };
  return JSON.stringify(shown).length > SHOWN_REQUEST_LENGTH_MAX ? null : (shown as SimulateRequest);
}
