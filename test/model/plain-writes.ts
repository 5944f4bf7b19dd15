/**
 * Writes of a configuration on plain objects (contract sections 1, 3 and 8). A write returns the new configuration,
 * or the code of its refusal.
 */
import {
  areReferencesGood,
  defaultCode,
  mayPrefer,
  type PlainBlended,
  type PlainCheck,
  type PlainConfig,
  type PlainGroup,
  type PlainMethod,
  type PlainPreference,
  type PlainRule,
  type PlainSubzone,
  type PlainZone,
  zoneOf,
} from './plain-config.ts';

interface Positioned {
  readonly position?: number;
}
export interface ZoneBody extends Positioned {
  readonly name?: string;
  readonly countries?: string[];
  readonly subzones?: WithoutId<PlainSubzone>[];
}
export interface GroupBody extends Positioned {
  readonly name?: string;
  readonly isDefault?: boolean;
  readonly skus?: string[];
}
export interface MethodBody extends Positioned {
  readonly name?: string;
  readonly zoneId?: string;
  readonly productGroupId?: string;
  readonly rateType?: 'flat' | 'free';
  readonly config?: { readonly price?: number };
  readonly enabled?: boolean;
  readonly freeShippingThreshold?: number | null;
  readonly thresholdBasis?: string;
  readonly delivery?: { readonly minDays: number; readonly maxDays: number } | null;
  readonly phoneRequired?: boolean;
}
export interface RuleBody extends Positioned {
  readonly action?: 'hide' | 'free' | 'adjust_add' | 'adjust_subtract';
  readonly adjustmentValue?: number;
  readonly enabled?: boolean;
  readonly name?: string;
}
export interface BlendedBody extends Positioned {
  readonly name?: string;
  readonly zoneId?: string;
  readonly preferences?: PlainPreference[];
  readonly enabled?: boolean;
}

export interface CheckBody extends Positioned {
  readonly name?: string;
  readonly request?: unknown;
  readonly at?: string | null;
  readonly expectations?: unknown[];
  readonly enabled?: boolean;
}

/** A record without an id, for which execute makes one. */
type WithoutId<T extends { id: string }> = Omit<T, 'id'> & { id?: string };

export type PlainWrite =
  | { readonly kind: 'createZone'; readonly body: ZoneBody & Required<Pick<ZoneBody, 'name' | 'countries'>> }
  | { readonly kind: 'updateZone'; readonly id: string; readonly body: ZoneBody }
  | { readonly kind: 'deleteZone'; readonly id: string }
  | { readonly kind: 'createGroup'; readonly body: GroupBody & { readonly name: string } }
  | { readonly kind: 'updateGroup'; readonly id: string; readonly body: GroupBody }
  | { readonly kind: 'deleteGroup'; readonly id: string }
  | {
      readonly kind: 'createMethod';
      readonly body: MethodBody & Required<Pick<MethodBody, 'name' | 'zoneId' | 'rateType'>>;
    }
  | { readonly kind: 'updateMethod'; readonly id: string; readonly body: MethodBody }
  | { readonly kind: 'deleteMethod'; readonly id: string }
  | {
      readonly kind: 'createRule';
      readonly methodId: string;
      readonly body: RuleBody & Required<Pick<RuleBody, 'action'>>;
    }
  | { readonly kind: 'updateRule'; readonly id: string; readonly body: RuleBody }
  | { readonly kind: 'deleteRule'; readonly id: string }
  | {
      readonly kind: 'createBlended';
      readonly body: BlendedBody & Required<Pick<BlendedBody, 'name' | 'zoneId'>>;
    }
  | { readonly kind: 'updateBlended'; readonly id: string; readonly body: BlendedBody }
  | { readonly kind: 'deleteBlended'; readonly id: string }
  | {
      readonly kind: 'createCheck';
      readonly body: CheckBody & Required<Pick<CheckBody, 'name' | 'request' | 'expectations'>>;
    }
  | { readonly kind: 'updateCheck'; readonly id: string; readonly body: CheckBody }
  | { readonly kind: 'deleteCheck'; readonly id: string }
  | {
      readonly kind: 'executeConfig';
      /** Every kind, with every field of each record. */
      readonly data: Omit<PlainConfig, 'methods'> & { methods: WithoutId<PlainMethod>[] };
    };

