/**
 * Writes that replace the whole configuration: config execute (contract section 8) and rollback (contract section 6).
 *
 * Execute leaves a kind of record that `data` omits as it is, and replaces a kind that `data` has completely. The whole
 * result must be consistent, so records that stay are checked against the new ones. Records are matched by id. The same
 * rules hold below a matched zone or method: omitted `subzones` or `rules` stay, and an empty array clears them.
 * Missing ids are generated, defaults are filled in, and defects are named by their path.
 */

import { extended } from '../../base/runtime/extended.ts';
import type { BlendedRate } from '../domain/blended-rate.ts';
import { conflict, notFound, type Outcome, success } from '../domain/failure.ts';
import { defaultGroupId, type ProductGroup } from '../domain/product-group.ts';
import type {
  LastChange,
  PlacedConfig,
  PlacedMethod,
  PlacedRule,
  Placement,
  ShopState,
} from '../domain/shop-event.ts';
import type { RecordKind } from '../domain/version.ts';
import type { Zone } from '../domain/zone.ts';
import { CONFIG_DEFECTS_MAX, type ConfigData } from '../wire/write-bodies.ts';
import { align, type Identified, stayingRecords } from './align.ts';
import type { CommandOf, ConfigWrite, DecisionContext, WriteScope } from './command.ts';
import { defaultGroup } from './decide-shop.ts';
import { sameRecord } from './diff.ts';
import {
  Defects,
  IdClaims,
  type Reader,
  readBlended,
  readCheck,
  readGroup,
  readMethod,
  readRule,
  readSubzones,
} from './record-input.ts';
import {
  checkBlendedReferences,
  checkMethodReferences,
  mappedReferences,
  type References,
} from './references.ts';
import { BLENDED_CODE_FALLBACK, METHOD_CODE_FALLBACK, ServiceCodes } from './service-code.ts';
import { dataExcess } from './shop-limits.ts';

export function executeConfig(scope: WriteScope, { data }: CommandOf<'executeConfig'>): Outcome<ConfigWrite> {
  const replacement = replacementOf(scope, data);
  if (!replacement.ok) return replacement;
  return success({
    config: replacement.value.config,
    description: 'Configuration imported',
    createdBy: 'import',
    result: (version, summary) => ({ kind: 'executed', version, summary }),
  });
}

/** NOT_FOUND for a version that does not exist or has expired, CONFLICT while a changeset is active. */
export function rollback(
  _scope: WriteScope,
  { targetVersionId }: CommandOf<'rollback'>,
  { version, config, staging }: ShopState,
  findVersion: DecisionContext['findVersion'],
): Outcome<ConfigWrite> {
  if (staging !== null) {
    return conflict('a staging changeset is active: promote or discard it before a rollback');
  }
  const isCurrent = targetVersionId === version.id;
  const target = isCurrent ? { number: version.number, config } : findVersion(targetVersionId);
  if (target === null) return notFound('version', targetVersionId);
  return success({
    // Placements are restored too, so that the target and the new version compare as equal.
    config: target.config,
    description: `Rolled back to version ${target.number}`,
    createdBy: 'rollback',
    result: (made, summary) => ({ kind: 'rolledBack', version: made ?? version, summary }),
  });
}

/** The configuration that execute results in. */
interface Replacement {
  readonly config: PlacedConfig;
  /** Ids in `config` that were generated here. */
  readonly madeIds: ReadonlySet<string>;
}

type DataOf<K extends keyof ConfigData> = NonNullable<ConfigData[K]>;
type ZoneData = DataOf<'zones'>[number];
type MethodData = DataOf<'methods'>[number];

/**
 * Applies `data` to the configuration in `scope`. PLAN_LIMIT_EXCEEDED when its lists alone are too long;
 * VALIDATION_ERROR names the first defects, at most `CONFIG_DEFECTS_MAX`. Linear except for records whose order changes.
 */
