/**
 * Schema checks: a schema is compiled once, and the message about a value that fails names the JSON path and what is
 * accepted there.
 *
 * This file searches for the defects itself, because the validator reports errors in the order of the schema, for every
 * branch of a union, after interpreting the whole value, which is twenty times as slow as a check. The search
 * enters only parts that fail their own compiled check, and ends at the last defect that the caller wants.
 */
import type { Static, TSchema } from '#typebox';
import { Compile } from '#typebox/schema';
import { type Failure, invalid } from '../domain/failure.ts';
import { shownName } from '../domain/text.ts';

export interface SchemaCheck<T> {
  /** The accepted values, in words that follow "must be". */
  readonly accepts: string;
  check(value: unknown): value is T;
  /**
   * The first `max` defects of a value, in the order of the value, missing fields first; none when it passes. Each is the
   * JSON Pointer of a part and what is accepted there.
   */
  defects(value: unknown, max?: number): readonly string[];
  /** The failure for a value that failed; it names up to `max` defects. */
  failure(value: unknown, max?: number): Failure;
}

/** The failure that names these defects. */
const shapeFailure = (defects: readonly string[]): Failure => invalid(defects.join('; '));

/** The validator turns the schema into code once; its parts when a value first fails, because that takes long. */
export function compileSchema<S extends TSchema>(schema: S): SchemaCheck<Static<S>> {
  const root = partOf(schema as SchemaNode);
  // Now, not when the first request waits for it.
  root.passes(undefined);
  const defects = (value: unknown, max = 1): readonly string[] => {
    const search: Search = { found: [], max };
    searchPart(search, root, value, '');
    return search.found;
  };
  return {
    accepts: acceptedText(root.node),
    check: (value): value is Static<S> => root.passes(value),
    defects,
    failure: (value, max) => shapeFailure(defects(value, max)),
  };
}

