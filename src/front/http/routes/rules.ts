/** `/api/rules`: rules, each of which belongs to one method. */
import { invalid, notFound, type Outcome } from '../../../engine/domain/failure.ts';
import { Id } from '../../../engine/domain/schema.ts';
import type { PlacedConfig } from '../../../engine/domain/shop-event.ts';
import { RuleRecord } from '../../../engine/wire/answer-schemas.ts';
import { ruleView } from '../../../engine/wire/record-view.ts';
import { RuleCreate, RuleUpdate } from '../../../engine/wire/write-bodies.ts';
import { answerValue, type ValueAnswer } from '../answer.ts';
import { EXAMPLE_RULE, EXAMPLE_RULE_BODY } from '../openapi/examples.ts';
import { queryParameter } from '../route.ts';
import { answerRecords } from './record-list.ts';
import { idTwice, planRecord, recordRoutes } from './record-routes.ts';

function answerRule(methods: PlacedConfig['methods'], id: string): Outcome<ValueAnswer> {
  for (const method of methods) {
    const position = method.rules.findIndex((rule) => rule.id === id);
    const rule = method.rules[position];
    if (rule !== undefined) return answerValue({ rule: ruleView(rule, method.id, position) });
  }
  return notFound('rule', id);
}

/** The rules of these methods, in the order of the methods. */
const rulesOf = (methods: PlacedConfig['methods']) =>
  methods.flatMap((method) =>
    method.rules.map((rule, position) => ({
      id: rule.id,
      name: rule.name ?? '',
      show: () => ruleView(rule, method.id, position),
    })),
  );

export const RULE_ROUTES = recordRoutes({
  tag: 'Rules',
  name: 'Rule',
  path: '/api/rules',
  target: 'rule',
  field: 'rule',
  schema: RuleRecord,
  example: EXAMPLE_RULE,
  list: {
    summary: 'The rules of one method, or of all methods in their order',
    query: { methodId: queryParameter(Id, 'Only rules of this method') },
    handle: ({ config, query }) => {
      const { methodId } = query;
      const methods =
        methodId === undefined ? config.methods : config.methods.filter(({ id }) => id === methodId);
      if (methodId !== undefined && methods.length === 0) return notFound('method', methodId);
      const records = rulesOf(methods);
      return answerRecords(query, { kind: 'rule', field: 'rules', records, view: ({ show }) => show() });
    },
  },
  get: {
    handle: ({ config, id }) => answerRule(config.methods, id),
  },
  create: {
    summary: 'Create a rule of a method',
    description: 'The method is named by `methodId` in the body or in the query.',
    query: { methodId: queryParameter(Id, 'The method, when the body does not name it') },
    body: {
      schema: RuleCreate,
      examples: { surcharge: { methodId: EXAMPLE_RULE.methodId, ...EXAMPLE_RULE_BODY } },
    },
    handle: ({ body, query }) => {
      const methodId = body.methodId ?? query['methodId'];
      if (methodId === undefined) {
        return invalid('/methodId is required: the id of a method, in the body or the query');
      }
      if (query['methodId'] !== undefined && query['methodId'] !== methodId) return idTwice('methodId');
      return planRecord({ kind: 'createRule', methodId, body }, 'rule');
    },
  },
  update: {
    description: 'Fields that are absent stay as they are; `conditions` is replaced whole.',
    body: {
      schema: RuleUpdate,
      examples: { disable: { id: EXAMPLE_RULE.id, enabled: false }, move: { position: 0 } },
    },
    handle: ({ id, body }) => planRecord({ kind: 'updateRule', id, body }, 'rule'),
  },
  remove: { command: (id) => ({ kind: 'deleteRule', id }) },
});
