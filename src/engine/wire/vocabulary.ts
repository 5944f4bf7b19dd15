/** Vocabulary: the names and limits with which a client writes zones, methods and rules. */
import Type from '#typebox';
import { QUANTITY_MAX } from '../domain/cart.ts';
import { EXPECTATIONS_MAX } from '../domain/check.ts';
import { SEVERITIES } from '../domain/finding.ts';
import { CENTS_MAX } from '../domain/money.ts';
import { PlanLimits, SHOP_MAX } from '../domain/plan.ts';
import { PERCENTAGE_MAX, TIERS_MAX } from '../domain/rate-type.ts';
import { ADJUSTMENT_PERCENTAGE_MAX, CONDITIONS_MAX } from '../domain/rule.ts';
import { count, orNull, strict, untitled } from '../domain/schema.ts';
import * as text from '../domain/text.ts';
import { COUNTRIES_MAX, SUBZONES_MAX } from '../domain/zone.ts';

const names = Type.Array(Type.String());
/** Limits that hold for every shop. */
export const VOCABULARY_LIMITS = {
  cents: CENTS_MAX,
  quantity: QUANTITY_MAX,
  nameLength: text.NAME_LENGTH_MAX,
  subtitleLength: text.SUBTITLE_LENGTH_MAX,
  serviceCodeLength: text.SERVICE_CODE_LENGTH_MAX,
  conditionValueLength: text.CONDITION_VALUE_LENGTH_MAX,
  postalCodesLength: text.POSTAL_CODES_LENGTH_MAX,
  countriesPerZone: COUNTRIES_MAX,
  subzonesPerZone: SUBZONES_MAX,
  matcherLength: text.MATCHER_LENGTH_MAX,
  tiers: TIERS_MAX,
  percentage: PERCENTAGE_MAX,
  conditionsPerRule: CONDITIONS_MAX,
  expectationsPerCheck: EXPECTATIONS_MAX,
  adjustmentPercentage: ADJUSTMENT_PERCENTAGE_MAX,
  methodsPerShop: SHOP_MAX.methods.most,
  rulesPerShop: SHOP_MAX.rules.most,
  postalPatternsPerShop: SHOP_MAX.postalPatterns.most,
};

const Vocabulary = strict('Vocabulary', {
  conditionTypes: Type.Array(
    strict('ConditionTypeWord', {
      name: Type.String(),
      subject: Type.String({ description: 'The part of the request that the condition reads' }),
      kind: Type.String({ description: 'How its values are compared' }),
      description: Type.String(),
      operators: names,
      scopes: Type.Array(Type.String(), { description: 'Empty: any scope is accepted and ignored' }),
    }),
  ),
  operators: Type.Array(
    strict('OperatorWord', {
      name: Type.String(),
      negates: orNull(Type.String(), { description: 'The operator that it negates' }),
      valuesMin: Type.Integer({ description: 'Minimum number of values, which are separated by commas' }),
      valuesMax: orNull(count),
    }),
  ),
  scopes: Type.Array(
    strict('ScopeWord', {
      name: Type.String(),
      items: Type.Enum(['order', 'group']),
      quantifier: Type.Enum(['any', 'all', 'none', 'sum']),
    }),
  ),
  weekdays: names,
  rateTypes: Type.Array(
    strict('RateTypeWord', {
      name: Type.String(),
      config: Type.Object({}, { additionalProperties: true, description: 'JSON Schema of the config' }),
    }),
  ),
  actions: Type.Array(
    strict('ActionWord', {
      name: Type.String(),
      adjustmentTypes: Type.Array(Type.String(), { description: 'Empty: it takes no adjustment' }),
    }),
  ),
  expectations: Type.Array(
    strict('ExpectationWord', {
      kind: Type.String(),
      schema: Type.Object({}, { additionalProperties: true, description: 'JSON Schema of the expectation' }),
    }),
    { description: 'What a check can expect' },
  ),
  gateCriteria: names,
  findings: Type.Array(
    strict('FindingWord', { code: Type.String(), severity: Type.Enum(SEVERITIES), meaning: Type.String() }),
    { description: 'What the lint can find' },
  ),
  limits: strict('VocabularyLimits', {
    ...(Object.fromEntries(Object.keys(VOCABULARY_LIMITS).map((name) => [name, count])) as {
      [K in keyof typeof VOCABULARY_LIMITS]: typeof count;
    }),
    itemsPerRequest: count,
    plan: strict('PlanWord', {
      name: Type.String(),
      limits: orNull(PlanLimits, { description: 'null when the operator has removed the plan' }),
    }),
  }),
});

export const vocabularyAnswer = untitled({ vocabulary: Vocabulary });