/** The refusals of a write that are checked before the limits of the plan. */
export type RefusalCode = 'VALIDATION_ERROR' | 'NOT_FOUND' | 'CONFLICT';

export class Refused extends Error {
  readonly code: RefusalCode;

  constructor(code: RefusalCode) {
    super(code);
    this.code = code;
  }
}

function refuseIf(isRefused: boolean, code: RefusalCode): void {
  if (isRefused) throw new Refused(code);
}

function found<T extends { readonly id: string }>(records: readonly T[], id: string): T {
  const record = records.find((one) => one.id === id);
  if (record === undefined) throw new Refused('NOT_FOUND');
  return record;
}

function remove<T>(records: T[], record: T): void {
  records.splice(records.indexOf(record), 1);
}

/** Moves a record to its position; a position beyond the end means the end. */
function place<T>(records: T[], record: T, position: number | undefined): void {
  const old = records.indexOf(record);
  if (old >= 0 && position === undefined) return;
  if (old >= 0) records.splice(old, 1);
  records.splice(Math.min(position ?? records.length, records.length), 0, record);
}

/** Sets the fields of the body. */
function set<T extends object>(record: T, body: object, fields: readonly (keyof T & string)[]): void {
  for (const field of fields) {
    const value = (body as Partial<T>)[field];
    if (value !== undefined) record[field] = value as T[typeof field];
  }
}

/** Returns the configuration after the write, as a new object. Throws `Refused`. `newId` is the id of a new record. */
export function writePlain(before: PlainConfig, write: PlainWrite, newId: string): PlainConfig {
  const config = structuredClone(before);
  switch (write.kind) {
    case 'createZone':
    case 'updateZone':
      return writeZone(config, write, newId);
    case 'deleteZone':
      return deleteZone(config, write.id);
    case 'createGroup':
    case 'updateGroup':
      return writeGroup(config, write, newId);
    case 'deleteGroup':
      return deleteGroup(config, write.id);
    case 'createMethod':
    case 'updateMethod':
      return writeMethod(config, write, newId);
    case 'deleteMethod':
      return deleteMethod(config, write.id);
    case 'createRule':
    case 'updateRule':
      return writeRule(config, write, newId);
    case 'deleteRule': {
      const rules = homeOf(config, write.id).rules;
      remove(rules, found(rules, write.id));
      return config;
    }
    case 'createBlended':
    case 'updateBlended':
      return writeBlended(config, write, newId);
    case 'deleteBlended':
      remove(config.blendedRates, found(config.blendedRates, write.id));
      return config;
    case 'createCheck':
    case 'updateCheck':
      return writeCheck(config, write, newId);
    case 'deleteCheck':
      remove(config.checks, found(config.checks, write.id));
      return config;
    case 'executeConfig':
      return execute(write.data);
  }
}

/** New subzones get the id "", because the shop makes their ids. A new zone ignores the given ids of its subzones. */
function writeZone(
  config: PlainConfig,
  write: Extract<PlainWrite, { kind: 'createZone' | 'updateZone' }>,
  newId: string,
): PlainConfig {
  const { body } = write;
  const isNew = write.kind === 'createZone';
  const zone: PlainZone = isNew
    ? { id: newId, name: '', countries: [], subzones: [] }
    : found(config.zones, write.id);
  set(zone, body, ['name', 'countries']);
  if (body.subzones !== undefined) {
    const before = zone.subzones;
    zone.subzones = body.subzones.map((subzone) => ({
      ...subzone,
      id: isNew ? '' : (subzone.id ?? ''),
    }));
    const taken = config.zones.flatMap((one) => [one.id, ...idsOf(one === zone ? [] : one.subzones)]);
    const given = idsOf(zone.subzones).filter((id) => id !== '');
    const isTwice = new Set(given).size < given.length || given.some((id) => taken.includes(id));
    refuseIf(isTwice, 'VALIDATION_ERROR');
    const gone = idsOf(before).filter((id) => !given.includes(id));
    refuseIf(isBound(config, gone), 'CONFLICT');
  }
  place(config.zones, zone, body.position);
  return config;
}

