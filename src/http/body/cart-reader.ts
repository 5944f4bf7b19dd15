/**
 * Cart reader: the body of a simulate request in one pass from its bytes to the request, without the values that
 * `JSON.parse` makes and the check that looks at them again. It reads what clients usually write. From anything else
 * it keeps its hands: `JSON.parse` and the schema alone decide what is refused, and in which words.
 */
import {
  type CartItem,
  COUNTRY_PATTERN,
  CURRENCY_PATTERN,
  type Destination,
  GRAMS_MAX,
  PRICE_MAX,
  QUANTITY_MAX,
  QUANTITY_MIN,
  type SimulateRequest,
} from '../../domain/cart.ts';
import {
  ARRAY_END,
  ARRAY_START,
  COMMA,
  FieldNames,
  JsonScanner,
  NO_FIELD,
  OBJECT_END,
  OBJECT_START,
} from './json-scanner.ts';

type ItemProperties = NonNullable<CartItem['properties']> | null;

const REQUEST = { destination: 0, items: 1, currency: 2, locale: 3 } as const satisfies Record<
  keyof SimulateRequest,
  number
>;
const DESTINATION = {
  name: 0,
  address1: 1,
  address2: 2,
  address3: 3,
  city: 4,
  province: 5,
  postalCode: 6,
  country: 7,
  phone: 8,
  company: 9,
} as const satisfies Record<keyof Destination, number>;
const ITEM = {
  name: 0,
  sku: 1,
  quantity: 2,
  grams: 3,
  price: 4,
  vendor: 5,
  productId: 6,
  variantId: 7,
  properties: 8,
  requiresShipping: 9,
} as const satisfies Record<keyof CartItem, number>;
const PROPERTIES = { tag: 0 } as const satisfies Record<keyof NonNullable<ItemProperties>, number>;

const REQUEST_FIELDS = new FieldNames(REQUEST);
const DESTINATION_FIELDS = new FieldNames(DESTINATION);
const ITEM_FIELDS = new FieldNames(ITEM);
const PROPERTIES_FIELDS = new FieldNames(PROPERTIES);

const REQUIRED_OF_ITEM = (1 << ITEM.quantity) | (1 << ITEM.grams) | (1 << ITEM.price);

/** Texts of a pattern, most of which are the same as the one before. */
class PatternTexts {
  readonly #pattern: RegExp;
  #last: string | null = null;

  constructor(pattern: string) {
    this.#pattern = new RegExp(pattern);
  }

