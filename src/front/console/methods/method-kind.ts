/** Methods with their rules as the editor of records handles them: a save writes the method and each rule that differs. */
import type { Schemas } from '../../client/call-table.ts';
import { changedFields, isNewId, newId } from '../parts/merged-draft.ts';
import { mapped, type RecordKind, type RecordWrite } from '../parts/record-kind.ts';

export type Method = Schemas['MethodInSnapshot'];
type Rule = Method['rules'][number];
export type Condition = Rule['conditions'][number];
export type RateType = Method['rateType'];
export type RateValue = number | null | undefined;
export type Tier = Readonly<Record<string, RateValue>>;
/** The config of any rate type, as its schema in the vocabulary describes it. */
export type RateConfig = Readonly<Record<string, RateValue | readonly Tier[]>>;

export interface RuleDraft extends Readonly<Omit<Rule, 'action' | 'conditions' | 'adjustmentValue'>> {
  /** "" until it is chosen. */
  readonly action: Rule['action'] | '';
  readonly conditions: readonly Condition[];
  /** Null while nothing is typed, and for actions without an amount. */
  readonly adjustmentValue: number | null;
}

export interface MethodDraft {
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
  readonly phoneRequired: boolean;
  readonly rules: readonly RuleDraft[];
}

export const isAdjusting = (action: string): boolean => action.startsWith('adjust_');

const draftOfRule = (rule: Rule): RuleDraft => ({
  id: rule.id,
  name: rule.name,
  action: rule.action,
  conditions: rule.conditions,
  adjustmentValue: rule.adjustmentValue ?? null,
  adjustmentType: rule.adjustmentType ?? 'flat',
  enabled: rule.enabled,
});

export const draftOf = (
  method: Omit<Method, 'rateType' | 'config'> & { readonly rateType: RateType; readonly config: object },
): MethodDraft => ({
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
  phoneRequired: method.phoneRequired ?? false,
  rules: method.rules.map(draftOfRule),
});

/** A new method that has the fields and rules of this one. */
export const copyOf = (draft: MethodDraft): MethodDraft => ({
  ...draft,
  name: `${draft.name} (copy)`,
  serviceCode: '',
  rules: draft.rules.map((rule) => ({ ...rule, id: newId() })),
});

/** The rule as the service takes it: an amount only where the action has one. */
export function ruleBody({ id: _, adjustmentValue, adjustmentType, ...fields }: Partial<RuleDraft>) {
  if (fields.action === undefined || !isAdjusting(fields.action)) return fields;
  return { ...fields, adjustmentType, ...(adjustmentValue == null ? {} : { adjustmentValue }) };
}

function nextWrite(saved: MethodDraft | null, draft: MethodDraft): RecordWrite<MethodDraft> | null {
  const { rules, ...fields } = draft;
  const taken = (answer: unknown, before: readonly RuleDraft[]) => {
    if (answer === null) return { saved: { ...draft, rules: before }, draft };
    const { method } = answer as { readonly method: Schemas['MethodRecord'] };
    const written = draftOf({ ...method, rules: [] });
    return { id: method.id, saved: { ...written, rules: before }, draft: { ...written, rules } };
  };
  if (saved === null) {
    const { serviceCode, ...others } = fields;
    const body = { ...others, ...(serviceCode === '' ? {} : { serviceCode }) } as Schemas['MethodCreate'];
    return {
      content: body,
      send: (calls, _, options) => calls.createMethod(body, options),
      take: (answer) => taken(answer, []),
    };
  }
  const changed = changedFields<object>({ ...saved, rules: null }, { ...fields, rules: null });
  if (Object.keys(changed).length === 0) return nextRuleWrite(saved, draft);
  return {
    content: changed,
    send: (calls, id, options) => calls.updateMethod(id, changed as Schemas['MethodUpdate'], options),
    take: (answer) => taken(answer, saved.rules),
  };
}

function nextRuleWrite(saved: MethodDraft, draft: MethodDraft): RecordWrite<MethodDraft> | null {
  const [before, after] = [saved.rules, draft.rules];
  const gone = before.find((rule) => !after.some(({ id }) => id === rule.id));
  if (gone !== undefined) {
    return {
      content: { delete: gone.id },
      send: (calls, _, options) => calls.deleteRule(gone.id, options),
      take: () => ({ saved: { ...saved, rules: before.filter((rule) => rule !== gone) }, draft }),
    };
  }
  const unmoved = longestInOrder(
    before.map(({ id }) => id),
    after.map(({ id }) => id),
  );
  for (const [index, rule] of after.entries()) {
    const old = before.findIndex(({ id }) => id === rule.id);
    const others = before.filter(({ id }) => id !== rule.id);
    const isMoved = !unmoved.has(rule.id);
    // After the rule before it in the draft, which an earlier write has put in its place.
    const place = isMoved ? others.findIndex(({ id }) => id === after[index - 1]?.id) + 1 : old;
    const body = {
      ...ruleBody(changedFields(before[old] ?? {}, rule)),
      ...(isMoved ? { position: place } : {}),
    };
    if (Object.keys(body).length === 0) continue;
    return {
      content: [rule.id, body],
      send: (calls, methodId, options) =>
        old < 0
          ? calls.createRule({ ...(body as Schemas['RuleCreate']), methodId }, options)
          : calls.updateRule(rule.id, body as Schemas['RuleUpdate'], options),
      prefix: `/rules/${rule.id}`,
      take: (answer) => {
        const written = answer === null ? rule : draftOfRule((answer as { readonly rule: Rule }).rule);
        return {
          saved: { ...saved, rules: others.toSpliced(place, 0, written) },
          draft: { ...draft, rules: after.with(index, written) },
          ids: [[rule.id, written.id]],
        };
      },
    };
  }
  return null;
}

/** The most ids that stand in the same order in both lists: these need not be moved. */
function longestInOrder(before: readonly string[], after: readonly string[]): ReadonlySet<string> {
  const places = after.filter((id) => before.includes(id)).map((id) => [id, before.indexOf(id)] as const);
  const longest = (lists: readonly (readonly string[])[]): readonly string[] =>
    lists.reduce((long, each) => (each.length > long.length ? each : long), []);
  const best: (readonly string[])[] = [];
  for (const [id, place] of places) {
    const ahead = best.filter((_, earlier) => (places[earlier]?.[1] ?? 0) < place);
    best.push([...longest(ahead), id]);
  }
  return new Set(longest(best));
}

export const METHOD_KIND: RecordKind<MethodDraft> = {
  page: 'methods',
  noun: 'method',
  titleOf: ({ name }) => name,
  read: async (calls, id, options) =>
    mapped(await calls.getMethod(id, options), ({ method }) => draftOf(method)),
  next: nextWrite,
  move: (calls, id, position, options) =>
    calls.updateMethod(id, { position } as Schemas['MethodUpdate'], options),
  remove: (calls, id, options) => calls.deleteMethod(id, options),
};

/** The method as `data` of `/api/config` takes it, with a temporary id for each part that has none yet. */
export const configData = (draft: MethodDraft, id: string): object => ({
  ...draft,
  id: dataId(id),
  rules: draft.rules.map((rule) => ({ ...ruleBody(rule), id: dataId(rule.id) })),
});

/** The id of a record of a draft in `data`. */
export const dataId = (id: string): string => (isNewId(id) ? id.replace(':', '_') : id);
