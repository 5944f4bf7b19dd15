/** `/api/checks`: carts with an expected answer (contract section 10.1). */

import Type from '#typebox';
import { invalid, notFound, type Outcome } from '../../domain/failure.ts';
import { checkAnswer, checksAnswer, deletedAnswer } from '../../wire/answer-schemas.ts';
import { CheckResults, RunChecks } from '../../wire/check-results.ts';
import { checkView } from '../../wire/record-view.ts';
import { checkCreateSchema, checkUpdateSchema, DeleteBody } from '../../wire/write-bodies.ts';
import { type Answer, answerList, answerValue, planWrite } from '../answer.ts';
import { EXAMPLE_CHECK, EXAMPLE_CHECK_BODY, EXAMPLE_CHECK_RESULTS } from '../openapi/check-examples.ts';
import { EXAMPLE_DELETED } from '../openapi/examples.ts';
import { answerRead, type Route, type ShopRequest, writeRoute } from '../route.ts';
import { readConfigRoute } from './config-view.ts';
import { ID_PARAMETER } from './record-id.ts';

const tag = 'Checks';
const example = { check: EXAMPLE_CHECK };

function run(request: ShopRequest<unknown>, { view, version, ids }: RunChecks): Outcome<Answer> {
  if (version !== undefined && view !== undefined) return invalid('/view and /version exclude each other');
  const { shop, dependencies } = request;
  const source = version === undefined ? (view ?? 'live') : { versionId: shop.history.idOf(version) };
  const checks = ids?.length ?? shop.state.config.checks.length;
  const nowMs = dependencies.clock.nowMs();
  return answerRead(
    request,
    { kind: 'runChecks', source, checks },
    { kind: 'runChecks', source, ids, nowMs },
    () => shop.runChecks(source, ids, nowMs),
  );
}

/** `itemsMax` is the operator's limit on items of a cart. */
export const checkRoutes = (itemsMax: number): readonly Route[] => [
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
    name: 'createOrRunChecks',
    verb: 'POST',
    paths: ['/api/checks'],
    tag,
    summary: 'Create a check, or run checks',
    description:
      'An unknown field of the request of a check is refused, as `strict=true` refuses it in a simulation. ' +
      'A run evaluates the enabled checks, or those that `ids` names: those of the changeset against it with ' +
      '`view` staged, else those of the live configuration, with `version` against that version. It counts as ' +
      'one request and as no simulation.',
    permission: 'read',
    permissionByAction: { '': 'write', run: 'read' },
    mayNotFind: true,
    body: {
      schema: Type.Union([checkCreateSchema(itemsMax), RunChecks], { title: 'CheckAction' }),
      examples: {
        check: EXAMPLE_CHECK_BODY,
        run: { action: 'run' },
        runAgainstVersion: { action: 'run', version: '1', ids: [EXAMPLE_CHECK.id] },
      },
    },
    success: { status: 201, description: 'The new check', schema: checkAnswer, example },
    readAnswer: {
      description: 'The results of a run',
      schema: CheckResults,
      example: EXAMPLE_CHECK_RESULTS,
    },
    handle: (request) => {
      const { body } = request;
      return 'action' in body
        ? run(request, body)
        : planWrite({ kind: 'createCheck', body }, 'check', ({ check }) => ({ check }));
    },
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
      schema: checkUpdateSchema(itemsMax),
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