export function replacementOf(scope: WriteScope, data: ConfigData): Outcome<Replacement> {
  const { config, plans, plan } = scope;
  const excess = dataExcess(plans, plan, config, data);
  if (excess !== null) return excess;
  const defects = new Defects(CONFIG_DEFECTS_MAX);
  const ids = new IdClaims(scope.seed, defects);
  const reader: Reader = { scope, defects, ids };
  let { zones, productGroups, methods, blendedRates, checks } = config;
  if (data.zones !== undefined) {
    zones = replaceList(zones, readZones(data.zones, reader), scope);
  }
  if (data.productGroups !== undefined) {
    const wanted = readGroups(data.productGroups, reader);
    productGroups = replaceList(productGroups, wanted, scope);
  }
  const references = mappedReferences(zones, productGroups);
  if (data.methods !== undefined) {
    const defaultId = defaultGroupId(productGroups);
    const wanted = readMethods(data.methods, reader, references, defaultId);
    methods = replaceList(methods, wanted, scope);
  }
  references.addMethods(methods);
  if (data.blendedRates !== undefined) {
    const wanted = readBlendedRates(data.blendedRates, reader, references);
    blendedRates = replaceList(blendedRates, wanted, scope);
  }
  if (data.checks !== undefined) {
    const wanted = readList('check', '/data/checks', data.checks, reader, (check, id, path) =>
      readCheck(id, check, defects.at(path)),
    );
    checks = replaceList(checks, wanted, scope);
  }
  const result: PlacedConfig = { zones, productGroups, methods, blendedRates, checks };
  checkKept(data, result, references, reader);
  return defects.found ? defects.failure() : success({ config: result, madeIds: ids.made });
}

/**
 * The list that holds exactly `wanted`, in that order. As many records as possible keep their placement; new and moved
 * records get `placement`. Unchanged records, and an unchanged list, stay the same objects.
 */
function replaceList<T extends Identified & Placement & LastChange>(
  from: readonly T[],
  wanted: readonly Omit<T, 'placement'>[] & readonly Identified[],
  { placement }: WriteScope,
): readonly T[] {
  const aligned = align(from, wanted);
  const stays = stayingRecords(aligned);
  let changed = from.length !== wanted.length;
  // Records that both lists share already have their placement.
  const result = wanted.slice() as unknown as T[];
  for (const [at, fromIndex] of aligned.fromIndexes.entries()) {
    const index = aligned.start + at;
    const old = stays[at] === 1 ? from[fromIndex] : undefined;
    const record = result[index] as T;
    const isSame = old !== undefined && sameRecord(old, record, UNREAD);
    result[index] = isSame ? old : extended(record, { placement: old?.placement ?? placement });
    if (!isSame) changed = true;
  }
  return changed ? result : from;
}

/** What a stored record has beside what a body says. */
const UNREAD: readonly string[] = ['placement', 'changedIn'] satisfies (keyof (Placement & LastChange))[];

/** Claims the ids of the parts that the record at `path` keeps because the body omits them. */
function kept<T extends Identified>(
  kind: 'subzone' | 'rule',
  parts: readonly T[],
  path: string,
  { ids }: Reader,
): readonly T[] {
  const keeper = { keeper: path };
  for (const { id } of parts) ids.keep(kind, id, keeper);
  return parts;
}

function readZones(data: readonly ZoneData[], reader: Reader): readonly Zone[] {
  const { config } = reader.scope;
  const before = new Map(config.zones.map((zone) => [zone.id, zone]));
  const zones: Zone[] = [];
  for (const [index, { id: given, name, countries, subzones: wanted }] of data.entries()) {
    const path = `/data/zones/${index}`;
    const id = reader.ids.claim('zone', given, path);
    const subzones =
      wanted === undefined
        ? kept('subzone', before.get(id)?.subzones ?? [], path, reader)
        : readSubzones(wanted, path, reader);
    zones.push({ id, name, countries, subzones });
  }
  return zones;
}

/** Reads the records of a list of the data, each with its id and its path. */
const readList = <D extends { readonly id?: string }, T>(
  kind: RecordKind,
  path: string,
  data: readonly D[],
  { ids }: Reader,
  read: (record: D, id: string, path: string) => T,
): T[] =>
  data.map((record, index) => {
    const recordPath = `${path}/${index}`;
    return read(record, ids.claim(kind, record.id, recordPath), recordPath);
  });

