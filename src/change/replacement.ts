/**
 * The configuration that a bulk write leads to (contract section 8). A kind that `data` leaves out stays as
 * it is, a kind that it has becomes exactly what it says, and the whole result must hold together, so that
 * records that stay are checked against the new ones.
 *
 * Records are matched by id. Below a matched zone or method the same holds: `subzones` or `rules` that are
 * left out stay, an empty array clears them.
 */
import { type Outcome, success } from '../domain/failure.ts';
import { defaultGroupId } from '../domain/product-group.ts';
import type { PlacedConfig, PlacedGroup, PlacedMethod } from '../domain/shop-event.ts';
import type { ShouldYield, WorkSteps } from '../pace/work-steps.ts';
import { CONFIG_DEFECTS_MAX, type ConfigData } from '../wire/write-bodies.ts';
import { defaultGroup } from './decide-shop.ts';
import type { WriteScope } from './decision.ts';
import { Defects } from './defects.ts';
import { IdClaims } from './id-claims.ts';
import { replaceListSteps } from './place.ts';
import { lacksPlaces, placeSteps } from './record-places.ts';
import {
  ALL_READ,
  checkBlendedReferences,
  checkMethodReferences,
  References,
  UNREAD_ID,
  type Unread,
  zoneIndexSteps,
} from './references.ts';
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

/** What was found before `data` is read. */
export interface KnownDefects {
  /** At most `CONFIG_DEFECTS_MAX`. */
  readonly lines: readonly string[];
  /** What they keep from being read. */
  readonly unread: Unread;
}

const NONE_KNOWN: KnownDefects = { lines: [], unread: ALL_READ };

/**
 * Reads `data` on top of the configuration in `scope`. VALIDATION_ERROR names the first defects, at most
 * `CONFIG_DEFECTS_MAX`. Linear but for the records that change their order.
 */
export function* replacementSteps(
  scope: WriteScope,
  data: ConfigData,
  shouldYield: ShouldYield,
  { lines, unread }: KnownDefects = NONE_KNOWN,
): WorkSteps<Outcome<Replacement>> {
  const { config, placement } = scope;
  const defects = new Defects(CONFIG_DEFECTS_MAX, lines);
  const ids = new IdClaims(scope.seed, defects);
  const reader: ReplacementReader = { config, placement, unread, defects, ids, shouldYield };

  const zones =
    data.zones === undefined
      ? config.zones
      : yield* replaceListSteps(config.zones, yield* readZones(data.zones, reader), placement, shouldYield);
  yield* zoneIndexSteps(zones, shouldYield);
  const productGroups = yield* readProductGroups(data, reader);
  const methods = yield* replacedMethods(data, reader, zones, productGroups);
  const references = new References({ zones, productGroups, methods }, unread);
  // Preferences look methods up by their ids.
  if (data.blendedRates !== undefined && lacksPlaces(methods)) yield* placeSteps(methods, shouldYield);
  const blendedRates = yield* replacedBlendedRates(data, reader, references);
  const result: PlacedConfig = { zones, productGroups, methods, blendedRates };
  yield* checkKept(data, result, references, reader);
  return defects.found ? defects.failure() : success({ config: result, madeIds: ids.made });
}

function* replacedMethods(
  data: ConfigData,
  reader: ReplacementReader,
  zones: PlacedConfig['zones'],
  productGroups: readonly PlacedGroup[],
): WorkSteps<readonly PlacedMethod[]> {
  const { config, placement, unread, shouldYield } = reader;
  if (data.methods === undefined) return config.methods;
  const around = new References({ zones, productGroups, methods: [] }, unread);
  const defaultId = unread.defaultGroup ? UNREAD_ID : defaultGroupId(productGroups);
  const wanted = yield* readMethods(data.methods, reader, around, defaultId);
  return yield* replaceListSteps<Omit<PlacedMethod, 'placement'>>(
    config.methods,
    wanted,
    placement,
    shouldYield,
  );
}

function* replacedBlendedRates(
  data: ConfigData,
  reader: ReplacementReader,
  references: References,
): WorkSteps<PlacedConfig['blendedRates']> {
  const { config, placement, shouldYield } = reader;
  if (data.blendedRates === undefined) return config.blendedRates;
  const wanted = yield* readBlendedRates(data.blendedRates, reader, references);
  return yield* replaceListSteps(config.blendedRates, wanted, placement, shouldYield);
}

/** The groups of the result; one named `Default` is added at the end when none is the default. */
function* readProductGroups(data: ConfigData, reader: ReplacementReader): WorkSteps<readonly PlacedGroup[]> {
  const { config, placement, ids, shouldYield } = reader;
  if (data.productGroups === undefined) return config.productGroups;
  const groups = yield* readGroups(data.productGroups, reader);
  const wanted = groups.some(({ isDefault }) => isDefault)
    ? groups
    : [...groups, defaultGroup(ids.claim('productGroup', undefined, '/data/productGroups'), placement)];
  return yield* replaceListSteps(config.productGroups, wanted, placement, shouldYield);
}

/** Methods and blended rates that `data` leaves out must still find what they refer to. */
function* checkKept(
  data: ConfigData,
  result: PlacedConfig,
  references: References,
  { defects, shouldYield }: ReplacementReader,
): WorkSteps<void> {
  const report = (record: string) => (path: string, text: string) =>
    defects.add('/data', `leaves ${record} as it is, but its ${path} ${text}`);
  const bindingsChange = data.zones !== undefined || data.productGroups !== undefined;
  if (data.methods === undefined && bindingsChange) {
    for (const method of result.methods) {
      if (shouldYield()) yield;
      checkMethodReferences(method, references, report(`method "${method.name}" (${method.id})`));
    }
  }
  if (data.blendedRates === undefined && (bindingsChange || data.methods !== undefined)) {
    // Preferences look methods up by their ids.
    if (lacksPlaces(result.methods)) yield* placeSteps(result.methods, shouldYield);
    for (const blended of result.blendedRates) {
      if (shouldYield()) yield;
      checkBlendedReferences(blended, references, report(`blended rate "${blended.name}" (${blended.id})`));
    }
  }
}
