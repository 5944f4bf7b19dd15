/**
 * The configuration that a bulk write leads to (contract section 8). A kind that `data` leaves out stays as
 * it is, a kind that it has becomes exactly what it says, and the whole result must hold together, so that
 * records that stay are checked against the new ones.
 *
 * Records are matched by id. Below a matched zone or method the same holds: `subzones` or `rules` that are
 * left out stay, an empty array clears them.
 */
import { type Outcome, success } from '../domain/failure.ts';
import type { PlacedConfig, PlacedGroup, PlacedMethod } from '../domain/shop-event.ts';
import { CONFIG_DEFECTS_MAX, type ConfigData } from '../domain/write-bodies.ts';
import { defaultGroup } from './decide-shop.ts';
import type { WriteScope } from './decision.ts';
import { Defects } from './defects.ts';
import { IdClaims } from './id-claims.ts';
import { replaceList } from './place.ts';
import { checkBlendedReferences, checkMethodReferences, References } from './references.ts';
import {
  type ReplacementReader,
  readBlendedRates,
  readGroups,
  readMethods,
  readZones,
} from './replacement-records.ts';

export interface Replacement {
  readonly config: PlacedConfig;
  /** Ids in `config` that were made here and not given. */
  readonly madeIds: ReadonlySet<string>;
}

/**
 * Reads `data` on top of the configuration in `scope`. VALIDATION_ERROR names the first defects, at most
 * `CONFIG_DEFECTS_MAX`. Linear but for the records that change their order.
 */
export function readReplacement(scope: WriteScope, data: ConfigData): Outcome<Replacement> {
  const { config, placement } = scope;
  const defects = new Defects(CONFIG_DEFECTS_MAX);
  const ids = new IdClaims(scope.seed, defects);
  const reader: ReplacementReader = { config, placement, defects, ids };

  const zones =
    data.zones === undefined
      ? config.zones
      : replaceList(config.zones, readZones(data.zones, reader), placement);
  const productGroups = readProductGroups(data, reader);
  const around = new References({ zones, productGroups, methods: [] });
  const methods =
    data.methods === undefined
      ? config.methods
      : replaceList<Omit<PlacedMethod, 'placement'>>(
          config.methods,
          readMethods(data.methods, reader, around, defaultIdOf(productGroups)),
          placement,
        );
  const references = new References({ zones, productGroups, methods });
  const blendedRates =
    data.blendedRates === undefined
      ? config.blendedRates
      : replaceList(config.blendedRates, readBlendedRates(data.blendedRates, reader, references), placement);
  const result: PlacedConfig = { zones, productGroups, methods, blendedRates };
  checkKept(data, result, references, defects);
  return defects.found ? defects.failure() : success({ config: result, madeIds: ids.made });
}

const defaultIdOf = (groups: readonly PlacedGroup[]): string =>
  groups.find(({ isDefault }) => isDefault)?.id ?? '';

/** The groups of the result; one named `Default` is added at the end when none is the default. */
function readProductGroups(data: ConfigData, reader: ReplacementReader): readonly PlacedGroup[] {
  const { config, placement, ids } = reader;
  if (data.productGroups === undefined) return config.productGroups;
  const groups = readGroups(data.productGroups, reader);
  const wanted = groups.some(({ isDefault }) => isDefault)
    ? groups
    : [...groups, defaultGroup(ids.claim('productGroup', undefined, '/data/productGroups'), placement)];
  return replaceList(config.productGroups, wanted, placement);
}

/** Methods and blended rates that `data` leaves out must still find what they refer to. */
function checkKept(data: ConfigData, result: PlacedConfig, references: References, defects: Defects): void {
  const report = (record: string) => (path: string, text: string) =>
    defects.add('/data', `leaves ${record} as it is, but its ${path} ${text}`);
  const bindingsChange = data.zones !== undefined || data.productGroups !== undefined;
  if (data.methods === undefined && bindingsChange) {
    for (const method of result.methods) {
      checkMethodReferences(method, references, report(`method "${method.name}" (${method.id})`));
    }
  }
  if (data.blendedRates === undefined && (bindingsChange || data.methods !== undefined)) {
    for (const blended of result.blendedRates) {
      checkBlendedReferences(blended, references, report(`blended rate "${blended.name}" (${blended.id})`));
    }
  }
}
