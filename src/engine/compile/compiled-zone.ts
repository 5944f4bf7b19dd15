/**
 * Compiled zones: everything that a simulation for a destination in the zone needs. Methods and blended rates are
 * compiled per matched subzone on first use, so that only places with traffic cost time and memory.
 */

import { asciiJson, joined } from '../../base/bytes/answer-text.ts';
import type { BlendedRate } from '../domain/blended-rate.ts';
import { canonicalPostalCode, type PostalForm } from '../domain/postal-code.ts';
import type { ShippingMethod } from '../domain/shipping-method.ts';
import type { ShopConfig } from '../domain/shop-config.ts';
import { recordsInForce, type Zone } from '../domain/zone.ts';
import {
  type CompiledBlend,
  type CompiledCondition,
  type CompiledMethod,
  compileBlend,
  MethodCompiler,
  type MethodOutcome,
} from './compiled-method.ts';
import type { GroupNumbers } from './group-index.ts';
import { NO_OWNER } from './owner-segments.ts';
import { type PostalOwners, postalOwnersOf } from './postal-owners.ts';
import { type Predicate, testBits } from './predicate.ts';

/** The records of a zone and of its subzones, in position order. */
export interface ZoneRecords {
  readonly zone: Zone;
  readonly methods: readonly ShippingMethod[];
  readonly blendedRates: readonly BlendedRate[];
}

export interface PlannedMethod {
  /** Orders the methods of the zone and its subzones by position. */
  readonly order: number;
  readonly method: CompiledMethod;
}

/** The methods in force for the items of one group. */
export interface PlannedGroup {
  /** In position order. */
  readonly methods: readonly PlannedMethod[];
  /** One condition for each distinct test of the methods. */
  readonly tests: readonly CompiledCondition[];
  /** Bits of the number that encodes the outcomes of all tests. */
  readonly outcomeBits: number;
  /** Cached outcomes of all methods by that number; see `ZoneCache`. */
  readonly outcomes: Map<number, readonly MethodOutcome[]>;
}

/** The methods and blended rates in force in one subzone, or outside all subzones. */
export interface Plan {
  /** By group index. */
  readonly groups: ReadonlyMap<number, PlannedGroup>;
  /** Enabled blended rates in position order. */
  readonly blends: readonly CompiledBlend[];
  /** The end of an answer, after its blended rates. */
  readonly answerEnd: string;
  /** Id of the matched subzone; "" outside all subzones. */
  readonly subzoneId: string;
  /** Live simulations to here, since the counts were last collected. */
  uses: number;
}

/** A compiler is replaced when it has compiled more than twice the rules of its zone plus this number. */
const REPLACED_RULES_MAX = 1_024;

/** Where a destination lies, and what is in force there. */
export interface Place {
  readonly zone: CompiledZone;
  readonly plan: Plan;
  readonly form: PostalForm;
  /** In canonical form. */
  readonly postalCode: string;
}

export class CompiledZone {
  readonly records: ZoneRecords;
  readonly groups: GroupNumbers;
  readonly cache: ZoneCache;
  readonly #compiler: MethodCompiler;
  readonly #owners: Partial<Record<PostalForm, PostalOwners>>;
  /** By subzone, `NO_OWNER` first. An array, because a look-up in a large map would double the time of a match. */
  readonly #plans: (Plan | undefined)[];
  /** Generation of the cache when the maps were last cleared. */
  #generation: number;

  /** `previous` is the same zone before a change; its unchanged parts are reused. */
  constructor(records: ZoneRecords, groups: GroupNumbers, previous?: CompiledZone) {
    this.records = records;
    this.groups = groups;
    const carried = previous !== undefined && !previous.#isMostlyReplaced(records) ? previous : undefined;
    this.#compiler = carried === undefined ? new MethodCompiler() : carried.#compiler;
    this.cache = carried === undefined ? new ZoneCache() : carried.cache;
    this.#generation = carried === undefined ? 0 : carried.#generation;
    this.#owners = previous !== undefined && previous.records.zone === records.zone ? previous.#owners : {};
    this.#plans = Array.from({ length: records.zone.subzones.length + 1 });
  }

  /** The predicates that the methods test. Compiling the plan of another subzone may add predicates. */
  get predicates(): readonly Predicate[] {
    return this.#compiler.predicates.predicates;
  }

  /** All test numbers are below this. */
  get testCount(): number {
    return this.#compiler.predicates.testCount;
  }

