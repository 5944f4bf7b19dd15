/** `/api/methods`: shipping methods; their rules are written through `/api/rules`. */

import { notFound } from '../../domain/failure.ts';
import { Id } from '../../domain/id.ts';
import type { ShippingMethod } from '../../domain/shipping-method.ts';
import { mapSteps } from '../../pace/work-steps.ts';
import { deletedAnswer, methodAnswer, methodsAnswer } from '../../wire/answer-schemas.ts';
import { methodView, methodWithRulesView } from '../../wire/record-view.ts';
import { DeleteBody, MethodCreate, MethodUpdate } from '../../wire/write-bodies.ts';
import { answerSteps, answerValue, planWrite } from '../answer.ts';
import {
  EXAMPLE_DELETED,
  EXAMPLE_METHOD,
  EXAMPLE_METHOD_BODY,
  EXAMPLE_METHOD_WITH_RULES,
  EXAMPLE_TABLE_METHOD_BODY,
} from '../openapi/examples.ts';
import { queryParameter, type Route, writeRoute } from '../route.ts';
import { readConfigRoute } from './config-view.ts';
import { ID_PARAMETER } from './record-id.ts';

const tag = 'Methods';
const example = { method: EXAMPLE_METHOD_WITH_RULES };

export const METHOD_ROUTES: readonly Route[] = [
  readConfigRoute({
    name: 'listMethods',
    verb: 'GET',
    paths: ['/api/methods'],
    tag,
    summary: 'Methods in position order, without their rules',
    permission: 'read',
    query: {
      zoneId: queryParameter(Id, 'Only methods bound to this zone or subzone'),
      productGroupId: queryParameter(Id, 'Only methods of this product group'),
    },
    success: {
      status: 200,
      description: 'The methods',
      schema: methodsAnswer,
      example: { methods: [EXAMPLE_METHOD] },
    },
    handle: ({ config, query: { zoneId, productGroupId } }) => {
      return answerSteps(function* (shouldYield) {
        const views = yield* mapSteps(config.methods, methodView, shouldYield);
        const methods = views.filter(
          (method) =>
            (zoneId === undefined || method.zoneId === zoneId) &&
            (productGroupId === undefined || method.productGroupId === productGroupId),
        );
        return { methods };
      });
    },
  }),
  readConfigRoute({
    name: 'getMethod',
    verb: 'GET',
    paths: ['/api/methods/:id'],
    tag,
    summary: 'One method with its rate configuration and its rules',
    permission: 'read',
    target: 'method',
    success: { status: 200, description: 'The method', schema: methodAnswer, example },
    handle: ({ config, id }) => {
      const methods = config.methods;
      const position = methods.findIndex((one) => one.id === id);
      const method = methods[position];
      return method === undefined
        ? notFound('method', id)
        : answerValue({ method: methodWithRulesView(method as typeof method & ShippingMethod, position) });
    },
  }),
  writeRoute({
    name: 'createMethod',
    verb: 'POST',
    paths: ['/api/methods'],
    tag,
    summary: 'Create a method',
    description:
      'Prices are whole cents, weights whole grams. `config` depends on `rateType`: see the schema RateConfig.',
    permission: 'write',
    body: {
      schema: MethodCreate,
      examples: { flat: EXAMPLE_METHOD_BODY, byWeight: EXAMPLE_TABLE_METHOD_BODY },
    },
    success: { status: 201, description: 'The new method', schema: methodAnswer, example },
    handle: ({ body }) => planWrite({ kind: 'createMethod', body }, 'method', ({ method }) => ({ method })),
  }),
  writeRoute({
    name: 'updateMethod',
    verb: 'PUT',
    paths: ['/api/methods', '/api/methods/:id'],
    tag,
    summary: 'Change a method',
    description: 'Fields that are absent stay as they are; `config` is replaced whole.',
    permission: 'write',
    target: 'method',
    query: ID_PARAMETER,
    body: {
      schema: MethodUpdate,
      examples: {
        price: { id: EXAMPLE_METHOD.id, config: { price: 1299 } },
        disable: { enabled: false },
      },
    },
    success: { status: 200, description: 'The method as it is now', schema: methodAnswer, example },
    handle: ({ id, body }) =>
      planWrite({ kind: 'updateMethod', id, body }, 'method', ({ method }) => ({ method })),
  }),
  writeRoute({
    name: 'deleteMethod',
    verb: 'DELETE',
    paths: ['/api/methods', '/api/methods/:id'],
    tag,
    summary: 'Delete a method and its rules',
    description: 'Refused while a blended rate prefers the method.',
    permission: 'write',
    target: 'method',
    query: ID_PARAMETER,
    body: { schema: DeleteBody, isOptional: true, examples: { byId: { id: EXAMPLE_METHOD.id } } },
    success: {
      status: 200,
      description: 'It is gone',
      schema: deletedAnswer,
      example: EXAMPLE_DELETED(EXAMPLE_METHOD.id),
    },
    handle: ({ id }) =>
      planWrite({ kind: 'deleteMethod', id }, 'deleted', (deleted) => ({ deleted: true, id: deleted.id })),
  }),
];
