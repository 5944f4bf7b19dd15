/**
 * Compiled zones: everything that a destination in the zone can need. The methods and blended rates in force are
 * compiled per matched subzone on first use, so that only places that receive traffic cost time and memory.
 */
import { canonicalPostalCode, type PostalForm } from '../domain/postal-code.ts';
import { conditionsOfRules } from '../domain/rule.ts';
import type { ShippingMethod } from '../domain/shipping-method.ts';
import { recordsInForce } from '../domain/zone.ts';
import { finishSteps, NEVER, type ShouldYield, type WorkSteps } from '../pace/work-steps.ts';
import { type CompiledBlend, compileBlend } from './compiled-blend.ts';
import {
  type CompiledCondition,
  type CompiledMethod,
  KEPT_CHARACTERS_MAX,
  MethodCompiler,
  type MethodOutcome,
  OUTCOME_REFERENCES_MAX,
} from './compiled-method.ts';
import type { GroupIndex } from './group-index.ts';
import { asciiJson, joined } from './json-text.ts';
import { NO_OWNER } from './owner-segments.ts';
import { type PostalOwners, postalOwnersSteps } from './postal-owners.ts';
import type { Predicate } from './predicate.ts';
import { testBits } from './predicate-table.ts';
import type { ZoneRecords } from './zone-records.ts';

export interface PlannedMethod {
  /** Orders the methods of the zone and its subzones by position. */
  readonly order: number;
  readonly method: CompiledMethod;
}

/** What is in force for the items of one group. */
export interface PlannedGroup {
  /** In position order. */
  readonly methods: readonly PlannedMethod[];
  /** One condition for each distinct test of those methods. */
  readonly tests: readonly CompiledCondition[];
  /** Bits of the number that encodes the outcomes of all tests. */
  readonly outcomeBits: number;
  /** The outcome of each method, by that number. */
  readonly outcomes: Map<number, readonly MethodOutcome[]>;
}

/** What is in force for one matched subzone of a zone, or for none. */
export interface Plan {
  /** By group index. */
  readonly groups: ReadonlyMap<number, PlannedGroup>;
  /** Enabled blended rates in position order. */
  readonly blends: readonly CompiledBlend[];
  /** The end of an answer, after its blended rates. */
  readonly answerEnd: string;
  /** The end of an answer without blended rates, after its methods. */
  readonly answerEndUnblended: string;
  /** Id of the matched subzone, "" if none. */
  readonly subzoneId: string;
}

// A table with this many times the conditions in use holds mostly conditions of earlier versions.
const TABLE_WASTE_FACTOR = 4;
const TABLE_SIZE_FREE = 1_024;
// With fewer characters left, the zone counts its replaced methods.
const KEPT_CHARACTERS_SCARCE = KEPT_CHARACTERS_MAX / 16;
// From this share of replaced methods on, all are recompiled: on average four per edited method.
const REPLACED_SHARE = 1 / 4;

/** What is in force at a postal code, and the canonical form of the code. */
export interface Match {
  readonly plan: Plan;
  readonly postalCode: string;
}

/** A match, and the place that it is for. */
interface LastMatch extends Match {
  readonly form: PostalForm;
  /** The postal code as the client gave it. */
  readonly given: string;
}

const canonicalOf = (form: PostalForm, postalCode: string): string =>
  postalCode === '' ? '' : canonicalPostalCode(form, postalCode);

export class CompiledZone {
  readonly records: ZoneRecords;
  readonly groups: GroupIndex;
  /** Characters that outcomes may still take. The zone after a change shares the count and the methods until scarce. */
  readonly keeping: { charactersLeft: number };
  /** How many more outcomes the groups of its plans may refer to. */
  readonly outcomes = { referencesLeft: OUTCOME_REFERENCES_MAX };
  readonly #compiler: MethodCompiler;
  readonly #owners: Partial<Record<PostalForm, PostalOwners>>;
  /** By matched subzone, `NO_OWNER` first: an array, since a look-up in a map of a thousand takes as long as that of the subzone. */
  readonly #plans: (Plan | undefined)[] = [];
  /** Each simulation asks for its match twice: before it, whether anything must be compiled, and then for the plan. */
  #lastMatch: LastMatch | undefined;

