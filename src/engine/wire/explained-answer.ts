/**
 * The explained answer: the simulate answer with the steps of each price, the smallest changes that would reverse a
 * refusal, and the methods that were not considered.
 */
import Type, { type Static } from '#typebox';
import { GRAMS_MAX, ORDER_TOTAL_MAX, PRICE_MAX, QUANTITY_MAX } from '../domain/cart.ts';
import { WEEKDAYS } from '../domain/condition.ts';
import { Cents } from '../domain/money.ts';
import { RATE_TYPE_NAMES } from '../domain/rate-type.ts';
import { RULE_ACTIONS } from '../domain/rule.ts';
import { count, countOf, Id, orNull, strict, untitled } from '../domain/schema.ts';
import { Name, OptionalName } from '../domain/text.ts';
import { VERSION_AUTHORS } from '../domain/version.ts';
import { ConditionTrace, MethodEvaluation, RuleTrace, SimulateAnswer } from './answer.ts';
import { UNREAD_MAX } from './unknown-field.ts';

/**
 * Why a method was not considered: the first of these reasons that holds:
 * - `disabled`;
 * - `other_subzone`: bound to a subzone that the destination is not in;
 * - `replaced_by_subzone`: bound to the zone, and the matched subzone has a method of the same group;
 * - `group_not_in_cart`.
 */
export const NotConsidered = strict('NotConsidered', {
  methodId: Id,
  methodName: Name,
  reason: Type.Enum(['disabled', 'other_subzone', 'replaced_by_subzone', 'group_not_in_cart']),
});
export type NotConsidered = Readonly<Static<typeof NotConsidered>>;

const nullableInteger = (description: string) => orNull(Type.Integer(), { description });

const Tier = untitled({
  index: Type.Integer({ minimum: 0 }),
  from: countOf('Included; grams, cents or pieces as the rate type has it'),
  to: nullableInteger('Excluded; null = open'),
  total: countOf("The total of the method's group that the tier holds"),
});

const clamped = <B extends string[]>(bounds: readonly [...B], description: string) =>
  Type.Optional(
    untitled({
      bound: Type.Enum(bounds, { description }),
      unclamped: nullableInteger('Cents before; null beyond 2^53-1'),
    }),
  );

/**
 * The version that last changed the method or, for a rule step, the rule (contract section 10.3). For a staged change,
 * `versionId` and `number` are null; for a version that is no longer kept, all but `number`; in a preview, all.
 */
export const LastChanged = strict('LastChanged', {
  versionId: orNull(Id),
  number: nullableInteger('Number of the version'),
  at: orNull(Type.String(), { description: 'ISO time' }),
  keyId: orNull(Id),
  keyLabel: orNull(Type.String(), { description: 'null when the key was revoked' }),
  createdBy: orNull(Type.Enum(VERSION_AUTHORS)),
});
export type LastChanged = Readonly<Static<typeof LastChanged>>;

const lastChanged = orNull(LastChanged, {
  description: 'null when the change is older than the history that is kept',
});

const step = <K extends string, P extends Record<string, Type.TSchema>>(kind: K, fields: P) =>
  untitled({ kind: Type.Literal(kind), before: Cents, after: Cents, ...fields, lastChanged });

export const PriceStep = Type.Union([
  step('base', {
    rateType: Type.Enum(RATE_TYPE_NAMES),
    tier: Type.Optional(Tier),
    clamped: clamped(['minPrice', 'maxPrice'], 'The bound of the percentage that the price was set to'),
  }),
  step('threshold', {
    freeShippingThreshold: Cents,
    cartTotal: Cents,
    orderTotal: Type.Optional(
      countOf('Total of the order after discounts, if the threshold is compared with it'),
    ),
  }),
  step('rule', {
    ruleId: Id,
    action: Type.Enum(RULE_ACTIONS),
    clamped: clamped(['zero'], 'A price is never below zero'),
  }),
]);
export type PriceStep = Readonly<Static<typeof PriceStep>>;

