/**
 * Writes of zones (contract sections 3 and 10). The subzones of a zone are replaced as one list and matched by id. A
 * zone or subzone cannot be removed while a method or a blended rate is bound to it.
 */
import { conflict, type Outcome } from '../domain/failure.ts';
import type { PlacedConfig, PlacedZone } from '../domain/shop-event.ts';
import type { Subzone } from '../domain/zone.ts';
import { zoneView } from '../wire/record-view.ts';
import type { CommandOf, ConfigWrite, WriteScope } from './command.ts';
import { created, type RecordClass, removed, updated } from './decide-record.ts';
import { type Defects, IdClaims, readSubzones } from './record-input.ts';

const ZONES: RecordClass<'zones'> = {
  kind: 'zone',
  list: 'zones',
  result: (zone) => ({ kind: 'zone', zone: zoneView(zone) }),
  updateObstacle: ({ config }, old, zone) => {
    const kept = new Set(zone.subzones.map(({ id }) => id));
    const removedParts = old.subzones.filter(({ id }) => !kept.has(id));
    const user = findUser(config, removedParts);
    if (user === null) return null;
    const { part, record } = user;
    return conflict(`subzone "${part.name}" (${part.id}) cannot be removed: ${record} is bound to it`);
  },
  removalObstacle: (config, zone) => {
    const user = findUser(config, [zone, ...zone.subzones]);
    if (user === null) return null;
    const bound = user.part === zone ? 'it' : `its subzone "${user.part.name}"`;
    return conflict(`zone "${zone.name}" cannot be deleted: ${user.record} is bound to ${bound}`);
  },
};

export const createZone = (scope: WriteScope, { body }: CommandOf<'createZone'>): Outcome<ConfigWrite> =>
  created(scope, ZONES, body.position, (id, _, defects) => {
    // A client may send a zone that it read as a new zone: all its ids are generated again.
    const input = (body.subzones ?? []).map(({ name, postalCodes }) => ({ name, postalCodes }));
    const subzones = readSubzones(input, '', { scope, ids: new IdClaims(scope.seed, defects), defects });
    return { id, name: body.name, countries: body.countries, subzones };
  });

/** Linear in the subzones of the shop and, when subzones are removed, in the methods. */
export const updateZone = (scope: WriteScope, command: CommandOf<'updateZone'>): Outcome<ConfigWrite> =>
  updated(scope, ZONES, command, (old, _, defects) => {
    const { name = old.name, countries = old.countries, subzones: input } = command.body;
    const subzones =
      input === undefined
        ? old.subzones
        : readSubzones(input, '', { scope, ids: claimsAround(scope, old, defects), defects });
    return { id: old.id, name, countries, subzones };
  });

/** The ids that subzones of `zone` cannot use. */
function claimsAround({ config, seed }: WriteScope, zone: PlacedZone, defects: Defects): IdClaims {
  const ids = new IdClaims(seed, defects);
  for (const { id, name, subzones } of config.zones) {
    const keeper = { keeper: `zone "${name}"` };
    ids.keep('zone', id, keeper);
    if (id !== zone.id) for (const subzone of subzones) ids.keep('subzone', subzone.id, keeper);
  }
  return ids;
}

export const deleteZone = (scope: WriteScope, { id }: CommandOf<'deleteZone'>): Outcome<ConfigWrite> =>
  removed(scope, ZONES, id);

/** A zone or a subzone. */
type ZonePart = Pick<Subzone, 'id' | 'name'>;

/** The first method, or else blended rate, that is bound to a part, as messages name it; null when there is none. */
function findUser(
  { methods, blendedRates }: PlacedConfig,
  parts: readonly ZonePart[],
): { readonly part: ZonePart; readonly record: string } | null {
  if (parts.length === 0) return null;
  const partById = new Map(parts.map((part) => [part.id, part]));
  const method = methods.find(({ zoneId }) => partById.has(zoneId));
  const user = method ?? blendedRates.find(({ zoneId }) => partById.has(zoneId));
  const part = partById.get(user?.zoneId ?? '');
  if (user === undefined || part === undefined) return null;
  const kind = method === undefined ? 'blended rate' : 'method';
  return { part, record: `${kind} "${user.name}" (${user.id})` };
}
