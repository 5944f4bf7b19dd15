/** Objects with every field of a schema, so that a test of all fields has a new one too. */

interface ObjectSchema {
  readonly properties: object;
}

const eachField = (
  { properties }: ObjectSchema,
  toValue: (name: string, types: readonly unknown[]) => unknown,
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(properties).map(([name, { type, anyOf = [{ type }] }]) => [
      name,
      toValue(
        name,
        (anyOf as readonly { readonly type?: unknown }[]).map((each) => each.type),
      ),
    ]),
  );

/** A text or number in each field; null in one of another type. For objects whose other fields a test names. */
export const filled = (schema: ObjectSchema) =>
  eachField(schema, (_, types) => (types.includes('string') ? 'a' : types.includes('integer') ? 1 : null));

/** The fields of the schema, null if absent, and no others. */
export const inFull = <T extends object>(schema: ObjectSchema, value: T): T =>
  eachField(schema, (name) => (value as Readonly<Record<string, unknown>>)[name] ?? null) as T;
