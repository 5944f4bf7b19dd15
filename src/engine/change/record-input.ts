/**
 * Checks and completes records that a client sends (contract section 3), in writes of one record and in bulk writes.
 * The defects are collected, so that the refusal of a bulk write can name several of them. After a defect was reported,
 * the returned record must not be used.
 */
import Type from '#typebox';
import { extended } from '../../base/runtime/extended.ts';
import { valueAt } from '../../base/runtime/map-entries.ts';
import type { BlendedRate } from '../domain/blended-rate.ts';
import type { Check } from '../domain/check.ts';
import { type Condition, DEFAULT_SCOPE, findConditionDefect } from '../domain/condition.ts';
import { findExpectationDefect } from '../domain/expectation.ts';
import { type Failure, invalid } from '../domain/failure.ts';
import { type IdKind, idsFromSeed } from '../domain/id.ts';
import { ISO_TIME_ACCEPTS, parseIsoTime } from '../domain/iso-time.ts';
import { THRESHOLD_BASIS_DEFAULT } from '../domain/money.ts';
import { parsePostalPattern, splitPostalPatterns } from '../domain/postal-code.ts';
import { GROUP_MATCHER_FIELDS, type ProductGroup } from '../domain/product-group.ts';
import {
  findRateConfigDefect,
  RATE_TYPE_NAMES,
  RATE_TYPES,
  type RateConfig,
  type RateType,
} from '../domain/rate-type.ts';
import { ADJUSTMENT_PERCENTAGE_MAX, isAdjusting, POINTS_ACCEPTED, type Rule } from '../domain/rule.ts';
import type { MethodInChange } from '../domain/shop-event.ts';
import { beginningOf, comparable } from '../domain/text.ts';
import type { RecordKind } from '../domain/version.ts';
import type { Subzone } from '../domain/zone.ts';
import { compileSchema, type SchemaCheck } from '../wire/schema-check.ts';
import {
  type BlendedCreate,
  type CheckCreate,
  CONFIG_DEFECTS_MAX,
  type ConditionInput,
  type GroupCreate,
  type MethodCreate,
  type RuleCreate,
  type SubzoneData,
} from '../wire/write-bodies.ts';
import type { WriteScope } from './command.ts';
import {
  checkBlendedReferences,
  checkMethodReferences,
  type References,
  type ReportDefect,
} from './references.ts';

/** A write whose records are being read. */
export interface Reader {
  readonly scope: WriteScope;
  readonly ids: IdClaims;
  readonly defects: Defects;
}

/** `path` is the path of the zone. */
export function readSubzones(
  input: readonly SubzoneData[],
  path: string,
  { ids, defects }: Reader,
): readonly Subzone[] {
  const subzones: Subzone[] = [];
  for (const [index, { id: given, name, postalCodes }] of input.entries()) {
    const subzonePath = `${path}/subzones/${index}`;
    const id = ids.claim('subzone', given, subzonePath);
    for (const pattern of splitPostalPatterns(postalCodes)) {
      const parsed = parsePostalPattern(pattern);
      if (typeof parsed === 'string') {
        defects.add(`${subzonePath}/postalCodes must hold comma-separated patterns: ${parsed}`);
      }
    }
    subzones.push({ id, name, postalCodes });
  }
  return subzones;
}

/** The fields of a body that are read here. */
type Input<Body> = Omit<Body, 'id' | 'position'>;

export function readGroup(id: string, input: Input<GroupCreate>, report: ReportDefect): ProductGroup {
  const {
    name,
    isDefault = false,
    variantIds = [],
    productIds = [],
    skus = [],
    tags = [],
    vendors = [],
  } = input;
  const group = { id, name, isDefault, variantIds, productIds, skus, tags, vendors };
  for (const field of GROUP_MATCHER_FIELDS) {
    for (const [index, text] of group[field].entries()) {
      if (comparable(text) === '') report(`/${field}/${index} must hold more than spaces`);
    }
  }
  return group;
}

/** A method without its rules and placement. */
type MethodFields = Omit<MethodInChange, 'placement'>;

/** Each schema is wrapped in an object, so that the path of a defect begins with `/config`. */
const RATE_CONFIG_CHECKS = new Map<RateType, SchemaCheck<unknown>>(
  RATE_TYPE_NAMES.map((rateType) => [rateType, compileSchema(Type.Object({ config: RATE_TYPES[rateType] }))]),
);

function checkRateConfig(rateType: RateType, config: unknown, report: ReportDefect): void {
  const schemaCheck = RATE_CONFIG_CHECKS.get(rateType);
  if (schemaCheck?.check({ config }) === false) {
    for (const line of schemaCheck.defects({ config }, CONFIG_DEFECTS_MAX)) report(line);
    return;
  }
  const defect = findRateConfigDefect({ rateType, config } as RateConfig);
  if (defect !== null) report(`/config${defect}`);
}

