/**
 * A method with its rules while it is edited: what differs from the saved one, the writes that save it, and how it joins
 * with what another editor saved meanwhile. All pure; the form and the calls stand beside it.
 */
import type { Schemas } from '../../client/call-table.ts';
import { isSame } from '../parts/merged-draft.ts';

export type Method = Schemas['MethodInSnapshot'];
export type Rule = Method['rules'][number];
export type Condition = Rule['conditions'][number];
export type RateType = Method['rateType'];
export type RateValue = number | null | undefined;
export type Tier = Readonly<Record<string, RateValue>>;
/** The config of any rate type, as its schema in the vocabulary describes it. */
export type RateConfig = Readonly<Record<string, RateValue | readonly Tier[]>>;

export interface RuleDraft extends Readonly<Omit<Rule, 'id' | 'conditions' | 'adjustmentValue'>> {
  /** The id, or while the rule is not saved a name of its own within the draft. */
  readonly key: string;
  readonly id: string | null;
  readonly conditions: readonly Condition[];
  /** Null while nothing is typed, and for actions without an amount. */
  readonly adjustmentValue: number | null;
}

export interface MethodDraft {
  /** Null until it is saved for the first time. */
  readonly id: string | null;
  readonly name: string;
  readonly subtitle: string;
  /** "" in a new method lets the service make one of the name. */
  readonly serviceCode: string;
  readonly zoneId: string;
  readonly productGroupId: string;
  readonly rateType: RateType;
  readonly config: RateConfig;
  readonly enabled: boolean;
  readonly freeShippingThreshold: number | null;
  readonly thresholdBasis: 'cart_total' | 'order_total';
  readonly delivery: Schemas['Delivery'] | null;
  readonly rules: readonly RuleDraft[];
}

/** A method while it is edited. */
export interface Edit {
  /** The saved method that the draft began with; null for a new one. */
  readonly base: MethodDraft | null;
  readonly draft: MethodDraft;
}

/** The name of an edit among the drafts of the console; `id` is "new" for a method that is not saved. */
export const editName = (id: string): string => `methods ${id}`;

export const isAdjusting = (action: string): boolean => action.startsWith('adjust_');

const draftOfRule = (rule: Rule): RuleDraft => ({
  key: rule.id,
  id: rule.id,
  name: rule.name,
  action: rule.action,
  conditions: rule.conditions,
  adjustmentValue: rule.adjustmentValue ?? null,
  adjustmentType: rule.adjustmentType ?? 'flat',
  enabled: rule.enabled,
});

export const draftOf = (method: Method): MethodDraft => ({
  id: method.id,
  name: method.name,
  subtitle: method.subtitle,
  serviceCode: method.serviceCode,
  zoneId: method.zoneId,
  productGroupId: method.productGroupId,
  rateType: method.rateType,
  config: method.config as RateConfig,
  enabled: method.enabled,
  freeShippingThreshold: method.freeShippingThreshold,
  thresholdBasis: method.thresholdBasis ?? 'cart_total',
  delivery: method.delivery ?? null,
  rules: method.rules.map(draftOfRule),
});

/** A new method that has the fields and rules of this one. */
export const copyOf = (draft: MethodDraft): MethodDraft => ({
  ...draft,
  id: null,
  name: `${draft.name} (copy)`,
  serviceCode: '',
  rules: draft.rules.map((rule) => ({ ...rule, id: null, key: `copy ${rule.key}` })),
});

/** Fields that are written together, because one alone may not fit the others. */
const METHOD_UNITS: readonly (readonly (keyof MethodDraft)[])[] = [
  ['name'],
  ['subtitle'],
  ['serviceCode'],
  ['zoneId'],
  ['productGroupId'],
  ['rateType', 'config'],
  ['enabled'],
  ['freeShippingThreshold'],
  ['thresholdBasis'],
  ['delivery'],
];
const RULE_UNITS: readonly (readonly (keyof RuleDraft)[])[] = [
  ['name'],
  ['action', 'adjustmentValue', 'adjustmentType'],
  ['conditions'],
  ['enabled'],
];

const pick = <T extends object>(record: T, fields: readonly (keyof T)[]): Partial<T> =>
  Object.fromEntries(fields.map((field) => [field, record[field]])) as Partial<T>;

const isSameIn = <T extends object>(a: T, b: T, fields: readonly (keyof T)[]): boolean =>
  isSame(pick(a, fields), pick(b, fields));

/** The fields of the units in which the two differ, with the values of the second. */
const changedUnits = <T extends object>(
  units: readonly (readonly (keyof T)[])[],
  from: T,
  to: T,
): Partial<T> => pick(to, units.filter((unit) => !isSameIn(from, to, unit)).flat());

/** The rule as the service takes it: an amount only where the action has one. */
function ruleBody<R extends Partial<RuleDraft>>({ adjustmentValue, adjustmentType, ...rest }: R) {
  const { key: _, id: _id, ...fields } = rest as Partial<RuleDraft>;
  if (fields.action === undefined || !isAdjusting(fields.action)) return fields;
  return { ...fields, adjustmentType, ...(adjustmentValue == null ? {} : { adjustmentValue }) };
}

