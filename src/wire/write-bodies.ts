/**
 * Request bodies of configuration writes, derived from the fields of the records (contract sections 1, 3 and 8). A body
 * may hold the read-only fields of a record, which are ignored, so that a record that was read can be sent back; any
 * other unknown field is refused.
 */
import Type, { type Static, type TSchema } from '#typebox';
import { ApiKey } from '../domain/api-key.ts';
import { BlendedRate, PREFERENCES_MAX } from '../domain/blended-rate.ts';
import { ITEMS_MAX_DEFAULT } from '../domain/cart.ts';
import { Check, checkRequestSchema } from '../domain/check.ts';
import { Condition } from '../domain/condition.ts';
import { FulfilmentInput } from '../domain/delivery.ts';
import { Id } from '../domain/id.ts';
import { ProductGroup } from '../domain/product-group.ts';
import { PromotionGate } from '../domain/promotion-gate.ts';
import { CONDITIONS_MAX, Rule } from '../domain/rule.ts';
import { METHOD_FIELDS } from '../domain/shipping-method.ts';
import { ShopSettings } from '../domain/shop.ts';
import { strict } from '../domain/strict.ts';
import { CONDITION_INPUT_ACCEPTS } from '../domain/text.ts';
import { ComparedReference, VersionReference } from '../domain/version-reference.ts';
import { SUBZONES_MAX, Subzone, Zone } from '../domain/zone.ts';
import { bisectSchema } from './bisect.ts';

const ignored = (why: string) => Type.Optional(Type.Unknown({ description: `Read-only, ignored: ${why}` }));
const readOnlyId = ignored('the id stays what it is');

export const POSITION_MAX = 1_000_000;
/** 0-based position among the siblings; a position beyond the end means the end. */
export const Position = Type.Integer({
  minimum: 0,
  maximum: POSITION_MAX,
  'x-accepts': `a 0-based position of at most ${POSITION_MAX.toLocaleString('en-US')}`,
});

const opt = <T extends TSchema>(schema: T) => Type.Optional(schema);

const ConditionInput = strict('ConditionInput', {
  conditionType: Condition.properties.conditionType,
  operator: Condition.properties.operator,
  value: opt(
    Type.Union([Condition.properties.value, Type.Number()], {
      'x-accepts': CONDITION_INPUT_ACCEPTS,
    }),
  ),
  scope: opt(Condition.properties.scope),
});
export type ConditionInput = Readonly<Static<typeof ConditionInput>>;

const PreferenceInput = strict('PreferenceInput', {
  productGroupId: Id,
  preferredMethodId: opt(BlendedRate.properties.preferences.items.properties.preferredMethodId),
});

const groupFields = {
  name: ProductGroup.properties.name,
  isDefault: opt(ProductGroup.properties.isDefault),
  variantIds: opt(ProductGroup.properties.variantIds),
  productIds: opt(ProductGroup.properties.productIds),
  skus: opt(ProductGroup.properties.skus),
  tags: opt(ProductGroup.properties.tags),
  vendors: opt(ProductGroup.properties.vendors),
};

const methodFields = {
  name: METHOD_FIELDS.name,
  subtitle: opt(METHOD_FIELDS.subtitle),
  serviceCode: opt(METHOD_FIELDS.serviceCode),
  zoneId: METHOD_FIELDS.zoneId,
  productGroupId: opt(METHOD_FIELDS.productGroupId),
  rateType: METHOD_FIELDS.rateType,
  config: opt(METHOD_FIELDS.config),
  enabled: opt(METHOD_FIELDS.enabled),
  freeShippingThreshold: opt(METHOD_FIELDS.freeShippingThreshold),
  thresholdBasis: METHOD_FIELDS.thresholdBasis,
  delivery: METHOD_FIELDS.delivery,
};

const ruleFields = {
  action: Rule.properties.action,
  conditions: opt(Type.Array(ConditionInput, { maxItems: CONDITIONS_MAX })),
  adjustmentValue: Rule.properties.adjustmentValue,
  adjustmentType: Rule.properties.adjustmentType,
  enabled: opt(Rule.properties.enabled),
  name: Rule.properties.name,
};

