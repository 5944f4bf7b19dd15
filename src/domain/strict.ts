/** Strict object schemas: a body may hold no field that the schema does not name, and an answer holds none. */
import Type, { type TSchema } from '#typebox';

/** A schema that the API description lists under its title. */
export const strict = <P extends Record<string, TSchema>>(title: string, properties: P) =>
  Type.Object(properties, { additionalProperties: false, title });

/** A schema without a title: the API description writes it out where it is used. */
export const untitled = <P extends Record<string, TSchema>>(properties: P) =>
  Type.Object(properties, { additionalProperties: false });
