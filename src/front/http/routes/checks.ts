/** `/api/checks`: carts with an expected answer (contract section 10.1). */

import Type from '#typebox';
import { invalid, type Outcome } from '../../../engine/domain/failure.ts';
import { CheckRecord } from '../../../engine/wire/answer-schemas.ts';
import { CheckResults, RunChecks } from '../../../engine/wire/check-results.ts';
import { checkView } from '../../../engine/wire/record-view.ts';
import { checkCreateSchema, checkUpdateSchema } from '../../../engine/wire/write-bodies.ts';
import { answerInPool, type PoolAnswer } from '../answer.ts';
import { EXAMPLE_CHECK, EXAMPLE_CHECK_BODY, EXAMPLE_CHECK_RESULTS } from '../openapi/check-examples.ts';
import { answerDoc, type ShopRequest } from '../route.ts';
import { answerRecords } from './record-list.ts';
import { answerRecord, planRecord, recordRoutes } from './record-routes.ts';

function run(request: ShopRequest<unknown>, { view, version, ids }: RunChecks): Outcome<PoolAnswer> {
  if (version !== undefined && view !== undefined) return invalid('/view and /version exclude each other');
  const { shop, dependencies } = request;
  const source = version === undefined ? (view ?? 'live') : { versionId: shop.history.idOf(version) };
  const nowMs = dependencies.clock.nowMs();
  return answerInPool({ kind: 'runChecks', source, ids, nowMs });
}

/** `itemsMax` is the operator's limit on items of a cart. */
export const checkRoutes = (itemsMax: number) =>
  recordRoutes({
    tag: 'Checks',
    name: 'Check',
    path: '/api/checks',
    target: 'check',
    field: 'check',
    schema: CheckRecord,
    example: EXAMPLE_CHECK,
    list: {
      summary: 'All checks in position order',
      handle: ({ config, query }) =>
        answerRecords(query, { kind: 'check', field: 'checks', records: config.checks, view: checkView }),
    },
    get: { handle: ({ config, id }) => answerRecord('check', 'check', config.checks, id, checkView) },
    create: {
      name: 'createOrRunChecks',
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
      readAnswer: answerDoc('The results of a run', CheckResults, EXAMPLE_CHECK_RESULTS),
      handle: (request) => {
        const { body } = request;
        return 'action' in body ? run(request, body) : planRecord({ kind: 'createCheck', body }, 'check');
      },
    },
    update: {
      description:
        'Fields that are absent stay as they are; `request` and `expectations` are replaced whole.',
      body: {
        schema: checkUpdateSchema(itemsMax),
        examples: { disable: { id: EXAMPLE_CHECK.id, enabled: false }, first: { position: 0 } },
      },
      handle: ({ id, body }) => planRecord({ kind: 'updateCheck', id, body }, 'check'),
    },
    remove: { command: (id) => ({ kind: 'deleteCheck', id }) },
  });
