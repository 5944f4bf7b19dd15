/** `/api/groups`: product groups. */

import { notFound } from '../../domain/failure.ts';
import { deletedAnswer, groupAnswer, groupsAnswer } from '../../wire/answer-schemas.ts';
import { groupView } from '../../wire/record-view.ts';
import { DeleteBody, GroupCreate, GroupUpdate } from '../../wire/write-bodies.ts';
import { answerList, answerValue, planWrite } from '../answer.ts';
import { EXAMPLE_DELETED, EXAMPLE_GROUP, EXAMPLE_GROUP_BODY } from '../openapi/examples.ts';
import { type Route, writeRoute } from '../route.ts';
import { readConfigRoute } from './config-view.ts';
import { ID_PARAMETER } from './record-id.ts';

const tag = 'Product groups';
const example = { group: EXAMPLE_GROUP };

export const GROUP_ROUTES: readonly Route[] = [
  readConfigRoute({
    name: 'listGroups',
    verb: 'GET',
    paths: ['/api/groups'],
    tag,
    summary: 'All product groups, in the order in which an item is matched',
    permission: 'read',
    success: {
      status: 200,
      description: 'The product groups',
      schema: groupsAnswer,
      example: { groups: [EXAMPLE_GROUP] },
    },
    handle: ({ config }) => answerList('groups', config.productGroups, groupView),
  }),
  readConfigRoute({
    name: 'getGroup',
    verb: 'GET',
    paths: ['/api/groups/:id'],
    tag,
    summary: 'One product group',
    permission: 'read',
    target: 'productGroup',
    success: { status: 200, description: 'The product group', schema: groupAnswer, example },
    handle: ({ config, id }) => {
      const groups = config.productGroups;
      const position = groups.findIndex((one) => one.id === id);
      const group = groups[position];
      return group === undefined
        ? notFound('productGroup', id)
        : answerValue({ group: groupView(group, position) });
    },
  }),
  writeRoute({
    name: 'createGroup',
    verb: 'POST',
    paths: ['/api/groups'],
    tag,
    summary: 'Create a product group',
    permission: 'write',
    body: { schema: GroupCreate, examples: { group: EXAMPLE_GROUP_BODY } },
    success: { status: 201, description: 'The new product group', schema: groupAnswer, example },
    handle: ({ body }) => planWrite({ kind: 'createGroup', body }, 'group', ({ group }) => ({ group })),
  }),
  writeRoute({
    name: 'updateGroup',
    verb: 'PUT',
    paths: ['/api/groups', '/api/groups/:id'],
    tag,
    summary: 'Change a product group',
    description: 'Fields that are absent stay as they are; arrays are replaced whole.',
    permission: 'write',
    target: 'productGroup',
    query: ID_PARAMETER,
    body: {
      schema: GroupUpdate,
      examples: { rename: { id: EXAMPLE_GROUP.id, name: 'Heavy items' }, move: { position: 0 } },
    },
    success: { status: 200, description: 'The product group as it is now', schema: groupAnswer, example },
    handle: ({ id, body }) =>
      planWrite({ kind: 'updateGroup', id, body }, 'group', ({ group }) => ({ group })),
  }),
  writeRoute({
    name: 'deleteGroup',
    verb: 'DELETE',
    paths: ['/api/groups', '/api/groups/:id'],
    tag,
    summary: 'Delete a product group',
    description: 'Refused for the default group and while a method or a preference uses the group.',
    permission: 'write',
    target: 'productGroup',
    query: ID_PARAMETER,
    body: { schema: DeleteBody, isOptional: true, examples: { byId: { id: EXAMPLE_GROUP.id } } },
    success: {
      status: 200,
      description: 'It is gone',
      schema: deletedAnswer,
      example: EXAMPLE_DELETED(EXAMPLE_GROUP.id),
    },
    handle: ({ id }) =>
      planWrite({ kind: 'deleteGroup', id }, 'deleted', (deleted) => ({ deleted: true, id: deleted.id })),
  }),
];
