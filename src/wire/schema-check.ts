/**
 * Schema checks: a schema is compiled once, a check takes well below a microsecond, and the message about a value that
 * fails names the JSON path and what is accepted there.
 *
 * The search for defects enters only parts that fail their own compiled check, and ends at the last defect that the
 * caller wants: one wrong field in a body of many megabytes costs little more than the check.
 */
import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/schema';
import { Settings } from 'typebox/system';
import { type Failure, invalid } from '../domain/failure.ts';
import { shownName } from '../domain/text.ts';
import { finishSteps, NEVER, type ShouldYield, type WorkSteps } from '../pace/work-steps.ts';

/** A part of a value that its schema does not accept. */
export interface ShapeDefect {
  /** JSON Pointer of the part; "" is the value itself. Names that no schema has are shortened. */
  readonly path: string;
  /** Line of a message: the path and what is accepted there. */
  readonly line: string;
}

export interface SchemaCheck<T> {
  /** The accepted values, in words that follow "must be". */
  readonly accepts: string;
  check(value: unknown): value is T;
  /** The first `max` defects of a value that failed, in the order of the value; missing fields come first. */
  defects(value: unknown, max?: number): readonly string[];
  /** The same defects with their paths. */
  shapeDefects(value: unknown, max?: number): readonly ShapeDefect[];
  /** The failure for a value that failed; it names up to `max` defects. */
  failure(value: unknown, max?: number): Failure;
  /** Checks a large value and finds its defects, in steps; none when it passes. */
  shapeDefectSteps(value: unknown, max: number, shouldYield: ShouldYield): WorkSteps<readonly ShapeDefect[]>;
}

/** The failure that names these defects. */
export const shapeFailure = (defects: readonly ShapeDefect[]): Failure =>
  invalid(defects.map(({ line }) => line).join('; '));

export function compileSchema<S extends TSchema>(schema: S): SchemaCheck<Static<S>> {
  const compiled = Compile(schema);
  const node = schema as SchemaNode;
  COMPILED.push(node);
  PART_CHECKS.set(node, compiled);
  const shapeDefects = (value: unknown, max = 1): readonly ShapeDefect[] => {
    if (compiled.Check(value)) return [];
    return finishSteps(findDefects(node, value, max, NEVER));
  };
  return {
    accepts: acceptsText(node),
    check: (value): value is Static<S> => compiled.Check(value),
    defects: (value, max) => shapeDefects(value, max).map(({ line }) => line),
    shapeDefects,
    failure: (value, max) => shapeFailure(shapeDefects(value, max)),
    *shapeDefectSteps(value, max, shouldYield) {
      return (yield* passesSteps(node, value, shouldYield))
        ? []
        : yield* findDefects(node, value, max, shouldYield);
    },
  };
}

function* findDefects(
  node: SchemaNode,
  value: unknown,
  max: number,
  shouldYield: ShouldYield,
): WorkSteps<readonly ShapeDefect[]> {
  const walk: DefectWalk = { found: [], max, shouldYield };
  yield* walkDefects(walk, node, value, '');
  return walk.found;
}

