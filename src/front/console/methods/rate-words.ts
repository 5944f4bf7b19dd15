/** Rate types as forms: fields, labels and first values out of the schemas of the vocabulary. */
import type { Schemas } from '../../client/call-table.ts';
import { formatMoney } from '../amounts.ts';
import { counted, rateTypeText } from '../words.ts';
import type { Method, RateConfig, Tier } from './method-kind.ts';

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

const firstNumber = (schema: ConfigSchema): number | null =>
  isNullable(schema) ? null : (schema.minimum ?? 0);

/** The smallest config that the schema accepts; its only tier has no end. */
export function firstConfig(schema: ConfigSchema): RateConfig {
  const fields = Object.entries(schema.properties ?? {}).filter(([name]) => schema.required?.includes(name));
  return Object.fromEntries(
    fields.map(([name, field]) => [
      name,
      field.items === undefined ? firstNumber(field) : [firstConfig(field.items) as Tier],
    ]),
  );
}

/** The price of a method in a few words, for lists. */
export function rateSummary(method: Method, currency: string): string {
  const { rateType, config, freeShippingThreshold } = method;
  const type = rateTypeText(rateType);
  const threshold =
    freeShippingThreshold === null ? '' : `, free from ${formatMoney(freeShippingThreshold, currency)}`;
  if (rateType === 'flat') return `${formatMoney(config.price, currency)}${threshold}`;
  if (rateType === 'percentage') return `${config.percentage} % of the cart${threshold}`;
  if (!('tiers' in config)) return `${type}${threshold}`;
  return `${type}, ${counted(config.tiers.length, 'tier')}${threshold}`;
}
