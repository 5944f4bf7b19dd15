/**
 * Zone sizes: the amount of evaluation that a zone can need, counted from its records without compiling them. Sums are
 * per binding (the zone or one of its subzones) and product group, because a cart is evaluated only against the
 * methods of its place and its groups.
 *
 * Counting takes one pass over the methods of the zone, in steps; after an edit only changed records are counted.
 */
import { conditionTypeRow, SCOPES } from '../domain/condition.ts';
import type { ShippingMethod } from '../domain/shipping-method.ts';
import type { ShouldYield, WorkSteps } from '../pace/work-steps.ts';
import { findListEdit } from './list-edit.ts';
import type { ZoneRecords } from './zone-records.ts';

export interface WorkSize {
  /** Approximate characters that these methods add to an answer, independent of the cart. */
  readonly characters: number;
  /** Number of rules that report matched items. */
  readonly reportingRules: number;
}

const NO_WORK: WorkSize = { characters: 0, reportingRules: 0 };

// Names, ids and punctuation around the merchant's texts, measured over shops of 1 to 1,000 methods.
const METHOD_CHARACTERS = 370;
const RULE_CHARACTERS = 72;
const CONDITION_CHARACTERS = 120;

const addWork = (a: WorkSize, b: WorkSize): WorkSize => ({
  characters: a.characters + b.characters,
  reportingRules: a.reportingRules + b.reportingRules,
});

const withoutWork = (a: WorkSize, b: WorkSize): WorkSize => ({
  characters: a.characters - b.characters,
  reportingRules: a.reportingRules - b.reportingRules,
});

function sizeOfMethod(method: ShippingMethod): WorkSize {
  let characters = METHOD_CHARACTERS;
  let reportingRules = 0;
  for (const { enabled, conditions } of method.rules) {
    if (!enabled) continue;
    characters += RULE_CHARACTERS;
    let isReporting = false;
    for (const { conditionType, scope, value } of conditions) {
      characters += CONDITION_CHARACTERS + value.length;
      isReporting ||=
        conditionTypeRow(conditionType).subject === 'item' && SCOPES[scope].quantifier !== 'sum';
    }
    if (isReporting) reportingRules++;
  }
  return { characters, reportingRules };
}

/** Id of the zone or subzone -> id of the group -> its methods. */
type SizesByBinding = Map<string, Map<string, WorkSize>>;

type ReadonlySizes = ReadonlyMap<string, ReadonlyMap<string, WorkSize>>;

type SizedRecords = Pick<ZoneRecords, 'zone' | 'methods'>;

/** The size of a zone; `before` is that of the same zone before a change. */
export function* zoneSizeSteps(
  { zone, methods }: SizedRecords,
  before: ZoneSize | undefined,
  shouldYield: ShouldYield,
): WorkSteps<ZoneSize> {
  const edit = before === undefined ? null : findListEdit(before.methods, methods);
  const sizes: SizesByBinding = edit === null || before === undefined ? new Map() : copyOf(before.byBinding);
  for (const method of edit?.removed ?? []) countMethod(sizes, method, withoutWork);
  for (const method of edit?.inserted ?? methods) {
    countMethod(sizes, method, addWork);
    if (shouldYield()) yield;
  }
  return new ZoneSize(zone.id, methods, sizes);
}

/** Combines the size of a method with the sum of its binding and group. */
function countMethod(
  sizes: SizesByBinding,
  method: ShippingMethod,
  combine: (a: WorkSize, b: WorkSize) => WorkSize,
): void {
  if (!method.enabled) return;
  const { zoneId, productGroupId } = method;
  let groups = sizes.get(zoneId);
  if (groups === undefined) {
    groups = new Map();
    sizes.set(zoneId, groups);
  }
  const size = sizeOfMethod(method);
  groups.set(productGroupId, combine(groups.get(productGroupId) ?? NO_WORK, size));
}

export class ZoneSize {
  /** The counted methods. */
  readonly methods: readonly ShippingMethod[];
  readonly byBinding: ReadonlySizes;
  /** The largest size that any cart and postal code can meet. */
  readonly most: WorkSize;
  readonly #zoneId: string;

  constructor(zoneId: string, methods: readonly ShippingMethod[], byBinding: ReadonlySizes) {
    this.#zoneId = zoneId;
    this.methods = methods;
    this.byBinding = byBinding;
    this.most = this.#sum((groups) => [...groups.keys()]);
  }

  /** True when this is the size of these methods, by identity. */
  isOf({ methods }: Pick<ZoneRecords, 'methods'>): boolean {
    return this.methods === methods;
  }

  /** The largest size that a cart of these groups can meet at any postal code. */
  mostOf(groupIds: readonly string[]): WorkSize {
    return this.#sum(() => groupIds);
  }

  /** The size of the zone's own methods and of the largest subzone: at most one subzone matches. */
  #sum(groupsIn: (groups: ReadonlyMap<string, WorkSize>) => readonly string[]): WorkSize {
    let ofZone = NO_WORK;
    let ofSubzone = NO_WORK;
    for (const [binding, groups] of this.byBinding) {
      let size = NO_WORK;
      for (const id of groupsIn(groups)) size = addWork(size, groups.get(id) ?? NO_WORK);
      if (binding === this.#zoneId) ofZone = size;
      else if (size.characters > ofSubzone.characters) ofSubzone = size;
    }
    return addWork(ofZone, ofSubzone);
  }
}

const copyOf = (sizes: ReadonlySizes): SizesByBinding =>
  new Map([...sizes].map(([binding, groups]) => [binding, new Map(groups)]));
