/**
 * Fields of a simulate request that this service does not know: of the body and of each object in it (contract section
 * 10, `strict=true` and `unread`). The `properties` of an item may hold what a shop puts there.
 */
import type { TObject } from '#typebox';
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

/** The fields of one kind of object, and their names in other systems. */
interface KnownFields {
  readonly names: ReadonlySet<string>;
  /** Folded name in another system -> name here. */
  readonly otherNames: Readonly<Record<string, string>>;
}

const knownFields = ({ properties }: TObject, otherNames: KnownFields['otherNames']): KnownFields => ({
  names: new Set(Object.keys(properties)),
  otherNames,
});

const REQUEST = knownFields(SimulateRequest, {
  address: 'destination',
  buyer: 'customer',
  cart: 'items',
  language: 'locale',
  lineitems: 'items',
  lines: 'items',
  products: 'items',
  shipto: 'destination',
  shippingaddress: 'destination',
  to: 'destination',
  totals: 'orderTotals',
});
const DESTINATION = knownFields(Destination, {
  address: 'address1',
  companyname: 'company',
  countrycode: 'country',
  fullname: 'name',
  line1: 'address1',
  line2: 'address2',
  line3: 'address3',
  phonenumber: 'phone',
  postcode: 'postalCode',
  provincecode: 'province',
  region: 'province',
  state: 'province',
  statecode: 'province',
  street: 'address1',
  telephone: 'phone',
  town: 'city',
  zip: 'postalCode',
  zipcode: 'postalCode',
});
const ITEM = knownFields(CartItem, {
  amount: 'quantity',
  brand: 'vendor',
  manufacturer: 'vendor',
  product: 'productId',
  qty: 'quantity',
  tag: 'properties',
  tags: 'properties',
  title: 'name',
  unitprice: 'price',
  variant: 'variantId',
  weight: 'grams',
});
const CUSTOMER = knownFields(Customer, { customerid: 'id', customertags: 'tags', groups: 'tags' });
const ORDER_TOTALS = knownFields(OrderTotals, {
  discount: 'discountAmount',
  discounts: 'discountAmount',
  grandtotal: 'totalPrice',
  subtotal: 'subtotalPrice',
  total: 'totalPrice',
  totaldiscounts: 'discountAmount',
});
const BATCH = knownFields(SimulateBatchFrame, { carts: 'requests' });

interface UnknownField {
  readonly path: string;
  /** The known field that the client probably meant, or null. */
  readonly meant: string | null;
}

/** `request` passed the schema. Fields come in the order of body, destination, customer, order totals, items. */
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

/** The refusal of a request with an unknown field, which it names, or null. */
export const findUnknownField = (request: SimulateRequest): Failure | null =>
  refusalOf(unknownFields(request));

/** The same for the fields of a batch outside its requests. */
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
function meantBy(name: string, { names, otherNames }: KnownFields): string | null {
  if (name.length > NAME_LENGTH_MAX) return null;
  const wanted = folded(name);
  if (Object.hasOwn(otherNames, wanted)) return otherNames[wanted] ?? null;
  let nearest: string | null = null;
  let least = Math.floor(wanted.length / 3) + 1;
  for (const known of names) {
    const edits = editDistance(wanted, folded(known));
    if (edits >= least) continue;
    least = edits;
    nearest = known;
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
