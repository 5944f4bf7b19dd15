/**
 * Bodies of configuration writes, derived from the fields of the records (contract sections 1, 3 and 8). The read-only
 * fields of a record are accepted and ignored, so that a record can be read and sent back; any other unknown field is
 * refused.
 */
import Type, { type Static, type TSchema } from '#typebox';
import { ApiKey, KEY_YEARS_MAX } from '../domain/api-key.ts';
import { BlendedRate, PREFERENCES_MAX, Preference } from '../domain/blended-rate.ts';
import { IsoTime, ITEMS_MAX_DEFAULT, simulateRequestSchema } from '../domain/cart.ts';
import { Check, checkRequestSchema } from '../domain/check.ts';
import { Condition } from '../domain/condition.ts';
import { FulfilmentInput } from '../domain/delivery.ts';
import { ISO_TIME_ACCEPTS, ISO_TIME_PATTERN } from '../domain/iso-time.ts';
import { ProductGroup } from '../domain/product-group.ts';
import { PromotionGate } from '../domain/promotion-gate.ts';
import { CONDITIONS_MAX, Rule } from '../domain/rule.ts';
import { allOptional, type Fixed, Id, orNull, strict } from '../domain/schema.ts';
import { METHOD_FIELDS } from '../domain/shipping-method.ts';
import { ShopSettings } from '../domain/shop.ts';
import { CONDITION_INPUT_ACCEPTS, OptionalName, Subtitle } from '../domain/text.ts';
import { ComparedReference, VersionReference } from '../domain/version-reference.ts';
import { SUBZONES_MAX, Subzone, Zone } from '../domain/zone.ts';
import { bisectSchema } from './bisect.ts';

const ignored = (why: string) => Type.Optional(Type.Unknown({ description: `Read-only, ignored: ${why}` }));
const readOnlyId = ignored('an id does not change');

const POSITION_MAX = 1_000_000;
/** 0-based position among the siblings; a position beyond the end means the end. */
export const Position = Type.Integer({
  minimum: 0,
  maximum: POSITION_MAX,
  'x-accepts': `a 0-based position of at most ${POSITION_MAX.toLocaleString('en-US')}`,
});

const opt = <T extends TSchema>(schema: T) => Type.Optional(schema);

const ConditionInput = strict('ConditionInput', {
  ...Condition.properties,
  value: opt(
    Type.Union([Condition.properties.value, Type.Number()], { 'x-accepts': CONDITION_INPUT_ACCEPTS }),
  ),
  scope: opt(Condition.properties.scope),
});
export type ConditionInput = Readonly<Static<typeof ConditionInput>>;

const PreferenceInput = strict('PreferenceInput', {
  productGroupId: Id,
  preferredMethodId: opt(Preference.properties.preferredMethodId),
});

// The fields of each record that a client writes: all but the id. Most of them may be absent.
const { id: _group, ...ofGroup } = ProductGroup.properties;
const groupFields = { ...allOptional(ofGroup), name: ofGroup.name };

const { id: _method, ...ofMethod } = METHOD_FIELDS;
const { name, zoneId, rateType } = ofMethod;
const methodFields = { ...allOptional(ofMethod), name, zoneId, rateType };

const { id: _rule, ...ofRule } = Rule.properties;
const ruleFields = {
  ...allOptional(ofRule),
  action: ofRule.action,
  conditions: opt(Type.Array(ConditionInput, { maxItems: CONDITIONS_MAX })),
};

const { id: _blended, ...ofBlended } = BlendedRate.properties;
const blendedFields = {
  ...allOptional(ofBlended),
  name: ofBlended.name,
  zoneId: ofBlended.zoneId,
  preferences: opt(Type.Array(PreferenceInput, { maxItems: PREFERENCES_MAX })),
};

const { id: _check, ...ofCheck } = Check.properties;
const checkFields = (itemsMax: number) => ({
  ...ofCheck,
  request: checkRequestSchema(itemsMax),
  at: opt(ofCheck.at),
  enabled: opt(ofCheck.enabled),
});

const { id: _zone, subzones: _subzones, ...zoneFields } = Zone.properties;
const { id: _subzone, ...subzoneFields } = Subzone.properties;
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
  ...allOptional(zoneFields),
  subzones: opt(subzoneList(SubzoneData)),
  position,
  id: opt(Id),
});
export type ZoneUpdate = Readonly<Static<typeof ZoneUpdate>>;

