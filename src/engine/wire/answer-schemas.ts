/**
 * Schemas of the answers: the records as clients see them, which `record-view.ts` makes, and the envelopes around them
 * (contract section 1). They document the routes, tests check every answer against them, and the types of the client
 * derive from them; they are not used to serialise answers.
 */
import Type, { type Static } from '#typebox';
import { ApiKey } from '../domain/api-key.ts';
import { AuditEntry } from '../domain/audit.ts';
import { BlendedRate } from '../domain/blended-rate.ts';
import { Check } from '../domain/check.ts';
import { Fulfilment } from '../domain/delivery.ts';
import { FAILURE_STATUS, type FailureCode } from '../domain/failure.ts';
import { PREVIEW_WARNINGS } from '../domain/finding.ts';
import { PlanLimits } from '../domain/plan.ts';
import { ProductGroup } from '../domain/product-group.ts';
import { PromotionGate } from '../domain/promotion-gate.ts';
import { AnyRateConfig } from '../domain/rate-type.ts';
import { Rule } from '../domain/rule.ts';
import { count, countOf, Id, orNull, strict, untitled } from '../domain/schema.ts';
import { METHOD_FIELDS } from '../domain/shipping-method.ts';
import { ShopSettings } from '../domain/shop.ts';
import { OptionalName } from '../domain/text.ts';
import { ChangeCounts, Comparison, Version } from '../domain/version.ts';
import { Zone } from '../domain/zone.ts';
import { RatesAnswer, SimulateAnswer } from './answer.ts';
import { BisectedRates, FLIPS_MAX } from './bisect.ts';
import { CheckResults } from './check-results.ts';
import { Effects } from './effects.ts';
import { ExplainedAnswer } from './explained-answer.ts';
import { ShadowedStaging } from './staging.ts';
import { Position } from './write-bodies.ts';

export const GroupRecord = strict('GroupRecord', { ...ProductGroup.properties, position: Position });

const methodFields = { ...METHOD_FIELDS, config: AnyRateConfig };
export const MethodRecord = strict('MethodRecord', { ...methodFields, position: Position });

/** Clients see the name of each rule, including an empty name. */
const ruleFields = { ...Rule.properties, name: OptionalName };
export const RuleInConfig = strict('Rule', ruleFields);
export const RuleRecord = strict('RuleRecord', { ...ruleFields, methodId: Id, position: Position });

export const MethodWithRules = strict('MethodWithRules', {
  ...MethodRecord.properties,
  rules: Type.Array(RuleRecord),
});

export const BlendedRateRecord = strict('BlendedRateRecord', {
  ...BlendedRate.properties,
  position: Position,
});

export const CheckRecord = strict('CheckRecord', { ...Check.properties, position: Position });

/** Exactly what the `data` of preview and execute accepts. */
export const ConfigSnapshot = strict('ConfigSnapshot', {
  versionId: Id,
  productGroups: Type.Array(ProductGroup),
  zones: Type.Array(Zone),
  methods: Type.Array(strict('MethodInSnapshot', { ...methodFields, rules: Type.Array(RuleInConfig) })),
  blendedRates: Type.Array(BlendedRate),
  checks: Type.Array(Check),
});

export const PreviewAnswer = strict('PreviewAnswer', {
  ...Comparison.properties,
  summary: ChangeCounts,
  ...PREVIEW_WARNINGS,
  checks: CheckResults,
  effects: Effects,
  simulation: Type.Optional(ExplainedAnswer),
});
export type PreviewAnswer = Readonly<Static<typeof PreviewAnswer>>;
const VersionRecord = strict('VersionRecord', {
  ...Version.properties,
  keyLabel: orNull(Type.String(), {
    description: 'The label of that key; null when the key was revoked or there was none',
  }),
});
export const ExecuteAnswer = strict('ExecuteAnswer', {
  version: orNull(VersionRecord, {
    description: 'The new version; null when the write went to a changeset, which makes none',
  }),
  summary: ChangeCounts,
});

