/**
 * Writes of zones (contract sections 3 and 10). A zone comes with its subzones, which are replaced as one list and
 * matched by id; neither a zone nor a subzone goes while a method or a blended rate is bound to it.
 *
 * Each is a whole write: a zone and its subzones are compared by the functions that compare a bulk write, which
 * look at no other zone.
 */

import { conflict, notFound, type Outcome } from '../domain/failure.ts';
import type { PlacedConfig, PlacedZone } from '../domain/shop-event.ts';
import type { Subzone, Zone } from '../domain/zone.ts';
import type { ShouldYield, WorkSteps } from '../pace/work-steps.ts';
import { extended } from '../runtime/extended.ts';
import { zoneView } from '../wire/record-view.ts';
import type { SubzoneData } from '../wire/write-bodies.ts';
import type { CommandResult } from './command.ts';
import { type CommandOf, deleted, type WholeWrite, type WriteScope, written } from './decision.ts';
import { Defects } from './defects.ts';
import { IdClaims } from './id-claims.ts';
import { splicedList } from './list-window.ts';
import { placeOfMoved, placeOfNew, updatedList } from './place.ts';
import { placeOfId } from './record-places.ts';
import { readSubzoneSteps } from './zone-input.ts';

type ZoneCommand = CommandOf<'createZone' | 'updateZone' | 'deleteZone'>;

/** Linear in the subzones of the zone and, where some of them go, in the methods. */
export function* writeZone(
  scope: WriteScope,
  command: ZoneCommand,
  shouldYield: ShouldYield,
): WorkSteps<Outcome<WholeWrite>> {
  switch (command.kind) {
    case 'createZone':
      return yield* createZone(scope, command, shouldYield);
    case 'updateZone':
      return yield* updateZone(scope, command, shouldYield);
    case 'deleteZone':
      return deleteZone(scope, command);
  }
}

const zoneResult = (zone: Zone): CommandResult => ({ kind: 'zone', zone: zoneView(zone) });

function* createZone(
  scope: WriteScope,
  { body }: CommandOf<'createZone'>,
  shouldYield: ShouldYield,
): WorkSteps<Outcome<WholeWrite>> {
  const { zones } = scope.config;
  const defects = new Defects();
  const ids = new IdClaims(scope.seed, defects);
  const id = ids.claim('zone', undefined, '');
  // A zone that was read can be sent as a new one: all its ids are made.
  const input = (body.subzones ?? []).map(({ name, postalCodes }) => ({ name, postalCodes }));
  const subzones = yield* readSubzoneSteps(input, '', { ids, defects, shouldYield });
  if (defects.found) return defects.failure();
  const { name, countries, position } = body;
  const zone: PlacedZone = extended({ id, name, countries, subzones }, { placement: scope.placement });
  const list = splicedList(zones, placeOfNew(zones, position), 0, zone);
  return written(scope, { zones: list }, `Zone "${name}" created`, zoneResult(zone));
}

function* updateZone(
  scope: WriteScope,
  { id, body }: CommandOf<'updateZone'>,
  shouldYield: ShouldYield,
): WorkSteps<Outcome<WholeWrite>> {
  const { zones } = scope.config;
  const index = placeOfId(zones, id);
  const old = zones[index];
  if (old === undefined) return notFound('zone', id);
  const defects = new Defects();
  let { subzones } = old;
  if (body.subzones !== undefined) {
    const ids = yield* claimsAround(scope, old, body.subzones, defects, shouldYield);
    subzones = yield* readSubzoneSteps(body.subzones, '', { ids, defects, shouldYield });
  }
  if (defects.found) return defects.failure();
  const kept = new Set(subzones.map((subzone) => subzone.id));
  const gone = old.subzones.filter((subzone) => !kept.has(subzone.id));
  const user = findUser(scope.config, gone);
  if (user !== null) {
    const { place, record } = user;
    return conflict(`subzone "${place.name}" (${place.id}) cannot be removed: ${record} is bound to it`);
  }
  const { name = old.name, countries = old.countries } = body;
  const zone: PlacedZone = extended({ id, name, countries, subzones }, { placement: old.placement });
  const position = placeOfMoved(zones, index, body.position);
  const list = updatedList(zones, index, zone, position, scope.placement);
  return written(scope, { zones: list }, `Zone "${name}" updated`, zoneResult(zone));
}

/** The ids that subzones of `zone` cannot have; the other zones count only where an id is new to this one. */
function* claimsAround(
  { config, seed }: WriteScope,
  zone: PlacedZone,
  input: readonly SubzoneData[],
  defects: Defects,
  shouldYield: ShouldYield,
): WorkSteps<IdClaims> {
  const ids = new IdClaims(seed, defects);
  const own = new Set(zone.subzones.map(({ id }) => id));
  if (input.every(({ id }) => id === undefined || own.has(id))) return ids;
  for (const { id, name, subzones } of config.zones) {
    const keeper = { keeper: `zone "${name}"` };
    ids.keep('zone', id, keeper);
    if (id === zone.id) continue;
    for (const subzone of subzones) {
      ids.keep('subzone', subzone.id, keeper);
      if (shouldYield()) yield;
    }
  }
  return ids;
}

function deleteZone(scope: WriteScope, { id }: CommandOf<'deleteZone'>): Outcome<WholeWrite> {
  const { zones } = scope.config;
  const index = placeOfId(zones, id);
  const zone = zones[index];
  if (zone === undefined) return notFound('zone', id);
  const user = findUser(scope.config, [zone, ...zone.subzones]);
  if (user !== null) {
    const { place, record } = user;
    const bound = place === zone ? 'it' : `its subzone "${place.name}"`;
    return conflict(`zone "${zone.name}" cannot be deleted: ${record} is bound to ${bound}`);
  }
  const list = splicedList(zones, index, 1);
  return written(scope, { zones: list }, `Zone "${zone.name}" deleted`, deleted(id));
}

type Place = Pick<Subzone, 'id' | 'name'>;

/** The first method, or else blended rate, that is bound to one of these, as a message names it; null when none is. */
function findUser(
  { methods, blendedRates }: PlacedConfig,
  places: readonly Place[],
): { readonly place: Place; readonly record: string } | null {
  if (places.length === 0) return null;
  const placeById = new Map(places.map((place) => [place.id, place]));
  const method = methods.find(({ zoneId }) => placeById.has(zoneId));
  const blended = method ?? blendedRates.find(({ zoneId }) => placeById.has(zoneId));
  const place = placeById.get(blended?.zoneId ?? '');
  if (blended === undefined || place === undefined) return null;
  const kind = method === undefined ? 'blended rate' : 'method';
  return { place, record: `${kind} "${blended.name}" (${blended.id})` };
}