function deleteZone(config: PlainConfig, id: string): PlainConfig {
  const zone = found(config.zones, id);
  refuseIf(isBound(config, [id, ...idsOf(zone.subzones)]), 'CONFLICT');
  remove(config.zones, zone);
  return config;
}

const idsOf = (records: readonly { readonly id: string }[]) => records.map(({ id }) => id);

const isBound = ({ methods, blendedRates }: PlainConfig, places: readonly string[]): boolean =>
  [...methods, ...blendedRates].some(({ zoneId }) => places.includes(zoneId));

function writeGroup(
  config: PlainConfig,
  write: Extract<PlainWrite, { kind: 'createGroup' | 'updateGroup' }>,
  newId: string,
): PlainConfig {
  const { body } = write;
  const groups = config.productGroups;
  const group: PlainGroup =
    write.kind === 'updateGroup'
      ? found(groups, write.id)
      : {
          id: newId,
          name: '',
          isDefault: false,
          variantIds: [],
          productIds: [],
          skus: [],
          tags: [],
          vendors: [],
        };
  refuseIf(group.isDefault && body.isDefault === false, 'CONFLICT');
  if (body.isDefault === true) for (const other of groups) other.isDefault = false;
  set(group, body, ['name', 'isDefault', 'skus']);
  place(groups, group, body.position);
  return config;
}

function deleteGroup(config: PlainConfig, id: string): PlainConfig {
  const group = found(config.productGroups, id);
  const isUsed =
    config.methods.some((method) => method.productGroupId === id) ||
    config.blendedRates.some(({ preferences }) => preferences.some((one) => one.productGroupId === id));
  refuseIf(group.isDefault || isUsed, 'CONFLICT');
  remove(config.productGroups, group);
  return config;
}

function writeMethod(
  config: PlainConfig,
  write: Extract<PlainWrite, { kind: 'createMethod' | 'updateMethod' }>,
  newId: string,
): PlainConfig {
  const { body } = write;
  const method: PlainMethod =
    write.kind === 'updateMethod'
      ? found(config.methods, write.id)
      : {
          id: newId,
          name: '',
          subtitle: '',
          serviceCode: defaultCode(config, config.methods, write.body.zoneId, write.body.name),
          zoneId: '',
          productGroupId: config.productGroups.find(({ isDefault }) => isDefault)?.id ?? '',
          rateType: '',
          config: {},
          enabled: true,
          freeShippingThreshold: null,
          thresholdBasis: 'cart_total',
          delivery: null,
          phoneRequired: false,
          rules: [],
        };
  if (body.rateType !== undefined && body.rateType !== method.rateType) method.config = {};
  set(method, body, ['name', 'zoneId', 'productGroupId', 'rateType', 'enabled']);
  set(method, body, ['freeShippingThreshold', 'thresholdBasis', 'delivery', 'phoneRequired']);
  if (body.config !== undefined) method.config = { ...body.config };
  const isPriced = method.config.price !== undefined;
  refuseIf(isPriced !== (method.rateType === 'flat'), 'VALIDATION_ERROR');
  refuseIf(zoneOf(config, method.zoneId) === undefined, 'VALIDATION_ERROR');
  refuseIf(!config.productGroups.some(({ id }) => id === method.productGroupId), 'VALIDATION_ERROR');
  for (const { zoneId, preferences } of config.blendedRates) {
    for (const preference of preferences) {
      if (preference.preferredMethodId !== method.id) continue;
      refuseIf(!mayPrefer(config, zoneId, preference, method), 'CONFLICT');
    }
  }
  place(config.methods, method, body.position);
  return config;
}