  has(text: string): boolean {
    if (text === this.#last) return true;
    if (!this.#pattern.test(text)) return false;
    this.#last = text;
    return true;
  }
}

/**
 * Measured with three items, 820 bytes: where `JSON.parse` and the check take 4.0 us, this takes 2.4, and 3.7 instead of
 * 8.1 where other work has used the caches in between. An answer over HTTP, with 24 rules, takes 9 % less processor time.
 */
export class CartReader {
  readonly #scanner = new JsonScanner();
  readonly #countries = new PatternTexts(COUNTRY_PATTERN);
  readonly #currencies = new PatternTexts(CURRENCY_PATTERN);
  readonly #itemsMax: number;

  constructor(itemsMax: number) {
    this.#itemsMax = itemsMax;
  }

  /**
   * The request, which passes the schema and means what `JSON.parse` would say; null when that is to be asked.
   * `bytes` are valid UTF-8, and `text` is what they say. All fields are there, null where the body has none.
   */
  read(bytes: Uint8Array, text: string): SimulateRequest | null {
    this.#scanner.begin(bytes, text);
    const request = this.#request();
    return this.#scanner.end() ? request : null;
  }

  #request(): SimulateRequest | null {
    const scanner = this.#scanner;
    let destination: Destination | null = null;
    let items: CartItem[] | null = null;
    let currency: string | null = null;
    let locale: string | null = null;
    if (!scanner.take(OBJECT_START)) return null;
    let seen = 0;
    let field = NO_FIELD;
    do {
      field = scanner.field(REQUEST_FIELDS, field);
      if (isUnfit(field, seen)) return null;
      seen |= 1 << field;
      if (field === REQUEST.destination) destination = this.#destination();
      else if (field === REQUEST.items) items = this.#items();
      else if (field === REQUEST.currency) currency = scanner.textOrNull();
      else locale = scanner.textOrNull();
    } while (scanner.take(COMMA));
    if (!scanner.take(OBJECT_END) || destination === null || items === null) return null;
    if (currency !== null && !this.#currencies.has(currency)) return null;
    return { destination, items, currency, locale };
  }

  #destination(): Destination | null {
    const scanner = this.#scanner;
    if (!scanner.take(OBJECT_START)) return null;
    const texts: (string | null)[] = [null, null, null, null, null, null, null, null, null, null];
    let seen = 0;
    let field = NO_FIELD;
    do {
      field = scanner.field(DESTINATION_FIELDS, field);
      if (isUnfit(field, seen)) return null;
      seen |= 1 << field;
      texts[field] = scanner.textOrNull();
    } while (scanner.take(COMMA));
    const country = texts[DESTINATION.country] ?? null;
    if (!scanner.take(OBJECT_END) || country === null || !this.#countries.has(country)) return null;
    return {
      country,
      province: texts[DESTINATION.province] ?? null,
      city: texts[DESTINATION.city] ?? null,
      postalCode: texts[DESTINATION.postalCode] ?? null,
      name: texts[DESTINATION.name] ?? null,
      address1: texts[DESTINATION.address1] ?? null,
      address2: texts[DESTINATION.address2] ?? null,
      address3: texts[DESTINATION.address3] ?? null,
      phone: texts[DESTINATION.phone] ?? null,
      company: texts[DESTINATION.company] ?? null,
    };
  }

  #items(): CartItem[] | null {
    const scanner = this.#scanner;
    if (!scanner.take(ARRAY_START)) return null;
    const items: CartItem[] = [];
    do {
      const item = this.#item();
      if (item === null || items.length === this.#itemsMax) return null;
      items.push(item);
    } while (scanner.take(COMMA));
    return scanner.take(ARRAY_END) ? items : null;
  }

  #item(): CartItem | null {
    const scanner = this.#scanner;
    if (!scanner.take(OBJECT_START)) return null;
    let name: string | null = null;
    let sku: string | null = null;
    let vendor: string | null = null;
    let productId: string | null = null;
    let variantId: string | null = null;
    let properties: ItemProperties = null;
    let requiresShipping: boolean | null = null;
    let quantity = 0;
    let grams = 0;
    let price = 0;
    let seen = 0;
    let field = NO_FIELD;
    do {
      field = scanner.field(ITEM_FIELDS, field);
      if (isUnfit(field, seen)) return null;
      seen |= 1 << field;
      switch (field) {
        case ITEM.name:
          name = scanner.textOrNull();
          break;
        case ITEM.sku:
          sku = scanner.textOrNull();
          break;
        case ITEM.quantity:
          quantity = scanner.count(QUANTITY_MIN, QUANTITY_MAX);
          break;
        case ITEM.grams:
          grams = scanner.count(0, GRAMS_MAX);
          break;
        case ITEM.price:
          price = scanner.count(0, PRICE_MAX);
          break;
        case ITEM.vendor:
          vendor = scanner.textOrNull();
          break;
        case ITEM.productId:
          productId = scanner.textOrNull();
          break;
        case ITEM.variantId:
          variantId = scanner.textOrNull();
          break;
        case ITEM.properties:
          properties = this.#properties();
          break;
        default:
          requiresShipping = scanner.flagOrNull();
      }
    } while (scanner.take(COMMA));
    if (!scanner.take(OBJECT_END) || (seen & REQUIRED_OF_ITEM) !== REQUIRED_OF_ITEM) return null;
    return {
      name,
      sku,
      quantity,
      grams,
      price,
      vendor,
      productId,
      variantId,
      properties,
      requiresShipping,
    };
  }

  #properties(): ItemProperties {
    const scanner = this.#scanner;
    if (!scanner.take(OBJECT_START)) return scanner.nullValue();
    // Without a tag it is as good as none.
    if (scanner.take(OBJECT_END)) return null;
    if (scanner.field(PROPERTIES_FIELDS, NO_FIELD) !== PROPERTIES.tag) return scanner.giveUp();
    const tag = scanner.textOrNull();
    return scanner.take(OBJECT_END) ? { tag } : scanner.giveUp();
  }
}

/** A field that is not known, or that was there before. */
const isUnfit = (field: number, seen: number): boolean => field === NO_FIELD || (seen & (1 << field)) !== 0;
