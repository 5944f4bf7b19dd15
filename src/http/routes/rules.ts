/** `/api/rules`: rules, each of which belongs to one method. */
import { invalid, notFound, type Outcome, success } from '../../domain/failure.ts';
import { Id } from '../../domain/schema.ts';
import type { PlacedConfig } from '../../domain/shop-event.ts';
import type { ShouldYield, WorkSteps } from '../../pace/work-steps.ts';
import { RuleRecord } from '../../wire/answer-schemas.ts';
import { ruleView, ruleViewSteps } from '../../wire/record-view.ts';
import { RuleCreate, RuleUpdate } from '../../wire/write-bodies.ts';
import { answerOutcomeSteps, answerSteps } from '../answer.ts';
import { EXAMPLE_RULE, EXAMPLE_RULE_BODY } from '../openapi/examples.ts';
import { queryParameter } from '../route.ts';
import { idTwice, planRecord, recordRoutes } from './record-routes.ts';

/** Searches all methods, because only writes have an index of rules. */
function* findRuleSteps(
  methods: PlacedConfig['methods'],
  id: string,
  shouldYield: ShouldYield,
): WorkSteps<Outcome<unknown>> {
  for (const method of methods) {
    let position = 0;
    for (const rule of method.rules) {
      if (rule.id === id) return success({ rule: ruleView(rule, method.id, position) });
      position++;
    }
    if (shouldYield()) yield;
  }
  return notFound('rule', id);
}

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
    handle: ({ config, query: { methodId } }) => {
      const methods =
        methodId === undefined ? config.methods : config.methods.filter(({ id }) => id === methodId);
      if (methodId !== undefined && methods.length === 0) return notFound('method', methodId);
      return answerSteps(function* (shouldYield) {
        return { rules: yield* ruleViewSteps(methods, shouldYield) };
      });
    },
  },
  get: {
    handle: ({ config, id }) =>
      answerOutcomeSteps((shouldYield) => findRuleSteps(config.methods, id, shouldYield)),
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