function deleteMethod(config: PlainConfig, id: string): PlainConfig {
  const method = found(config.methods, id);
  const isPreferred = config.blendedRates.some(({ preferences }) =>
    preferences.some((preference) => preference.preferredMethodId === id),
  );
  refuseIf(isPreferred, 'CONFLICT');
  remove(config.methods, method);
  return config;
}

function homeOf(config: PlainConfig, ruleId: string): PlainMethod {
  const method = config.methods.find(({ rules }) => rules.some(({ id }) => id === ruleId));
  if (method === undefined) throw new Refused('NOT_FOUND');
  return method;
}

function writeRule(
  config: PlainConfig,
  write: Extract<PlainWrite, { kind: 'createRule' | 'updateRule' }>,
  newId: string,
): PlainConfig {
  const { body } = write;
  const isNew = write.kind === 'createRule';
  const method = isNew ? found(config.methods, write.methodId) : homeOf(config, write.id);
  const rule: PlainRule = isNew
    ? { id: newId, action: '', conditions: [], enabled: true, name: '' }
    : found(method.rules, write.id);
  set(rule, body, ['action', 'adjustmentValue', 'enabled', 'name']);
  if (rule.action.startsWith('adjust_')) {
    refuseIf(rule.adjustmentValue === undefined, 'VALIDATION_ERROR');
    rule.adjustmentType ??= 'flat';
  } else {
    refuseIf(body.adjustmentValue !== undefined, 'VALIDATION_ERROR');
    delete rule.adjustmentValue;
    delete rule.adjustmentType;
  }
  place(method.rules, rule, body.position);
  return config;
}

function writeBlended(
  config: PlainConfig,
  write: Extract<PlainWrite, { kind: 'createBlended' | 'updateBlended' }>,
  newId: string,
): PlainConfig {
  const { body } = write;
  const blended: PlainBlended =
    write.kind === 'updateBlended'
      ? found(config.blendedRates, write.id)
      : {
          id: newId,
          name: '',
          subtitle: '',
          serviceCode: defaultCode(config, config.blendedRates, write.body.zoneId, write.body.name),
          zoneId: '',
          freeShippingThreshold: null,
          thresholdBasis: 'cart_total',
          preferences: [],
          enabled: true,
        };
  set(blended, body, ['name', 'zoneId', 'preferences', 'enabled', 'thresholdBasis']);
  refuseIf(!areReferencesGood(config, blended), 'VALIDATION_ERROR');
  place(config.blendedRates, blended, body.position);
  return config;
}

function writeCheck(
  config: PlainConfig,
  write: Extract<PlainWrite, { kind: 'createCheck' | 'updateCheck' }>,
  newId: string,
): PlainConfig {
  const { body } = write;
  const check: PlainCheck =
    write.kind === 'updateCheck'
      ? found(config.checks, write.id)
      : { id: newId, name: '', request: null, at: null, expectations: [], enabled: true };
  set(check, body, ['name', 'request', 'at', 'expectations', 'enabled']);
  place(config.checks, check, body.position);
  return config;
}

/** Ids that the shop makes are "". */
function execute(data: Extract<PlainWrite, { kind: 'executeConfig' }>['data']): PlainConfig {
  const config: PlainConfig = structuredClone({
    ...data,
    methods: data.methods.map((method) => ({ ...method, id: method.id ?? '' })),
  });
  const defaults = config.productGroups.filter(({ isDefault }) => isDefault);
  refuseIf(defaults.length > 1, 'VALIDATION_ERROR');
  if (defaults.length === 0) {
    const lists = { variantIds: [], productIds: [], skus: [], tags: [], vendors: [] };
    config.productGroups.push({ id: '', name: 'Default', isDefault: true, ...lists });
  }
  for (const { zoneId, productGroupId } of config.methods) {
    refuseIf(zoneOf(config, zoneId) === undefined, 'VALIDATION_ERROR');
    refuseIf(!config.productGroups.some(({ id }) => id === productGroupId), 'VALIDATION_ERROR');
  }
  for (const blended of config.blendedRates) {
    refuseIf(!areReferencesGood(config, blended), 'VALIDATION_ERROR');
  }
  return config;
}
