/** `/api/blended`: blended rates. */

import { notFound } from '../../domain/failure.ts';
import { blendedRateAnswer, blendedRatesAnswer, deletedAnswer } from '../../wire/answer-schemas.ts';
import { blendedRateView } from '../../wire/record-view.ts';
import { BlendedCreate, BlendedUpdate, DeleteBody } from '../../wire/write-bodies.ts';
import { answerList, answerValue, planWrite } from '../answer.ts';
import { EXAMPLE_BLENDED, EXAMPLE_BLENDED_BODY, EXAMPLE_DELETED } from '../openapi/examples.ts';
import { type Route, writeRoute } from '../route.ts';
import { readConfigRoute } from './config-view.ts';
import { ID_PARAMETER } from './record-id.ts';

const tag = 'Blended rates';
const example = { blendedRate: EXAMPLE_BLENDED };

export const BLENDED_RATE_ROUTES: readonly Route[] = [
  readConfigRoute({
    name: 'listBlendedRates',
    verb: 'GET',
    paths: ['/api/blended'],
    tag,
    summary: 'All blended rates in position order',
    permission: 'read',
    success: {
      status: 200,
      description: 'The blended rates',
      schema: blendedRatesAnswer,
      example: { blendedRates: [EXAMPLE_BLENDED] },
    },
    handle: ({ config }) => answerList('blendedRates', config.blendedRates, blendedRateView),
  }),
  readConfigRoute({
    name: 'getBlendedRate',
    verb: 'GET',
    paths: ['/api/blended/:id'],
    tag,
    summary: 'One blended rate',
    permission: 'read',
    target: 'blendedRate',
    success: { status: 200, description: 'The blended rate', schema: blendedRateAnswer, example },
    handle: ({ config, id }) => {
      const rates = config.blendedRates;
      const position = rates.findIndex((one) => one.id === id);
      const rate = rates[position];
      return rate === undefined
        ? notFound('blendedRate', id)
        : answerValue({ blendedRate: blendedRateView(rate, position) });
    },
  }),
  writeRoute({
    name: 'createBlendedRate',
    verb: 'POST',
    paths: ['/api/blended'],
    tag,
    summary: 'Create a blended rate',
    description: 'Where a preference names no method, the lowest visible rate of that group is used.',
    permission: 'write',
    body: { schema: BlendedCreate, examples: { lowest: EXAMPLE_BLENDED_BODY } },
    success: { status: 201, description: 'The new blended rate', schema: blendedRateAnswer, example },
    handle: ({ body }) =>
      planWrite({ kind: 'createBlended', body }, 'blendedRate', ({ blendedRate }) => ({ blendedRate })),
  }),
  writeRoute({
    name: 'updateBlendedRate',
    verb: 'PUT',
    paths: ['/api/blended', '/api/blended/:id'],
    tag,
    summary: 'Change a blended rate',
    description: 'Fields that are absent stay as they are; `preferences` is replaced whole.',
    permission: 'write',
    target: 'blendedRate',
    query: ID_PARAMETER,
    body: {
      schema: BlendedUpdate,
      examples: { threshold: { id: EXAMPLE_BLENDED.id, freeShippingThreshold: 15000 } },
    },
    success: {
      status: 200,
      description: 'The blended rate as it is now',
      schema: blendedRateAnswer,
      example,
    },
    handle: ({ id, body }) =>
      planWrite({ kind: 'updateBlended', id, body }, 'blendedRate', ({ blendedRate }) => ({ blendedRate })),
  }),
  writeRoute({
    name: 'deleteBlendedRate',
    verb: 'DELETE',
    paths: ['/api/blended', '/api/blended/:id'],
    tag,
    summary: 'Delete a blended rate',
    permission: 'write',
    target: 'blendedRate',
    query: ID_PARAMETER,
    body: { schema: DeleteBody, isOptional: true, examples: { byId: { id: EXAMPLE_BLENDED.id } } },
    success: {
      status: 200,
      description: 'It is gone',
      schema: deletedAnswer,
      example: EXAMPLE_DELETED(EXAMPLE_BLENDED.id),
    },
    handle: ({ id }) =>
      planWrite({ kind: 'deleteBlended', id }, 'deleted', (deleted) => ({ deleted: true, id: deleted.id })),
  }),
];