/** Adds a group named `Default` at the end when no group is the default. */
function readGroups(data: DataOf<'productGroups'>, reader: Reader): readonly ProductGroup[] {
  const { scope, defects, ids } = reader;
  const groupsPath = '/data/productGroups';
  let defaultPath: string | null = null;
  const groups = readList('productGroup', groupsPath, data, reader, (group, id, path) => {
    if (group.isDefault === true) {
      if (defaultPath !== null) {
        defects.add(`${path}/isDefault must be false: ${defaultPath} is the default group already`);
      }
      defaultPath ??= path;
    }
    return readGroup(id, group, defects.at(path));
  });
  if (defaultPath !== null) return groups;
  return [...groups, defaultGroup(ids.claim('productGroup', undefined, groupsPath), scope.placement)];
}

/** `references` knows the zones and groups of the result; methods that name no group get `groupId`. */
function readMethods(
  data: readonly MethodData[],
  reader: Reader,
  references: References,
  groupId: string,
): readonly Omit<PlacedMethod, 'placement'>[] {
  const { config } = reader.scope;
  const before = new Map(config.methods.map((method) => [method.id, method]));
  const defaultCode = codesBeside(data, references, METHOD_CODE_FALLBACK);
  const methods: Omit<PlacedMethod, 'placement'>[] = [];
  for (const [index, method] of data.entries()) {
    const path = `/data/methods/${index}`;
    const id = reader.ids.claim('method', method.id, path);
    const defaults = { productGroupId: groupId, serviceCode: () => defaultCode(method) };
    const fields = readMethod(id, method, references, defaults, reader.defects.at(path));
    const rules = readRules(method, before.get(id)?.rules ?? [], path, reader);
    methods.push(extended(fields, { rules }));
  }
  return methods;
}

function readRules(
  { rules: wanted }: MethodData,
  before: readonly PlacedRule[],
  path: string,
  reader: Reader,
): readonly PlacedRule[] {
  if (wanted === undefined) return kept('rule', before, path, reader);
  const rules = readList('rule', `${path}/rules`, wanted, reader, (rule, id, rulePath) =>
    readRule(id, rule, reader.defects.at(rulePath)),
  );
  return replaceList(before, rules, reader.scope);
}

/** `references` knows the whole result except for the blended rates. */
function readBlendedRates(
  data: DataOf<'blendedRates'>,
  reader: Reader,
  references: References,
): readonly BlendedRate[] {
  const defaultCode = codesBeside(data, references, BLENDED_CODE_FALLBACK);
  return readList('blendedRate', '/data/blendedRates', data, reader, (blended, id, path) => {
    return readBlended(id, blended, references, () => defaultCode(blended), reader.defects.at(path));
  });
}

/** The default codes for one kind of record: unique among themselves and among the codes in the data. */
function codesBeside(
  records: readonly { readonly zoneId: string; readonly serviceCode?: string }[],
  { zoneOf }: References,
  fallback: string,
): (record: { readonly zoneId: string; readonly name: string }) => string {
  const codes = new ServiceCodes();
  for (const { zoneId, serviceCode } of records) {
    if (serviceCode !== undefined) codes.reserve(zoneOf(zoneId) ?? zoneId, serviceCode);
  }
  return ({ zoneId, name }) => codes.claim(zoneOf(zoneId) ?? zoneId, name, fallback);
}

/** Checks the references of methods and blended rates that `data` omits. */
function checkKept(
  data: ConfigData,
  { methods, blendedRates }: PlacedConfig,
  references: References,
  { defects }: Reader,
): void {
  const report = (record: string) => defects.at(`/data leaves ${record} as it is, but its `);
  const bindingsChange = data.zones !== undefined || data.productGroups !== undefined;
  if (data.methods === undefined && bindingsChange) {
    for (const method of methods) {
      checkMethodReferences(method, references, report(`method "${method.name}" (${method.id})`));
    }
  }
  if (data.blendedRates === undefined && (bindingsChange || data.methods !== undefined)) {
    for (const blended of blendedRates) {
      checkBlendedReferences(blended, references, report(`blended rate "${blended.name}" (${blended.id})`));
    }
  }
}
