/** The records of a bulk write, kind by kind: ids claimed, defaults filled in, defects named by their path. */
import type { BlendedRate } from '../domain/blended-rate.ts';
import { parsePostalPattern, splitPostalPatterns } from '../domain/postal-code.ts';
import type { ProductGroup } from '../domain/product-group.ts';
import type { Rule } from '../domain/rule.ts';
import type { PlacedConfig, PlacedMethod, PlacedRule } from '../domain/shop-event.ts';
import type { ConfigData } from '../domain/write-bodies.ts';
import type { Subzone, Zone } from '../domain/zone.ts';
import { readBlended } from './blended-input.ts';
import type { Defects } from './defects.ts';
import { readGroup } from './group-input.ts';
import type { IdClaims } from './id-claims.ts';
import { readMethod } from './method-input.ts';
import { replaceList } from './place.ts';
import type { References } from './references.ts';
import { readRule } from './rule-input.ts';
import { BLENDED_CODE_FALLBACK, METHOD_CODE_FALLBACK, ServiceCodes } from './service-code.ts';

type DataOf<K extends keyof ConfigData> = NonNullable<ConfigData[K]>;
type ZoneData = DataOf<'zones'>[number];
type MethodData = DataOf<'methods'>[number];

/** What is read against, and where defects and ids are kept. */
export interface ReplacementReader {
  /** The configuration before. */
  readonly config: PlacedConfig;
  /** The number of the version to be. */
  readonly placement: number;
  readonly defects: Defects;
  readonly ids: IdClaims;
}

const byId = <T extends { readonly id: string }>(records: readonly T[]): ReadonlyMap<string, T> =>
  new Map(records.map((record) => [record.id, record]));

export function readZones(data: DataOf<'zones'>, reader: ReplacementReader): readonly Zone[] {
  const before = byId(reader.config.zones);
  return data.map((zone, index) => {
    const path = `/data/zones/${index}`;
    const id = reader.ids.claim('zone', zone.id, path);
    const subzones = readSubzones(zone, before.get(id), path, reader);
    return { id, name: zone.name, countries: zone.countries, subzones };
  });
}

function readSubzones(
  zone: ZoneData,
  before: Zone | undefined,
  path: string,
  { ids, defects }: ReplacementReader,
): readonly Subzone[] {
  const subzones = zone.subzones ?? before?.subzones ?? [];
  return subzones.map((subzone, index) => {
    const subzonePath = `${path}/subzones/${index}`;
    const id = ids.claim('subzone', subzone.id, subzonePath);
    for (const pattern of splitPostalPatterns(subzone.postalCodes)) {
      const parsed = parsePostalPattern(pattern);
      if (typeof parsed === 'string') {
        defects.add(`${subzonePath}/postalCodes`, `must hold comma-separated patterns: ${parsed}`);
      }
    }
    return { id, name: subzone.name, postalCodes: subzone.postalCodes };
  });
}

export function readGroups(
  data: DataOf<'productGroups'>,
  reader: ReplacementReader,
): readonly ProductGroup[] {
  let defaultPath: string | null = null;
  return data.map((group, index) => {
    const path = `/data/productGroups/${index}`;
    const id = reader.ids.claim('productGroup', group.id, path);
    if (group.isDefault === true) {
      if (defaultPath !== null) {
        reader.defects.add(`${path}/isDefault`, `must be false: ${defaultPath} is the default group already`);
      }
      defaultPath ??= path;
    }
    return readGroup(id, group, path, reader.defects);
  });
}

/** Rules below a method; unless the body has them they are those that the method had. */
function readRules(
  method: MethodData,
  before: PlacedMethod | undefined,
  path: string,
  { ids, defects, placement }: ReplacementReader,
): readonly PlacedRule[] {
  const rulesBefore = before?.rules ?? [];
  if (method.rules === undefined) {
    for (const [index, rule] of rulesBefore.entries()) ids.claim('rule', rule.id, `${path}/rules/${index}`);
    return rulesBefore;
  }
  const rules = method.rules.map((rule, index): Rule => {
    const rulePath = `${path}/rules/${index}`;
    return readRule(ids.claim('rule', rule.id, rulePath), rule, rulePath, defects);
  });
  return replaceList(rulesBefore, rules, placement);
}

/** The default codes of one kind of record: unique beside the codes that the data gives. */
function codesBeside(
  records: readonly { readonly zoneId: string; readonly serviceCode?: string }[],
  references: References,
  fallback: string,
) {
  const codes = new ServiceCodes(fallback);
  const zoneOf = (zoneId: string) => references.zoneOf(zoneId) ?? zoneId;
  for (const { zoneId, serviceCode } of records) {
    if (serviceCode !== undefined) codes.reserve(zoneOf(zoneId), serviceCode);
  }
  return ({ zoneId, name }: { readonly zoneId: string; readonly name: string }): string =>
    codes.claim(zoneOf(zoneId), name);
}

/** `references` knows the zones and groups of the result; `defaultGroupId` is for methods that name none. */
export function readMethods(
  data: DataOf<'methods'>,
  reader: ReplacementReader,
  references: References,
  defaultGroupId: string,
): readonly Omit<PlacedMethod, 'placement'>[] {
  const before = byId(reader.config.methods);
  const defaultCode = codesBeside(data, references, METHOD_CODE_FALLBACK);
  return data.map((method, index) => {
    const path = `/data/methods/${index}`;
    const id = reader.ids.claim('method', method.id, path);
    const fields = readMethod(id, method, path, reader.defects, references, {
      productGroupId: defaultGroupId,
      serviceCode: () => defaultCode(method),
    });
    return { ...fields, rules: readRules(method, before.get(id), path, reader) };
  });
}

/** `references` knows the whole result but for the blended rates. */
export function readBlendedRates(
  data: DataOf<'blendedRates'>,
  reader: ReplacementReader,
  references: References,
): readonly BlendedRate[] {
  const defaultCode = codesBeside(data, references, BLENDED_CODE_FALLBACK);
  return data.map((blended, index) => {
    const path = `/data/blendedRates/${index}`;
    const id = reader.ids.claim('blendedRate', blended.id, path);
    return readBlended(
      id,
      blended,
      references,
      () => defaultCode(blended),
      (field, text) => reader.defects.add(`${path}${field}`, text),
    );
  });
}
