/**
 * Writes of one record: how the write changes its list, and what it adds to the counts of the version; then what is
 * special to product groups, methods, blended rates and checks (contract sections 3 and 10.1). Change and counts equal
 * the result of comparing the configurations before and after the write (`diffConfigs`, `compareConfigs`).
 */
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
import type {
  ConfigChange,
  ListChange,
  PlacedConfig,
  PlacedGroup,
  PlacedMethod,
  Placement,
} from '../domain/shop-event.ts';
import type { ChangeCounts, RecordKind } from '../domain/version.ts';
import { extended } from '../runtime/extended.ts';
import { blendedRateView, checkView, groupView, methodWithRulesView } from '../wire/record-view.ts';
import type { Identified } from './align.ts';
import type { CommandResult, ConfigWrite, ConfigWrites, WriteScope } from './command.ts';
import { asItIs, differ, diffList, methodInChange, sameJson } from './compare.ts';
import { Defects, readBlended, readCheck, readGroup, readMethod } from './record-input.ts';
import { preferenceObstacle, type References, type ReportDefect, zoneWith } from './references.ts';
import { BLENDED_CODE_FALLBACK, defaultServiceCode, METHOD_CODE_FALLBACK } from './service-code.ts';

/** `C` is the form of a record in a change; `change` is null when the write changes nothing. */
export interface RecordEdit<C> {
  readonly change: ListChange<C> | null;
  readonly counts: ChangeCounts;
}

const modified = (count: number): ChangeCounts => ({ added: 0, modified: count, removed: 0 });

/** Index of a new record: `position`, or the end of the list when `position` is absent or beyond the end. */
export const indexOfNew = (list: readonly unknown[], position: number = list.length): number =>
  Math.min(position, list.length);

/** Index to which a record moves from `index`: a position beyond the end means the end. */
export const indexOfMoved = (list: readonly unknown[], index: number, position: number = index): number =>
  Math.min(position, list.length - 1);

/** `children`: the number of subzones of a new zone. */
export const insertion = <C>(index: number, record: C, children = 0): RecordEdit<C> => ({
  change: { placed: [{ index, record }] },
  counts: { added: 1 + children, modified: 0, removed: 0 },
});

/** `children`: how many subzones or rules are removed with the record. */
export const removal = ({ id }: Identified, children = 0): RecordEdit<never> => ({
  change: { removed: [id] },
  counts: { added: 0, modified: 0, removed: 1 + children },
});

/**
 * Replaces the record at `index` with `record`, which has its new placement, and moves it to `position`. `stored` makes
 * the form that changes hold.
 */
export function update<T extends Identified & Placement, C>(
  kind: RecordKind,
  list: readonly T[],
  index: number,
  record: T,
  position: number,
  stored: (record: T) => C,
): RecordEdit<C> {
  if (position === index) {
    const old = list[index] as T;
    const isSeen = differ(kind, old, record);
    const after = stored(record);
    if (!isSeen && sameJson(stored(old), after)) return { change: null, counts: modified(0) };
    return { change: { replaced: [after] }, counts: modified(isSeen ? 1 : 0) };
  }
  // When two neighbours swap places, a comparison counts the later one as moved.
  const change =
    position === index + 1
      ? { replaced: [stored(record)], placed: [{ index, record: stored(list[position] as T) }] }
      : { placed: [{ index: position, record: stored(record) }] };
  return { change, counts: modified(1) };
}

/** The write by a client that makes this change. */
export const changed = (
  change: ConfigChange,
  counts: ChangeCounts,
  description: string,
  result: CommandResult,
): Outcome<ConfigWrite> => success({ change, counts, description, createdBy: 'user', result: () => result });

/** The id of the record that a write creates. */
export const newId = (scope: WriteScope, kind: IdKind): string => idsFromSeed(scope.seed).next(kind);

export const deleted = (id: string): CommandResult => ({ kind: 'deleted', id });

type RecordList = Exclude<keyof ConfigChange, 'rules'>;
type RecordOf<L extends RecordList> = PlacedConfig[L][number];

/** The fields of a record that a client can write, and those below it. */
type Fields<L extends RecordList> = Omit<RecordOf<L>, keyof Placement>;

/** A kind of record: what all of its writes share. */
export interface RecordClass<L extends RecordList> {
  readonly kind: Exclude<RecordKind, 'subzone' | 'rule'>;
  readonly list: L;
  /** The record as a change holds it. */
  readonly stored: (record: RecordOf<L>) => object;
  readonly result: (record: RecordOf<L>, position: number) => CommandResult;
  /** Number of subzones or rules of the record, which are added and removed with it. */
  readonly childrenOf?: (record: RecordOf<L>) => number;
  /** The edit in place of the usual one, which changes further records; else null. `old` is absent for a new record. */
  readonly edit?: (
    list: readonly RecordOf<L>[],
    old: RecordOf<L> | undefined,
    record: RecordOf<L>,
    position: number,
  ) => RecordEdit<object> | null;
  /** Why the record may not be replaced by that of the write, or not be removed; null when it may. */
  readonly updateObstacle?: (scope: WriteScope, old: RecordOf<L>, record: RecordOf<L>) => Failure | null;
  readonly removalObstacle?: (config: PlacedConfig, record: RecordOf<L>) => Failure | null;
}