type WithoutLastChanged<S> = S extends PriceStep ? Omit<S, 'lastChanged'> : never;
/** A step without the history, which follows from the configuration alone. */
export type PlainStep = WithoutLastChanged<PriceStep>;

const day = Type.String({ description: "YYYY-MM-DD in the shop's time zone" });

/** `first_working_day` is present only if the day before this step is no working day. */
export const DeliveryStep = Type.Union([
  untitled({
    kind: Type.Literal('cutoff'),
    from: day,
    to: day,
    cutoff: Type.String({ description: 'HH:MM; the order came at or after it' }),
  }),
  untitled({
    kind: Type.Enum(['first_working_day', 'handling', 'earliest_delivery', 'latest_delivery']),
    from: day,
    to: day,
    workingDays: countOf('Working days that the step takes'),
    weekend: countOf('Skipped days that are no working days of the week'),
    holiday: countOf('Skipped holidays that would have been working days'),
  }),
]);
export type DeliveryStep = Readonly<Static<typeof DeliveryStep>>;

/**
 * Kinds of change in the order of preference, whatever the size of the change: the amount that a shopper buys, the
 * description of an item, an item left out, the destination. The preferred change of one kind:
 * - `cart_total`, `order_total`, `cart_weight`, `quantity`: the least absolute `by`; then up before down; then the first
 *   item.
 * - `tag_added`: tags in conditions before others, in the order of the conditions; then the first item.
 * - `tag_removed`: the first item, then its first tag.
 * - `item_dropped`: the item with the least price x quantity, then the first.
 * - `state`, `postal_code`: values in conditions before others, in the order of the conditions; an empty value last.
 */
export const CHANGE_KINDS = [
  'cart_total',
  'order_total',
  'cart_weight',
  'quantity',
  'tag_added',
  'tag_removed',
  'item_dropped',
  'state',
  'postal_code',
] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

const text = (description: string) => Type.String({ description });
const itemIndex = countOf('Index into the items of the request');
const change = <K extends ChangeKind, P extends Record<string, Type.TSchema>>(kind: K, properties: P) =>
  untitled({ kind: Type.Literal(kind), ...properties, text: text('The change in one sentence') });
const by = (what: string) => Type.Integer({ description: `${what}; negative = less` });
const upTo = (minimum: number, maximum: number, description: string) =>
  Type.Integer({ minimum, maximum, description });

const DescribedChange = Type.Union([
  change('cart_total', {
    by: by('Cents by which the cart total changes'),
    itemIndex,
    to: upTo(0, PRICE_MAX, 'New unit price of that item in cents'),
  }),
  change('order_total', {
    by: by('Cents by which the total of the order after discounts changes'),
    to: upTo(0, ORDER_TOTAL_MAX, 'New `orderTotals.totalPrice` in cents'),
  }),
  change('cart_weight', {
    by: by('Grams by which the cart weight changes'),
    itemIndex,
    to: upTo(0, GRAMS_MAX, 'New unit weight of that item in grams'),
  }),
  change('quantity', { by: by('Pieces'), itemIndex, to: upTo(1, QUANTITY_MAX, 'New quantity of that item') }),
  change('tag_added', { itemIndex, tag: text('Appended to the tags of that item, behind a comma') }),
  change('tag_removed', { itemIndex, tag: text('Every tag of that item that compares equal is removed') }),
  change('item_dropped', { itemIndex }),
  change('state', { to: text('New `destination.province`; "" = none') }),
  change('postal_code', { to: text('New `destination.postalCode`; "" = none') }),
]);
type DescribedChange = Readonly<Static<typeof DescribedChange>>;

type WithoutText<C> = C extends unknown ? Omit<C, 'text'> : never;
export type RequestChange = WithoutText<DescribedChange>;

/** The change, and the price of the method in the answer to the changed request. */
export const WhyNot = strict('WhyNot', { change: DescribedChange, totalPrice: Cents });
export type WhyNot = Readonly<Static<typeof WhyNot>>;

