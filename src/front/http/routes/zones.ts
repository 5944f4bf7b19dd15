/** `/api/zones`: zones with their subzones. */
import { Zone } from '../../../engine/domain/zone.ts';
import { zoneView } from '../../../engine/wire/record-view.ts';
import { ZoneCreate, ZoneUpdate } from '../../../engine/wire/write-bodies.ts';
import { EXAMPLE_ZONE, EXAMPLE_ZONE_BODY } from '../openapi/examples.ts';
import { answerRecords } from './record-list.ts';
import { answerRecord, planRecord, recordRoutes } from './record-routes.ts';

export const ZONE_ROUTES = recordRoutes({
  tag: 'Zones',
  name: 'Zone',
  path: '/api/zones',
  target: 'zone',
  field: 'zone',
  schema: Zone,
  example: EXAMPLE_ZONE,
  list: {
    summary: 'All zones with their subzones, in the order in which they are matched',
    handle: ({ config, query }) =>
      answerRecords(query, { kind: 'zone', field: 'zones', records: config.zones, view: zoneView }),
  },
  get: { handle: ({ config, id }) => answerRecord('zone', 'zone', config.zones, id, zoneView) },
  create: {
    summary: 'Create a zone with its subzones',
    description:
      'A country may be listed in several zones: the first in list order applies. `position` is the place of the new ' +
      'zone in that order. `*` stands for every country that no zone lists.',
    body: { schema: ZoneCreate, examples: { zone: EXAMPLE_ZONE_BODY } },
    handle: ({ body }) => planRecord({ kind: 'createZone', body }, 'zone'),
  },
  update: {
    description:
      'Fields that are absent stay as they are. `countries` and `subzones` are replaced whole: a subzone with the id ' +
      'of an existing one replaces it, any other is new. Refused while a method or a blended rate is bound to a ' +
      'subzone that would be removed.',
    body: {
      schema: ZoneUpdate,
      examples: {
        subzones: { id: EXAMPLE_ZONE.id, subzones: EXAMPLE_ZONE.subzones },
        move: { position: 0 },
      },
    },
    handle: ({ id, body }) => planRecord({ kind: 'updateZone', id, body }, 'zone'),
  },
  remove: {
    summary: 'Delete a zone and its subzones',
    description: 'Refused while a method or a blended rate is bound to the zone or to one of its subzones.',
    command: (id) => ({ kind: 'deleteZone', id }),
  },
});