/** The method as `data` of `/api/config` takes it; a name of its own for each part that has no id yet. */
export const configData = (draft: MethodDraft): object => ({
  ...draft,
  id: draft.id ?? 'method_of_the_draft',
  rules: draft.rules.map((rule, index) => ({
    ...ruleBody(rule),
    id: rule.id ?? `rule_of_the_draft_${index}`,
  })),
});

export type MethodWrite =
  | { readonly kind: 'createMethod'; readonly body: Schemas['MethodCreate'] }
  | { readonly kind: 'updateMethod'; readonly body: Schemas['MethodUpdate'] }
  | { readonly kind: 'deleteRule'; readonly id: string }
  | {
      readonly kind: 'updateRule';
      readonly id: string;
      readonly key: string;
      readonly body: Schemas['RuleUpdate'];
    }
  | { readonly kind: 'createRule'; readonly key: string; readonly body: Schemas['RuleCreate'] };

/** The writes that turn the saved method (null: none) into the draft, in the order in which they must be done. */
export function writesOf(base: MethodDraft | null, draft: MethodDraft): readonly MethodWrite[] {
  const writes: MethodWrite[] = [];
  const { id: _, rules, ...fields } = draft;
  if (base === null) {
    const { serviceCode, ...others } = fields;
    const body = { ...others, ...(serviceCode === '' ? {} : { serviceCode }) };
    writes.push({ kind: 'createMethod', body: body as Schemas['MethodCreate'] });
  } else {
    const changed = changedUnits(METHOD_UNITS, base, draft);
    if (Object.keys(changed).length > 0) {
      writes.push({ kind: 'updateMethod', body: changed as Schemas['MethodUpdate'] });
    }
  }
  return [...writes, ...ruleWrites(base?.rules ?? [], rules)];
}

function ruleWrites(before: readonly RuleDraft[], after: readonly RuleDraft[]): readonly MethodWrite[] {
  const writes: MethodWrite[] = [];
  const kept = new Set(after.map(({ id }) => id));
  for (const { id } of before) if (id !== null && !kept.has(id)) writes.push({ kind: 'deleteRule', id });
  const saved = new Map(before.map((rule) => [rule.id, rule]));
  // The order at the service while the writes are done.
  const order = before.map(({ key }) => key).filter((key) => after.some((rule) => rule.key === key));
  const unmoved = longestInOrder(
    order,
    after.map(({ key }) => key),
  );
  for (const [index, rule] of after.entries()) {
    const base = rule.id === null ? undefined : saved.get(rule.id);
    const isMoved = !unmoved.has(rule.key);
    if (isMoved) {
      const place = order.indexOf(rule.key);
      if (place >= 0) order.splice(place, 1);
      const previous = after[index - 1];
      order.splice(previous === undefined ? 0 : order.indexOf(previous.key) + 1, 0, rule.key);
    }
    const position = isMoved ? { position: order.indexOf(rule.key) } : {};
    if (base === undefined || rule.id === null) {
      const body = { ...ruleBody(rule), ...position } as Schemas['RuleCreate'];
      writes.push({ kind: 'createRule', key: rule.key, body });
      continue;
    }
    const body = { ...ruleBody(changedUnits(RULE_UNITS, base, rule)), ...position } as Schemas['RuleUpdate'];
    if (Object.keys(body).length > 0) writes.push({ kind: 'updateRule', id: rule.id, key: rule.key, body });
  }
  return writes;
}

/** What is saved after one of the writes that turn `base` into the draft, in which new records have their ids by now. */
export function afterWrite(base: MethodDraft, draft: MethodDraft, write: MethodWrite): MethodDraft {
  switch (write.kind) {
    case 'createMethod':
      return { ...draft, rules: [] };
    case 'updateMethod':
      return { ...draft, rules: base.rules };
    case 'deleteRule':
      return { ...base, rules: base.rules.filter(({ id }) => id !== write.id) };
    case 'updateRule':
    case 'createRule': {
      const written = write.kind === 'updateRule' ? write.id : null;
      const before = new Map(base.rules.map((rule) => [rule.id, rule]));
      const saved = draft.rules.filter(({ id }) => id !== null);
      return {
        ...base,
        rules: saved.map((rule) => (rule.id === written ? rule : (before.get(rule.id) ?? rule))),
      };
    }
  }
}

/** The most keys that stand in the same order in both lists: these need not be moved. */
function longestInOrder(before: readonly string[], after: readonly string[]): ReadonlySet<string> {
  const places = after
    .filter((key) => before.includes(key))
    .map((key) => [key, before.indexOf(key)] as const);
  const best: (readonly string[])[] = [];
  for (const [index, [key, place]] of places.entries()) {
    const ahead = best.filter((_, earlier) => (places[earlier]?.[1] ?? 0) < place && earlier < index);
    best.push([...ahead.reduce((long, each) => (each.length > long.length ? each : long), []), key]);
  }
  return new Set(best.reduce((long, each) => (each.length > long.length ? each : long), []));
}