const whyNot = {
  whyNot: Type.Optional(
    orNull(WhyNot, {
      description: `The smallest single change to the request after which the method is visible, or the rule of a visible method matches; null when none of the changes that were tried does: all numbers, and the texts that conditions, groups and subzones name. Kinds in the order of preference: ${CHANGE_KINDS.join(', ')}; within a kind the least \`by\`, then up before down, then the first item`,
    }),
  ),
  whyNotLimited: Type.Optional(
    Type.Literal(true, {
      description: 'The search reached a limit: null proves nothing, and there may be a smaller change',
    }),
  ),
};

/** Maximum entries of a list of compared values, and characters of each text in it. */
export const ACTUAL_ENTRIES_MAX = 20;
export const ACTUAL_TEXT_MAX = 1_000;

const ActualText = Type.String({ maxLength: ACTUAL_TEXT_MAX + 3 });
const atMost = <T extends Type.TSchema>(schema: T) => Type.Array(schema, { maxItems: ACTUAL_ENTRIES_MAX });
const Actual = Type.Union([ActualText, count, atMost(Type.Union([ActualText, count, atMost(ActualText)]))], {
  description: `The compared values: texts trimmed and in lower case, postal codes in their canonical form; a text of more than ${ACTUAL_TEXT_MAX.toLocaleString('en-US')} characters is cut there and ends in three dots. A condition about items has one entry for each item in its scope, for tags a list; at most ${ACTUAL_ENTRIES_MAX} of each`,
});
export type Actual = Static<typeof Actual>;

const ExplainedConditionTrace = strict('ExplainedConditionTrace', {
  ...ConditionTrace.properties,
  actual: Actual,
});

/** `whyNot` is present for an unmatched rule that would change the price of a visible method. */
const ExplainedRuleTrace = strict('ExplainedRuleTrace', {
  ...RuleTrace.properties,
  name: OptionalName,
  conditions: Type.Array(ExplainedConditionTrace),
  ...whyNot,
});

/** The clock of time conditions. */
export const SimulatedTime = strict('SimulatedTime', {
  iso: Type.String({ description: 'ISO time, in UTC' }),
  date: Type.String({ description: "YYYY-MM-DD in the shop's time zone" }),
  time: Type.String({ description: "HH:MM in the shop's time zone" }),
  day: Type.Enum(WEEKDAYS, { description: "Day of the week in the shop's time zone" }),
});
export type SimulatedTime = Readonly<Static<typeof SimulatedTime>>;

/** `whyNot` is present when the method is not visible. */
const ExplainedMethodEvaluation = strict('ExplainedMethodEvaluation', {
  ...MethodEvaluation.properties,
  ruleTraces: Type.Array(ExplainedRuleTrace),
  steps: Type.Array(PriceStep, {
    description:
      'The steps of the price; for a method that is not visible, of the price that it would have. Empty outside the rate table',
  }),
  deliverySteps: Type.Optional(
    Type.Array(DeliveryStep, {
      description:
        'For a visible method with a delivery time: the steps of its dates. Both deliveries begin on the day on which the parcel leaves',
    }),
  ),
  ...whyNot,
});

export const ExplainedAnswer = strict('ExplainedAnswer', {
  ...SimulateAnswer.properties,
  methodEvaluations: Type.Array(ExplainedMethodEvaluation),
  notConsidered: Type.Array(NotConsidered, {
    description: 'Methods of the zone and its subzones that were not evaluated',
  }),
  at: SimulatedTime,
  unread: Type.Array(Type.String(), {
    maxItems: UNREAD_MAX,
    description: 'JSON paths of unknown fields of the request, which were ignored',
  }),
});
export type ExplainedAnswer = Static<typeof ExplainedAnswer>;

export interface WhyNotFields {
  readonly whyNot: WhyNot | null;
  readonly whyNotLimited?: true;
}
