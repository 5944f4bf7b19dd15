/**
 * Schemas at work: a schema compiled once, a check that costs well below a microsecond, and for what does
 * not pass a message a person can act on: the JSON path and what is accepted there.
 */
import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { Settings } from 'typebox/system';
import { type Failure, invalid } from './failure.ts';

export interface SchemaCheck<T> {
  check(value: unknown): value is T;
  /** Every defect of a value that did not pass, at most `max`, the first found first. */
  defects(value: unknown, max?: number): readonly string[];
  /** The failure that answers a value that did not pass. */
  failure(value: unknown): Failure;
}

// The library stops at 8 by default; a preview names up to 20 defects, and each branch of a union counts.
Settings.Set({ maxErrors: 200 });

interface SchemaError {
  readonly keyword: string;
  readonly schemaPath: string;
  readonly instancePath: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message: string;
}

export function compileSchema<S extends TSchema>(schema: S): SchemaCheck<Static<S>> {
  const compiled = Compile(schema);
  const defects = (value: unknown, max = 1): string[] => {
    const found = new Map<string, string>();
    for (const error of compiled.Errors(value) as unknown as SchemaError[]) {
      for (const [path, text] of describe(schema, error)) {
        // An error inside an alternative of a union is reported once, for the union.
        if (!found.has(path)) found.set(path, text);
      }
      if (found.size > max) break;
    }
    return [...found]
      .slice(0, max)
      .map(([path, text]) => (path === '' ? `the body ${text}` : `${path} ${text}`));
  };
  return {
    check: (value): value is Static<S> => compiled.Check(value),
    defects,
    failure: (value) => invalid(defects(value)[0] ?? 'the body is not what is accepted here'),
  };
}

function describe(schema: TSchema, error: SchemaError): [path: string, text: string][] {
  const { keyword, params, instancePath } = error;
  if (keyword === 'required') {
    const missing = (params['requiredProperties'] ?? []) as string[];
    return missing.map((name) => {
      const accepts = acceptsAt(schema, `${error.schemaPath}/properties/${name}`);
      return [`${instancePath}/${name}`, accepts === null ? 'is required' : `is required: ${accepts}`];
    });
  }
  if (keyword === 'additionalProperties') {
    const unknown = (params['additionalProperties'] ?? []) as string[];
    return unknown.map((name) => [
      `${instancePath}/${pathSegment(name)}`,
      'is not a field that is accepted here',
    ]);
  }
  // `schema is false` names the same unknown field a second time.
  if (keyword === 'boolean') return [];
  const accepts =
    acceptsAt(schema, error.schemaPath) ?? (keyword === 'type' ? articled(String(params['type'])) : null);
  return [[safePath(instancePath), accepts === null ? error.message : `must be ${accepts}`]];
}

const articled = (noun: string): string => `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;

/** The `x-accepts` text of the schema at this path or of the nearest union around it. */
function acceptsAt(schema: TSchema, schemaPath: string): string | null {
  let at: unknown = schema;
  let accepts: string | null = null;
  for (const segment of schemaPath.split('/').slice(1)) {
    if (typeof at !== 'object' || at === null) return accepts;
    at = (at as Record<string, unknown>)[segment.replace(/~1/g, '/').replace(/~0/g, '~')];
    if (segment === 'properties' || segment === 'items') accepts = null;
    const own = (at as Record<string, unknown> | undefined)?.['x-accepts'];
    if (typeof own === 'string' && accepts === null) accepts = own;
  }
  return accepts;
}

/** A field name of the client's, shortened and without anything that does not print. */
const pathSegment = (name: string): string => name.slice(0, 64).replace(/[^\x20-\x7e]/g, '?');
const safePath = (path: string): string => path.slice(0, 300).replace(/[^\x20-\x7e]/g, '?');