/** The keywords that this project's schemas use. */
interface SchemaNode {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly patternProperties?: Readonly<Record<string, SchemaNode>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
  readonly items?: SchemaNode;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly anyOf?: readonly SchemaNode[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly 'x-accepts'?: string;
}

interface DefectWalk {
  readonly found: ShapeDefect[];
  readonly max: number;
  readonly shouldYield: ShouldYield;
}

/** The schemas compiled so far. */
const COMPILED: SchemaNode[] = [];
// A part is compiled when a search for defects first enters it.
const PART_CHECKS = new WeakMap<SchemaNode, { Check(value: unknown): boolean }>();

function partCheck(node: SchemaNode): { Check(value: unknown): boolean } {
  let part = PART_CHECKS.get(node);
  if (part === undefined) {
    part = Compile(node as TSchema);
    PART_CHECKS.set(node, part);
  }
  return part;
}

const passes = (node: SchemaNode, value: unknown): boolean => partCheck(node).Check(value);

/** Values that are checked in one step; 64 characters of a text count as one. */
const VALUES_AT_ONCE = 1_024;
const CHARACTERS_PER_VALUE = 64;

/** Deeper than any schema, and shallow enough for the stack. */
const DEPTH_COUNTED = 32;

/** Approximate number of values inside a value; stops soon after `max`. Nesting of `DEPTH_COUNTED` counts as more. */
function valuesIn(value: unknown, max: number, depth = 0): number {
  if (typeof value === 'string') return 1 + value.length / CHARACTERS_PER_VALUE;
  if (typeof value !== 'object' || value === null) return 1;
  if (depth === DEPTH_COUNTED) return max + 1;
  let count = 1;
  if (Array.isArray(value)) {
    // A loop over names would make all names before it visits the first element.
    for (let at = 0; at < value.length && count <= max; at++) {
      count += valuesIn(value[at], max - count, depth + 1);
    }
    return count;
  }
  for (const name in value) {
    count += valuesIn((value as Readonly<Record<string, unknown>>)[name], max - count, depth + 1);
    if (count > max) break;
  }
  return count;
}

/** Does the work of `passes` in steps: splits a large value where its schema is one of plain objects and arrays. */
function* passesSteps(node: SchemaNode, value: unknown, shouldYield: ShouldYield): WorkSteps<boolean> {
  const values = valuesIn(value, VALUES_AT_ONCE);
  if (shouldYield()) yield;
  if (values <= VALUES_AT_ONCE) return passes(node, value);
  if (node.type === 'array' && node.items !== undefined && Array.isArray(value)) {
    const { items, minItems = 0, maxItems = Number.POSITIVE_INFINITY } = node;
    if (value.length < minItems || value.length > maxItems) return false;
    for (const element of value) if (!(yield* passesSteps(items, element, shouldYield))) return false;
    return true;
  }
  if (node.type !== 'object' || node.patternProperties !== undefined || !isObject(value)) {
    return passes(node, value);
  }
  const { properties = {}, required = [] } = node;
  if (!required.every((name) => Object.hasOwn(value, name))) return false;
  for (const name of Object.keys(value)) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (property === undefined) {
      if (node.additionalProperties === false) return false;
    } else if (!(yield* passesSteps(property, value[name], shouldYield))) return false;
  }
  return true;
}

/**
 * Compiles every part that the search for defects needs of the schemas known so far; no schema is turned into code
 * afterwards. Other parts and later schemas are checked by interpretation, measured twenty times slower; so every part
 * that can hold many values is compiled here.
 */
export function endCompilation(): void {
  const seen = new Set<SchemaNode>();
  for (const schema of COMPILED.splice(0)) compileParts(schema, seen);
  Settings.Set({ useAcceleration: false });
}

function compileParts(node: SchemaNode, seen: Set<SchemaNode>): void {
  if (seen.has(node)) return;
  seen.add(node);
  const { properties = {}, patternProperties = {}, items, anyOf = [] } = node;
  const parts = [...Object.values(properties), ...Object.values(patternProperties)];
  for (const part of items === undefined ? parts : [...parts, items]) {
    if (isContainer(part)) partCheck(part);
    compileParts(part, seen);
  }
  for (const option of anyOf) compileParts(option, seen);
}

const isContainer = ({ type, anyOf = [] }: SchemaNode): boolean =>
  type === 'object' || type === 'array' || anyOf.some(isContainer);

/** Adds the defects of a value that fails `node`: at least one. */
function* walkDefects(walk: DefectWalk, node: SchemaNode, value: unknown, path: string): WorkSteps<void> {
  const before = walk.found.length;
  if (isObject(value)) {
    const objectNode = alternative(node, 'object') ?? alternativeByAction(walk, node, value, path);
    if (objectNode !== undefined) yield* walkObject(walk, objectNode, value, path);
  } else if (Array.isArray(value)) {
    const arrayNode = alternative(node, 'array');
    if (arrayNode !== undefined) yield* walkArray(walk, arrayNode, value, path);
  }
  if (walk.found.length === before) {
    report(walk, path, `must be ${acceptsText(node)}`);
  }
}

