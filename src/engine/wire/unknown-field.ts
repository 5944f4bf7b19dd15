/**
 * Finds unknown fields of a simulate request, in the body and in each object in it (contract sections 10 and 12.4,
 * `strict=true`, `unread` and `X-Unknown-Fields`). The `properties` of an item may have any fields.
 */
import type { TObject, TProperties } from '#typebox';
import {
  CartItem,
  Customer,
  Destination,
  OrderTotals,
  SimulateBatchFrame,
  SimulateRequest,
} from '../domain/cart.ts';
import { type Failure, invalid } from '../domain/failure.ts';
import { beginningOf } from '../domain/text.ts';
import { pathSegment } from './schema-check.ts';

/** The fields of one kind of object. */
interface KnownFields {
  readonly names: ReadonlySet<string>;
  /** Name in another system, folded -> name in this service. */
  readonly otherNames: ReadonlyMap<string, string>;
}

/** `others`: the names of fields in other systems, folded. */
const knownFields = <P extends TProperties>(
  { properties }: TObject<P>,
  others: { readonly [N in keyof P]?: readonly string[] },
): KnownFields => ({
  names: new Set(Object.keys(properties)),
  otherNames: new Map(
    (Object.entries(others) as [string, readonly string[]][]).flatMap(([name, folds]) =>
      folds.map((fold) => [fold, name]),
    ),
  ),
});

const REQUEST = knownFields(SimulateRequest, {
  destination: ['address', 'shipto', 'shippingaddress', 'to'],
  items: ['cart', 'lineitems', 'lines', 'products'],
  customer: ['buyer'],
  locale: ['language'],
  orderTotals: ['totals'],
});
const DESTINATION = knownFields(Destination, {
  name: ['fullname'],
  company: ['companyname'],
  phone: ['phonenumber', 'telephone'],
  address1: ['address', 'line1', 'street'],
  address2: ['line2'],
  address3: ['line3'],
  city: ['town'],
  province: ['provincecode', 'region', 'state', 'statecode'],
  postalCode: ['postcode', 'zip', 'zipcode'],
  country: ['countrycode'],
});
const ITEM = knownFields(CartItem, {
  name: ['title'],
  quantity: ['amount', 'qty'],
  grams: ['weight'],
  price: ['unitprice'],
  vendor: ['brand', 'manufacturer'],
  productId: ['product'],
  variantId: ['variant'],
  properties: ['tag', 'tags'],
});
const CUSTOMER = knownFields(Customer, { id: ['customerid'], tags: ['customertags', 'groups'] });
const ORDER_TOTALS = knownFields(OrderTotals, {
  subtotalPrice: ['subtotal'],
  discountAmount: ['discount', 'discounts', 'totaldiscounts'],
  totalPrice: ['grandtotal', 'total'],
});
const BATCH = knownFields(SimulateBatchFrame, { requests: ['carts'] });

/** A field that the object at `path` does not have. */
interface UnknownField {
  readonly path: string;
  readonly name: string;
  readonly known: KnownFields;
}

/**
 * At most `max`, in the order of body, destination, customer, order totals, items. `request` may be any JSON value: parts
 * that are no objects have no fields.
 */
function unknownFields(request: unknown, max: number, path = ''): readonly UnknownField[] {
  const found: UnknownField[] = [];
  const { destination, customer, orderTotals, items } = fieldsOf(request) as Partial<SimulateRequest>;
  find(found, max, request, REQUEST, path);
  find(found, max, destination, DESTINATION, `${path}/destination`);
  find(found, max, customer, CUSTOMER, `${path}/customer`);
  find(found, max, orderTotals, ORDER_TOTALS, `${path}/orderTotals`);
  for (const [index, item] of listOf(items).entries()) find(found, max, item, ITEM, `${path}/items/${index}`);
  return found;
}

function find(found: UnknownField[], max: number, value: unknown, known: KnownFields, path: string): void {
  for (const name in fieldsOf(value)) {
    if (found.length === max) return;
    if (!known.names.has(name)) found.push({ path, name, known });
  }
}

