/**
 * The request of a sample, for a replay in simulate (contract section 10.6). It contains no personal data. Other
 * texts are kept only if a rule or product group of one of the configurations reads them, and of a customer's tags those
 * that a condition names.
 */
import { compilePredicate, type Predicate, TEST, testText } from '../compile/predicate.ts';
import { customerTagsOf, type SimulateRequest } from '../domain/cart.ts';
import type { ConditionType } from '../domain/condition.ts';
import type { ProductGroup } from '../domain/product-group.ts';
import type { ShippingMethod } from '../domain/shipping-method.ts';
import type { ShopConfig } from '../domain/shop-config.ts';
import { comparable } from '../domain/text.ts';
import { keptRequest } from './kept-request.ts';

/** Maximum characters of JSON; a larger request is not kept. */
const SHOWN_REQUEST_LENGTH_MAX = 8_192;

/** Condition type -> the field of the request that it reads. */
const FIELD_READ = {
  destination_city: 'city',
  cart_locale: 'locale',
  product_title: 'name',
  product_vendor: 'vendor',
  product_id: 'productId',
  product_variant_id: 'variantId',
  product_tag: 'tag',
} as const satisfies Partial<Record<ConditionType, string>>;

type Field = (typeof FIELD_READ)[keyof typeof FIELD_READ];

/** Matchers of a product group -> the field of the request that they read. */
const FIELD_MATCHED = {
  variantIds: 'variantId',
  productIds: 'productId',
  tags: 'tag',
  vendors: 'vendor',
} as const satisfies Partial<Record<keyof ProductGroup, Field>>;

/** What rules and groups read of a request. */
export interface FieldsRead {
  readonly fields: ReadonlySet<Field>;
  /** The conditions on tags of the customer. */
  readonly customerTags: readonly Predicate[];
}

/** What any rule or group of these configurations reads. */
export function fieldsRead(configs: readonly ShopConfig[]): FieldsRead {
  const fields = new Set<Field>();
  const customerTags: Predicate[] = [];
  for (const { methods, productGroups } of configs) {
    for (const method of methods) {
      const read = readByMethod(method);
      for (const field of read.fields) fields.add(field);
      customerTags.push(...read.customerTags);
    }
    for (const group of productGroups) {
      for (const [matcher, field] of Object.entries(FIELD_MATCHED)) {
        if (group[matcher as keyof typeof FIELD_MATCHED].length > 0) fields.add(field);
      }
    }
  }
  return { fields, customerTags };
}

/** Fields by method: after an edit only changed methods are searched again. */
const known = new WeakMap<ShippingMethod, FieldsRead>();

function readByMethod(method: ShippingMethod): FieldsRead {
  let read = known.get(method);
  if (read === undefined) {
    const conditions = method.rules.flatMap((rule) => rule.conditions);
    const types = new Set(conditions.map(({ conditionType }) => conditionType));
    const fields = [...types].flatMap((type) =>
      type in FIELD_READ ? [FIELD_READ[type as keyof typeof FIELD_READ]] : [],
    );
    const ofTags = conditions.filter(({ conditionType }) => conditionType === 'customer_tag');
    read = { fields: new Set(fields), customerTags: ofTags.map(compilePredicate) };
    known.set(method, read);
  }
  return read;
}

/** The tags without which no condition would answer otherwise; each of them where a condition asks if there is any. */
function shownTags({ customer }: SimulateRequest, { customerTags }: FieldsRead) {
  const tags = customerTagsOf(customer).filter((tag) =>
    customerTags.some((predicate) => predicate.test === TEST.isEmpty || testText(predicate, comparable(tag))),
  );
  return tags.length === 0 ? {} : { customer: { tags } };
}

/** Returns the request to show; null when it is too large. */
export function shownRequest(request: SimulateRequest, reading: FieldsRead): SimulateRequest | null {
  const kept = keptRequest(request, 0);
  const read = <T>(field: Field, value: T): T | null => (reading.fields.has(field) ? value : null);
  const shown = {
    ...kept,
    ...shownTags(request, reading),
    destination: { ...kept.destination, city: read('city', kept.destination.city) },
    items: kept.items.map((item) => ({
      ...item,
      name: read('name', item.name),
      vendor: read('vendor', item.vendor),
      productId: read('productId', item.productId),
      variantId: read('variantId', item.variantId),
      properties: read('tag', item.properties),
    })),
    locale: read('locale', kept.locale),
  };
  return JSON.stringify(shown).length > SHOWN_REQUEST_LENGTH_MAX ? null : (shown as SimulateRequest);
}
