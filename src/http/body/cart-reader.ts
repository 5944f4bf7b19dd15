/**
 * Cart reader: reads a simulate request from its bytes in one pass, without `JSON.parse` and the schema check after it.
 * It follows the schema and reads the usual forms of a body. It leaves every other body to `JSON.parse` and the schema
 * check, which alone decide on refusals and their messages.
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

/** Reads one value. Returns null when the scanner gave up, or for a null that the schema accepts. */
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

/** Uses the first of several alternatives, which is the one that clients usually write. */
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
      if (isNullable) return (scanner) => scanner.countOrNull(minimum, maximum);
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

/** Reads texts that match a pattern. Most are equal to the previous text, so the last match is kept. */
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
    // An object without fields counts as absent.
    if (isNullable && scanner.take(OBJECT_END)) return null;
    const record: Record<string, unknown> = { ...empty };
    let seen = 0;
    let field = NO_FIELD;
    do {
      field = scanner.field(fields, field);
      // An unknown or repeated field.
      if (field === NO_FIELD || (seen & (1 << field)) !== 0) return scanner.giveUp();
      seen |= 1 << field;
      record[names[field] as string] = (readers[field] as ReadValue)(scanner);
    } while (scanner.take(COMMA));
    return scanner.take(OBJECT_END) && (seen & wanted) === wanted ? record : scanner.giveUp();
  };
}
