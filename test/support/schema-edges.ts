/**
 * Every bound of a schema, with values on both sides: walks the schema, so that new bounds are included. Throws for a
 * keyword or a pattern whose bound it does not know.
 */
import type { TSchema } from '#typebox';
import { TIME_OF_DAY_PATTERN } from '../../src/engine/domain/condition.ts';
import { ISO_COUNTRIES } from '../../src/engine/domain/country.ts';
import { DELIVERY_BOUND_PATTERN } from '../../src/engine/domain/expectation.ts';
import { ISO_TIME_PATTERN } from '../../src/engine/domain/iso-time.ts';
import { ANY_COUNTRY, COUNTRY_OR_ANY } from '../../src/engine/domain/zone.ts';
import type { SchemaNode } from './schema-node.ts';

export interface SchemaEdge {
  /** JSON path of the value. */
  readonly path: string;
  /** The keyword or the pattern with the bound. */
  readonly keyword: string;
  readonly limit: number;
  /** A complete value of the schema with this size at the path. */
  readonly valueWith: (amount: number) => unknown;
  /** Sizes at the bound and one within it. */
  readonly within: readonly number[];
  /** Sizes one beyond the bound; none below 0. */
  readonly beyond: readonly number[];
}

/** Keywords without a bound. */
const UNBOUNDED = new Set([
  'uniqueItems',
  ...['type', 'const', 'enum', 'anyOf', 'properties', 'required', 'items', 'additionalProperties'],
  ...['title', 'description', 'examples', 'x-accepts', 'x-published', '~kind', '~optional', '~readonly'],
]);
const LOWER = new Set(['minimum', 'minLength', 'minItems']);
const UPPER = new Set(['maximum', 'maxLength', 'maxItems']);

/**
 * Patterns with a bound: a number of characters of a class, optionally after a first character of a narrower class.
 */
const COUNTED_CLASS = /^\^(?<first>\[[^\]]+\])?(?<class>\[[^\]]+\])\{(?<min>\d+)(?:,(?<max>\d+))?\}\$$/;

interface CountedClass {
  /** The characters that the text may begin with, and so may contain. */
  readonly first: string;
  readonly least: number;
  readonly most: number;
}

function countedClass(pattern: string): CountedClass | null {
  const groups = COUNTED_CLASS.exec(pattern)?.groups;
  if (groups === undefined) return null;
  const { first, class: characters = '', min = '0', max = min } = groups;
  const before = first === undefined ? 0 : 1;
  return { first: first ?? characters, least: before + Number(min), most: before + Number(max) };
}
/** Patterns of the content of a text, without a length. */
const UNCOUNTED = /^\^\[\^[^\]]+\]\*\$$/;
/** Patterns of a fixed form, each with a matching text; they have no bound. */
export const FORMS: Readonly<Record<string, string>> = {
  [COUNTRY_OR_ANY]: 'US',
  [ISO_TIME_PATTERN]: '2026-11-18T17:00:00Z',
  [DELIVERY_BOUND_PATTERN]: '+5',
  [TIME_OF_DAY_PATTERN]: '14:00',
  '^[0-9]{4}-[0-9]{2}-[0-9]{2}$': '2026-12-25',
};

export function schemaEdges(schema: TSchema): SchemaEdge[] {
  const edges: SchemaEdge[] = [];
  walk(schema as SchemaNode, '', (value) => value, edges);
  return edges;
}

