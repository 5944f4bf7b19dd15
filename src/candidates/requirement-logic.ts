/**
 * Requirement logic: decides which sets of requirements contradict each other where a method is in force, and which
 * requirements follow from others. Requirements on independent values are decided separately.
 *
 * "Contradictory" and "implied" are proved; "not" may mean "not decided".
 */
import { SOURCE } from '../compile/predicate.ts';
import { CONDITION_TYPE_NAMES, CONDITION_TYPES, FIELD, type Subject } from '../domain/condition.ts';
import { groupedBy } from '../runtime/map-entries.ts';
import { type CalendarNeed, findLocalMinute } from './calendar-search.ts';
import { cartNeedOf } from './cart-need.ts';
import type { GroupMap } from './group-map.ts';
import { type IntervalSet, isEmptySet } from './interval-set.ts';
import { hasNoDestination, type ZonePlaces } from './place-search.ts';
import { numbersAt, type Requirement, variableOf } from './requirement.ts';
import { Steps } from './steps.ts';
import { findTags, findText, isTextFit } from './text-search.ts';

/** The reachable places at which a method may be in force, if any, and its group. */
export interface MethodPlace extends ZonePlaces {
  /** Index of the group. */
  readonly group: number;
}

/** Values that depend on each other. A text or number of the request that depends on no other has its own topic. */
type Topic = 'place' | 'cart' | 'calendar' | number;

/** The numbers in `FIELD` of what no request gives: the clock, and the numbers that follow from the items. */
const derivedFields = (subject: Subject): readonly number[] =>
  CONDITION_TYPE_NAMES.filter(
    (type) => CONDITION_TYPES[type].subject === subject && CONDITION_TYPES[type].reads.length === 0,
  ).map((type) => FIELD[type]);
const OF_CLOCK = derivedFields('clock');
const OF_CART = derivedFields('order');

/** A request can have any other number and any customer tags, whatever its cart is, so each is a topic of its own. */
export const ORDER_TOTAL = variableOf(SOURCE.orderNumber, FIELD.order_total);
export const CUSTOMER_TAGS = variableOf(SOURCE.customerTags, 0);

export function topicOf({ predicate: { source, field }, variable }: Requirement): Topic {
  if (source === SOURCE.postalCode) return 'place';
  if (source === SOURCE.requestText) {
    return field === FIELD.destination_country || field === FIELD.destination_subzone ? 'place' : variable;
  }
  if (variable === CUSTOMER_TAGS) return variable;
  if (source !== SOURCE.orderNumber || OF_CART.includes(field)) return 'cart';
  return OF_CLOCK.includes(field) ? 'calendar' : variable;
}

export class RequirementLogic {
  readonly #groups: GroupMap;
  readonly #steps: Steps;

  /** When the steps are used up, every answer is false. */
  constructor(groups: GroupMap, steps = new Steps()) {
    this.#groups = groups;
    this.#steps = steps;
  }

  /** True only when no request to which a method of this place applies satisfies all requirements. */
  isContradictory(at: MethodPlace, requirements: readonly Requirement[]): boolean {
    return this.#steps.search(() => {
      for (const [topic, list] of groupedBy(requirements, topicOf)) {
        // Each search reads the operands at least once.
        for (const { value } of list) this.#steps.spend(1 + value.length);
        if (this.#isImpossible(at, topic, list)) return true;
      }
      return false;
    }, false);
  }

  /** True only when every request that satisfies `given` also satisfies `wanted`. */
  isImplied(at: MethodPlace, given: readonly Requirement[], wanted: Requirement): boolean {
    if (given.some((each) => each.key === wanted.key)) return true;
    const topic = topicOf(wanted);
    const related = given.filter((each) => topicOf(each) === topic);
    return this.isContradictory(at, [...related, wanted.opposite()]);
  }

  #isImpossible(at: MethodPlace, topic: Topic, requirements: readonly Requirement[]): boolean {
    if (topic === 'place') return hasNoDestination(at, requirements, this.#steps);
    if (topic === 'cart') return cartNeedOf(requirements, at.group, this.#groups, this.#steps) === null;
    if (topic === 'calendar') return findLocalMinute(calendarNeedOf(requirements, this.#steps)) === null;
    if (topic === CUSTOMER_TAGS) return findTags(requirements, this.#steps) === null;
    return requirements[0]?.predicate.source === SOURCE.orderNumber
      ? isEmptySet(numbersOfRequest(requirements, this.#steps))
      : findRequestText(requirements, this.#steps) === null;
  }
}

/** The numbers of a request, such as the total after discounts, that satisfy the requirements, all on one number. */
export const numbersOfRequest = (requirements: readonly Requirement[], steps: Steps): IntervalSet =>
  numbersAt(requirements, SOURCE.orderNumber, requirements[0]?.predicate.field ?? 0, steps);

export function calendarNeedOf(requirements: readonly Requirement[], steps: Steps): CalendarNeed {
  const at = (field: number) => numbersAt(requirements, SOURCE.orderNumber, field, steps);
  return { days: at(FIELD.day_of_week), minutes: at(FIELD.time_of_day), dates: at(FIELD.date) };
}

/** Preferred currencies of examples. */
const EXAMPLE_CURRENCIES = ['usd', 'eur', 'gbp', 'jpy'];
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];
const CURRENCY_PART = /^[a-z]{0,3}$/;
const CURRENCY_LENGTH = 3;

/**
 * Returns a text of the request, in comparable form, that satisfies requirements on that text; null when there is none.
 * A currency has three letters and comes from the request or the shop (contract section 10).
 */
export function findRequestText(requirements: readonly Requirement[], steps: Steps): string | null {
  if (requirements[0]?.predicate.field !== FIELD.cart_currency) {
    return findText(requirements, steps);
  }
  for (const currency of currenciesLeft(requirements)) {
    if (isTextFit(requirements, currency, steps)) return currency;
  }
  return null;
}

/** Yields the listed currencies if a list is required, none if an impossible piece is required, else all. */
function* currenciesLeft(requirements: readonly Requirement[]): Generator<string> {
  for (const { negated, pieces } of requirements) {
    if (negated) continue;
    const left = pieces.filter(({ text }) => CURRENCY_PART.test(text));
    if (left.some(({ kind }) => kind !== 'whole')) continue;
    yield* left.map(({ text }) => text).filter(({ length }) => length === CURRENCY_LENGTH);
    return;
  }
  yield* EXAMPLE_CURRENCIES;
  for (const a of LETTERS) for (const b of LETTERS) for (const c of LETTERS) yield a + b + c;
}
