/**
 * Writes of one record: how the write changes its list; then what is special to product groups, methods, blended rates and
 * checks (contract sections 3 and 10.1).
 */

import { extended } from '../../base/runtime/extended.ts';
import {
  conflict,
  type Failure,
  notFound,
  type Outcome,
  RESOURCE_NAMES,
  success,
} from '../domain/failure.ts';
import { type IdKind, idsFromSeed } from '../domain/id.ts';
import { defaultGroupId } from '../domain/product-group.ts';
import type { ShippingMethod } from '../domain/shipping-method.ts';
import type { PlacedConfig, PlacedGroup, PlacedMethod, Placement } from '../domain/shop-event.ts';
import type { RecordKind } from '../domain/version.ts';
import { blendedRateView, checkView, groupView, methodWithRulesView } from '../wire/record-view.ts';
import type { CommandResult, ConfigWrite, ConfigWrites, WriteScope } from './command.ts';
import { Defects, readBlended, readCheck, readGroup, readMethod } from './record-input.ts';
import { preferenceObstacle, type References, type ReportDefect, zoneWith } from './references.ts';
import { BLENDED_CODE_FALLBACK, defaultServiceCode, METHOD_CODE_FALLBACK } from './service-code.ts';

/** Index of a new record: `position`, or the end of the list when `position` is absent or beyond the end. */
export const indexOfNew = (list: readonly unknown[], position: number = list.length): number =>
  Math.min(position, list.length);

/** Index to which a record moves from `index`: a position beyond the end means the end. */
export const indexOfMoved = (list: readonly unknown[], index: number, position: number = index): number =>
  Math.min(position, list.length - 1);

/** The write by a client that leads to these lists. */
export const changed = (
  config: PlacedConfig,
  description: string,
  result: CommandResult,
): Outcome<ConfigWrite> => success({ config, description, createdBy: 'user', result: () => result });

/** The id of the record that a write creates. */
export const newId = (scope: WriteScope, kind: IdKind): string => idsFromSeed(scope.seed).next(kind);

export const deleted = (id: string): CommandResult => ({ kind: 'deleted', id });

type RecordList = keyof PlacedConfig;
type RecordOf<L extends RecordList> = PlacedConfig[L][number];

/** The fields of a record that a client can write, and those below it. */
type Fields<L extends RecordList> = Omit<RecordOf<L>, keyof Placement>;

/** A kind of record: what all of its writes share. */
export interface RecordClass<L extends RecordList> {
  readonly kind: Exclude<RecordKind, 'subzone' | 'rule'>;
  readonly list: L;
  readonly result: (record: RecordOf<L>, position: number) => CommandResult;
  /** The list, which has the record of the write, with what the write changes in the others. */
  readonly settled?: (list: readonly RecordOf<L>[], record: RecordOf<L>) => readonly RecordOf<L>[];
  /** Why the record may not be replaced by that of the write, or not be removed; null when it may. */
  readonly updateObstacle?: (scope: WriteScope, old: RecordOf<L>, record: RecordOf<L>) => Failure | null;
  readonly removalObstacle?: (config: PlacedConfig, record: RecordOf<L>) => Failure | null;
}

const listIn = <L extends RecordList>({ config }: WriteScope, { list }: RecordClass<L>) =>
  config[list] as readonly RecordOf<L>[];

/** The write of one record of a list. */
const edited = <L extends RecordList>(
  { config }: WriteScope,
  { kind, list }: RecordClass<L>,
  records: readonly RecordOf<L>[],
  name: string,
  what: 'created' | 'updated' | 'deleted',
  result: CommandResult,
): Outcome<ConfigWrite> =>
  changed({ ...config, [list]: records }, `${RESOURCE_NAMES[kind]} "${name}" ${what}`, result);

/** Makes a record of the fields that `read` reads. */
export function created<L extends RecordList>(
  scope: WriteScope,
  of: RecordClass<L>,
  position: number | undefined,
  read: (id: string, report: ReportDefect, defects: Defects) => Fields<L>,
): Outcome<ConfigWrite> {
  const list = listIn(scope, of);
  const defects = new Defects();
  const fields = read(newId(scope, of.kind), defects.add, defects);
  if (defects.found) return defects.failure();
  const record = extended(fields, { placement: scope.placement }) as RecordOf<L>;
  const index = indexOfNew(list, position);
  const records = list.toSpliced(index, 0, record);
  const settled = of.settled?.(records, record) ?? records;
  return edited(scope, of, settled, record.name, 'created', of.result(record, index));
}

