/** `/api/config`: the whole configuration at once (contract section 8). */

import Type from 'typebox';
import { ConfigSnapshot, ExecuteAnswer, PreviewAnswer } from '../../domain/answer-schemas.ts';
import { LintReport } from '../../domain/finding.ts';
import { snapshotOf } from '../../domain/record-view.ts';
import type { ShopConfig } from '../../domain/shop-config.ts';
import { CONFIG_DEFECTS_MAX, ConfigAction } from '../../domain/write-bodies.ts';
import { EXAMPLE_EXECUTED, EXAMPLE_REPORT, EXAMPLE_SNAPSHOT } from '../examples.ts';
import { answerLater, answerValue, planWrite, type Route, writeRoute } from '../route.ts';
import { readConfigRoute } from './config-view.ts';

const tag = 'Configuration';

export const CONFIG_ROUTES: readonly Route[] = [
  readConfigRoute({
    name: 'getConfig',
    verb: 'GET',
    paths: ['/api/config'],
    tag,
    summary: 'The whole configuration, exactly as preview and execute accept it',
    permission: 'read',
    success: {
      status: 200,
      description: 'The configuration',
      schema: ConfigSnapshot,
      example: EXAMPLE_SNAPSHOT,
    },
    handle: ({ shop, config }) => answerValue(snapshotOf(config as ShopConfig, shop.state.version.id)),
  }),
  readConfigRoute({
    name: 'lintConfig',
    verb: 'GET',
    paths: ['/api/config/lint'],
    tag,
    summary: 'What is wrong or doubtful in the configuration',
    description:
      'Findings are true of every request, but for `likely_unit_slip`, which is a guess. A `witness` is a ' +
      'request that shows the defect when it is simulated at its time. Disabled records are not looked at.',
    permission: 'read',
    success: {
      status: 200,
      description: 'The findings, errors first',
      schema: LintReport,
      example: EXAMPLE_REPORT,
    },
    handle: ({ shop, config, dependencies }) =>
      answerLater(dependencies.linter.report(shop, config), shop.state.version.id),
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
      'of what `/api/config/lint` would find in the new configuration.',
    permission: 'read',
    permissionByAction: { preview: 'read', execute: 'write' },
    body: {
      schema: ConfigAction,
      limit: 'configBody',
      defectsShown: CONFIG_DEFECTS_MAX,
      examples: {
        preview: { action: 'preview', data: { methods: [] } },
        execute: { action: 'execute', data: EXAMPLE_SNAPSHOT },
      },
    },
    success: {
      status: 200,
      description: 'What would change (preview), or the new version (execute)',
      schema: Type.Union([ExecuteAnswer, PreviewAnswer]),
      example: EXAMPLE_EXECUTED,
    },
    handle: ({ shop, body: { action, data }, dependencies }) => {
      if (action === 'execute') {
        return planWrite({ kind: 'executeConfig', data }, 'executed', ({ version, summary }) => ({
          version,
          summary,
        }));
      }
      const preview = shop.preview(data);
      if (!preview.ok) return preview;
      const answer = dependencies.linter.preview(shop, preview.value, data);
      return answerLater(answer, shop.state.version.id);
    },
  }),
];
