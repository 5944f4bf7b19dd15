/**
 * Finds unknown fields of a simulate request, in the body and in each object in it (contract section 10, `strict=true` and
 * `unread`). The `properties` of an item may have any fields.
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

interface UnknownField {
  readonly path: string;
  /** The known field that the client probably meant, or null. */
  readonly meant: string | null;
}

/** In the order of body, destination, customer, order totals, items. `request` has passed the schema. */
function* unknownFields(request: SimulateRequest): Generator<UnknownField, void> {
  yield* unknownIn(request, REQUEST, '');
  yield* unknownIn(request.destination, DESTINATION, '/destination');
  yield* unknownIn(request.customer ?? {}, CUSTOMER, '/customer');
  yield* unknownIn(request.orderTotals ?? {}, ORDER_TOTALS, '/orderTotals');
  for (const [index, item] of request.items.entries()) yield* unknownIn(item, ITEM, `/items/${index}`);
}

function* unknownIn(value: object, known: KnownFields, path: string): Generator<UnknownField, void> {
  for (const name of Object.keys(value)) {
    if (!known.names.has(name)) yield { path: `${path}/${pathSegment(name)}`, meant: meantBy(name, known) };
  }
}

/** The refusal of a request for its first unknown field, or null. */
export const findUnknownField = (request: SimulateRequest): Failure | null =>
  refusalOf(unknownFields(request));

/** The same for a batch, without its requests. */
export const findUnknownOfBatch = (batch: SimulateBatchFrame): Failure | null =>
  refusalOf(unknownIn(batch, BATCH, ''));

function refusalOf(fields: Iterable<UnknownField>): Failure | null {
  for (const { path, meant } of fields) {
    return invalid(`${path} is unknown${meant === null ? '' : `: did you mean ${meant}?`}`);
  }
  return null;
}

export const UNREAD_MAX = 20;

/** JSON paths of the unknown fields, at most `UNREAD_MAX`. */
export function unreadPaths(request: SimulateRequest): readonly string[] {
  const paths: string[] = [];
  for (const { path } of unknownFields(request)) {
    if (paths.push(path) === UNREAD_MAX) break;
  }
  return paths;
}

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
