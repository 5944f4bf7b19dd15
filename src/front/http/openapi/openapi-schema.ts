/**
 * Converts the schemas that check requests to the schemas of the OpenAPI document: the same JSON Schema, with every
 * titled part moved to `components` and referred to, and `x-accepts` added to the description. For a value that is not
 * checked by its schema alone, `x-published` is the schema that the document shows instead.
 */
import { isDeepStrictEqual } from 'node:util';
import type { TSchema } from '#typebox';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
export type JsonObject = { readonly [name: string]: Json };

/** Keywords whose value is data or a name, not a schema. */
const VERBATIM: ReadonlySet<string> = new Set(['enum', 'const', 'examples', 'default', 'required']);
/** Keywords whose value maps names to schemas. */
const SCHEMA_MAPS: ReadonlySet<string> = new Set(['properties', 'patternProperties']);

export class SchemaComponents {
  readonly #byTitle = new Map<string, Json>();

  /** The schema as the document shows it. Throws when two different schemas have the same title. */
  add(schema: TSchema): Json {
    return this.#convert(JSON.parse(JSON.stringify(schema)) as JsonObject);
  }

  /** The titled parts of all schemas added so far, by title. */
  all(): JsonObject {
    return Object.fromEntries([...this.#byTitle].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #convert(schema: JsonObject): Json {
    const published = schema['x-published'];
    if (published !== undefined) return this.#convert(published as JsonObject);
    const { title, description, 'x-accepts': accepts, ...keywords } = schema;
    const converted: Record<string, Json> = {};
    const sentences = [description, accepts === undefined ? undefined : `Accepts ${accepts}`];
    const text = sentences.filter((sentence) => sentence !== undefined).join('. ');
    if (text !== '') converted['description'] = text;
    for (const [keyword, value] of Object.entries(keywords)) {
      converted[keyword] = this.#convertKeyword(keyword, value);
    }
    if (typeof title !== 'string') return converted;
    const earlier = this.#byTitle.get(title);
    if (earlier !== undefined && !isDeepStrictEqual(earlier, converted)) {
      throw new Error(`two schemas have the title ${title}`);
    }
    this.#byTitle.set(title, converted);
    return { $ref: `#/components/schemas/${title}` };
  }

  #convertKeyword(keyword: string, value: Json): Json {
    if (VERBATIM.has(keyword) || typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((part) => this.#convert(part as JsonObject));
    if (!SCHEMA_MAPS.has(keyword)) return this.#convert(value as JsonObject);
    return Object.fromEntries(
      Object.entries(value).map(([name, part]) => [name, this.#convert(part as JsonObject)]),
    );
  }
}