const blendedFields = {
  name: BlendedRate.properties.name,
  subtitle: opt(BlendedRate.properties.subtitle),
  serviceCode: opt(BlendedRate.properties.serviceCode),
  zoneId: BlendedRate.properties.zoneId,
  freeShippingThreshold: opt(BlendedRate.properties.freeShippingThreshold),
  thresholdBasis: BlendedRate.properties.thresholdBasis,
  preferences: opt(Type.Array(PreferenceInput, { maxItems: PREFERENCES_MAX })),
  enabled: opt(BlendedRate.properties.enabled),
};

const checkFields = (itemsMax: number) => ({
  name: Check.properties.name,
  request: checkRequestSchema(itemsMax),
  at: opt(Check.properties.at),
  expectations: Check.properties.expectations,
  enabled: opt(Check.properties.enabled),
});

const zoneFields = { name: Zone.properties.name, countries: Zone.properties.countries };

const subzoneFields = { name: Subzone.properties.name, postalCodes: Subzone.properties.postalCodes };
/** A subzone whose id the zone has replaces that subzone; any other subzone is new. */
const SubzoneData = strict('SubzoneData', { id: opt(Id), ...subzoneFields });
export type SubzoneData = Readonly<Static<typeof SubzoneData>>;
const subzoneList = <T extends TSchema>(subzone: T) => Type.Array(subzone, { maxItems: SUBZONES_MAX });

const position = opt(Position);

export const ZoneCreate = strict('ZoneCreate', {
  ...zoneFields,
  subzones: opt(
    subzoneList(strict('SubzoneCreate', { ...subzoneFields, id: ignored('a new zone has new subzones') })),
  ),
  position,
  id: readOnlyId,
});
export type ZoneCreate = Readonly<Static<typeof ZoneCreate>>;
export const ZoneUpdate = strict('ZoneUpdate', {
  name: opt(zoneFields.name),
  countries: opt(zoneFields.countries),
  subzones: opt(subzoneList(SubzoneData)),
  position,
  id: opt(Id),
});
export type ZoneUpdate = Readonly<Static<typeof ZoneUpdate>>;

export const GroupCreate = strict('GroupCreate', { ...groupFields, position, id: readOnlyId });
export type GroupCreate = Readonly<Static<typeof GroupCreate>>;
export const GroupUpdate = strict('GroupUpdate', {
  ...groupFields,
  name: opt(groupFields.name),
  position,
  id: opt(Id),
});
export type GroupUpdate = Readonly<Static<typeof GroupUpdate>>;

const readOnlyRules = ignored('rules are written through /api/rules');
export const MethodCreate = strict('MethodCreate', {
  ...methodFields,
  position,
  id: readOnlyId,
  rules: readOnlyRules,
});
export type MethodCreate = Readonly<Static<typeof MethodCreate>>;
export const MethodUpdate = strict('MethodUpdate', {
  ...methodFields,
  name: opt(methodFields.name),
  zoneId: opt(methodFields.zoneId),
  rateType: opt(methodFields.rateType),
  position,
  id: opt(Id),
  rules: readOnlyRules,
});
export type MethodUpdate = Readonly<Static<typeof MethodUpdate>>;

export const RuleCreate = strict('RuleCreate', {
  methodId: opt(Id),
  ...ruleFields,
  position,
  id: readOnlyId,
});
export type RuleCreate = Readonly<Static<typeof RuleCreate>>;
export const RuleUpdate = strict('RuleUpdate', {
  ...ruleFields,
  action: opt(ruleFields.action),
  /** Accepted when it names the method of the rule: a rule cannot change its method. */
  methodId: opt(Id),
  position,
  id: opt(Id),
});
export type RuleUpdate = Readonly<Static<typeof RuleUpdate>>;

export const BlendedCreate = strict('BlendedCreate', { ...blendedFields, position, id: readOnlyId });
export type BlendedCreate = Readonly<Static<typeof BlendedCreate>>;
export const BlendedUpdate = strict('BlendedUpdate', {
  ...blendedFields,
  name: opt(blendedFields.name),
  zoneId: opt(blendedFields.zoneId),
  position,
  id: opt(Id),
});
export type BlendedUpdate = Readonly<Static<typeof BlendedUpdate>>;

/** In this and the schemas below, `itemsMax` is the operator's limit on items of a cart. */
export const checkCreateSchema = (itemsMax: number) =>
  strict('CheckCreate', { ...checkFields(itemsMax), position, id: readOnlyId });
