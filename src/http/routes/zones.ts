/** `/api/zones`: read only; zones change through `/api/config`. */

import { zoneAnswer, zonesAnswer } from '../../domain/answer-schemas.ts';
import { notFound } from '../../domain/failure.ts';
import { zoneView } from '../../domain/record-view.ts';
import { EXAMPLE_ZONE } from '../examples.ts';
import { answerList, answerValue, type Route } from '../route.ts';
import { readConfigRoute } from './config-view.ts';

export const ZONE_ROUTES: readonly Route[] = [
  readConfigRoute({
    name: 'listZones',
    verb: 'GET',
    paths: ['/api/zones'],
    tag: 'Zones',
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
    tag: 'Zones',
    summary: 'One zone',
    permission: 'read',
    target: 'zone',
    success: { status: 200, description: 'The zone', schema: zoneAnswer, example: { zone: EXAMPLE_ZONE } },
    handle: ({ config, id }) => {
      const zone = config.zones.find((one) => one.id === id);
      return zone === undefined ? notFound('zone', id) : answerValue({ zone: zoneView(zone) });
    },
  }),
];
