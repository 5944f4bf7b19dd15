/**
 * The part of a simulate request that is kept for a replay, and the part that a sample shows (contract section 10.6).
 *
 * Kept is every field that can affect an answer, and no other; a personal field (name, company, street, phone, id and
 * tags of the customer) only if a rule reads it. A sample shows no personal data: of a customer's tags those that a
 * condition names, and of the other texts those that a rule or product group reads.
 */
import { compilePredicate, type Predicate, TEST, testText } from '../../engine/compile/predicate.ts';
import {
  type CartItem,
  customerTagsOf,
  READ_OBJECTS,
  type SimulateRequest,
} from '../../engine/domain/cart.ts';
import {
  CONDITION_TYPE_NAMES,
  CONDITION_TYPES,
  type ConditionType,
  type ReadObject,
} from '../../engine/domain/condition.ts';
import type { GroupMatcherField } from '../../engine/domain/product-group.ts';
import type { ShopConfig } from '../../engine/domain/shop-config.ts';
import type { PlacedConfig } from '../../engine/domain/shop-event.ts';
import { comparable } from '../../engine/domain/text.ts';

/** Condition type -> the bit of its fields in a set of fields (at most 31), for types whose fields are not always shown. */
const BITS: ReadonlyMap<ConditionType, number> = new Map(
  CONDITION_TYPE_NAMES.filter((type) => {
    const { kind, reads, privacy } = CONDITION_TYPES[type];
    const isText = kind === 'text' || kind === 'tags';
    return privacy === 'personal' || (privacy !== 'public' && isText && reads.length > 0);
  }).map((type, index) => [type, 1 << index]),
);
export const bitsOf = (types: readonly ConditionType[]): number =>
  types.reduce((bits, type) => bits | (BITS.get(type) ?? 0), 0);

const ALL_PERSONAL = bitsOf(
  CONDITION_TYPE_NAMES.filter((type) => CONDITION_TYPES[type].privacy === 'personal'),
);

const CUSTOMER_TAG = bitsOf(['customer_tag']);

/** Matchers of a product group -> the condition type that reads the same field of the request. */
const TYPE_MATCHED: readonly (readonly [GroupMatcherField, ConditionType])[] = [
  ['variantIds', 'product_variant_id'],
  ['productIds', 'product_id'],
  ['tags', 'product_tag'],
  ['vendors', 'product_vendor'],
];

type MethodRules = ShopConfig['methods'][number] | PlacedConfig['methods'][number];

/** Fields by method: after an edit only changed methods are searched again. */
const known = new WeakMap<MethodRules, number>();

function fieldsReadBy(method: MethodRules): number {
  let fields = known.get(method);
  if (fields === undefined) {
    fields = 0;
    for (const { conditions } of method.rules) {
      for (const { conditionType } of conditions) fields |= BITS.get(conditionType) ?? 0;
    }
    known.set(method, fields);
  }
  return fields;
}

/** The personal fields that any rule of the configurations reads, including disabled rules. */
export function personalFieldsRead(...configs: readonly PlacedConfig[]): number {
  let fields = 0;
  for (const { methods } of configs) {
    for (const method of methods) {
      fields |= fieldsReadBy(method) & ALL_PERSONAL;
      if (fields === ALL_PERSONAL) return fields;
    }
  }
  return fields;
}

/** A field of an object of a request that can affect an answer. */
interface KeptField {
  readonly name: string;
  /** Of the condition types that read it; 0 for a field that is always shown. */
  readonly bits: number;
  /** The numbers that one condition type reads together: left out when all are absent. */
  readonly numbers: readonly string[];
}

/** In the order of the schema, personal fields last. `unread`: one that no condition reads. */
function keptFields(of: ReadObject, unread?: string): readonly KeptField[] {
  const fields = Object.keys(READ_OBJECTS[of].properties).flatMap((name): KeptField[] => {
    const types = CONDITION_TYPE_NAMES.filter((type) => {
      const { subject, reads } = CONDITION_TYPES[type];
      return subject === of && reads.includes(name);
    });
    if (types.length === 0 && name !== unread) return [];
    const numberTypes = types.filter((type) => CONDITION_TYPES[type].kind === 'number');
    const [numbers = []] = numberTypes.map((type) => CONDITION_TYPES[type].reads);
    return [{ name, bits: bitsOf(types), numbers }];
  });
  return fields.sort((a, b) => (a.bits & ALL_PERSONAL) - (b.bits & ALL_PERSONAL));
}

const REQUEST_FIELDS = keptFields('request');
const DESTINATION_FIELDS = keptFields('destination');
const ITEM_FIELDS = keptFields('item', 'requiresShipping');
const CUSTOMER_FIELDS = keptFields('customer');
const TOTALS_FIELDS = keptFields('order');

/** A text that is absent, or of which `fields` has no bit, is null; an absent number is left out. */
function keptOf(from: object, all: readonly KeptField[], fields: number): Record<string, unknown> {
  const given = from as Readonly<Record<string, unknown>>;
  const kept: Record<string, unknown> = {};
  for (const { name, bits, numbers } of all) {
    const value = given[name] ?? null;
    if (value === null && numbers.length > 0 && numbers.every((each) => (given[each] ?? null) === null))
      continue;
    kept[name] = bits === 0 || (bits & fields) !== 0 ? value : null;
  }
  return kept;
}

function keptItem(item: CartItem, fields: number): Record<string, unknown> {
  const kept = keptOf(item, ITEM_FIELDS, fields);
  // Of the properties only the tags can affect an answer.
  if (kept['properties'] !== null) kept['properties'] = { tag: item.properties?.tag ?? null };
  return kept;
}

/** The customer or the totals of the order, without fields that are null; left out when no field is left. */
function keptIn(
  part: 'customer' | 'orderTotals',
  from: object | null | undefined,
  kept: readonly KeptField[],
  fields: number,
) {
  const given = Object.entries(keptOf(from ?? {}, kept, fields)).filter(([, value]) => value !== null);
  return given.length > 0 && { [part]: Object.fromEntries(given) };
}

function partsOf(request: SimulateRequest, fields: number): SimulateRequest {
  const parts = {
    destination: keptOf(request.destination, DESTINATION_FIELDS, fields),
    items: request.items.map((item) => keptItem(item, fields)),
    ...keptOf(request, REQUEST_FIELDS, fields),
    ...keptIn('customer', request.customer, CUSTOMER_FIELDS, fields),
    ...keptIn('orderTotals', request.orderTotals, TOTALS_FIELDS, fields),
  };
  return parts as unknown as SimulateRequest;
}

/** Of the personal fields keeps only `fields`. The answer stays the same if no rule reads another personal field. */
export const keptRequest = (request: SimulateRequest, fields: number): SimulateRequest =>
  partsOf(request, fields | ~ALL_PERSONAL);

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
      if ((read & CUSTOMER_TAG) === 0) continue;
      const conditions = method.rules.flatMap((rule) => rule.conditions);
      const onTags = conditions.filter(({ conditionType }) => conditionType === 'customer_tag');
      customerTags.push(...onTags.map(compilePredicate));
    }
    for (const [matcher, type] of TYPE_MATCHED) {
      if (productGroups.some((group) => group[matcher].length > 0)) fields |= BITS.get(type) ?? 0;
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
  const shown = { ...partsOf(request, reading.fields & ~ALL_PERSONAL), ...shownTags(request, reading) };
  return JSON.stringify(shown).length > SHOWN_REQUEST_LENGTH_MAX ? null : shown;
}
