/** The records of a bulk write, kind by kind: ids claimed, defaults filled in, defects named by their path. */
import type { BlendedRate } from '../domain/blended-rate.ts';
import type { ProductGroup } from '../domain/product-group.ts';
import type { Rule } from '../domain/rule.ts';
import type { PlacedConfig, PlacedMethod, PlacedRule } from '../domain/shop-event.ts';
import type { Subzone, Zone } from '../domain/zone.ts';
import type { ShouldYield, WorkSteps } from '../pace/work-steps.ts';
import { extended } from '../runtime/extended.ts';
import type { ConfigData } from '../wire/write-bodies.ts';
import { readBlended } from './blended-input.ts';
import type { Defects } from './defects.ts';
import { readGroup } from './group-input.ts';
import type { IdClaims } from './id-claims.ts';
import { readMethod } from './method-input.ts';
import { replaceListSteps } from './place.ts';
import type { References, Unread } from './references.ts';
import { readRule } from './rule-input.ts';
import { BLENDED_CODE_FALLBACK, METHOD_CODE_FALLBACK, ServiceCodes } from './service-code.ts';
import { readSubzoneSteps } from './zone-input.ts';

type DataOf<K extends keyof ConfigData> = NonNullable<ConfigData[K]>;
type ZoneData = DataOf<'zones'>[number];
type MethodData = DataOf<'methods'>[number];

/** What is read against, and where defects and ids are kept. */
export interface ReplacementReader {
  /** The configuration before. */
  readonly config: PlacedConfig;
  /** The number of the version to be. */
  readonly placement: number;
  readonly unread: Unread;
  readonly defects: Defects;
  readonly ids: IdClaims;
  readonly shouldYield: ShouldYield;
}

const byId = <T extends { readonly id: string }>(records: readonly T[]): ReadonlyMap<string, T> =>
  new Map(records.map((record) => [record.id, record]));

export function* readZones(data: DataOf<'zones'>, reader: ReplacementReader): WorkSteps<readonly Zone[]> {
  const before = byId(reader.config.zones);
  const zones: Zone[] = [];
  for (const [index, zone] of data.entries()) {
    if (reader.shouldYield()) yield;
    const path = `/data/zones/${index}`;
    const id = reader.ids.claim('zone', zone.id, path);
    const subzones = yield* readSubzones(zone, before.get(id), path, reader);
    zones.push({ id, name: zone.name, countries: zone.countries, subzones });
  }
  return zones;
}

/** The parts that the record at `path` keeps, because the body leaves them out. */
function* keepSteps<T extends { readonly id: string }>(
  kind: 'subzone' | 'rule',
  parts: readonly T[],
  path: string,
  { ids, shouldYield }: ReplacementReader,
): WorkSteps<readonly T[]> {
  const keeper = { keeper: path };
  for (const { id } of parts) {
    ids.keep(kind, id, keeper);
    if (shouldYield()) yield;
  }
  return parts;
}

/** Subzones of a zone; unless the body has them they are those that it had. */
function* readSubzones(
  zone: ZoneData,
  before: Zone | undefined,
  path: string,
  reader: ReplacementReader,
): WorkSteps<readonly Subzone[]> {
  if (zone.subzones === undefined) return yield* keepSteps('subzone', before?.subzones ?? [], path, reader);
  return yield* readSubzoneSteps(zone.subzones, path, reader);
}

export function* readGroups(
  data: DataOf<'productGroups'>,
  reader: ReplacementReader,
): WorkSteps<readonly ProductGroup[]> {
  let defaultPath: string | null = null;
  const groups: ProductGroup[] = [];
  for (const [index, group] of data.entries()) {
    if (reader.shouldYield()) yield;
    const path = `/data/productGroups/${index}`;
    const id = reader.ids.claim('productGroup', group.id, path);
    if (group.isDefault === true) {
      if (defaultPath !== null) {
        reader.defects.add(`${path}/isDefault`, `must be false: ${defaultPath} is the default group already`);
      }
      defaultPath ??= path;
    }
    groups.push(readGroup(id, group, path, reader.defects));
  }
  return groups;
}

