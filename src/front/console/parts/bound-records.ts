/** The methods and blended rates that are bound to a zone or a product group, and the configuration without all of them. */
import type { Schemas } from '../../client/call-table.ts';

type Config = Pick<Schemas['ConfigSnapshot'], 'zones' | 'productGroups' | 'methods' | 'blendedRates'>;

export interface BoundRecords {
  readonly methods: Config['methods'];
  readonly blends: Config['blendedRates'];
}

/** `id` is that of a zone, whose subzones count as well, or of a product group. */
export function boundRecords({ zones, methods, blendedRates }: Config, id: string): BoundRecords {
  const subzones = zones.find((zone) => zone.id === id)?.subzones ?? [];
  const places = new Set([id, ...subzones.map((subzone) => subzone.id)]);
  return {
    methods: methods.filter(({ zoneId, productGroupId }) => places.has(zoneId) || productGroupId === id),
    blends: blendedRates.filter(({ zoneId }) => places.has(zoneId)),
  };
}

/** Blended rates stay where only a preference of theirs goes: such a group then has its lowest price. */
export function withoutBound(config: Config, id: string, bound: BoundRecords): Schemas['ConfigData'] {
  const gone = new Set([...bound.methods, ...bound.blends].map((record) => record.id));
  return {
    zones: config.zones.filter((zone) => zone.id !== id),
    productGroups: config.productGroups.filter((group) => group.id !== id),
    // Rules that are not named stay as they are.
    methods: config.methods.flatMap(({ rules: _, ...method }) => (gone.has(method.id) ? [] : [method])),
    blendedRates: config.blendedRates
      .filter((blend) => !gone.has(blend.id))
      .map((blend) => ({
        ...blend,
        preferences: blend.preferences.filter(
          ({ productGroupId, preferredMethodId }) =>
            productGroupId !== id && (preferredMethodId === null || !gone.has(preferredMethodId)),
        ),
      })),
  } as Schemas['ConfigData'];
}