const fieldsOf = (value: unknown): object =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The refusal of a request for its first unknown field, or null. */
export const findUnknownField = (request: SimulateRequest): Failure | null =>
  refusalOf(unknownFields(request, 1)[0]);

/** The same for a batch, without its requests. */
export function findUnknownOfBatch(batch: SimulateBatchFrame): Failure | null {
  const found: UnknownField[] = [];
  find(found, 1, batch, BATCH, '');
  return refusalOf(found[0]);
}

function refusalOf(unknown: UnknownField | undefined): Failure | null {
  if (unknown === undefined) return null;
  const { path, name, known } = unknown;
  const meant = meantBy(name, known);
  return invalid(
    `${path}/${pathSegment(name)} is unknown${meant === null ? '' : `: did you mean ${meant}?`}`,
  );
}

export const UNREAD_MAX = 20;

/** JSON paths of the unknown fields, at most `UNREAD_MAX`. */
export const unreadPaths = (request: SimulateRequest): readonly string[] =>
  unknownFields(request, UNREAD_MAX).map(({ path, name }) => `${path}/${pathSegment(name)}`);

/** Paths in `X-Unknown-Fields`. */
export const TOLD_MAX = 10;
/** Proxies refuse answers with long headers. */
const TOLD_LENGTH_MAX = 1_024;
const TOLD_NAME_LENGTH_MAX = 64;

/** The value of `X-Unknown-Fields` for the body of a simulation, any JSON value; "" without unknown fields. */
export const toldUnknown = (body: unknown): string => toldText(unknownFields(body, TOLD_MAX));

/** The same for the body of a batch. */
export function toldUnknownOfBatch(body: unknown): string {
  const found: UnknownField[] = [];
  find(found, TOLD_MAX, body, BATCH, '');
  const { requests } = fieldsOf(body) as { readonly requests?: unknown };
  for (const [index, request] of listOf(requests).entries()) {
    if (found.length === TOLD_MAX) break;
    found.push(...unknownFields(request, TOLD_MAX - found.length, `/requests/${index}`));
  }
  return toldText(found);
}

/** Of paths that are too long together, the first are told. */
function toldText(fields: readonly UnknownField[]): string {
  let told = '';
  for (const { path, name } of fields) {
    const text = `${path}/${headerSegment(name)}`;
    if (told.length + text.length >= TOLD_LENGTH_MAX) break;
    told += told === '' ? text : `,${text}`;
  }
  return told;
}

/**
 * A field name as a segment of a JSON Pointer in its URI form (RFC 6901, section 6): `~0` for a tilde, `~1` for a slash, and
 * percent-encoded UTF-8 for what a header cannot hold, a comma included. Cut when it is long.
 */
const headerSegment = (name: string): string =>
  encodeURIComponent(
    beginningOf(name, TOLD_NAME_LENGTH_MAX)
      .replace(LONE_SURROGATES, '\ufffd')
      .replaceAll('~', '~0')
      .replaceAll('/', '~1'),
  );

/** With the flag `u`, both halves of a pair are one character. */
const LONE_SURROGATES = /[\ud800-\udfff]/gu;

/** Longer names are not compared with known names. */
const NAME_LENGTH_MAX = 32;

const folded = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/** The field with this name in another system, else the nearest by edits (a third of the name at most), or null. */
function meantBy(unknown: string, { names, otherNames }: KnownFields): string | null {
  if (unknown.length > NAME_LENGTH_MAX) return null;
  const wanted = folded(unknown);
  const known = otherNames.get(wanted);
  if (known !== undefined) return known;
  let nearest: string | null = null;
  let least = Math.floor(wanted.length / 3) + 1;
  for (const name of names) {
    const edits = editDistance(wanted, folded(name));
    if (edits >= least) continue;
    least = edits;
    nearest = name;
  }
  return nearest;
}

/** Characters to insert, remove or replace until one text is the other (Levenshtein). */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