export interface Merged {
  /** The draft on top of what is saved now. */
  readonly draft: MethodDraft;
  /** True when it has something of theirs that it did not have. */
  readonly isNews: boolean;
  /** Fields and rules that both changed, in words; those of the draft stay. */
  readonly clashes: readonly string[];
}

/**
 * Joins the draft of `base` with `theirs`, which was saved since. Where both changed, the draft stays. What is the same in
 * both is no news: a write whose answer was lost may have saved it.
 */
export function mergeDraft(base: MethodDraft, theirs: MethodDraft, draft: MethodDraft): Merged {
  const clashes: string[] = [];
  const fields = mergeUnits(METHOD_UNITS, base, theirs, draft, (field) => clashes.push(field));
  let isNews = fields !== draft;
  const byKey = (rules: readonly RuleDraft[], key: string) => rules.find((rule) => rule.key === key);
  const rules = draft.rules.flatMap((rule): readonly RuleDraft[] => {
    const [before, now] = [byKey(base.rules, rule.key), byKey(theirs.rules, rule.key)];
    if (before === undefined) return [rule];
    if (now === undefined) {
      isNews = true;
      if (isSame(before, rule)) return [];
      clashes.push(`${ruleName(rule)}, which was deleted`);
      return [{ ...rule, id: null }];
    }
    const merged = mergeUnits(RULE_UNITS, before, now, rule, (field) =>
      clashes.push(`${ruleName(rule)}: ${field}`),
    );
    isNews ||= merged !== rule;
    return [merged];
  });
  for (const now of theirs.rules) {
    const before = byKey(base.rules, now.key);
    if (before !== undefined) {
      const isDeletedHere = byKey(draft.rules, now.key) === undefined;
      if (isDeletedHere && !isSame(before, now)) clashes.push(`${ruleName(now)}, which you deleted`);
      continue;
    }
    if (byKey(rules, now.key) !== undefined) continue;
    const own = rules.findIndex(
      ({ id, key, ...rest }) => id === null && isSame({ key: now.key, id: now.id, ...rest }, now),
    );
    if (own < 0) rules.push(now);
    else rules[own] = now;
    isNews ||= own < 0;
  }
  const ordered = inTheirOrder(base, theirs, draft, rules);
  isNews ||= clashes.length > 0 || !isSame(ordered, rules);
  return { draft: { ...fields, id: theirs.id, rules: ordered }, isNews, clashes };
}

export const ruleName = ({ name, action }: Pick<RuleDraft, 'name' | 'action'>): string =>
  `rule ${name === '' ? action : `“${name}”`}`;

function mergeUnits<T extends object>(
  units: readonly (readonly (keyof T)[])[],
  base: T,
  theirs: T,
  draft: T,
  onClash: (field: string) => void,
): T {
  let merged = draft;
  for (const unit of units) {
    if (isSameIn(base, theirs, unit) || isSameIn(theirs, draft, unit)) continue;
    if (isSameIn(base, draft, unit)) merged = { ...merged, ...pick(theirs, unit) };
    else onClash(String(unit[0]));
  }
  return merged;
}

/** The rules in their order where only they moved some. */
function inTheirOrder(
  base: MethodDraft,
  theirs: MethodDraft,
  draft: MethodDraft,
  rules: readonly RuleDraft[],
): readonly RuleDraft[] {
  const keys = (list: readonly RuleDraft[], among: readonly RuleDraft[]): readonly string[] =>
    list.map(({ key }) => key).filter((key) => among.some((rule) => rule.key === key));
  if (!isSame(keys(draft.rules, base.rules), keys(base.rules, draft.rules))) return rules;
  // A rule that only the draft has keeps its place; the others fill theirs in the order of theirs.
  const known = theirs.rules.flatMap(({ key }) => rules.filter((rule) => rule.key === key));
  const ordered = known.values();
  return rules.map((rule) => (known.includes(rule) ? (ordered.next().value ?? rule) : rule));
}

/** What turns one saved form of the method into another. */
export function comparisonOf(from: MethodDraft, to: MethodDraft): Schemas['Comparison'] {
  const changesOf = <T extends object>(units: readonly (readonly (keyof T)[])[], before: T, after: T) =>
    units
      .flat()
      .filter((field) => !isSame(before[field], after[field]))
      .map((field) => ({ field: String(field), from: before[field], to: after[field] }));
  const entry = (rule: RuleDraft) => ({ kind: 'rule' as const, id: rule.id ?? '', name: rule.name });
  const has = (rules: readonly RuleDraft[], { id }: RuleDraft): boolean =>
    rules.some((rule) => rule.id === id);
  const modified = [
    { kind: 'method' as const, id: to.id ?? '', name: to.name, changes: changesOf(METHOD_UNITS, from, to) },
    ...to.rules.flatMap((rule) => {
      const before = from.rules.find(({ id }) => id === rule.id);
      return before === undefined ? [] : [{ ...entry(rule), changes: changesOf(RULE_UNITS, before, rule) }];
    }),
  ].filter(({ changes }) => changes.length > 0);
  return {
    added: to.rules.filter((rule) => !has(from.rules, rule)).map(entry),
    modified,
    removed: from.rules.filter((rule) => !has(to.rules, rule)).map(entry),
  };
}