export type CheckCreate = Readonly<Static<ReturnType<typeof checkCreateSchema>>>;
export function checkUpdateSchema(itemsMax: number) {
  const { name, request, at, expectations, enabled } = checkFields(itemsMax);
  return strict('CheckUpdate', {
    name: opt(name),
    request: opt(request),
    at,
    expectations: opt(expectations),
    enabled,
    position,
    id: opt(Id),
  });
}
export type CheckUpdate = Readonly<Static<ReturnType<typeof checkUpdateSchema>>>;

/** A body that only names a record. */
export const DeleteBody = strict('DeleteBody', { id: opt(Id) });
export type DeleteBody = Readonly<Static<typeof DeleteBody>>;

export const ShopUpdate = strict('ShopUpdate', {
  name: opt(ShopSettings.properties.name),
  currency: opt(ShopSettings.properties.currency),
  timezone: opt(ShopSettings.properties.timezone),
  /** Replaced whole; null removes it. */
  promotionGate: opt(Type.Union([PromotionGate, Type.Null()])),
  /** Replaced whole; null restores the defaults. */
  fulfilment: opt(Type.Union([FulfilmentInput, Type.Null()])),
  id: readOnlyId,
  plan: ignored('the plan is set by the operator'),
  limits: ignored('they follow the plan'),
  usage: ignored('it is counted'),
});
export type ShopUpdate = Readonly<Static<typeof ShopUpdate>>;

export const KeyCreate = strict('KeyCreate', {
  label: ApiKey.properties.label,
  permission: ApiKey.properties.permission,
});
export type KeyCreate = Readonly<Static<typeof KeyCreate>>;

const positionIgnored = ignored('the place in the array is the position');

/** Defects of a bulk write that one message names (contract section 8). */
export const CONFIG_DEFECTS_MAX = 20;

/** The `data` of preview and execute; the answer of `GET /api/config` is accepted unchanged. */
export const configDataSchema = (itemsMax: number) =>
  strict('ConfigData', {
    versionId: ignored('it names the version that was read'),
    productGroups: opt(
      Type.Array(strict('ProductGroupData', { id: opt(Id), ...groupFields, position: positionIgnored })),
    ),
    zones: opt(
      Type.Array(
        strict('ZoneData', {
          id: opt(Id),
          ...zoneFields,
          subzones: opt(subzoneList(SubzoneData)),
        }),
      ),
    ),
    methods: opt(
      Type.Array(
        strict('MethodData', {
          id: opt(Id),
          ...methodFields,
          rules: opt(
            Type.Array(
              strict('RuleData', {
                id: opt(Id),
                ...ruleFields,
                methodId: ignored('a rule belongs to the method it stands in'),
                position: positionIgnored,
              }),
            ),
          ),
          position: positionIgnored,
        }),
      ),
    ),
    blendedRates: opt(
      Type.Array(strict('BlendedRateData', { id: opt(Id), ...blendedFields, position: positionIgnored })),
    ),
    checks: opt(
      Type.Array(strict('CheckData', { id: opt(Id), ...checkFields(itemsMax), position: positionIgnored })),
    ),
  });

export const ConfigData = configDataSchema(ITEMS_MAX_DEFAULT);
export type ConfigData = Readonly<Static<typeof ConfigData>>;

export const configActionSchema = (itemsMax: number) =>
  strict('ConfigAction', {
    action: Type.Enum(['preview', 'execute'], { 'x-accepts': 'preview or execute' }),
    data: configDataSchema(itemsMax),
  });
export type ConfigAction = Readonly<Static<ReturnType<typeof configActionSchema>>>;

const CompareVersions = strict('CompareVersions', {
  action: Type.Literal('compare'),
  versionA: ComparedReference,
  versionB: ComparedReference,
});
const RollbackToVersion = strict('RollbackToVersion', {
  action: Type.Literal('rollback'),
  targetVersionId: VersionReference,
});
export const versionActionSchema = (itemsMax: number) =>
  Type.Union([CompareVersions, RollbackToVersion, bisectSchema(itemsMax)], { title: 'VersionAction' });
export type VersionAction = Readonly<Static<ReturnType<typeof versionActionSchema>>>;

export const StagingAction = strict('StagingAction', {
  action: Type.Enum(['enter', 'promote', 'discard', 'replay'], {
    'x-accepts': 'enter, promote, discard or replay',
  }),
  force: opt(
    Type.Boolean({ description: 'Of promote: past the gate of the shop. Needs the permission admin' }),
  ),
});
export type StagingAction = Readonly<Static<typeof StagingAction>>;