/** Replaces the fields of a record by those that `read` reads. */
export function updated<L extends RecordList>(
  scope: WriteScope,
  of: RecordClass<L>,
  { id, body }: { readonly id: string; readonly body: { readonly position?: number } },
  read: (old: RecordOf<L>, report: ReportDefect, defects: Defects) => Fields<L>,
): Outcome<ConfigWrite> {
  const list = listIn(scope, of);
  const index = list.findIndex((record) => record.id === id);
  const old = list[index];
  if (old === undefined) return notFound(of.kind, id);
  const defects = new Defects();
  const fields = read(old, defects.add, defects);
  if (defects.found) return defects.failure();
  const position = indexOfMoved(list, index, body.position);
  const placement = position === index ? old.placement : scope.placement;
  const record = extended(fields, { placement }) as RecordOf<L>;
  const obstacle = of.updateObstacle?.(scope, old, record) ?? null;
  if (obstacle !== null) return obstacle;
  const records = moved(list, index, position, record);
  const settled = of.settled?.(records, record) ?? records;
  return edited(scope, of, settled, record.name, 'updated', of.result(record, position));
}

/** The list with `record` at `position` in place of the one at `index`. */
export function moved<T>(list: readonly T[], index: number, position: number, record: T): readonly T[] {
  // Faster than `with` for a long list.
  const result = list.slice();
  if (position === index) result[index] = record;
  else {
    result.splice(index, 1);
    result.splice(position, 0, record);
  }
  return result;
}

export function removed<L extends RecordList>(
  scope: WriteScope,
  of: RecordClass<L>,
  id: string,
): Outcome<ConfigWrite> {
  const list = listIn(scope, of);
  const index = list.findIndex((record) => record.id === id);
  const record = list[index];
  if (record === undefined) return notFound(of.kind, id);
  const obstacle = of.removalObstacle?.(scope.config, record) ?? null;
  if (obstacle !== null) return obstacle;
  return edited(scope, of, list.toSpliced(index, 1), record.name, 'deleted', deleted(id));
}

/** For a write that looks up few ids: searches the lists. */
const referencesIn = ({ config: { zones, productGroups, methods } }: WriteScope): References => ({
  zoneOf: (id) => zoneWith(zones, id)?.id,
  hasGroup: (id) => productGroups.some((group) => group.id === id),
  method: (id) => methods.find((method) => method.id === id),
});

/** Exactly one group is the default, and a group in use cannot be deleted. */
const GROUPS: RecordClass<'productGroups'> = {
  kind: 'productGroup',
  list: 'productGroups',
  result: (group, position) => ({ kind: 'group', group: groupView(group, position) }),
  /** A write that makes another group the default changes two records. */
  settled: (groups, group) =>
    group.isDefault ? groups.map((other) => (other.id === group.id ? other : withoutDefault(other))) : groups,
  updateObstacle: (_, old, group) =>
    old.isDefault && !group.isDefault
      ? conflict(`product group "${old.name}" is the default: set isDefault on another group instead`)
      : null,
  removalObstacle: (config, group) => {
    if (group.isDefault) {
      return conflict(`product group "${group.name}" is the default: set isDefault on another group first`);
    }
    const user = groupUser(config, group.id);
    return user === null ? null : conflict(`product group "${group.name}" is used by ${user}`);
  },
};

const withoutDefault = (group: PlacedGroup): PlacedGroup =>
  group.isDefault ? { ...group, isDefault: false } : group;

/** The first record that uses the group, as messages name it, or null. */
function groupUser({ methods, blendedRates }: PlacedConfig, id: string): string | null {
  const method = methods.find(({ productGroupId }) => productGroupId === id);
  if (method !== undefined) return `method "${method.name}" (${method.id})`;
  const blended = blendedRates.find(({ preferences }) =>
    preferences.some(({ productGroupId }) => productGroupId === id),
  );
  return blended === undefined ? null : `a preference of blended rate "${blended.name}" (${blended.id})`;
}

/** An update keeps the rules of a method; deleting the method deletes its rules. */
const METHODS: RecordClass<'methods'> = {
  kind: 'method',
  list: 'methods',
  result: (method, position) => ({
    kind: 'method',
    method: methodWithRulesView(method as PlacedMethod & ShippingMethod, position),
  }),
  updateObstacle: brokenPreference,
  removalObstacle: ({ blendedRates }, { id, name }) => {
    const user = blendedRates.find(({ preferences }) =>
      preferences.some(({ preferredMethodId }) => preferredMethodId === id),
    );
    if (user === undefined) return null;
    return conflict(`method "${name}" is preferred by blended rate "${user.name}" (${user.id})`);
  },
};

