/** `/api/blended`: blended rates. */
import { BlendedRateRecord } from '../../../engine/wire/answer-schemas.ts';
import { blendedRateView } from '../../../engine/wire/record-view.ts';
import { BlendedCreate, BlendedUpdate } from '../../../engine/wire/write-bodies.ts';
import { EXAMPLE_BLENDED, EXAMPLE_BLENDED_BODY } from '../openapi/examples.ts';
import { answerRecords } from './record-list.ts';
import { answerRecord, planRecord, recordRoutes } from './record-routes.ts';

export const BLENDED_RATE_ROUTES = recordRoutes({
  tag: 'Blended rates',
  name: 'BlendedRate',
  path: '/api/blended',
  target: 'blendedRate',
  field: 'blendedRate',
  schema: BlendedRateRecord,
  example: EXAMPLE_BLENDED,
  list: {
    summary: 'All blended rates in position order',
    handle: ({ config, query }) =>
      answerRecords(query, {
        kind: 'blendedRate',
        field: 'blendedRates',
        records: config.blendedRates,
        view: blendedRateView,
      }),
  },
  get: {
    handle: ({ config, id }) =>
      answerRecord('blendedRate', 'blendedRate', config.blendedRates, id, blendedRateView),
  },
  create: {
    description: 'Where a preference names no method, the lowest visible rate of that group is used.',
    body: { schema: BlendedCreate, examples: { lowest: EXAMPLE_BLENDED_BODY } },
    handle: ({ body }) => planRecord({ kind: 'createBlended', body }, 'blendedRate'),
  },
  update: {
    description: 'Fields that are absent stay as they are; `preferences` is replaced whole.',
    body: {
      schema: BlendedUpdate,
      examples: { threshold: { id: EXAMPLE_BLENDED.id, freeShippingThreshold: 15000 } },
    },
    handle: ({ id, body }) => planRecord({ kind: 'updateBlended', id, body }, 'blendedRate'),
  },
  remove: { command: (id) => ({ kind: 'deleteBlended', id }) },
});
