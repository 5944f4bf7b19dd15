/** `/api/groups`: product groups. */
import { GroupRecord } from '../../../engine/wire/answer-schemas.ts';
import { groupView } from '../../../engine/wire/record-view.ts';
import { GroupCreate, GroupUpdate } from '../../../engine/wire/write-bodies.ts';
import { EXAMPLE_GROUP, EXAMPLE_GROUP_BODY } from '../openapi/examples.ts';
import { answerRecords } from './record-list.ts';
import { answerRecord, planRecord, recordRoutes } from './record-routes.ts';

export const GROUP_ROUTES = recordRoutes({
  tag: 'Product groups',
  name: 'Group',
  path: '/api/groups',
  target: 'productGroup',
  field: 'group',
  schema: GroupRecord,
  example: EXAMPLE_GROUP,
  list: {
    summary: 'All product groups, in the order in which an item is matched',
    handle: ({ config, query }) =>
      answerRecords(query, {
        kind: 'productGroup',
        field: 'groups',
        records: config.productGroups,
        view: groupView,
      }),
  },
  get: {
    handle: ({ config, id }) => answerRecord('productGroup', 'group', config.productGroups, id, groupView),
  },
  create: {
    body: { schema: GroupCreate, examples: { group: EXAMPLE_GROUP_BODY } },
    handle: ({ body }) => planRecord({ kind: 'createGroup', body }, 'group'),
  },
  update: {
    description: 'Fields that are absent stay as they are; arrays are replaced whole.',
    body: {
      schema: GroupUpdate,
      examples: { rename: { id: EXAMPLE_GROUP.id, name: 'Heavy items' }, move: { position: 0 } },
    },
    handle: ({ id, body }) => planRecord({ kind: 'updateGroup', id, body }, 'group'),
  },
  remove: {
    description: 'Refused for the default group and while a method or a preference uses the group.',
    command: (id) => ({ kind: 'deleteGroup', id }),
  },
});
