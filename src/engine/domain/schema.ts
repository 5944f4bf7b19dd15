/** Parts of schemas. A strict object has no field that its schema does not name; a body with such a field is refused. */
import Type, { type Static, type TOptional, type TSchema, type TSchemaOptions } from '#typebox';
import { ID_LENGTH_MAX, ID_PATTERN } from './id.ts';

/** An object that the API description lists under its title. */
export const strict = <P extends Record<string, TSchema>>(
  title: string,
  properties: P,
  options: TSchemaOptions = {},
) => Type.Object(properties, { additionalProperties: false, title, ...options });

/** A strict object without a title: the API description writes it out where it is used. */
export const untitled = <P extends Record<string, TSchema>>(properties: P) =>
  Type.Object(properties, { additionalProperties: false });

/** The readonly type of a schema's values; the lists in their fields are readonly, too. */
export type Fixed<S extends TSchema> = { readonly [K in keyof Static<S>]: FixedList<Static<S>[K]> };
type FixedList<V> = V extends (infer E)[] ? readonly E[] : V;

/** An id of a record. */
export const Id = Type.String({
  pattern: ID_PATTERN,
  'x-accepts': `an id: 1 to ${ID_LENGTH_MAX} characters of A-Z, a-z, 0-9, _ and -`,
  examples: ['method_01JD3V8RZK6Q9W5T7X2Y4B8N0C'],
});

export const count = Type.Integer({ minimum: 0 });
export const countOf = (description: string) => Type.Integer({ minimum: 0, description });

export const orNull = <T extends TSchema>(schema: T, options: TSchemaOptions = {}) =>
  Type.Union([schema, Type.Null()], options);

/** One of these names; a refusal lists them. */
export const oneOf = <N extends string>(names: readonly N[], options: TSchemaOptions = {}) =>
  Type.Enum<N[]>([...names], { 'x-accepts': `one of ${names.join(', ')}`, ...options });

type Optional<P extends Record<string, TSchema>> = { [N in keyof P]: TOptional<P[N]> };
/** The same fields, each of which may be absent. */
export const allOptional = <P extends Record<string, TSchema>>(fields: P) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, schema]) => [name, Type.Optional(schema)]),
  ) as Optional<P>;
