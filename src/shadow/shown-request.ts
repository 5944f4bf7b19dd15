/**
 * The request of a sample, for a replay in simulate (contract section 10.6). It contains no personal data. Other
 * texts are kept only if a rule or product group of one of the configurations reads them.
 */
import type { SimulateRequest } from '../domain/cart.ts';
import type { ConditionType } from '../domain/condition.ts';
import type { ProductGroup } from '../domain/product-group.ts';
import type { ShippingMethod } from '../domain/shipping-method.ts';
import type { ShopConfig } from '../domain/shop-config.ts';
import { keptRequest } from './kept-request.ts';
import { PERSONAL_FIELD } from './personal-fields.ts';

/** Maximum characters of JSON; a larger request is not kept. */
const SHOWN_REQUEST_LENGTH_MAX = 8_192;

/** Condition type -> the field of the request that it reads. */
const FIELD_READ = {
  destination_city: 'city',
  cart_locale: 'locale',
  customer_tag: 'customerTags',
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

/** The fields that any rule or group of these configurations reads. */
export function fieldsRead(configs: readonly ShopConfig[]): ReadonlySet<Field> {
  const fields = new Set<Field>();
  for (const { methods, productGroups } of configs) {
    for (const method of methods) for (const field of fieldsOfMethod(method)) fields.add(field);
    for (const group of productGroups) {
      for (const [matcher, field] of Object.entries(FIELD_MATCHED)) {
        if (group[matcher as keyof typeof FIELD_MATCHED].length > 0) fields.add(field);
      }
    }
  }
  return fields;
}

/** Fields by method: after an edit only changed methods are searched again. */
const known = new WeakMap<ShippingMethod, readonly Field[]>();

function fieldsOfMethod(method: ShippingMethod): readonly Field[] {
  let fields = known.get(method);
  if (fields === undefined) {
    const types = method.rules.flatMap(({ conditions }) =>
      conditions.map(({ conditionType }) => conditionType),
    );
    fields = [...new Set(types)].flatMap((type) =>
      type in FIELD_READ ? [FIELD_READ[type as keyof typeof FIELD_READ]] : [],
    );
    known.set(method, fields);
  }
  return fields;
}

/** Returns the request to show; null when it is too large. */
export function shownRequest(request: SimulateRequest, fields: ReadonlySet<Field>): SimulateRequest | null {
  const kept = keptRequest(request, fields.has('customerTags') ? PERSONAL_FIELD.customerTags : 0);
  const read = <T>(field: Field, value: T): T | null => (fields.has(field) ? value : null);
  const shown = {
    ...kept,
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