const listIn = <L extends RecordList>({ config }: WriteScope, { list }: RecordClass<L>) =>
  config[list] as readonly RecordOf<L>[];

/** Index of the record with this id, or -1. */
const indexIn = <L extends RecordList>(scope: WriteScope, of: RecordClass<L>, id: string): number =>
  listIn(scope, of).findIndex((record) => record.id === id);

/** The write of one record of a list. */
const edited = (
  { kind, list }: Pick<RecordClass<RecordList>, 'kind' | 'list'>,
  { change, counts }: RecordEdit<unknown>,
  name: string,
  what: 'created' | 'updated' | 'deleted',
  result: CommandResult,
): Outcome<ConfigWrite> =>
  changed(
    change === null ? {} : { [list]: change },
    counts,
    `${RESOURCE_NAMES[kind]} "${name}" ${what}`,
    result,
  );

/** Makes a record of the fields that `read` reads. */
export function created<L extends RecordList>(
  scope: WriteScope,
  of: RecordClass<L>,
  position: number | undefined,
  read: (id: string, report: ReportDefect) => Fields<L>,
): Outcome<ConfigWrite> {
  const list = listIn(scope, of);
  const defects = new Defects();
  const fields = read(newId(scope, of.kind), defects.add);
  if (defects.found) return defects.failure();
  const record = extended(fields, { placement: scope.placement }) as RecordOf<L>;
  const index = indexOfNew(list, position);
  const children = of.childrenOf?.(record);
  const edit = of.edit?.(list, undefined, record, index) ?? insertion(index, of.stored(record), children);
  return edited(of, edit, record.name, 'created', of.result(record, index));
}

/** Replaces the fields of a record by those that `read` reads. */
export function updated<L extends RecordList>(
  scope: WriteScope,
  of: RecordClass<L>,
  { id, body }: { readonly id: string; readonly body: { readonly position?: number } },
  read: (old: RecordOf<L>, report: ReportDefect) => Fields<L>,
): Outcome<ConfigWrite> {
  const list = listIn(scope, of);
  const index = indexIn(scope, of, id);
  const old = list[index];
  if (old === undefined) return notFound(of.kind, id);
  const defects = new Defects();
  const fields = read(old, defects.add);
  if (defects.found) return defects.failure();
  const position = indexOfMoved(list, index, body.position);
  const placement = position === index ? old.placement : scope.placement;
  const record = extended(fields, { placement }) as RecordOf<L>;
  const obstacle = of.updateObstacle?.(scope, old, record) ?? null;
  if (obstacle !== null) return obstacle;
  const edit =
    of.edit?.(list, old, record, position) ?? update(of.kind, list, index, record, position, of.stored);
  return edited(of, edit, record.name, 'updated', of.result(record, position));
}

export function removed<L extends RecordList>(
  scope: WriteScope,
  of: RecordClass<L>,
  id: string,
): Outcome<ConfigWrite> {
  const record = listIn(scope, of)[indexIn(scope, of, id)];
  if (record === undefined) return notFound(of.kind, id);
  const obstacle = of.removalObstacle?.(scope.config, record) ?? null;
  if (obstacle !== null) return obstacle;
  return edited(of, removal(record, of.childrenOf?.(record)), record.name, 'deleted', deleted(id));
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
  stored: asItIs,
  result: (group, position) => ({ kind: 'group', group: groupView(group, position) }),
  /** A write that makes another group the default changes two records. */
  edit: (groups, old, group, position) => {
    if (!group.isDefault || old?.isDefault) return null;
    const others = groups.filter(({ id }) => id !== group.id).map(withoutDefault);
    const list = others.toSpliced(position, 0, group);
    const change = diffList(groups, list, asItIs);
    const [added, modified] = old === undefined ? [1, 1] : [0, 2];
    return { change, counts: { added, modified, removed: 0 } };
  },
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
  stored: methodInChange,
  result: (method, position) => ({
    kind: 'method',
    method: methodWithRulesView(method as PlacedMethod & ShippingMethod, position),
  }),
  childrenOf: ({ rules }) => rules.length,
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
  stored: asItIs,
  result: (blended, position) => ({ kind: 'blendedRate', blendedRate: blendedRateView(blended, position) }),
};

const CHECKS: RecordClass<'checks'> = {
  kind: 'check',
  list: 'checks',
  stored: asItIs,
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
