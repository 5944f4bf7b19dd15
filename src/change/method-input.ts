/** A method as a client writes it, checked and completed, its rules apart (contract section 3). */
import Type from 'typebox';
import {
  findRateConfigDefect,
  RATE_TYPE_NAMES,
  RATE_TYPES,
  type RateConfig,
  type RateType,
} from '../domain/rate-type.ts';
import type { MethodInChange } from '../domain/shop-event.ts';
import { compileSchema, type SchemaCheck } from '../wire/schema-check.ts';
import type { MethodCreate } from '../wire/write-bodies.ts';
import type { Defects } from './defects.ts';
import { checkMethodReferences, type References } from './references.ts';

export type MethodInput = Omit<MethodCreate, 'id' | 'position' | 'rules'>;

/** A method without rules and place. */
export type MethodFields = Omit<MethodInChange, 'placement'>;

/** Wrapped, so that a defect's path begins with `/config`. */
const RATE_CONFIG_CHECKS = new Map<RateType, SchemaCheck<unknown>>(
  RATE_TYPE_NAMES.map((rateType) => [rateType, compileSchema(Type.Object({ config: RATE_TYPES[rateType] }))]),
);

function checkRateConfig(rateType: RateType, config: unknown, path: string, defects: Defects): void {
  const schemaCheck = RATE_CONFIG_CHECKS.get(rateType);
  if (schemaCheck?.check({ config }) === false) {
    for (const line of schemaCheck.defects({ config }, defects.max)) defects.addLine(`${path}${line}`);
    return;
  }
  const defect = findRateConfigDefect({ rateType, config } as RateConfig);
  if (defect !== null) defects.add(`${path}/config${defect.path}`, defect.message);
}

/** What a method's body leaves to the configuration around it. */
export interface MethodDefaults {
  readonly productGroupId: string;
  /** Called only when the body has no service code. */
  readonly serviceCode: () => string;
}

/** `path` is that of the method: "" for a body of its own. The result counts only when no defect was added. */
export function readMethod(
  id: string,
  input: MethodInput,
  path: string,
  defects: Defects,
  references: References,
  defaults: MethodDefaults,
): MethodFields {
  const { name, zoneId, rateType, config = {} } = input;
  checkRateConfig(rateType, config, path, defects);
  const method: MethodFields = {
    id,
    name,
    subtitle: input.subtitle ?? '',
    serviceCode: input.serviceCode ?? defaults.serviceCode(),
    zoneId,
    productGroupId: input.productGroupId ?? defaults.productGroupId,
    rateType,
    config: config as RateConfig['config'],
    enabled: input.enabled ?? true,
    freeShippingThreshold: input.freeShippingThreshold ?? null,
  };
  checkMethodReferences(method, references, (field, text) => defects.add(`${path}${field}`, text));
  return method;
}
