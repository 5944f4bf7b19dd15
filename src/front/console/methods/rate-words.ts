/** Rate types as forms: fields, labels and first values out of the schemas of the vocabulary. */
import type { Schemas } from '../../client/call-table.ts';
import type { RateConfig, Tier } from './method-kind.ts';

/** The part of JSON Schema that the configs of rate types use. */
export interface ConfigSchema {
  readonly type?: string;
  readonly description?: string;
  readonly minimum?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, ConfigSchema>>;
  readonly items?: ConfigSchema;
  readonly anyOf?: readonly ConfigSchema[];
}

export const schemaOf = (rateTypes: Schemas['Vocabulary']['rateTypes'], rateType: string): ConfigSchema =>
  (rateTypes.find(({ name }) => name === rateType)?.config ?? {}) as ConfigSchema;

const isNullable = ({ anyOf }: ConfigSchema): boolean => anyOf?.some(({ type }) => type === 'null') === true;

/** The config cannot be saved without this number. */
export const isRequiredIn = ({ required, properties }: ConfigSchema, name: string): boolean =>
  required?.includes(name) === true && !isNullable(properties?.[name] ?? {});

/** What customers pay: no number of it is a default, because it would be live. */
const isPrice = (name: string): boolean => /^(?!m(?:in|ax)).*(?:price|percentage)$/i.test(name);

/** The smallest config that the schema accepts, without prices; its only tier has no end. */
export function firstConfig(schema: ConfigSchema): RateConfig {
  const fields = Object.entries(schema.properties ?? {}).filter(([name]) => schema.required?.includes(name));
  return Object.fromEntries(
    fields.map(([name, field]) => {
      if (field.items !== undefined) return [name, [firstConfig(field.items) as Tier]];
      return [name, isNullable(field) || isPrice(name) ? null : (field.minimum ?? 0)];
    }),
  );
}

/** The first number that the config lacks, as a path below it; null where it is whole. */
export function missingNumber(schema: ConfigSchema, config: RateConfig): readonly string[] | null {
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const value = config[name];
    if (field.items === undefined) {
      if (isRequiredIn(schema, name) && value == null) return [name];
      continue;
    }
    for (const [at, tier] of (Array.isArray(value) ? (value as readonly Tier[]) : []).entries()) {
      const lacking = missingNumber(field.items, tier);
      if (lacking !== null) return [name, String(at), ...lacking];
    }
  }
  return null;
}
