/**
 * Schemas at work: a schema compiled once, a check that costs well below a microsecond, and for what does
 * not pass a message a person can act on: the JSON path and what is accepted there.
 *
 * Defects are found by walking only into parts that fail their own compiled check, and the walk ends with
 * the last defect asked for: one wrong field in a body of many megabytes costs little more than the check.
 */
import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/schema';
import { Settings } from 'typebox/system';
import { finishSteps, WorkMeter, type WorkSteps } from '../runtime/work-steps.ts';
import { type Failure, invalid } from './failure.ts';
import { shownName } from './text.ts';

/** A place where a value is not what its schema accepts. */
export interface ShapeDefect {
  /** JSON Pointer of the place; "" is the value itself. Names that no schema has are shortened in it. */
  readonly path: string;
  /** The same place and what is accepted there, as a message says it. */
  readonly line: string;
}

export interface SchemaCheck<T> {
  /** What is accepted, in words that follow "must be". */
  readonly accepts: string;
  check(value: unknown): value is T;
  /** The first `max` defects of a value that did not pass, in the order of the value; fields that are missing first. */
  defects(value: unknown, max?: number): readonly string[];
  /** The same with their places. */
  shapeDefects(value: unknown, max?: number): readonly ShapeDefect[];
  /** The failure that answers a value that did not pass; names up to `max` defects. */
  failure(value: unknown, max?: number): Failure;
  /** Both for a large value, in steps: none when it passes. */
  shapeDefectSteps(value: unknown, max: number, meter: WorkMeter): WorkSteps<readonly ShapeDefect[]>;
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
    return finishSteps(findDefects(node, value, max, new WorkMeter()));
  };
  return {
    accepts: acceptsText(node),
    check: (value): value is Static<S> => compiled.Check(value),
    defects: (value, max) => shapeDefects(value, max).map(({ line }) => line),
    shapeDefects,
    failure: (value, max) => shapeFailure(shapeDefects(value, max)),
    *shapeDefectSteps(value, max, meter) {
      return (yield* passesSteps(node, value, meter)) ? [] : yield* findDefects(node, value, max, meter);
    },
  };
}

function* findDefects(
  node: SchemaNode,
  value: unknown,
  max: number,
  meter: WorkMeter,
): WorkSteps<readonly ShapeDefect[]> {
  const walk: DefectWalk = { found: [], max, meter };
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
  readonly meter: WorkMeter;
}

/** Every schema that was compiled as a whole. */
const COMPILED: SchemaNode[] = [];
// Parts are compiled when a defect is first looked for in them, so a schema costs this once.
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

/** Values, or 64 characters of a text, that are checked at once. */
const VALUES_AT_ONCE = 1_024;
const CHARACTERS_PER_VALUE = 64;
/** Measured on Node 20: to count and check a value takes 20 to 60 ns, of a unit of 8. */
const UNITS_PER_VALUE = 6;

/** Deeper than any schema goes, and no danger to the stack. */
const DEPTH_COUNTED = 32;

/** About how many values there are in this one; stops counting soon after `max`, and where it is very deep. */
function valuesIn(value: unknown, max: number, depth = 0): number {
  if (typeof value === 'string') return 1 + value.length / CHARACTERS_PER_VALUE;
  if (typeof value !== 'object' || value === null) return 1;
  if (depth === DEPTH_COUNTED) return max + 1;
  let count = 1;
  if (Array.isArray(value)) {
    // Not by their names: all of those would be made before the first element is looked at.
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

/** `passes` in steps: what is large is taken apart as far as its schema is one of plain objects and arrays. */
function* passesSteps(node: SchemaNode, value: unknown, meter: WorkMeter): WorkSteps<boolean> {
  const values = valuesIn(value, VALUES_AT_ONCE);
  if (meter.spend(values * UNITS_PER_VALUE)) yield meter.take();
  if (values <= VALUES_AT_ONCE) return passes(node, value);
  if (node.type === 'array' && node.items !== undefined && Array.isArray(value)) {
    const { items, minItems = 0, maxItems = Number.POSITIVE_INFINITY } = node;
    if (value.length < minItems || value.length > maxItems) return false;
    for (const element of value) if (!(yield* passesSteps(items, element, meter))) return false;
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
    } else if (!(yield* passesSteps(property, value[name], meter))) return false;
  }
  return true;
}

/**
 * Compiles what the search for defects needs of all schemas known by now, and turns no schema into code
 * from then on. A part that is left, or a schema that comes later, is checked by walking it: measured twenty
 * times slower, so parts that can hold many values are not left.
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

/** Adds the defects of a value that does not pass `node`; at least one. */
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
    } else if (!(yield* passesSteps(property, value[name], walk.meter))) {
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
  // A length out of bounds is the one defect that matters: its elements are not looked at.
  if (items === undefined || value.length < minItems || value.length > maxItems) return;
  for (const [index, element] of value.entries()) {
    if (walk.found.length >= walk.max) return;
    if (!(yield* passesSteps(items, element, walk.meter))) {
      yield* walkDefects(walk, items, element, `${path}/${index}`);
    }
  }
}

function report(walk: DefectWalk, path: string, text: string): void {
  if (walk.found.length < walk.max) walk.found.push({ path, line: `${path || 'the body'} ${text}` });
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The node itself or its one alternative of this type: where a container of this type was meant to fit. */
function alternative(node: SchemaNode, type: 'object' | 'array'): SchemaNode | undefined {
  if (node.type === type) return node;
  const fitting = (node.anyOf ?? []).filter((option) => option.type === type);
  return fitting.length === 1 ? fitting[0] : undefined;
}

/** The field that tells the alternatives of a body apart. */
const ACTION = 'action';

/** Of several kinds of object the one that the value's action names; reports an action that none has. */
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

/** What is accepted at a node, in words: its own `x-accepts`, or what follows from its keywords. */
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

/** A field name as a JSON Pointer segment, as a message repeats it. */
export const pathSegment = (name: string): string =>
  shownName(name).replaceAll('~', '~0').replaceAll('/', '~1');
