/**
 * Three checks of one contract, the simulate request: the schema of the service compiled by `typebox` and by
 * its predecessor `@sinclair/typebox`, and a check written by hand, which is as fast as checking can be.
 */
import * as sinclair from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import {
  GRAMS_MAX,
  ITEMS_MAX_DEFAULT,
  PRICE_MAX,
  QUANTITY_MAX,
  SimulateRequest,
} from '../../src/engine/domain/cart.ts';
import { compileSchema } from '../../src/engine/wire/schema-check.ts';

type RequestCheck = (value: unknown) => boolean;

type JsonSchema = Readonly<Record<string, unknown>>;

/** The same schema for the other library, which keeps the kind of a type beside its JSON Schema. */
function toSinclair(schema: JsonSchema): sinclair.TSchema {
  if (Array.isArray(schema['anyOf'])) return sinclair.Type.Union(schema['anyOf'].map(toSinclair));
  switch (schema['type']) {
    case 'object': {
      const required = new Set((schema['required'] ?? []) as string[]);
      const properties = Object.entries(schema['properties'] as Record<string, JsonSchema>);
      return sinclair.Type.Object(
        Object.fromEntries(
          properties.map(([name, property]) => {
            const converted = toSinclair(property);
            return [name, required.has(name) ? converted : sinclair.Type.Optional(converted)];
          }),
        ),
      );
    }
    case 'array': {
      const { minItems, maxItems } = schema as { minItems?: number; maxItems?: number };
      return sinclair.Type.Array(toSinclair(schema['items'] as JsonSchema), {
        ...(minItems === undefined ? {} : { minItems }),
        ...(maxItems === undefined ? {} : { maxItems }),
      });
    }
    case 'string': {
      const pattern = schema['pattern'];
      return sinclair.Type.String(typeof pattern === 'string' ? { pattern } : {});
    }
    case 'integer': {
      const { minimum, maximum } = schema as { minimum: number; maximum: number };
      return sinclair.Type.Integer({ minimum, maximum });
    }
    case 'boolean':
      return sinclair.Type.Boolean();
    case 'null':
      return sinclair.Type.Null();
    default:
      throw new Error(`no counterpart for ${JSON.stringify(schema)}`);
  }
}

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isOptionalText = (value: unknown): boolean =>
  value === undefined || value === null || typeof value === 'string';
const isOptionalIdText = (value: unknown): boolean => isOptionalText(value) || Number.isSafeInteger(value);
const isWhole = (value: unknown, min: number, max: number): boolean =>
  Number.isInteger(value) && (value as number) >= min && (value as number) <= max;

/** Letters of ASCII only, `length` of them. */
function isLetters(value: unknown, length: number): boolean {
  if (typeof value !== 'string' || value.length !== length) return false;
  for (let i = 0; i < length; i++) {
    const lower = value.charCodeAt(i) | 0x20;
    if (lower < 0x61 || lower > 0x7a) return false;
  }
  return true;
}

const isItem = (item: unknown): boolean =>
  isObject(item) &&
  isWhole(item['quantity'], 1, QUANTITY_MAX) &&
  isWhole(item['grams'], 0, GRAMS_MAX) &&
  isWhole(item['price'], 0, PRICE_MAX) &&
  isOptionalText(item['name']) &&
  isOptionalText(item['vendor']) &&
  isOptionalIdText(item['sku']) &&
  isOptionalIdText(item['productId']) &&
  isOptionalIdText(item['variantId']) &&
  isOptionalTags(item['properties']) &&
  isOptionalFlag(item['requiresShipping']);

const isOptionalFlag = (value: unknown): boolean =>
  value === undefined || value === null || typeof value === 'boolean';
const isOptionalTags = (value: unknown): boolean =>
  value === undefined || value === null || (isObject(value) && isOptionalText(value['tag']));

const isDestination = (value: unknown): boolean =>
  isObject(value) &&
  isLetters(value['country'], 2) &&
  isOptionalText(value['province']) &&
  isOptionalText(value['city']) &&
  isOptionalText(value['postalCode']) &&
  isOptionalText(value['name']) &&
  isOptionalText(value['address1']) &&
  isOptionalText(value['address2']) &&
  isOptionalText(value['address3']) &&
  isOptionalText(value['phone']) &&
  isOptionalText(value['company']);

function isRequest(value: unknown): boolean {
  if (!isObject(value) || !isDestination(value['destination']) || !isOptionalText(value['locale']))
    return false;
  const { currency, items } = value as { readonly currency?: unknown; readonly items?: unknown };
  if (currency !== undefined && currency !== null && !isLetters(currency, 3)) return false;
  if (!Array.isArray(items) || items.length < 1 || items.length > ITEMS_MAX_DEFAULT) return false;
  for (const item of items) if (!isItem(item)) return false;
  return true;
}

/** By name, in the order of the table. */
export function makeRequestChecks(): ReadonlyMap<string, RequestCheck> {
  const own = compileSchema(SimulateRequest);
  const other = TypeCompiler.Compile(toSinclair(SimulateRequest as unknown as JsonSchema));
  return new Map<string, RequestCheck>([
    ['typebox', (value) => own.check(value)],
    ['@sinclair/typebox', (value) => other.Check(value)],
    ['written by hand', isRequest],
  ]);
}
