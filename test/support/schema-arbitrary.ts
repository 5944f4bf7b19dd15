/** Random values that pass a schema, generated from the schema, so that new fields are included. */
import fc from 'fast-check';
import type { TSchema } from '#typebox';
import type { SchemaNode } from './schema-node.ts';

const LIST_LENGTH = 3;
const TEXT_LENGTH = 12;

/** `text` may offer texts for a pattern, such as ids that exist; null leaves it to the pattern. */
export function valuesOf(
  schema: TSchema,
  text: (pattern: string) => fc.Arbitrary<string> | null = () => null,
): fc.Arbitrary<unknown> {
  return arbitraryOf(schema as SchemaNode, text);
}

type Texts = (pattern: string) => fc.Arbitrary<string> | null;

function arbitraryOf(node: SchemaNode, texts: Texts): fc.Arbitrary<unknown> {
  if ('const' in node) return fc.constant(node.const);
  if (node.enum !== undefined) return fc.constantFrom(...node.enum);
  if (node.anyOf !== undefined) return fc.oneof(...node.anyOf.map((option) => arbitraryOf(option, texts)));
  switch (node.type) {
    case 'object': {
      const { properties = {}, required = [] } = node;
      const fields = Object.entries(properties).map(
        ([name, field]) => [name, arbitraryOf(field, texts)] as const,
      );
      return fc.record(Object.fromEntries(fields), { requiredKeys: [...required], noNullPrototype: true });
    }
    case 'array': {
      const { items, minItems: minLength = 0, maxItems = LIST_LENGTH, uniqueItems = false } = node;
      const maxLength = Math.min(maxItems, Math.max(minLength, LIST_LENGTH));
      if (items === undefined) return fc.constant([]);
      const list = uniqueItems ? fc.uniqueArray : fc.array;
      return list(arbitraryOf(items, texts), { minLength, maxLength });
    }
    case 'string':
      return textOf(node, texts);
    case 'integer':
      return numberOf(node, fc.integer({ min: 0, max: 100 }), 1);
    case 'number':
      return numberOf(node, fc.constantFrom(0, 0.01, 1.5, 99.99, 100), 0.01);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      // Any value; it is not checked.
      return fc.jsonValue({ maxDepth: 1 });
  }
}

function numberOf(
  { minimum = -1_000, maximum = 1_000 }: SchemaNode,
  usual: fc.Arbitrary<number>,
  step: number,
): fc.Arbitrary<number> {
  const edges = fc.constantFrom(minimum, minimum + step, maximum - step, maximum);
  return fc.oneof({ weight: 3, arbitrary: usual }, edges).filter((one) => one >= minimum && one <= maximum);
}

/** Texts by pattern and length: to make one, all characters that there are go into a table. */
const madeTexts = new Map<string, fc.Arbitrary<string>>();

function textOf(node: SchemaNode, texts: Texts): fc.Arbitrary<string> {
  const { pattern, minLength, maxLength } = node;
  const offered = pattern === undefined ? null : texts(pattern);
  if (offered !== null) return offered;
  const name = `${minLength} ${maxLength} ${pattern}`;
  const made = madeTexts.get(name) ?? makeText(node);
  madeTexts.set(name, made);
  return made;
}

function makeText({ pattern, minLength = 0, maxLength = TEXT_LENGTH }: SchemaNode): fc.Arbitrary<string> {
  const lengths = { minLength, maxLength: Math.min(maxLength, Math.max(minLength, TEXT_LENGTH)) };
  if (pattern === undefined) return fc.string({ unit: 'binary', ...lengths });
  const check = new RegExp(pattern, 'u');
  // Most texts match a pattern of excluded characters, hardly any match another pattern.
  return pattern.startsWith('^[^')
    ? fc.string({ unit: 'grapheme', ...lengths }).filter((one) => check.test(one))
    : fc.stringMatching(check);
}

/** A field that the schema may not know, somewhere in the value: its path and the value with it. */
export function withUnlisted(
  value: unknown,
  schema: TSchema,
): { readonly path: string; readonly isRefused: boolean; readonly value: unknown }[] {
  const name = 'unlisted';
  const found: { path: string; isRefused: boolean; value: unknown }[] = [];
  const walk = (node: SchemaNode, at: unknown, path: string, place: (part: unknown) => unknown): void => {
    if (typeof at !== 'object' || at === null) return;
    const option = optionFor(node, at);
    if (option === undefined) return;
    if (Array.isArray(at)) {
      const { items } = option;
      if (items === undefined) return;
      for (const [index, element] of at.entries()) {
        walk(items, element, `${path}/${index}`, (part) => place(at.with(index, part)));
      }
      return;
    }
    if (option.properties === undefined) return;
    found.push({
      path: `${path}/${name}`,
      isRefused: option['additionalProperties'] === false,
      value: place({ ...at, [name]: 1 }),
    });
    for (const [field, part] of Object.entries(at)) {
      const property = option.properties[field];
      if (property !== undefined) {
        walk(property, part, `${path}/${field}`, (other) => place({ ...at, [field]: other }));
      }
    }
  };
  walk(schema as SchemaNode, value, '', (part) => part);
  return found;
}

/** The node itself, or its alternative that is a container. */
function optionFor(node: SchemaNode, value: object): SchemaNode | undefined {
  if (node.anyOf === undefined) return node;
  const type = Array.isArray(value) ? 'array' : 'object';
  const action = (value as { readonly action?: unknown }).action;
  return node.anyOf.find(
    (option) => option.type === type && (option.properties?.['action']?.const ?? action) === action,
  );
}