function* walkObject(
  walk: DefectWalk,
  node: SchemaNode,
  value: Readonly<Record<string, unknown>>,
  path: string,
): WorkSteps<void> {
  const { properties = {}, patternProperties = {}, required = [] } = node;
  for (const name of required) {
    if (Object.hasOwn(value, name)) continue;
    const property = properties[name];
    const accepted = property === undefined ? '' : `: ${acceptsText(property)}`;
    report(walk, `${path}/${pathSegment(name)}`, `is required${accepted}`);
  }
  for (const name of Object.keys(value)) {
    if (walk.found.length >= walk.max) return;
    const property = Object.hasOwn(properties, name)
      ? properties[name]
      : Object.entries(patternProperties).find(([pattern]) => new RegExp(pattern, 'u').test(name))?.[1];
    const propertyPath = `${path}/${pathSegment(name)}`;
    if (property === undefined) {
      if (node.additionalProperties === false) {
        report(walk, propertyPath, 'is not a field that is accepted here');
      }
    } else if (!(yield* passesSteps(property, value[name], walk.shouldYield))) {
      yield* walkDefects(walk, property, value[name], propertyPath);
    }
  }
}

function* walkArray(
  walk: DefectWalk,
  node: SchemaNode,
  value: readonly unknown[],
  path: string,
): WorkSteps<void> {
  const { items, minItems = 0, maxItems = Number.POSITIVE_INFINITY } = node;
  // An array of a wrong length has this one defect; its elements are not searched.
  if (items === undefined || value.length < minItems || value.length > maxItems) return;
  for (const [index, element] of value.entries()) {
    if (walk.found.length >= walk.max) return;
    if (!(yield* passesSteps(items, element, walk.shouldYield))) {
      yield* walkDefects(walk, items, element, `${path}/${index}`);
    }
  }
}

function report(walk: DefectWalk, path: string, text: string): void {
  if (walk.found.length < walk.max) walk.found.push({ path, line: `${path || 'the body'} ${text}` });
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The node itself or its only alternative of this type, which a container of this type was meant to fit. */
function alternative(node: SchemaNode, type: 'object' | 'array'): SchemaNode | undefined {
  if (node.type === type) return node;
  const fitting = (node.anyOf ?? []).filter((option) => option.type === type);
  return fitting.length === 1 ? fitting[0] : undefined;
}

/** Field that selects the alternative of a body. */
const ACTION = 'action';

/** The alternative that the action of the value names; reports an action that no alternative has. */
function alternativeByAction(
  walk: DefectWalk,
  { anyOf = [] }: SchemaNode,
  value: Readonly<Record<string, unknown>>,
  path: string,
): SchemaNode | undefined {
  const actions = anyOf.map(({ properties }) => properties?.[ACTION]?.const);
  if (actions.length === 0 || actions.includes(undefined)) return undefined;
  const index = Object.hasOwn(value, ACTION) ? actions.indexOf(value[ACTION]) : -1;
  if (index < 0) {
    const wanted = Object.hasOwn(value, ACTION) ? 'must be' : 'is required:';
    report(walk, `${path}/${ACTION}`, `${wanted} ${actions.join(' or ')}`);
  }
  return anyOf[index];
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
function acceptsText(node: SchemaNode): string {
  if (node['x-accepts'] !== undefined) return node['x-accepts'];
  if (node.const !== undefined) return String(node.const);
  if (node.enum !== undefined) return `one of ${node.enum.join(', ')}`;
  if (node.anyOf !== undefined) return [...new Set(node.anyOf.map(acceptsText))].join(' or ');
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