const VersionRow = strict('VersionRow', {
  ...VersionRecord.properties,
  batch: Type.Optional(
    strict('Batch', {
      id: Type.String(),
      size: Type.Integer({ minimum: 1, description: 'How many consecutive versions share the batch id' }),
    }),
  ),
});
const VersionDetail = strict('VersionDetail', {
  ...VersionRecord.properties,
  diff: Comparison,
  config: ConfigSnapshot,
});
const madeVersion = { version: VersionRecord, summary: ChangeCounts };
export const versionsAnswer = untitled({
  versions: Type.Array(VersionRow),
  nextCursor: orNull(Id, { description: 'The cursor of the next page; null on the last' }),
});
export const versionAnswer = untitled({ version: VersionDetail });
export const BisectAnswer = strict('BisectAnswer', {
  from: VersionRecord,
  to: VersionRecord,
  evaluated: countOf('Versions that were evaluated'),
  flips: Type.Array(
    strict('Flip', { version: VersionRecord, before: BisectedRates, after: BisectedRates, diff: Comparison }),
    { maxItems: FLIPS_MAX, description: 'Oldest first' },
  ),
  limited: Type.Boolean({ description: 'There are more flips' }),
});
export type BisectAnswer = Readonly<Static<typeof BisectAnswer>>;
export const ComparedVersions = strict('ComparedVersions', {
  ...Comparison.properties,
  effects: Type.Optional(Effects),
});
export type ComparedVersions = Readonly<Static<typeof ComparedVersions>>;
export const versionActionAnswer = Type.Union([
  strict('RollbackAnswer', madeVersion),
  ComparedVersions,
  BisectAnswer,
]);

export const stagingAnswer = untitled({ staging: orNull(ShadowedStaging) });
export const stagingActionAnswer = Type.Union([
  stagingAnswer,
  strict('PromoteAnswer', {
    staging: Type.Null(),
    ...madeVersion,
    dropped: countOf('Live simulations that were not evaluated against the changeset'),
  }),
]);

const { secretSha256: _neverShown, ...keyFields } = ApiKey.properties;
const shownKeyFields = {
  ...keyFields,
  expiresAt: orNull(Type.String(), { description: 'ISO time from which the key is refused; null for none' }),
};
const CurrentKey = strict('CurrentKey', shownKeyFields);
export const KeyRecord = strict('KeyRecord', {
  ...shownKeyFields,
  lastUsedAt: orNull(Type.String(), { description: 'ISO time of the last use' }),
});

/** The usage of each limit on the records of a configuration. */
const recordCounts = {
  methods: count,
  groups: count,
  zones: count,
  blendedRates: count,
  checks: count,
  rulesPerMethod: countOf('Rules of the method with the most rules'),
};
/** The usage of each counted limit. */
const ShopUsage = strict('ShopUsage', {
  ...recordCounts,
  keys: count,
  requestsPerMinute: orNull(count, {
    description: 'Requests of this key within the last minute; null where they are unlimited',
  }),
  simulationsPerSecond: orNull(count, {
    description: 'Simulations of the shop within the last second; null where they are unlimited',
  }),
  historyDays: countOf('Whole days since the oldest version that is kept'),
  staged: Type.Optional(
    strict('StagedUsage', recordCounts, {
      description: 'The same for the changeset, while one is active: the limits apply to it',
    }),
  ),
});
const ShopRecord = strict('ShopRecord', {
  ...ShopSettings.properties,
  promotionGate: orNull(PromotionGate),
  fulfilment: Fulfilment,
  directWrites: Type.Boolean({
    description:
      'False: the configuration changes in a changeset only, and a rollback needs the permission admin',
  }),
  limits: orNull(PlanLimits, {
    description: "The plan's limits; null when the operator has removed the plan",
  }),
  usage: ShopUsage,
});

export const ErrorEnvelope = strict('Error', {
  error: untitled({
    code: Type.Enum(Object.keys(FAILURE_STATUS) as FailureCode[]),
    message: Type.String({ description: 'One sentence; names the field by its JSON path' }),
  }),
});

/** In the order of the requests. */
export const simulateBatchAnswer = strict('SimulateBatchAnswer', {
  answers: Type.Array(Type.Union([SimulateAnswer, ExplainedAnswer, RatesAnswer, ErrorEnvelope])),
});

export const shopAnswer = untitled({ shop: ShopRecord });
export const currentKeyAnswer = untitled({ key: CurrentKey });
export const keyAnswer = untitled({ key: KeyRecord });
export const keysAnswer = untitled({ keys: Type.Array(KeyRecord) });
export const newKeyAnswer = untitled({
  key: KeyRecord,
  secret: Type.String({ description: 'The key itself. It is shown this once and cannot be read again' }),
});
export const auditAnswer = untitled({
  entries: Type.Array(AuditEntry),
  nextCursor: orNull(Id, { description: 'The cursor of the next page; null on the last' }),
});
export const deletedAnswer = strict('Deleted', { deleted: Type.Literal(true), id: Id });