/**
 * Reads a method without its rules. `defaults` depend on the rest of the configuration; `serviceCode` is called only
 * when the body has none.
 */
export function readMethod(
  id: string,
  input: Input<MethodCreate>,
  references: References,
  defaults: { readonly productGroupId: string; readonly serviceCode: () => string },
  report: ReportDefect,
): MethodFields {
  const { name, zoneId, rateType, config = {} } = input;
  checkRateConfig(rateType, config, report);
  const fields: MethodFields = {
    id,
    name,
    subtitle: input.subtitle ?? '',
    serviceCode: input.serviceCode ?? defaults.serviceCode(),
    zoneId,
    productGroupId: input.productGroupId ?? defaults.productGroupId,
    rateType,
    config: config as RateConfig['config'],
    enabled: input.enabled ?? true,
    freeShippingThreshold: input.freeShippingThreshold ?? null,
  };
  const { thresholdBasis, delivery, phoneRequired } = input;
  if (delivery && delivery.minDays > delivery.maxDays) {
    report(`/delivery/minDays must not be above maxDays, ${delivery.maxDays}`);
  }
  const based = withField(fields, 'thresholdBasis', thresholdBasis, THRESHOLD_BASIS_DEFAULT);
  const dated = withField(based, 'delivery', delivery, null);
  const method = withField(dated, 'phoneRequired', phoneRequired, false);
  checkMethodReferences(method, references, report);
  return method;
}

const EXPONENT_FORM = /^(-?)(\d)(?:\.(\d+))?e-(\d+)$/;

/** A number in decimal digits, never in exponent form: 1e-7 -> "0.0000001". At most `Number.MAX_SAFE_INTEGER`. */
export function decimalText(value: number): string {
  const text = String(value);
  const parts = EXPONENT_FORM.exec(text);
  if (parts === null) return text;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts;
  return `${sign}0.${'0'.repeat(Number(exponent) - 1)}${whole}${fraction}`;
}

/** JSON numbers beyond the exact integers may have lost digits that the client wrote. */
const INEXACT = `/value must be text, or a number of at most ${Number.MAX_SAFE_INTEGER}`;

/** Reads the conditions of a rule. Defects name the condition and its field. */
export function readConditions(
  inputs: readonly ConditionInput[],
  report: ReportDefect,
): readonly Condition[] {
  return inputs.map((input, index) => {
    const { conditionType, operator, value = '', scope = DEFAULT_SCOPE } = input;
    const text = typeof value === 'number' ? decimalText(value) : value;
    const condition: Condition = { conditionType, operator, value: text, scope };
    const isInexact = typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER;
    const defect = isInexact ? INEXACT : findConditionDefect(condition);
    if (defect !== null) report(`/conditions/${index}${defect}`);
    return condition;
  });
}

export type RuleInput = Omit<Input<RuleCreate>, 'methodId'>;

export function readRule(id: string, input: RuleInput, report: ReportDefect): Rule {
  const { action, enabled = true, name = '' } = input;
  const conditions = readConditions(input.conditions ?? [], report);
  const rule = extended({ id, action, conditions, enabled }, readAdjustment(input, report));
  return withField(rule, 'name', name, '');
}

/** A record with one more field, the last. Its default is stored as an absent field. */
export const withField = <R extends object, F extends string, V>(
  record: R,
  field: F,
  value: V | undefined,
  defaultValue: NoInfer<V>,
): R & { readonly [K in F]?: V } =>
  value === undefined || value === defaultValue
    ? record
    : extended(record, { [field]: value } as { readonly [K in F]?: V });

type Adjustment = Pick<Rule, 'adjustmentValue' | 'adjustmentType'>;

/** No fields for an action without an adjustment. */
function readAdjustment(input: RuleInput, report: ReportDefect): Adjustment {
  const { action, adjustmentValue, adjustmentType = 'flat' } = input;
  if (!isAdjusting(action)) {
    for (const field of ['adjustmentValue', 'adjustmentType'] as const) {
      if (input[field] === undefined) continue;
      report(`/${field} is accepted only with adjust_add and adjust_subtract, not ${action}`);
    }
    return {};
  }
  if (adjustmentValue === undefined) {
    const accepted = adjustmentType === 'percentage' ? POINTS_ACCEPTED : 'whole cents';
    report(`/adjustmentValue is required with ${action}: ${accepted}`);
    return {};
  }
  if (adjustmentType === 'percentage' && adjustmentValue > ADJUSTMENT_PERCENTAGE_MAX) {
    report(`/adjustmentValue must be ${POINTS_ACCEPTED}, when adjustmentType is percentage`);
  }
  return { adjustmentValue, adjustmentType };
}