  /** `previous` is the same zone before a change; its unchanged parts are reused. */
  constructor(records: ZoneRecords, groups: GroupIndex, previous?: CompiledZone) {
    this.records = records;
    this.groups = groups;
    const isCarried = previous !== undefined && !previous.#isMostlyWaste() && !previous.#isFullOfReplaced();
    const carried = isCarried ? previous : undefined;
    this.#compiler = carried === undefined ? new MethodCompiler() : carried.#compiler;
    this.keeping = carried === undefined ? { charactersLeft: KEPT_CHARACTERS_MAX } : carried.keeping;
    this.#owners = previous !== undefined && previous.records.zone === records.zone ? previous.#owners : {};
  }

  /** The predicates that its methods test. Compiling what is in force at a further subzone may add some. */
  get predicates(): readonly Predicate[] {
    return this.#compiler.predicates.predicates;
  }

  /** Upper bound, excluded, of the numbers of tests. */
  get testCount(): number {
    return this.#compiler.predicates.testCount;
  }

  /** True when these are the records and groups that this zone was compiled from. */
  isOf(records: ZoneRecords, groups: GroupIndex): boolean {
    return (
      this.groups === groups &&
      this.records.zone === records.zone &&
      sameElements(this.records.methods, records.methods) &&
      sameElements(this.records.blendedRates, records.blendedRates)
    );
  }

  /** What is in force at the postal code of a client, and the canonical form of that code. */
  match(form: PostalForm, postalCode: string): Match {
    return this.#knownMatch(form, postalCode) ?? finishSteps(this.#matchSteps(form, postalCode, NEVER));
  }

  /** True when `match` finds this code without compiling anything; `match` then need not look again. */
  isPrepared(form: PostalForm, postalCode: string): boolean {
    return this.#knownMatch(form, postalCode) !== undefined;
  }

  /** Steps that compile what `match` needs; null when it is there. */
  preparation(form: PostalForm, postalCode: string, shouldYield: ShouldYield): WorkSteps<unknown> | null {
    return this.isPrepared(form, postalCode) ? null : this.#matchSteps(form, postalCode, shouldYield);
  }