/** CONFLICT when a blended rate may no longer prefer the changed method. */
function brokenPreference(scope: WriteScope, old: PlacedMethod, method: PlacedMethod): Failure | null {
  if (method.zoneId === old.zoneId && method.productGroupId === old.productGroupId) return null;
  const references = referencesIn(scope);
  for (const { id, name, zoneId, preferences } of scope.config.blendedRates) {
    for (const { productGroupId, preferredMethodId } of preferences) {
      if (preferredMethodId !== method.id) continue;
      const obstacle = preferenceObstacle(zoneId, productGroupId, method, references);
      if (obstacle === null) continue;
      return conflict(
        `method "${old.name}" cannot move: blended rate "${name}" (${id}) prefers it: ${obstacle}`,
      );
    }
  }
  return null;
}

const BLENDED_RATES: RecordClass<'blendedRates'> = {
  kind: 'blendedRate',
  list: 'blendedRates',
  result: (blended, position) => ({ kind: 'blendedRate', blendedRate: blendedRateView(blended, position) }),
};

const CHECKS: RecordClass<'checks'> = {
  kind: 'check',
  list: 'checks',
  result: (check, position) => ({ kind: 'check', check: checkView(check, position) }),
};

type RecordName = 'Group' | 'Method' | 'Blended' | 'Check';

export const RECORD_WRITES: ConfigWrites<`${'create' | 'update' | 'delete'}${RecordName}`> = {
  createGroup: (scope, { body }) =>
    created(scope, GROUPS, body.position, (id, report) => readGroup(id, body, report)),
  updateGroup: (scope, command) =>
    updated(scope, GROUPS, command, (old, report) => readGroup(old.id, { ...old, ...command.body }, report)),
  deleteGroup: (scope, { id }) => removed(scope, GROUPS, id),

  createMethod: (scope, { body }) =>
    created(scope, METHODS, body.position, (id, report) => {
      const { zones, productGroups, methods } = scope.config;
      const defaults = {
        productGroupId: defaultGroupId(productGroups),
        serviceCode: () => defaultServiceCode(zones, methods, body, METHOD_CODE_FALLBACK),
      };
      return extended(readMethod(id, body, referencesIn(scope), defaults, report), { rules: [] });
    }),
  updateMethod: (scope, command) =>
    updated(scope, METHODS, command, (old, report) => {
      const { body } = command;
      const changesType = body.rateType !== undefined && body.rateType !== old.rateType;
      // A config belongs to one rate type, so a new rate type discards the old config.
      const input = { ...old, ...(changesType && { config: {} }), ...body };
      const { id, rules, productGroupId } = old;
      const defaults = { productGroupId, serviceCode: () => old.serviceCode };
      return extended(readMethod(id, input, referencesIn(scope), defaults, report), { rules });
    }),
  deleteMethod: (scope, { id }) => removed(scope, METHODS, id),

  createBlended: (scope, { body }) =>
    created(scope, BLENDED_RATES, body.position, (id, report) => {
      const { zones, blendedRates } = scope.config;
      const serviceCode = () => defaultServiceCode(zones, blendedRates, body, BLENDED_CODE_FALLBACK);
      return readBlended(id, body, referencesIn(scope), serviceCode, report);
    }),
  updateBlended: (scope, command) =>
    updated(scope, BLENDED_RATES, command, (old, report) => {
      const { body } = command;
      const reportCause = (line: string) => {
        // The stored preferences are valid, so only a changed zone can break them.
        const isOfBody = line.startsWith('/zoneId ') || body.preferences !== undefined;
        report(isOfBody ? line : `/zoneId does not suit the preferences as they are: ${line}`);
      };
      const input = { ...old, ...body };
      return readBlended(old.id, input, referencesIn(scope), () => old.serviceCode, reportCause);
    }),
  deleteBlended: (scope, { id }) => removed(scope, BLENDED_RATES, id),

  createCheck: (scope, { body }) =>
    created(scope, CHECKS, body.position, (id, report) => readCheck(id, body, report)),
  updateCheck: (scope, command) =>
    updated(scope, CHECKS, command, (old, report) => readCheck(old.id, { ...old, ...command.body }, report)),
  deleteCheck: (scope, { id }) => removed(scope, CHECKS, id),
};