  /** Call between two answers: clears the maps of methods and groups when the cache has a new generation. */
  startAnswer(): void {
    const generation = this.cache.startAnswer();
    if (generation === this.#generation) return;
    this.#generation = generation;
    const plans = this.#plans.filter((plan) => plan !== undefined);
    for (const { outcomes, methods } of plans.flatMap(({ groups }) => [...groups.values()])) {
      outcomes.clear();
      for (const { method } of methods) {
        method.outcomes.clear();
        method.pricedTexts.clear();
      }
    }
  }

  /** True when this zone was compiled from these records and groups. */
  isOf(records: ZoneRecords, groups: GroupNumbers): boolean {
    return (
      this.groups === groups &&
      this.records.zone === records.zone &&
      sameElements(this.records.methods, records.methods) &&
      sameElements(this.records.blendedRates, records.blendedRates)
    );
  }

  /** The place of a postal code as a client wrote it; compiles what is missing. */
  match(form: PostalForm, given: string): Place {
    const { subzones } = this.records.zone;
    if (subzones.length > 0) this.#owners[form] ??= postalOwnersOf(subzones, form);
    const postalCode = canonicalPostalCode(form, given);
    const subzone = this.subzoneAt(form, postalCode);
    this.#plans[subzone - NO_OWNER] ??= this.#compilePlan(subzone);
    return { zone: this, plan: this.#plans[subzone - NO_OWNER] as Plan, form, postalCode };
  }

  /** Index of the subzone of a canonical code, or `NO_OWNER`. Requires that a code of this form was matched before. */
  subzoneAt(form: PostalForm, canonical: string): number {
    return this.#owners[form]?.find(canonical) ?? NO_OWNER;
  }

  /** Contract section 4.5: per group, methods of the matched subzone replace those of the zone. */
  #compilePlan(subzoneIndex: number): Plan {
    const { zone, methods, blendedRates } = this.records;
    const subzone = zone.subzones[subzoneIndex];
    const ofZone = new Map<number, PlannedMethod[]>();
    const ofSubzone = new Map<number, PlannedMethod[]>();
    for (let order = 0; order < methods.length; order++) {
      const method = methods[order] as ShippingMethod;
      const target = method.zoneId === zone.id ? ofZone : method.zoneId === subzone?.id ? ofSubzone : null;
      if (target === null || !method.enabled) continue;
      const group = this.groups.indexOf(method.productGroupId);
      const planned = { order, method: this.#compiler.compile(method) };
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
      groups.set(group, plannedGroup(planned));
    }
    const answerEnd = `],"zone":{"id":${asciiJson(zone.id)},"name":${asciiJson(zone.name)},"subzone":${subzoneJson}}}`;
    return {
      groups,
      blends: blends.map((blended) => compileBlend(blended, this.groups)),
      answerEnd: joined(answerEnd),
      subzoneId: subzone?.id ?? '',
      uses: 0,
    };
  }

  /** True when most of the compiled rules, and with them most predicates, were replaced by edits. */
  #isMostlyReplaced({ methods }: ZoneRecords): boolean {
    const { ruleCount } = this.#compiler;
    if (ruleCount <= REPLACED_RULES_MAX) return false;
    const used = methods.reduce((count, { rules }) => count + rules.length, 0);
    return ruleCount > 2 * used + REPLACED_RULES_MAX;
  }
}

function plannedGroup(methods: readonly PlannedMethod[]): PlannedGroup {
  const byTest = new Map<number, CompiledCondition>();
  for (const { method } of methods) {
    for (const rule of method.rules) {
      for (const condition of rule.conditions) byTest.set(condition.test, condition);
    }
  }
  const tests = [...byTest.values()];
  const outcomeBits = tests.reduce((bits, { quantifier }) => bits + testBits(quantifier), 0);
  return { methods, tests, outcomeBits, outcomes: new Map() };
}

const sameElements = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a === b || (a.length === b.length && a.every((element, index) => element === b[index]));

/** Returns the records of each zone in the order of the zones, collected in one pass over the lists. */
export function recordsByZone({ zones, methods, blendedRates }: ShopConfig): readonly ZoneRecords[] {
  const records = zones.map((zone) => ({
    zone,
    methods: [] as ShippingMethod[],
    blendedRates: [] as BlendedRate[],
  }));
  /** Records by id of a zone or subzone; the subzones share the entry of their zone. */
  const byPlace = new Map<string, (typeof records)[number]>();
  for (const ofZone of records) {
    byPlace.set(ofZone.zone.id, ofZone);
    for (const { id } of ofZone.zone.subzones) byPlace.set(id, ofZone);
  }
  for (const method of methods) {
    byPlace.get(method.zoneId)?.methods.push(method);
  }
  for (const blended of blendedRates) {
    byPlace.get(blended.zoneId)?.blendedRates.push(blended);
  }
  return records;
}

/** Maximum number of cached characters in one zone. */
export const CACHE_CHARACTERS_MAX = 16 * 1_048_576;

/** Memory of one entry besides its text, in characters: map slot, object and list. */
const ENTRY_CHARACTERS = 100;

/**
 * The budget for all texts of a zone that are cached in the maps of its compiled methods and groups. When it is exceeded,
 * a new generation begins and the maps are cleared. So neither distinct carts nor replaced methods can occupy the cache
 * permanently.
 */
class ZoneCache {
  #charactersLeft = CACHE_CHARACTERS_MAX;
  #generation = 0;

  /** Call between two answers; one answer may exceed the budget. Entries of earlier generations are invalid. */
  startAnswer(): number {
    if (this.#charactersLeft <= 0) {
      this.#generation++;
      this.#charactersLeft = CACHE_CHARACTERS_MAX;
    }
    return this.#generation;
  }

  /** Stores `value`, whose texts have `characters` characters in total. */
  keep<T>(map: Map<number, T>, key: number, value: T, characters: number): void {
    map.set(key, value);
    this.#charactersLeft -= characters + ENTRY_CHARACTERS;
  }
}