  #knownMatch(form: PostalForm, given: string): Match | undefined {
    const last = this.#lastMatch;
    if (last?.given === given && last.form === form) return last;
    const postalCode = canonicalOf(form, given);
    const plan = this.#knownPlan(form, postalCode);
    if (plan === undefined) return undefined;
    this.#lastMatch = { form, given, plan, postalCode };
    return this.#lastMatch;
  }

  *#matchSteps(form: PostalForm, given: string, shouldYield: ShouldYield): WorkSteps<Match> {
    const postalCode = canonicalOf(form, given);
    return { plan: yield* this.#planSteps(form, postalCode, shouldYield), postalCode };
  }

  #knownPlan(form: PostalForm, canonical: string): Plan | undefined {
    if (this.records.zone.subzones.length === 0) return this.#planOf(NO_OWNER);
    const owners = this.#owners[form];
    return owners === undefined ? undefined : this.#planOf(owners.find(canonical));
  }

  #planOf(subzone: number): Plan | undefined {
    const at = subzone - NO_OWNER;
    return at < this.#plans.length ? this.#plans[at] : undefined;
  }

  /** Index of the subzone of a canonical code, once `match` was asked for a code of this form, or `NO_OWNER`. */
  subzoneAt(form: PostalForm, canonical: string): number {
    return this.#owners[form]?.find(canonical) ?? NO_OWNER;
  }

  /** The plan at a canonical code; steps that were begun twice find what the other ones made. */
  *#planSteps(form: PostalForm, canonical: string, shouldYield: ShouldYield): WorkSteps<Plan> {
    const { subzones } = this.records.zone;
    let owners = this.#owners[form];
    if (owners === undefined && subzones.length > 0) {
      owners = yield* postalOwnersSteps(subzones, form, shouldYield);
      this.#owners[form] = owners;
    }
    const subzone = owners?.find(canonical) ?? NO_OWNER;
    const plan = this.#planOf(subzone) ?? (yield* this.#compilePlan(subzone, shouldYield));
    while (this.#plans.length <= subzone - NO_OWNER) this.#plans.push(undefined);
    this.#plans[subzone - NO_OWNER] = plan;
    return plan;
  }

  /** Contract section 4.5: per group, methods of the matched subzone replace those of the zone. */
  *#compilePlan(subzoneIndex: number, shouldYield: ShouldYield): WorkSteps<Plan> {
    const { zone, methods, blendedRates } = this.records;
    const subzone = zone.subzones[subzoneIndex];
    const ofZone = new Map<number, PlannedMethod[]>();
    const ofSubzone = new Map<number, PlannedMethod[]>();
    for (let order = 0; order < methods.length; order++) {
      const method = methods[order] as ShippingMethod;
      if (shouldYield()) yield;
      const target = method.zoneId === zone.id ? ofZone : method.zoneId === subzone?.id ? ofSubzone : null;
      if (target === null || !method.enabled) continue;
      const group = this.groups.indexOf(method.productGroupId);
      const planned = { order, method: yield* this.#compiler.steps(method, shouldYield) };
      const siblings = target.get(group);
      if (siblings === undefined) target.set(group, [planned]);
      else siblings.push(planned);
    }
    const enabled = blendedRates.filter((blended) => blended.enabled);
    const blends = recordsInForce(
      enabled.filter((blended) => blended.zoneId === subzone?.id),
      enabled.filter((blended) => blended.zoneId === zone.id),
    );
    const subzoneJson =
      subzone === undefined ? 'null' : `{"id":${asciiJson(subzone.id)},"name":${asciiJson(subzone.name)}}`;
    const groups = new Map<number, PlannedGroup>();
    for (const group of new Set([...ofZone.keys(), ...ofSubzone.keys()])) {
      const planned = recordsInForce(ofSubzone.get(group), ofZone.get(group));
      groups.set(group, plannedGroup(planned, yield* testsOf(planned, shouldYield)));
    }
    const answerEnd = `],"zone":{"id":${asciiJson(zone.id)},"name":${asciiJson(zone.name)},"subzone":${subzoneJson}}}`;
    return {
      groups,
      blends: blends.map((blended) => compileBlend(blended, this.groups)),
      answerEnd: joined(answerEnd),
      answerEndUnblended: joined(`],"blendedRates":[${answerEnd}`),
      subzoneId: subzone?.id ?? '',
    };
  }

  #isMostlyWaste(): boolean {
    const size = this.predicates.length;
    if (size <= TABLE_SIZE_FREE || size < this.#compiler.nextWasteCheck) return false;
    // Counting all conditions takes long in a large zone: the next count waits until the table has doubled.
    this.#compiler.nextWasteCheck = 2 * size;
    const used = this.records.methods.reduce((count, { rules }) => count + conditionsOfRules(rules), 0);
    return size > TABLE_WASTE_FACTOR * used;
  }

  /**
   * True when few characters are left and enough methods were replaced. A replaced method frees nothing by itself:
   * an earlier version or a changeset may still use it.
   */
  #isFullOfReplaced(): boolean {
    const compiler = this.#compiler;
    const isScarce = this.keeping.charactersLeft < KEPT_CHARACTERS_SCARCE;
    if (!isScarce || compiler.methodCount < compiler.nextReplacedCheck) return false;
    const used = this.records.methods.reduce((count, method) => count + (compiler.has(method) ? 1 : 0), 0);
    const isDue = compiler.methodCount >= used * (1 + REPLACED_SHARE);
    // Counting them takes long in a large zone: the next count waits until this many more are compiled.
    compiler.nextReplacedCheck = (isDue ? compiler.methodCount : used) + used * REPLACED_SHARE;
    return isDue;
  }
}

function* testsOf(
  planned: readonly PlannedMethod[],
  shouldYield: ShouldYield,
): WorkSteps<readonly CompiledCondition[]> {
  const byTest = new Map<number, CompiledCondition>();
  for (const { method } of planned) {
    for (const rule of method.rules) {
      for (const condition of rule.conditions) byTest.set(condition.test, condition);
      if (shouldYield()) yield;
    }
  }
  return [...byTest.values()];
}

const plannedGroup = (
  methods: readonly PlannedMethod[],
  tests: readonly CompiledCondition[],
): PlannedGroup => ({
  methods,
  tests,
  outcomeBits: tests.reduce((bits, { quantifier }) => bits + testBits(quantifier), 0),
  outcomes: new Map(),
});

const sameElements = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a === b || (a.length === b.length && a.every((element, index) => element === b[index]));