function walk(node: SchemaNode, path: string, place: (value: unknown) => unknown, edges: SchemaEdge[]): void {
  for (const keyword of Object.keys(node)) {
    if (UNBOUNDED.has(keyword)) continue;
    if (keyword === 'pattern') edges.push(...patternEdges(node, path, place));
    else if (LOWER.has(keyword) || UPPER.has(keyword)) {
      const limit = node[keyword] as number;
      const outward = UPPER.has(keyword) ? 1 : -1;
      const least = ['minimum', 'maximum'].includes(keyword) ? Number.NEGATIVE_INFINITY : 0;
      edges.push({
        path,
        keyword,
        limit,
        valueWith: (amount) => place(sized(node, keyword, amount)),
        within: [limit - outward, limit].filter((amount) => amount >= least),
        beyond: [limit + outward].filter((amount) => amount >= least),
      });
    } else throw new Error(`${path}: say what ${keyword} bounds`);
  }
  for (const option of node.anyOf ?? []) walk(option, path, place, edges);
  const { items, properties = {} } = node;
  if (items !== undefined) {
    walk(items, `${path}/0`, (value) => place([value, ...filler(items, (node.minItems ?? 1) - 1)]), edges);
  }
  for (const [name, property] of Object.entries(properties)) {
    const around = sample(node) as Readonly<Record<string, unknown>>;
    walk(property, `${path}/${name}`, (value) => place({ ...around, [name]: value }), edges);
  }
}

/** Countries and elements of an enumeration, different as long as possible; otherwise one sample as often as is asked for. */
function filler(items: SchemaNode, count: number): unknown[] {
  const different = items.pattern === COUNTRY_OR_ANY ? [...ISO_COUNTRIES.keys(), ANY_COUNTRY] : items.enum;
  const values = different ?? (count > 0 ? [sample(items)] : []);
  return Array.from({ length: Math.max(0, count) }, (_, at) => values[at % values.length]);
}

/** A value of this size, in the unit of the keyword. */
function sized(node: SchemaNode, keyword: string, amount: number): unknown {
  if (keyword.endsWith('Items')) return node.items === undefined ? [] : filler(node.items, amount);
  return keyword.endsWith('Length') ? 'x'.repeat(Math.max(0, amount)) : amount;
}

function patternEdges(node: SchemaNode, path: string, place: (value: unknown) => unknown): SchemaEdge[] {
  const { pattern = '' } = node;
  if (UNCOUNTED.test(pattern) || Object.hasOwn(FORMS, pattern)) return [];
  const counted = countedClass(pattern);
  if (counted === null) throw new Error(`${path}: say what the pattern ${pattern} bounds`);
  const { first, least, most } = counted;
  const character = characterOf(first);
  const valueWith = (amount: number) => place(character.repeat(Math.max(0, amount)));
  const within = [least, least + 1, most - 1, most].filter((amount) => amount >= least && amount <= most);
  return [
    { path, keyword: pattern, limit: least, valueWith, within, beyond: least === 0 ? [] : [least - 1] },
    { path, keyword: pattern, limit: most, valueWith, within, beyond: [most + 1] },
  ];
}

function characterOf(characters: string): string {
  const pattern = new RegExp(`^${characters}$`);
  const found = [...'xX7'].find((one) => pattern.test(one));
  if (found === undefined) throw new Error(`no character of ${characters} is known`);
  return found;
}

/** A small value of the schema: required fields only, null where it is accepted. */
export function sample(node: SchemaNode): unknown {
  if ('const' in node) return node.const;
  if (node.enum !== undefined) return node.enum[0];
  if (node.anyOf !== undefined) {
    const option = node.anyOf.find(({ type }) => type === 'null') ?? node.anyOf[0];
    return option === undefined ? undefined : sample(option);
  }
  switch (node.type) {
    case 'object': {
      const { properties = {}, required = [] } = node;
      return Object.fromEntries(required.map((name) => [name, sample(properties[name] ?? {})]));
    }
    case 'array':
      return node.items === undefined ? [] : filler(node.items, node.minItems ?? 0);
    case 'string':
      return sampleText(node);
    case 'integer':
    case 'number':
      return Math.max(0, node.minimum ?? 0);
    case 'boolean':
      return true;
    default:
      return null;
  }
}

function sampleText({ pattern = '', minLength = 0 }: SchemaNode): string {
  const form = FORMS[pattern];
  if (form !== undefined) return form;
  const counted = countedClass(pattern);
  return counted === null ? 'x'.repeat(minLength) : characterOf(counted.first).repeat(counted.least);
}