export const GroupCreate = strict('GroupCreate', { ...groupFields, position, id: readOnlyId });
export type GroupCreate = Readonly<Static<typeof GroupCreate>>;
export const GroupUpdate = strict('GroupUpdate', { ...allOptional(groupFields), position, id: opt(Id) });
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
  ...allOptional(methodFields),
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
export type RuleCreate = Fixed<typeof RuleCreate>;
export const RuleUpdate = strict('RuleUpdate', {
  ...allOptional(ruleFields),
  /** Must be the current method of the rule, which cannot change. */
  methodId: opt(Id),
  position,
  id: opt(Id),
});
export type RuleUpdate = Fixed<typeof RuleUpdate>;

export const BlendedCreate = strict('BlendedCreate', { ...blendedFields, position, id: readOnlyId });
export type BlendedCreate = Fixed<typeof BlendedCreate>;
export const BlendedUpdate = strict('BlendedUpdate', {
  ...allOptional(blendedFields),
  position,
  id: opt(Id),
});
export type BlendedUpdate = Fixed<typeof BlendedUpdate>;

/** In this and the schemas below, `itemsMax` is the operator's limit on items of a cart. */
export const checkCreateSchema = (itemsMax: number) =>
  strict('CheckCreate', { ...checkFields(itemsMax), position, id: readOnlyId });
export type CheckCreate = Fixed<ReturnType<typeof checkCreateSchema>>;
export const checkUpdateSchema = (itemsMax: number) =>
  strict('CheckUpdate', { ...allOptional(checkFields(itemsMax)), position, id: opt(Id) });
export type CheckUpdate = Fixed<ReturnType<typeof checkUpdateSchema>>;

/** A body with nothing but the id of a record. */
export const DeleteBody = strict('DeleteBody', { id: opt(Id) });
export type DeleteBody = Readonly<Static<typeof DeleteBody>>;

export const ShopUpdate = strict('ShopUpdate', {
  name: opt(ShopSettings.properties.name),
  currency: opt(ShopSettings.properties.currency),
  timezone: opt(ShopSettings.properties.timezone),
  /** Replaced whole; null removes it. */
  promotionGate: opt(orNull(PromotionGate)),
  /** Replaced whole; null restores the defaults. */
  fulfilment: opt(orNull(FulfilmentInput)),
  directWrites: opt(Type.Boolean()),
  id: readOnlyId,
  plan: ignored('the plan is set by the operator'),
  limits: ignored('they follow the plan'),
  usage: ignored('it is counted'),
});
export type ShopUpdate = Readonly<Static<typeof ShopUpdate>>;

const { label, permission } = ApiKey.properties;
const expiresAt = opt(
  orNull(Type.String({ pattern: ISO_TIME_PATTERN }), {
    'x-accepts': `null or ${ISO_TIME_ACCEPTS}`,
    description: `ISO time from which the key is refused, at most ${KEY_YEARS_MAX} years ahead; null for none`,
  }),
);
export const KeyCreate = strict('KeyCreate', { label, permission, expiresAt });
export type KeyCreate = Readonly<Static<typeof KeyCreate>>;
export const KeyUpdate = strict('KeyUpdate', {
  label: opt(label),
  expiresAt,
  id: readOnlyId,
  /** As it was read: to change it, make another key. */
  permission: opt(permission),
  prefix: ignored('it is the begin of the secret'),
  createdAt: ignored('it does not change'),
  lastUsedAt: ignored('it is measured'),
});
export type KeyUpdate = Readonly<Static<typeof KeyUpdate>>;

const positionIgnored = ignored('the place in the array is the position');

/** Defects of a bulk write that one message names (contract section 8). */
export const CONFIG_DEFECTS_MAX = 20;

/** The `data` of preview and execute; the answer of `GET /api/config` is accepted unchanged. */
const configDataSchema = (itemsMax: number) =>
  strict('ConfigData', {
    versionId: ignored('it names the version that was read'),
    productGroups: opt(
      Type.Array(strict('ProductGroupData', { id: opt(Id), ...groupFields, position: positionIgnored })),
    ),
    zones: opt(
      Type.Array(strict('ZoneData', { id: opt(Id), ...zoneFields, subzones: opt(subzoneList(SubzoneData)) })),
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
    /** For preview: a cart to simulate with the new configuration, and its clock. */
    request: opt(simulateRequestSchema(itemsMax)),
    at: opt(IsoTime),
  });
export type ConfigAction = Readonly<Static<ReturnType<typeof configActionSchema>>>;

const CompareVersions = strict('CompareVersions', {
  action: Type.Literal('compare'),
  versionA: ComparedReference,
  versionB: ComparedReference,
  effects: opt(
    Type.Boolean({ description: 'Also answer what the difference changes for probe carts (false)' }),
  ),
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
    Type.Boolean({ description: 'For promote: skip the gate of the shop. Needs the permission admin' }),
  ),
  name: opt(OptionalName),
  note: opt(Subtitle),
});
export type StagingAction = Readonly<Static<typeof StagingAction>>;
