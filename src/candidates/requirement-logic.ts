/**
 * Requirement logic: which sets of requirements contradict each other where a method is in force, and which follow from
 * others. Requirements on values that do not limit each other are decided apart.
 *
 * Sound both ways it is used: "contradictory" and "implied" are certain, "not" may mean "not decided".
 */
import { ORDER_NUMBER, REQUEST_TEXT, SOURCE } from '../compile/predicate.ts';
import { type CalendarNeed, findLocalMinute } from './calendar-search.ts';
import { cartNeedOf } from './cart-need.ts';
import type { GroupMap } from './group-map.ts';
import { groupedBy } from './map-entries.ts';
import { isNoPlace } from './place-search.ts';
import { numbersAt, type Requirement } from './requirement.ts';
import { Steps } from './steps.ts';
import { findText, isTextFit } from './text-search.ts';
import type { Places, ZoneFacts } from './zone-facts.ts';

/** Where a method is in force, and for which group. */
export interface MethodPlace {
  readonly zone: ZoneFacts;
  /** The reachable places at which it may be in force; empty when there are none. */
  readonly places: Places;
  /** Index of the group. */
  readonly group: number;
}

/** Values that limit each other; a text of the request, but for those of the place, stands alone. */
type Topic = 'place' | 'cart' | 'calendar' | number;

const CLOCK: readonly number[] = [ORDER_NUMBER.day, ORDER_NUMBER.time, ORDER_NUMBER.date];

export function topicOf({ predicate: { source, field }, variable }: Requirement): Topic {
  if (source === SOURCE.postalCode) return 'place';
  if (source === SOURCE.requestText) {
    return field === REQUEST_TEXT.country || field === REQUEST_TEXT.subzone ? 'place' : variable;
  }
  return source === SOURCE.orderNumber && CLOCK.includes(field) ? 'calendar' : 'cart';
}

export class RequirementLogic {
  readonly #groups: GroupMap;
  readonly #steps: Steps;

  /** After the steps have run out, every answer is "not". */
  constructor(groups: GroupMap, steps = new Steps()) {
    this.#groups = groups;
    this.#steps = steps;
  }

  /** True only when no request to which a method of this place applies satisfies all of them. */
  isContradictory(at: MethodPlace, requirements: readonly Requirement[]): boolean {
    return this.#steps.search(() => {
      for (const [topic, list] of groupedBy(requirements, topicOf)) {
        // Every search reads the operands at least once.
        for (const { value } of list) this.#steps.spend(1 + value.length);
        if (this.#isImpossible(at, topic, list)) return true;
      }
      return false;
    }, false);
  }

  /** True only when every request that satisfies `given` satisfies `wanted` too. */
  isImplied(at: MethodPlace, given: readonly Requirement[], wanted: Requirement): boolean {
    if (given.some((each) => each.key === wanted.key)) return true;
    const topic = topicOf(wanted);
    const related = given.filter((each) => topicOf(each) === topic);
    return this.isContradictory(at, [...related, wanted.opposite()]);
  }

  #isImpossible(at: MethodPlace, topic: Topic, requirements: readonly Requirement[]): boolean {
    switch (topic) {
      case 'place':
        return isNoPlace(at.zone, at.places, requirements, this.#steps);
      case 'cart':
        return cartNeedOf(requirements, at.group, this.#groups, this.#steps) === null;
      case 'calendar':
        return findLocalMinute(calendarNeedOf(requirements, this.#steps)) === null;
      default:
        return findRequestText(requirements, this.#steps) === null;
    }
  }
}

export function calendarNeedOf(requirements: readonly Requirement[], steps: Steps): CalendarNeed {
  const at = (field: number) => numbersAt(requirements, SOURCE.orderNumber, field, steps);
  return { days: at(ORDER_NUMBER.day), minutes: at(ORDER_NUMBER.time), dates: at(ORDER_NUMBER.date) };
}

/** Currencies from which an example is taken first. */
const EXAMPLE_CURRENCIES = ['usd', 'eur', 'gbp', 'jpy'];
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];
const CURRENCY_PART = /^[a-z]{0,3}$/;
const CURRENCY_LENGTH = 3;

/**
 * A text of the request, in comparable form, that satisfies requirements on that one text; null when there is none. A
 * currency is three letters, the request's or the shop's (contract section 10).
 */
export function findRequestText(requirements: readonly Requirement[], steps: Steps): string | null {
  if (requirements[0]?.predicate.field !== REQUEST_TEXT.currency) {
    return findText(requirements, steps);
  }
  for (const currency of currenciesLeft(requirements)) {
    if (isTextFit(requirements, currency, steps)) return currency;
  }
  return null;
}

/** Those that a list names if one is required; none where a piece is required that none has; else all. */
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
