/** `/api/methods`: shipping methods; their rules are written through `/api/rules`. */
import { Id } from '../../../engine/domain/schema.ts';
import type { ShippingMethod } from '../../../engine/domain/shipping-method.ts';
import { MethodRecord, MethodWithRules } from '../../../engine/wire/answer-schemas.ts';
import { methodView, methodWithRulesView } from '../../../engine/wire/record-view.ts';
import { MethodCreate, MethodUpdate } from '../../../engine/wire/write-bodies.ts';
import {
  EXAMPLE_METHOD,
  EXAMPLE_METHOD_BODY,
  EXAMPLE_METHOD_WITH_RULES,
  EXAMPLE_TABLE_METHOD_BODY,
} from '../openapi/examples.ts';
import { queryParameter } from '../route.ts';
import { answerRecords } from './record-list.ts';
import { answerRecord, planRecord, recordRoutes } from './record-routes.ts';

export const METHOD_ROUTES = recordRoutes({
  tag: 'Methods',
  name: 'Method',
  path: '/api/methods',
  target: 'method',
  field: 'method',
  schema: MethodWithRules,
  example: EXAMPLE_METHOD_WITH_RULES,
  listed: { schema: MethodRecord, example: EXAMPLE_METHOD },
  list: {
    summary: 'Methods in position order, without their rules',
    query: {
      zoneId: queryParameter(Id, 'Only methods bound to this zone or subzone'),
      productGroupId: queryParameter(Id, 'Only methods of this product group'),
    },
    handle: ({ config, query }) => {
      const { zoneId, productGroupId } = query;
      return answerRecords(query, {
        kind: 'method',
        field: 'methods',
        records: config.methods,
        view: methodView,
        isListed: (method) =>
          (zoneId === undefined || method.zoneId === zoneId) &&
          (productGroupId === undefined || method.productGroupId === productGroupId),
      });
    },
  },
  get: {
    summary: 'One method with its rate configuration and its rules',
    handle: ({ config, id }) =>
      answerRecord('method', 'method', config.methods, id, (method, position) =>
        methodWithRulesView(method as typeof method & ShippingMethod, position),
      ),
  },
  create: {
    description:
      'Prices are whole cents, weights whole grams. `config` depends on `rateType`: see the schema RateConfig.',
    body: {
      schema: MethodCreate,
      examples: { flat: EXAMPLE_METHOD_BODY, byWeight: EXAMPLE_TABLE_METHOD_BODY },
    },
    handle: ({ body }) => planRecord({ kind: 'createMethod', body }, 'method'),
  },
  update: {
    description: 'Fields that are absent stay as they are; `config` is replaced whole.',
    body: {
      schema: MethodUpdate,
      examples: { price: { id: EXAMPLE_METHOD.id, config: { price: 1299 } }, disable: { enabled: false } },
    },
    handle: ({ id, body }) => planRecord({ kind: 'updateMethod', id, body }, 'method'),
  },
  remove: {
    summary: 'Delete a method and its rules',
    description: 'Refused while a blended rate prefers the method.',
    command: (id) => ({ kind: 'deleteMethod', id }),
  },
});
