/**
 * `/api/vocabulary`: the words in which zones, methods and rules are written, with their limits. Read off
 * the tables that check requests, so it cannot name anything that they refuse, or leave anything out.
 */
import Type from 'typebox';
import { QUANTITY_MAX } from '../../domain/cart.ts';
import {
  CONDITION_TYPE_NAMES,
  conditionTypeRow,
  OPERATOR_NAMES,
  OPERATORS,
  OPERATORS_BY_KIND,
  operandCount,
  positiveTwin,
  SCOPE_NAMES,
  SCOPES,
  WEEKDAYS,
} from '../../domain/condition.ts';
import { CENTS_MAX } from '../../domain/money.ts';
import { PlanLimits, type PlanTable } from '../../domain/plan.ts';
import { PERCENTAGE_MAX, RATE_TYPE_NAMES, RATE_TYPES, TIERS_MAX } from '../../domain/rate-type.ts';
import {
  ADJUSTMENT_PERCENTAGE_MAX,
  ADJUSTMENT_TYPES,
  CONDITIONS_MAX,
  isAdjusting,
  RULE_ACTIONS,
} from '../../domain/rule.ts';
import * as text from '../../domain/text.ts';
import { type JsonObject, SchemaComponents } from '../openapi-schema.ts';
import { answerValue, type Route, readRoute } from '../route.ts';

const strict = <P extends Record<string, Type.TSchema>>(title: string, properties: P) =>
  Type.Object(properties, { additionalProperties: false, title });
const names = Type.Array(Type.String());
const count = Type.Integer({ minimum: 0 });
const countOrNull = Type.Union([count, Type.Null()]);

/** Scopes that mean something for conditions of this type; any other is echoed and ignored. */
const scopesOf = (row: ReturnType<typeof conditionTypeRow>) =>
  row.subject === 'item'
    ? SCOPE_NAMES.filter((scope) => SCOPES[scope].quantifier !== 'sum' || row.summable === true)
    : [];

const conditionTypes = CONDITION_TYPE_NAMES.map((name) => {
  const row = conditionTypeRow(name);
  const { subject, kind, description } = row;
  return { name, subject, kind, description, operators: OPERATORS_BY_KIND[kind], scopes: scopesOf(row) };
});

const operators = OPERATOR_NAMES.map((name) => {
  const { min, max } = operandCount(positiveTwin(name).operator);
  const most = max === Number.POSITIVE_INFINITY ? null : max;
  return { name, negates: OPERATORS[name], valuesMin: min, valuesMax: most };
});

const scopes = SCOPE_NAMES.map((name) => ({ name, ...SCOPES[name] }));

const rateTypes = RATE_TYPE_NAMES.map((name) => ({
  name,
  config: new SchemaComponents().add(RATE_TYPES[name]) as JsonObject,
}));

const actions = RULE_ACTIONS.map((name) => ({
  name,
  adjustmentTypes: isAdjusting(name) ? ADJUSTMENT_TYPES : [],
}));

const LIMITS = {
  cents: CENTS_MAX,
  quantity: QUANTITY_MAX,
  nameLength: text.NAME_LENGTH_MAX,
  subtitleLength: text.SUBTITLE_LENGTH_MAX,
  serviceCodeLength: text.SERVICE_CODE_LENGTH_MAX,
  conditionValueLength: text.CONDITION_VALUE_LENGTH_MAX,
  postalCodesLength: text.POSTAL_CODES_LENGTH_MAX,
  matcherLength: text.MATCHER_LENGTH_MAX,
  tiers: TIERS_MAX,
  percentage: PERCENTAGE_MAX,
  conditionsPerRule: CONDITIONS_MAX,
  adjustmentPercentage: ADJUSTMENT_PERCENTAGE_MAX,
};

const vocabularyOf = (itemsMax: number, plan: string, plans: PlanTable) => ({
  conditionTypes,
  operators,
  scopes,
  weekdays: WEEKDAYS,
  rateTypes,
  actions,
  limits: {
    ...LIMITS,
    itemsPerRequest: itemsMax,
    plan: { name: plan, limits: Object.hasOwn(plans, plan) ? (plans[plan] ?? null) : null },
  },
});

const Vocabulary = strict('Vocabulary', {
  conditionTypes: Type.Array(
    strict('ConditionTypeWord', {
      name: Type.String(),
      subject: Type.String({ description: 'What the condition looks at' }),
      kind: Type.String({ description: 'How its values are compared' }),
      description: Type.String(),
      operators: names,
      scopes: Type.Array(Type.String(), { description: 'Empty: any scope is accepted and ignored' }),
    }),
  ),
  operators: Type.Array(
    strict('OperatorWord', {
      name: Type.String(),
      negates: Type.Union([Type.String(), Type.Null()], {
        description: 'The operator whose answer it turns round',
      }),
      valuesMin: Type.Integer({ description: 'Values, separated by commas, that the condition must hold' }),
      valuesMax: countOrNull,
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
      config: Type.Object({}, { description: 'JSON Schema of the config' }),
    }),
  ),
  actions: Type.Array(
    strict('ActionWord', {
      name: Type.String(),
      adjustmentTypes: Type.Array(Type.String(), { description: 'Empty: it takes no adjustment' }),
    }),
  ),
  limits: strict('VocabularyLimits', {
    ...Object.fromEntries(Object.keys(LIMITS).map((name) => [name, count])),
    itemsPerRequest: count,
    plan: strict('PlanWord', {
      name: Type.String(),
      limits: Type.Union([PlanLimits, Type.Null()], {
        description: 'null when the operator has removed the plan',
      }),
    }),
  }),
});

/** `itemsMax` is the operator's limit on items of one request. */
export const vocabularyRoute = (itemsMax: number): Route =>
  readRoute({
    name: 'getVocabulary',
    verb: 'GET',
    paths: ['/api/vocabulary'],
    tag: 'Vocabulary',
    summary: 'Condition types, operators, scopes, rate types, actions and limits',
    description: 'Read off the tables that check requests; the limits of the plan are those of the shop.',
    permission: 'read',
    isConfiguration: false,
    success: {
      status: 200,
      description: 'Everything that a rule or a method can be written with',
      schema: Type.Object({ vocabulary: Vocabulary }, { additionalProperties: false }),
      example: { vocabulary: vocabularyOf(itemsMax, 'starter', {}) },
    },
    handle: ({ shop, dependencies }) =>
      answerValue({ vocabulary: vocabularyOf(itemsMax, shop.state.settings.plan, dependencies.plans) }),
  });
