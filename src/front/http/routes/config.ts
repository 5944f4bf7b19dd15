/** `/api/config`: the whole configuration at once (contract section 8). */

import Type from '#typebox';
import { invalid } from '../../../engine/domain/failure.ts';
import { LintReport } from '../../../engine/domain/finding.ts';
import { SHOP_MAX_TEXT } from '../../../engine/domain/plan.ts';
import { shopConfigOf } from '../../../engine/domain/shop-event.ts';
import { ConfigSnapshot, ExecuteAnswer, PreviewAnswer } from '../../../engine/wire/answer-schemas.ts';
import { snapshotOf, versionView } from '../../../engine/wire/record-view.ts';
import { CONFIG_DEFECTS_MAX, configActionSchema } from '../../../engine/wire/write-bodies.ts';
import { answerMade, planWrite } from '../answer.ts';
import { answerWithTraffic, shownCarts } from '../live-traffic.ts';
import { EXAMPLE_CART, EXAMPLE_EXECUTED, EXAMPLE_REPORT, EXAMPLE_SNAPSHOT } from '../openapi/examples.ts';
import { answerDoc, type Route, writeRoute } from '../route.ts';
import { readConfigRoute } from './config-view.ts';

const tag = 'Configuration';

/** `itemsMax` is the operator's limit on items of a cart. */
export const configRoutes = (itemsMax: number): readonly Route[] => [
  readConfigRoute({
    name: 'getConfig',
    verb: 'GET',
    paths: ['/api/config'],
    tag,
    summary: 'The whole configuration, exactly as preview and execute accept it',
    permission: 'read',
    success: answerDoc('The configuration', ConfigSnapshot, EXAMPLE_SNAPSHOT),
    handle: ({ shop, config }) => {
      const versionId = shop.state.version.id;
      return answerMade(() => snapshotOf(shopConfigOf(config), versionId));
    },
  }),
  readConfigRoute({
    name: 'lintConfig',
    verb: 'GET',
    paths: ['/api/config/lint'],
    tag,
    summary: 'What is wrong or doubtful in the configuration',
    description:
      'Errors hold for every request. `rule_unmatched` and `method_unseen` say what carts made from the values of the ' +
      'configuration, carts kept of live traffic and its coverage showed. A `witness` is a request ' +
      'that shows the defect when it is simulated with its `at`. Disabled records are ignored.',
    permission: 'read',
    // Findings also depend on the date.
    tagOf: null,
    success: answerDoc('The findings, errors first', LintReport, EXAMPLE_REPORT),
    handle: (request) => {
      const { shop, config } = request;
      const view = config === shop.state.config ? 'live' : 'staged';
      const nowMs = request.dependencies.clock.nowMs();
      return answerWithTraffic(request, (traffic) => ({ kind: 'lint', view, nowMs, traffic }));
    },
  }),
  writeRoute({
    name: 'replaceConfig',
    verb: 'POST',
    paths: ['/api/config'],
    tag,
    summary: 'Preview or execute a replacement of the configuration',
    description:
      'An array that is left out of `data` leaves that kind as it is, an empty one clears it. ' +
      'Records are matched by id. Execute is all or nothing. Preview needs the permission `read`, and warns ' +
      'of what `/api/config/lint` would find in the new configuration. With a `request`, and `at` for its clock, preview ' +
      'also answers `simulation`: what `/api/simulate?explain=full` would answer after execute. In it, `lastChanged` ' +
      'has only nulls for records that execute would change, and ids of new records are valid in this answer only. It ' +
      'does not count as a simulation. A refusal names the first ' +
      `${CONFIG_DEFECTS_MAX} errors: those of the schema, or, once the body passes it, those of the records. ` +
      `Whatever its plan, a shop has at most ${SHOP_MAX_TEXT}.`,
    permission: 'read',
    permissionByAction: { preview: 'read', execute: 'write' },
    body: {
      schema: configActionSchema(itemsMax),
      limit: 'configBody',
      defectsShown: CONFIG_DEFECTS_MAX,
      examples: {
        preview: { action: 'preview', data: { methods: [] } },
        trial: { action: 'preview', data: { methods: EXAMPLE_SNAPSHOT.methods }, request: EXAMPLE_CART },
        execute: { action: 'execute', data: EXAMPLE_SNAPSHOT },
      },
    },
    success: answerDoc(
      'What would change (preview), or the new version (execute)',
      Type.Union([ExecuteAnswer, PreviewAnswer]),
      EXAMPLE_EXECUTED,
    ),
    handle: (request) => {
      const { text } = request;
      const { clock, newSeed } = request.dependencies;
      const { action, data, request: cart, at } = request.body;
      if (action === 'execute') {
        if (cart !== undefined) return invalid('/request is accepted only with preview');
        if (at !== undefined) return invalid('/at is accepted only with preview');
        return planWrite({ kind: 'executeConfig', data }, 'executed', ({ version, summary }, { keys }) => ({
          version: version === null ? null : versionView(version, keys),
          summary,
        }));
      }
      const moment = { now: new Date(clock.nowMs()).toISOString(), seed: newSeed() };
      if (cart === undefined && at !== undefined) return invalid('/at is accepted only with /request');
      const carts = shownCarts(request);
      return answerWithTraffic(request, (traffic) => ({
        ...{ kind: 'preview', text, ...moment },
        traffic: { ...traffic, carts },
      }));
    },
  }),
];
