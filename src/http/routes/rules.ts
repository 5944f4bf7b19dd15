/** `/api/rules`: rules, each of which belongs to one method. */

import { invalid, notFound, type Outcome, success } from '../../domain/failure.ts';
import { Id } from '../../domain/id.ts';
import type { PlacedConfig } from '../../domain/shop-event.ts';
import type { ShouldYield, WorkSteps } from '../../pace/work-steps.ts';
import { deletedAnswer, ruleAnswer, rulesAnswer } from '../../wire/answer-schemas.ts';
import { ruleView, ruleViewSteps } from '../../wire/record-view.ts';
import { DeleteBody, RuleCreate, RuleUpdate } from '../../wire/write-bodies.ts';
import { answerSearch, answerSteps, planWrite } from '../answer.ts';
import { EXAMPLE_DELETED, EXAMPLE_RULE, EXAMPLE_RULE_BODY } from '../openapi/examples.ts';
import { queryParameter, type Route, writeRoute } from '../route.ts';
import { readConfigRoute } from './config-view.ts';
import { ID_PARAMETER, idTwice } from './record-id.ts';

const tag = 'Rules';
const example = { rule: EXAMPLE_RULE };

/** In the order of the methods: only writes keep an index of rules. */
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

export const RULE_ROUTES: readonly Route[] = [
  readConfigRoute({
    name: 'listRules',
    verb: 'GET',
    paths: ['/api/rules'],
    tag,
    summary: 'The rules of one method, or of all methods in their order',
    permission: 'read',
    query: { methodId: queryParameter(Id, 'Only rules of this method') },
    success: {
      status: 200,
      description: 'The rules',
      schema: rulesAnswer,
      example: { rules: [EXAMPLE_RULE] },
    },
    handle: ({ config, query: { methodId } }) => {
      const methods =
        methodId === undefined ? config.methods : config.methods.filter(({ id }) => id === methodId);
      if (methodId !== undefined && methods.length === 0) return notFound('method', methodId);
      return answerSteps(function* (shouldYield) {
        return { rules: yield* ruleViewSteps(methods, shouldYield) };
      });
    },
  }),
  readConfigRoute({
    name: 'getRule',
    verb: 'GET',
    paths: ['/api/rules/:id'],
    tag,
    summary: 'One rule',
    permission: 'read',
    target: 'rule',
    success: { status: 200, description: 'The rule', schema: ruleAnswer, example },
    handle: ({ config, id }) => {
      return answerSearch((shouldYield) => findRuleSteps(config.methods, id, shouldYield));
    },
  }),
  writeRoute({
    name: 'createRule',
    verb: 'POST',
    paths: ['/api/rules'],
    tag,
    summary: 'Create a rule of a method',
    description: 'The method is named by `methodId` in the body or in the query.',
    permission: 'write',
    query: { methodId: queryParameter(Id, 'The method, when the body does not name it') },
    body: {
      schema: RuleCreate,
      examples: { surcharge: { methodId: EXAMPLE_RULE.methodId, ...EXAMPLE_RULE_BODY } },
    },
    success: { status: 201, description: 'The new rule', schema: ruleAnswer, example },
    handle: ({ body, query }) => {
      const methodId = body.methodId ?? query['methodId'];
      if (methodId === undefined) {
        return invalid('/methodId is required: the id of a method, in the body or the query');
      }
      if (query['methodId'] !== undefined && query['methodId'] !== methodId) return idTwice('methodId');
      return planWrite({ kind: 'createRule', methodId, body }, 'rule', ({ rule }) => ({ rule }));
    },
  }),
  writeRoute({
    name: 'updateRule',
    verb: 'PUT',
    paths: ['/api/rules', '/api/rules/:id'],
    tag,
    summary: 'Change a rule',
    description: 'Fields that are absent stay as they are; `conditions` is replaced whole.',
    permission: 'write',
    target: 'rule',
    query: ID_PARAMETER,
    body: {
      schema: RuleUpdate,
      examples: { disable: { id: EXAMPLE_RULE.id, enabled: false }, move: { position: 0 } },
    },
    success: { status: 200, description: 'The rule as it is now', schema: ruleAnswer, example },
    handle: ({ id, body }) => planWrite({ kind: 'updateRule', id, body }, 'rule', ({ rule }) => ({ rule })),
  }),
  writeRoute({
    name: 'deleteRule',
    verb: 'DELETE',
    paths: ['/api/rules', '/api/rules/:id'],
    tag,
    summary: 'Delete a rule',
    permission: 'write',
    target: 'rule',
    query: ID_PARAMETER,
    body: { schema: DeleteBody, isOptional: true, examples: { byId: { id: EXAMPLE_RULE.id } } },
    success: {
      status: 200,
      description: 'It is gone',
      schema: deletedAnswer,
      example: EXAMPLE_DELETED(EXAMPLE_RULE.id),
    },
    handle: ({ id }) =>
      planWrite({ kind: 'deleteRule', id }, 'deleted', (deleted) => ({ deleted: true, id: deleted.id })),
  }),
];
