/**
 * `/api/vocabulary`: the names and limits with which zones, methods and rules are written. Derived from the tables that
 * check requests, so it is always complete and correct.
 */
import type { TSchema } from '#typebox';
import {
  CONDITION_TYPE_NAMES,
  CONDITION_TYPES,
  type ConditionType,
  OPERATOR_NAMES,
  OPERATORS,
  OPERATORS_BY_KIND,
  operandCount,
  SCOPE_NAMES,
  SCOPES,
  WEEKDAYS,
} from '../../../engine/domain/condition.ts';
import { EXPECTATION_KINDS, EXPECTATION_SCHEMAS } from '../../../engine/domain/expectation.ts';
import { FINDING_CODE_NAMES, FINDING_CODES } from '../../../engine/domain/finding.ts';
import { limitsOf, type PlanTable } from '../../../engine/domain/plan.ts';
import { GATE_CRITERIA } from '../../../engine/domain/promotion-gate.ts';
import { RATE_TYPE_NAMES, RATE_TYPES } from '../../../engine/domain/rate-type.ts';
import { ADJUSTMENT_TYPES, isAdjusting, RULE_ACTIONS } from '../../../engine/domain/rule.ts';
import { VOCABULARY_LIMITS, vocabularyAnswer } from '../../../engine/wire/vocabulary.ts';
import { answerValue } from '../answer.ts';
import { type JsonObject, SchemaComponents } from '../openapi/openapi-schema.ts';
import { answerDoc, type Route, readRoute } from '../route.ts';

/** The scopes that have an effect on conditions of this type; any other is stored and ignored. */
const scopesOf = (row: (typeof CONDITION_TYPES)[ConditionType]) =>
  row.subject === 'item'
    ? SCOPE_NAMES.filter((scope) => SCOPES[scope].quantifier !== 'sum' || row.summable === true)
    : [];

const conditionTypes = CONDITION_TYPE_NAMES.map((name) => {
  const row = CONDITION_TYPES[name];
  const { subject, kind, description } = row;
  return { name, subject, kind, description, operators: OPERATORS_BY_KIND[kind], scopes: scopesOf(row) };
});

const operators = OPERATOR_NAMES.map((name) => {
  const { min, max } = operandCount(name);
  const most = max === Number.POSITIVE_INFINITY ? null : max;
  return { name, negates: OPERATORS[name], valuesMin: min, valuesMax: most };
});

const scopes = SCOPE_NAMES.map((name) => ({ name, ...SCOPES[name] }));

/** The schema itself, without the title that would make it a reference. */
function schemaOf({ title: _, ...schema }: TSchema & { readonly title?: string }): JsonObject {
  return new SchemaComponents().add(schema) as JsonObject;
}

const rateTypes = RATE_TYPE_NAMES.map((name) => ({ name, config: schemaOf(RATE_TYPES[name]) }));

const actions = RULE_ACTIONS.map((name) => ({
  name,
  adjustmentTypes: isAdjusting(name) ? ADJUSTMENT_TYPES : [],
}));

const expectations = EXPECTATION_KINDS.map((kind) => ({ kind, schema: schemaOf(EXPECTATION_SCHEMAS[kind]) }));

const findings = FINDING_CODE_NAMES.map((code) => ({ code, ...FINDING_CODES[code] }));

const vocabularyOf = (itemsMax: number, plan: string, plans: PlanTable) => ({
  conditionTypes,
  operators,
  scopes,
  weekdays: WEEKDAYS,
  rateTypes,
  actions,
  expectations,
  gateCriteria: GATE_CRITERIA,
  findings,
  limits: {
    ...VOCABULARY_LIMITS,
    itemsPerRequest: itemsMax,
    plan: { name: plan, limits: limitsOf(plans, plan) },
  },
});

/** `itemsMax` is the operator's limit on items of one request. */
export const vocabularyRoute = (itemsMax: number): Route =>
  readRoute({
    name: 'getVocabulary',
    verb: 'GET',
    paths: ['/api/vocabulary'],
    tag: 'Vocabulary',
    summary: 'Condition types, operators, scopes, rate types, actions, codes of findings and limits',
    description: 'Derived from the tables that check requests; the limits of the plan are those of the shop.',
    permission: 'read',
    isConfiguration: false,
    success: answerDoc('Everything that a rule or a method can be written with', vocabularyAnswer, {
      vocabulary: vocabularyOf(itemsMax, 'starter', {}),
    }),
    handle: ({ shop, dependencies }) =>
      answerValue({ vocabulary: vocabularyOf(itemsMax, shop.state.settings.plan, dependencies.plans) }),
  });