/** `serviceCode` is called only when the body has no service code. */
export function readBlended(
  id: string,
  input: Input<BlendedCreate>,
  references: References,
  serviceCode: () => string,
  report: ReportDefect,
): BlendedRate {
  const fields: BlendedRate = {
    id,
    name: input.name,
    subtitle: input.subtitle ?? '',
    serviceCode: input.serviceCode ?? serviceCode(),
    zoneId: input.zoneId,
    freeShippingThreshold: input.freeShippingThreshold ?? null,
    preferences: (input.preferences ?? []).map(({ productGroupId, preferredMethodId = null }) => ({
      productGroupId,
      preferredMethodId,
    })),
    enabled: input.enabled ?? true,
  };
  const blended = withField(fields, 'thresholdBasis', input.thresholdBasis, THRESHOLD_BASIS_DEFAULT);
  checkBlendedReferences(blended, references, report);
  return blended;
}

export function readCheck(id: string, input: Input<CheckCreate>, report: ReportDefect): Check {
  const { name, request, at = null, expectations, enabled = true } = input;
  if (at !== null && parseIsoTime(at) === null) report(`/at must be ${ISO_TIME_ACCEPTS}, or null`);
  for (const [index, expectation] of expectations.entries()) {
    const defect = findExpectationDefect(expectation);
    if (defect !== null) report(`/expectations/${index}${defect}`);
  }
  return { id, name, request, at, expectations, enabled };
}

/** A longer line, which quotes a long value, is cut at this length. */
const DEFECT_LENGTH_MAX = 400;

/** Defects of a request body. */
export class Defects {
  readonly #max: number;
  readonly #lines: string[] = [];
  #count = 0;

  /** The message names `max` defects and only counts the rest. */
  constructor(max = 1) {
    this.#max = max;
  }

  get found(): boolean {
    return this.#count > 0;
  }

  /** `line`: the JSON path as the client sent it, and what is accepted there. */
  readonly add = (line: string): void => {
    this.#count++;
    if (this.#lines.length < this.#max) this.#lines.push(shortened(line));
  };

  /** Reports the defects of the record at this path. */
  at(path: string): ReportDefect {
    return (line) => this.add(`${path}${line}`);
  }

  failure(): Failure {
    const unnamed = this.#count - this.#lines.length;
    const more = this.#max > 1 && unnamed > 0 ? [`and ${unnamed} more`] : [];
    return invalid([...this.#lines, ...more].join('; '));
  }
}

const shortened = (line: string): string =>
  line.length <= DEFECT_LENGTH_MAX ? line : `${beginningOf(line, DEFECT_LENGTH_MAX - 3)}...`;

/** A record in the body whose parts stay because the body omits them. These parts have no path of their own. */
interface Keeper {
  readonly keeper: string;
}

/** Ids in a write: a given id may appear only once within its kind, and missing ids are generated. */
export class IdClaims {
  /** The generated ids. */
  readonly made = new Set<string>();
  readonly #ids: { next(kind: IdKind): string };
  readonly #defects: Defects;
  /** Holder of each id by kind: the path of a record, or the keeper of a part. */
  readonly #holders = new Map<RecordKind, Map<string, string | Keeper>>();

  constructor(seed: string, defects: Defects) {
    this.#ids = idsFromSeed(seed);
    this.#defects = defects;
  }

  /** A method is bound to a zone or a subzone by id alone, so both share one namespace. */
  #holdersOf(kind: RecordKind): Map<string, string | Keeper> {
    return valueAt(
      this.#holders,
      kind === 'subzone' ? 'zone' : kind,
      () => new Map<string, string | Keeper>(),
    );
  }

  /** Claims the id of the record at `path`: the given id, or a generated one. */
  claim(kind: RecordKind, given: string | undefined, path: string): string {
    const holders = this.#holdersOf(kind);
    let id = given ?? this.#ids.next(kind);
    while (given === undefined && holders.has(id)) id = this.#ids.next(kind);
    const first = holders.get(id);
    if (first === undefined) holders.set(id, path);
    else if (typeof first !== 'string') this.#refuseKept(path, first, id);
    else this.#defects.add(`${path}/id must be unique: ${first} has ${id} too`);
    if (given === undefined) this.made.add(id);
    return id;
  }

  /**
   * Claims the id of a part that stays because the body omits it. A record that uses the same id is the one with the
   * defect.
   */
  keep(kind: RecordKind, id: string, keeper: Keeper): void {
    const first = valueAt(this.#holdersOf(kind), id, () => keeper);
    if (typeof first === 'string') this.#refuseKept(first, keeper, id);
    // Claimed twice: the keeper appears twice in the body, which is already reported as a defect.
  }

  #refuseKept(path: string, { keeper }: Keeper, id: string): void {
    this.#defects.add(`${path}/id must be unique: ${keeper} keeps its ${id}`);
  }
}
