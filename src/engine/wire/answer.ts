/**
 * The simulate answer (contract section 5). These schemas document it and check it in tests; the service
 * itself assembles the text and never serialises such an object.
 */
import Type, { type Static } from '#typebox';
import { Condition } from '../domain/condition.ts';
import { Cents } from '../domain/money.ts';
import { RULE_ACTIONS } from '../domain/rule.ts';
import { Id, orNull, strict } from '../domain/schema.ts';

const deliveryDate = Type.Optional(
  Type.String({ description: "YYYY-MM-DD in the shop's time zone; absent without a delivery time" }),
);
/** The delivery dates of an entry about a rate. */
export const DELIVERY_DATES = { minDeliveryDate: deliveryDate, maxDeliveryDate: deliveryDate };

export const Rate = strict('Rate', {
  serviceName: Type.String(),
  serviceCode: Type.String(),
  description: Type.String(),
  totalPrice: Cents,
  currency: Type.String(),
  ...DELIVERY_DATES,
});
export type Rate = Static<typeof Rate>;

/** Why a method has no rate (contract section 5.5). */
export const METHOD_REASONS = ['hidden_by_rule', 'not_shown_by_rule', 'outside_rate_table'] as const;
export type MethodReason = (typeof METHOD_REASONS)[number];

/** Why a blended rate is not available (contract section 5.7). */
export const BLENDED_REASONS = ['preferred_method_unavailable', 'group_without_rate'] as const;
export type BlendedReason = (typeof BLENDED_REASONS)[number];

export const ConditionTrace = strict('ConditionTrace', { ...Condition.properties, matched: Type.Boolean() });

export const RuleTrace = strict('RuleTrace', {
  ruleId: Id,
  action: Type.Enum(RULE_ACTIONS),
  matched: Type.Boolean(),
  conditions: Type.Array(ConditionTrace),
  matchedItems: Type.Optional(
    Type.Array(
      strict('MatchedItem', { index: Type.Integer({ minimum: 0 }), name: Type.String(), sku: Type.String() }),
    ),
  ),
});

export const MethodEvaluation = strict('MethodEvaluation', {
  methodId: Id,
  methodName: Type.String(),
  productGroupId: Id,
  visible: Type.Boolean(),
  reason: orNull(Type.Enum(METHOD_REASONS)),
  rate: orNull(Rate),
  ruleTraces: Type.Array(RuleTrace),
});

export type MethodEvaluation = Static<typeof MethodEvaluation>;

const BlendedEvaluation = strict('BlendedEvaluation', {
  blendedRateId: Id,
  name: Type.String(),
  visible: Type.Boolean(),
  reason: orNull(Type.Enum(BLENDED_REASONS)),
  rate: orNull(Rate),
  components: Type.Array(
    strict('BlendedComponent', { productGroupId: Id, methodId: orNull(Id), price: orNull(Cents) }),
  ),
});

const NamedRecord = { id: Id, name: Type.String() };

export const SimulateAnswer = strict('SimulateAnswer', {
  rates: Type.Array(Rate),
  methodEvaluations: Type.Array(MethodEvaluation),
  blendedRates: Type.Array(BlendedEvaluation),
  zone: orNull(
    strict('MatchedZone', { ...NamedRecord, subzone: orNull(strict('MatchedSubzone', NamedRecord)) }),
  ),
});
export type SimulateAnswer = Static<typeof SimulateAnswer>;

/**
 * The content of an answer: the rates with their explanation, or the rates alone, for `carrier` as a `CarrierRate` each.
 */
export type AnswerFields = 'all' | 'rates' | 'carrier';

/** A rate with what only the callback of a shop system tells: true where the checkout needs a phone number. */
export type CarrierRate = Readonly<Static<typeof Rate>> & { readonly phoneRequired?: true };

/** The form that a client asks for: also the fully explained answer. */
export type AnswerForm = AnswerFields | 'explained';

/** The answer with `fields=rates`: the same rates, byte for byte. */
export const RatesAnswer = strict('RatesAnswer', { rates: Type.Array(Rate) });
export type RatesAnswer = Static<typeof RatesAnswer>;
