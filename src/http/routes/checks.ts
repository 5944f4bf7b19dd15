/** `/api/checks`: carts with an expected answer (contract section 10.1). */

import { notFound } from '../../domain/failure.ts';
import { checkAnswer, checksAnswer, deletedAnswer } from '../../wire/answer-schemas.ts';
import { checkView } from '../../wire/record-view.ts';
import { CheckCreate, CheckUpdate, DeleteBody } from '../../wire/write-bodies.ts';
import { answerList, answerValue, planWrite } from '../answer.ts';
import { EXAMPLE_CHECK, EXAMPLE_CHECK_BODY, EXAMPLE_DELETED } from '../openapi/examples.ts';
import { type Route, writeRoute } from '../route.ts';
import { readConfigRoute } from './config-view.ts';
import { ID_PARAMETER } from './record-id.ts';

const tag = 'Checks';
const example = { check: EXAMPLE_CHECK };

export const CHECK_ROUTES: readonly Route[] = [
  readConfigRoute({
    name: 'listChecks',
    verb: 'GET',
    paths: ['/api/checks'],
    tag,
    summary: 'All checks in position order',
    permission: 'read',
    success: {
      status: 200,
      description: 'The checks',
      schema: checksAnswer,
      example: { checks: [EXAMPLE_CHECK] },
    },
    handle: ({ config }) => answerList('checks', config.checks, checkView),
  }),
  readConfigRoute({
    name: 'getCheck',
    verb: 'GET',
    paths: ['/api/checks/:id'],
    tag,
    summary: 'One check',
    permission: 'read',
    target: 'check',
    success: { status: 200, description: 'The check', schema: checkAnswer, example },
    handle: ({ config: { checks }, id }) => {
      const position = checks.findIndex((one) => one.id === id);
      const check = checks[position];
      return check === undefined ? notFound('check', id) : answerValue({ check: checkView(check, position) });
    },
  }),
  writeRoute({
    name: 'createCheck',
    verb: 'POST',
    paths: ['/api/checks'],
    tag,
    summary: 'Create a check',
    description:
      'An unknown field of the request of a check is refused, as `strict=true` refuses it in a simulation.',
    permission: 'write',
    body: { schema: CheckCreate, examples: { check: EXAMPLE_CHECK_BODY } },
    success: { status: 201, description: 'The new check', schema: checkAnswer, example },
    handle: ({ body }) => planWrite({ kind: 'createCheck', body }, 'check', ({ check }) => ({ check })),
  }),
  writeRoute({
    name: 'updateCheck',
    verb: 'PUT',
    paths: ['/api/checks', '/api/checks/:id'],
    tag,
    summary: 'Change a check',
    description: 'Fields that are absent stay as they are; `request` and `expectations` are replaced whole.',
    permission: 'write',
    target: 'check',
    query: ID_PARAMETER,
    body: {
      schema: CheckUpdate,
      examples: { disable: { id: EXAMPLE_CHECK.id, enabled: false }, first: { position: 0 } },
    },
    success: { status: 200, description: 'The check as it is now', schema: checkAnswer, example },
    handle: ({ id, body }) =>
      planWrite({ kind: 'updateCheck', id, body }, 'check', ({ check }) => ({ check })),
  }),
  writeRoute({
    name: 'deleteCheck',
    verb: 'DELETE',
    paths: ['/api/checks', '/api/checks/:id'],
    tag,
    summary: 'Delete a check',
    permission: 'write',
    target: 'check',
    query: ID_PARAMETER,
    body: { schema: DeleteBody, isOptional: true, examples: { byId: { id: EXAMPLE_CHECK.id } } },
    success: {
      status: 200,
      description: 'It is gone',
      schema: deletedAnswer,
      example: EXAMPLE_DELETED(EXAMPLE_CHECK.id),
    },
    handle: ({ id }) =>
      planWrite({ kind: 'deleteCheck', id }, 'deleted', (deleted) => ({ deleted: true, id: deleted.id })),
  }),
];
