/**
 * Cart reader: the body of a simulate request in one pass from its bytes to the request, without the values that
 * `JSON.parse` makes and the check that looks at them again. It follows the schema and reads what clients usually write;
 * anything else it leaves to `JSON.parse` and the schema check, which alone decide what is refused, and in which words.
 *
 * Measured with three items, 820 bytes: `JSON.parse`, the bounds and the check take 7.5 us, this takes 2.7; a request
 * over HTTP takes a tenth less processor time.
 */
import { type SimulateRequest, simulateRequestSchema } from '../../domain/cart.ts';
import type { SchemaNode } from '../../wire/schema-check.ts';
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

/** Reads one value; null where the scanner gave up, and for null where the schema accepts it. */
type ReadValue = (scanner: JsonScanner) => unknown;

export class CartReader {
  readonly #scanner = new JsonScanner();
  readonly #read: ReadValue;

  constructor(itemsMax: number) {
    this.#read = readerOf(simulateRequestSchema(itemsMax) as SchemaNode);
  }

  /**
   * The request, which passes the schema and means what `JSON.parse` would say; null when that is to be asked.
   * `bytes` are valid UTF-8, and `text` is what they say. All fields are there, null where the body has none.
   */
  read(bytes: Uint8Array, text: string): SimulateRequest | null {
    this.#scanner.begin(bytes, text);
    const request = this.#read(this.#scanner) as SimulateRequest;
    return this.#scanner.end() ? request : null;
  }
}

/** Of several alternatives the first is what clients usually write. */
function readerOf(schema: SchemaNode): ReadValue {
  const { anyOf } = schema;
  const isNullable = anyOf?.some(({ type }) => type === 'null') === true;
  const node = anyOf?.[0] ?? schema;
  switch (node.type) {
    case 'object':
      return recordReader(node, isNullable);
    case 'array':
      return listReader(node);
    case 'integer': {
      const { minimum = 0, maximum = 0 } = node;
      return (scanner) => scanner.count(minimum, maximum);
    }
    case 'boolean':
      return (scanner) => scanner.flagOrNull();
    default: {
      const read = node.pattern === undefined ? textOrNull : patternReader(node.pattern);
      return isNullable ? read : (scanner) => read(scanner) ?? scanner.giveUp();
    }
  }
}

const textOrNull = (scanner: JsonScanner): string | null => scanner.textOrNull();

/** Texts of a pattern, most of which are the same as the one before. */
function patternReader(pattern: string): (scanner: JsonScanner) => string | null {
  const expected = new RegExp(pattern);
  let last: string | null = null;
  return (scanner) => {
    const text = scanner.textOrNull();
    if (text === last || text === null) return text;
    if (!expected.test(text)) return scanner.giveUp();
    last = text;
    return text;
  };
}

function listReader({ items = {}, maxItems = 0 }: SchemaNode): ReadValue {
  const readItem = readerOf(items);
  return (scanner) => {
    if (!scanner.take(ARRAY_START)) return scanner.giveUp();
    const list: unknown[] = [];
    do {
      if (list.length === maxItems || scanner.isUnusual) return scanner.giveUp();
      list.push(readItem(scanner));
    } while (scanner.take(COMMA));
    return scanner.take(ARRAY_END) ? list : scanner.giveUp();
  };
}

function recordReader({ properties = {}, required = [] }: SchemaNode, isNullable: boolean): ReadValue {
  const names = Object.keys(properties);
  const readers = Object.values(properties).map(readerOf);
  const fields = new FieldNames(names);
  const empty: Readonly<Record<string, unknown>> = Object.fromEntries(names.map((name) => [name, null]));
  const wanted = required.reduce((bits, name) => bits | (1 << names.indexOf(name)), 0);
  return (scanner) => {
    if (!scanner.take(OBJECT_START)) return isNullable ? scanner.nullValue() : scanner.giveUp();
    // Without a field it is as good as none.
    if (isNullable && scanner.take(OBJECT_END)) return null;
    const record: Record<string, unknown> = { ...empty };
    let seen = 0;
    let field = NO_FIELD;
    do {
      field = scanner.field(fields, field);
      // A field that is not known, or that was there before.
      if (field === NO_FIELD || (seen & (1 << field)) !== 0) return scanner.giveUp();
      seen |= 1 << field;
      record[names[field] as string] = (readers[field] as ReadValue)(scanner);
    } while (scanner.take(COMMA));
    return scanner.take(OBJECT_END) && (seen & wanted) === wanted ? record : scanner.giveUp();
  };
}