/** Rules below a method; unless the body has them they are those that the method had. */
function* readRules(
  method: MethodData,
  before: PlacedMethod | undefined,
  path: string,
  reader: ReplacementReader,
): WorkSteps<readonly PlacedRule[]> {
  const rulesBefore = before?.rules ?? [];
  if (method.rules === undefined) return yield* keepSteps('rule', rulesBefore, path, reader);
  const { ids, defects, placement, shouldYield } = reader;
  const rules: Rule[] = [];
  for (const [index, rule] of method.rules.entries()) {
    if (shouldYield()) yield;
    const rulePath = `${path}/rules/${index}`;
    rules.push(readRule(ids.claim('rule', rule.id, rulePath), rule, rulePath, defects));
  }
  return yield* replaceListSteps(rulesBefore, rules, placement, shouldYield);
}

/** The default codes of one kind of record: unique beside the codes that the data gives. */
function* codesBeside(
  records: readonly { readonly zoneId: string; readonly serviceCode?: string }[],
  references: References,
  fallback: string,
  shouldYield: ShouldYield,
): WorkSteps<(record: { readonly zoneId: string; readonly name: string }) => string> {
  const codes = new ServiceCodes(fallback);
  const zoneOf = (zoneId: string) => references.zoneOf(zoneId) ?? zoneId;
  for (const { zoneId, serviceCode } of records) {
    if (serviceCode !== undefined) codes.reserve(zoneOf(zoneId), serviceCode);
    if (shouldYield()) yield;
  }
  return ({ zoneId, name }) => codes.claim(zoneOf(zoneId), name);
}

/** The methods before, by id. */
function* methodsById({
  config: { methods },
  shouldYield,
}: ReplacementReader): WorkSteps<(id: string) => PlacedMethod | undefined> {
  const known = new Map<string, PlacedMethod>();
  for (const method of methods) {
    known.set(method.id, method);
    if (shouldYield()) yield;
  }
  return (id) => known.get(id);
}

/** `references` knows the zones and groups of the result; `defaultGroupId` is for methods that name none. */
export function* readMethods(
  data: DataOf<'methods'>,
  reader: ReplacementReader,
  references: References,
  defaultGroupId: string,
): WorkSteps<readonly Omit<PlacedMethod, 'placement'>[]> {
  const before = yield* methodsById(reader);
  const defaultCode = yield* codesBeside(data, references, METHOD_CODE_FALLBACK, reader.shouldYield);
  const methods: Omit<PlacedMethod, 'placement'>[] = [];
  for (const [index, method] of data.entries()) {
    if (reader.shouldYield()) yield;
    const path = `/data/methods/${index}`;
    const id = reader.ids.claim('method', method.id, path);
    const fields = readMethod(id, method, path, reader.defects, references, {
      productGroupId: defaultGroupId,
      serviceCode: () => defaultCode(method),
    });
    methods.push(extended(fields, { rules: yield* readRules(method, before(id), path, reader) }));
  }
  return methods;
}

/** `references` knows the whole result but for the blended rates. */
export function* readBlendedRates(
  data: DataOf<'blendedRates'>,
  reader: ReplacementReader,
  references: References,
): WorkSteps<readonly BlendedRate[]> {
  const defaultCode = yield* codesBeside(data, references, BLENDED_CODE_FALLBACK, reader.shouldYield);
  const blendedRates: BlendedRate[] = [];
  for (const [index, blended] of data.entries()) {
    if (reader.shouldYield()) yield;
    const path = `/data/blendedRates/${index}`;
    const id = reader.ids.claim('blendedRate', blended.id, path);
    const serviceCode = () => defaultCode(blended);
    const report = (field: string, text: string) => reader.defects.add(`${path}${field}`, text);
    blendedRates.push(readBlended(id, blended, references, serviceCode, report));
  }
  return blendedRates;
}