/** The keywords that the schemas of this project use. */
export interface SchemaNode {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly patternProperties?: Readonly<Record<string, SchemaNode>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
  readonly items?: SchemaNode;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly anyOf?: readonly SchemaNode[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly 'x-accepts'?: string;
}

/** A part of a schema, ready for the search. */
interface Part {
  readonly node: SchemaNode;
  readonly passes: (value: unknown) => boolean;
  readonly properties: ReadonlyMap<string, Part>;
  readonly patterns: readonly (readonly [pattern: RegExp, part: Part])[];
  readonly items: Part | null;
  readonly alternatives: readonly Part[];
}

function partOf(node: SchemaNode): Part {
  const { properties = {}, patternProperties = {}, items, anyOf = [] } = node;
  return {
    node,
    passes: compiledCheck(node),
    properties: new Map(Object.entries(properties).map(([name, child]) => [name, partOf(child)])),
    patterns: Object.entries(patternProperties).map(([text, child]) => [
      new RegExp(text, 'u'),
      partOf(child),
    ]),
    items: items === undefined ? null : partOf(items),
    alternatives: anyOf.map(partOf),
  };
}

function compiledCheck(node: SchemaNode): Part['passes'] {
  let compiled: ReturnType<typeof Compile> | undefined;
  return (value) => {
    compiled ??= Compile(node as TSchema);
    return compiled.Check(value);
  };
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

interface Search {
  readonly found: string[];
  readonly max: number;
}

/** Adds the defects of a value: at least one if it fails. */
function searchPart(search: Search, part: Part, value: unknown, path: string): void {
  if (part.passes(value)) return;
  const before = search.found.length;
  if (Array.isArray(value)) {
    const list = containerIn(part, 'array');
    if (list !== undefined) searchElements(search, list, value, path);
  } else if (isRecord(value)) {
    const record = containerIn(part, 'object') ?? selectedAlternative(search, part, value, path);
    if (record !== undefined) searchFields(search, record, value, path);
  }
  if (search.found.length === before) report(search, path, `must be ${acceptedText(part.node)}`);
}

function searchFields(
  search: Search,
  { node, properties, patterns }: Part,
  value: Readonly<Record<string, unknown>>,
  path: string,
): void {
  for (const name of node.required ?? []) {
    if (Object.hasOwn(value, name)) continue;
    const property = properties.get(name);
    const accepted = property === undefined ? '' : `: ${acceptedText(property.node)}`;
    report(search, `${path}/${pathSegment(name)}`, `is required${accepted}`);
  }
  for (const name of Object.keys(value)) {
    if (search.found.length >= search.max) return;
    const field = properties.get(name) ?? patterns.find(([pattern]) => pattern.test(name))?.[1];
    const fieldPath = `${path}/${pathSegment(name)}`;
    if (field !== undefined) searchPart(search, field, value[name], fieldPath);
    else if (node.additionalProperties === false) {
      report(search, fieldPath, 'is not a field that is accepted here');
    }
  }
}

/** An array of a wrong length has this one defect; its elements are not searched. */
function searchElements(
  search: Search,
  { node, items }: Part,
  value: readonly unknown[],
  path: string,
): void {
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = node;
  if (items === null || value.length < minItems || value.length > maxItems) return;
  for (const [index, element] of value.entries()) {
    if (search.found.length >= search.max) return;
    searchPart(search, items, element, `${path}/${index}`);
  }
}

function report({ found, max }: Search, path: string, text: string): void {
  if (found.length < max) found.push(`${path || 'the body'} ${text}`);
}

/** The part itself, or its only alternative of this type; undefined when there is none. */
function containerIn(part: Part, type: 'object' | 'array'): Part | undefined {
  if (part.node.type === type) return part;
  const fitting = part.alternatives.filter(({ node }) => node.type === type);
  return fitting.length === 1 ? fitting[0] : undefined;
}

/** Fields that select the alternative of a union. One alternative may be without the field. */
const SELECTORS = ['action', 'kind'];

/** The alternative that the selector of the value names; reports a name that no alternative has. */
function selectedAlternative(
  search: Search,
  { alternatives }: Part,
  value: Readonly<Record<string, unknown>>,
  path: string,
): Part | undefined {
  for (const selector of SELECTORS) {
    const named = alternatives.map(({ node }) => node.properties?.[selector]?.const);
    const names = named.filter((name) => name !== undefined);
    if (names.length === 0 || names.length < named.length - 1) continue;
    const isGiven = Object.hasOwn(value, selector);
    const index = named.indexOf(isGiven ? value[selector] : undefined);
    if (index < 0) {
      report(search, `${path}/${selector}`, `${isGiven ? 'must be' : 'is required:'} ${names.join(' or ')}`);
    }
    return alternatives[index];
  }
  return undefined;
}

const TYPE_TEXTS: Readonly<Record<string, string>> = {
  object: 'an object',
  array: 'an array',
  string: 'a string',
  boolean: 'true or false',
  integer: 'a whole number',
  number: 'a number',
  null: 'null',
};

/** The values that a node accepts, in words: its `x-accepts`, or a text made from its keywords. */
function acceptedText(node: SchemaNode): string {
  if (node['x-accepts'] !== undefined) return node['x-accepts'];
  if (node.const !== undefined) return String(node.const);
  if (node.enum !== undefined) return `one of ${node.enum.join(', ')}`;
  if (node.anyOf !== undefined) return [...new Set(node.anyOf.map(acceptedText))].join(' or ');
  const { type = '', minimum, maximum, items, minItems = 0, maxItems } = node;
  if (type === 'integer' && minimum !== undefined && maximum !== undefined) {
    return `a whole number from ${minimum.toLocaleString('en-US')} to ${maximum.toLocaleString('en-US')}`;
  }
  if (type === 'array' && items !== undefined && maxItems !== undefined) {
    return `an array of ${minItems} to ${maxItems.toLocaleString('en-US')} elements`;
  }
  return TYPE_TEXTS[type] ?? 'a value that is accepted here';
}

/** A field name as a JSON Pointer segment of a message. */
export const pathSegment = (name: string): string =>
  shownName(name).replaceAll('~', '~0').replaceAll('/', '~1');
