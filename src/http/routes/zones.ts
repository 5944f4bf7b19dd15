/** `/api/zones`: zones with their subzones. */

import { notFound } from '../../domain/failure.ts';
import { deletedAnswer, zoneAnswer, zonesAnswer } from '../../wire/answer-schemas.ts';
import { zoneView } from '../../wire/record-view.ts';
import { DeleteBody, ZoneCreate, ZoneUpdate } from '../../wire/write-bodies.ts';
import { answerList, answerValue, planWrite } from '../answer.ts';
import { EXAMPLE_DELETED, EXAMPLE_ZONE, EXAMPLE_ZONE_BODY } from '../openapi/examples.ts';
import { type Route, writeRoute } from '../route.ts';
import { readConfigRoute } from './config-view.ts';
import { ID_PARAMETER } from './record-id.ts';

const tag = 'Zones';
const example = { zone: EXAMPLE_ZONE };

export const ZONE_ROUTES: readonly Route[] = [
  readConfigRoute({
    name: 'listZones',
    verb: 'GET',
    paths: ['/api/zones'],
    tag,
    summary: 'All zones with their subzones, in the order in which they are matched',
    permission: 'read',
    success: {
      status: 200,
      description: 'The zones',
      schema: zonesAnswer,
      example: { zones: [EXAMPLE_ZONE] },
    },
    handle: ({ config }) => answerList('zones', config.zones, zoneView),
  }),
  readConfigRoute({
    name: 'getZone',
    verb: 'GET',
    paths: ['/api/zones/:id'],
    tag,
    summary: 'One zone',
    permission: 'read',
    target: 'zone',
    success: { status: 200, description: 'The zone', schema: zoneAnswer, example },
    handle: ({ config, id }) => {
      const zone = config.zones.find((one) => one.id === id);
      return zone === undefined ? notFound('zone', id) : answerValue({ zone: zoneView(zone) });
    },
  }),
  writeRoute({
    name: 'createZone',
    verb: 'POST',
    paths: ['/api/zones'],
    tag,
    summary: 'Create a zone with its subzones',
    description:
      'A country may stand in several zones: the first of them in list order has it, and `position` says where ' +
      'the zone comes to stand. `*` stands for every country that no zone lists.',
    permission: 'write',
    body: { schema: ZoneCreate, examples: { zone: EXAMPLE_ZONE_BODY } },
    success: { status: 201, description: 'The new zone', schema: zoneAnswer, example },
    handle: ({ body }) => planWrite({ kind: 'createZone', body }, 'zone', ({ zone }) => ({ zone })),
  }),
  writeRoute({
    name: 'updateZone',
    verb: 'PUT',
    paths: ['/api/zones', '/api/zones/:id'],
    tag,
    summary: 'Change a zone',
    description:
      'Fields that are absent stay as they are. `countries` and `subzones` are replaced whole: a subzone with the id ' +
      'of one that is there takes its place, any other is new. Refused while a method or a blended rate is bound ' +
      'to a subzone that would go.',
    permission: 'write',
    target: 'zone',
    query: ID_PARAMETER,
    body: {
      schema: ZoneUpdate,
      examples: {
        subzones: { id: EXAMPLE_ZONE.id, subzones: EXAMPLE_ZONE.subzones },
        move: { position: 0 },
      },
    },
    success: { status: 200, description: 'The zone as it is now', schema: zoneAnswer, example },
    handle: ({ id, body }) => planWrite({ kind: 'updateZone', id, body }, 'zone', ({ zone }) => ({ zone })),
  }),
  writeRoute({
    name: 'deleteZone',
    verb: 'DELETE',
    paths: ['/api/zones', '/api/zones/:id'],
    tag,
    summary: 'Delete a zone and its subzones',
    description: 'Refused while a method or a blended rate is bound to the zone or to one of its subzones.',
    permission: 'write',
    target: 'zone',
    query: ID_PARAMETER,
    body: { schema: DeleteBody, isOptional: true, examples: { byId: { id: EXAMPLE_ZONE.id } } },
    success: {
      status: 200,
      description: 'It is gone',
      schema: deletedAnswer,
      example: EXAMPLE_DELETED(EXAMPLE_ZONE.id),
    },
    handle: ({ id }) =>
      planWrite({ kind: 'deleteZone', id }, 'deleted', (deleted) => ({ deleted: true, id: deleted.id })),
  }),
];
