/**
 * Requirement logic: which sets of requirements contradict each other where a method is in force, and
 * which follow from others. Requirements on values that do not limit each other are decided apart; each
 * decision is kept, as the rules of a shop repeat themselves.
 *
 * Sound both ways it is used: "contradictory" and "implied" are certain, "not" may mean "not decided".
 */
import { ORDER_NUMBER, REQUEST_TEXT, SOURCE } from '../compile/predicate.ts';
import { type CalendarNeed, findLocalMinute } from './calendar-search.ts';
import { cartNeedOf } from './cart-need.ts';
import type { GroupMap } from './group-map.ts';
import { isNoPlace } from './place-search.ts';
import type { Places } from './places.ts';
import { numbersAt, onlyTexts, type Requirement } from './requirement.ts';
import { Steps } from './steps.ts';
import { ANY_TEXT, findText, isTextFit } from './text-search.ts';
import type { ZoneFacts } from './zone-map.ts';

/** Where a method is in force, and for which group. */
export interface MethodPlace {
  readonly zone: ZoneFacts;
  /** The reachable places at which it may be in force; empty when there are none. */
  readonly places: Places;
  /** Index of the group. */
  readonly group: number;
  /** Decisions that hold for methods of this place and group only. */
  readonly decisions: Map<string, boolean>;
}

/** Values that limit each other; a text of the request, but for those of the place, stands alone. */
type Topic = 'place' | 'cart' | 'calendar' | number;

export function topicOf({ predicate: { source, field }, variable }: Requirement): Topic {
  switch (source) {
    case SOURCE.requestText:
      return field === REQUEST_TEXT.country || field === REQUEST_TEXT.subzone ? 'place' : variable;
    case SOURCE.postalCode:
      return 'place';
    case SOURCE.orderNumber:
      return field === ORDER_NUMBER.day || field === ORDER_NUMBER.time || field === ORDER_NUMBER.date
        ? 'calendar'
        : 'cart';
    default:
      return 'cart';
  }
}

/** Characters of a decision's key beyond which it is not kept, and how many are kept. */
const KEY_LENGTH_MAX = 2_000;
const DECISIONS_MAX = 50_000;

export class RequirementLogic {
  readonly #groups: GroupMap;
  readonly #steps: Steps;
  readonly #decisions = new Map<string, boolean>();

  /** When the steps have run out, nothing more is contradictory or implied. */
  constructor(groups: GroupMap, steps = new Steps()) {
    this.#groups = groups;
    this.#steps = steps;
  }

  /** True only when no request to which a method of this place applies satisfies all of them. */
  isContradictory(at: MethodPlace, requirements: readonly Requirement[]): boolean {
    const first = requirements[0];
    if (first === undefined) return false;
    if (requirements.length === 1) return this.#isTopicContradictory(at, topicOf(first), requirements);
    return this.#steps.search(() => this.#isSomeTopicContradictory(at, requirements), false);
  }

  #isSomeTopicContradictory(at: MethodPlace, requirements: readonly Requirement[]): boolean {
    this.#steps.spend(requirements.length);
    const byTopic = new Map<Topic, Requirement[]>();
    for (const each of requirements) {
      const topic = topicOf(each);
      const list = byTopic.get(topic);
      if (list === undefined) byTopic.set(topic, [each]);
      else list.push(each);
    }
    for (const [topic, list] of byTopic) if (this.#isTopicContradictory(at, topic, list)) return true;
    return false;
  }

  /** True only when every request that satisfies `given` satisfies `wanted` too. */
  isImplied(at: MethodPlace, given: readonly Requirement[], wanted: Requirement): boolean {
    if (given.some((each) => each.key === wanted.key)) return true;
    const topic = topicOf(wanted);
    const related = given.filter((each) => topicOf(each) === topic);
    return this.#isTopicContradictory(at, topic, [...related, wanted.opposite()]);
  }

  #isTopicContradictory(at: MethodPlace, topic: Topic, requirements: readonly Requirement[]): boolean {
    const decisions = topic === 'place' || topic === 'cart' ? at.decisions : this.#decisions;
    const key = requirements.length === 1 ? requirements[0]?.key : keyOf(requirements);
    if (key === undefined) return this.#decide(at, topic, requirements);
    let decision = decisions.get(key);
    if (decision === undefined) {
      decision = this.#decide(at, topic, requirements);
      if (decisions.size < DECISIONS_MAX) decisions.set(key, decision);
    }
    return decision;
  }

  #decide(at: MethodPlace, topic: Topic, requirements: readonly Requirement[]): boolean {
    return this.#steps.search(() => {
      // What each search does at the least: it reads the operands.
      this.#steps.spend(lengthOf(requirements));
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
    }, false);
  }
}

const lengthOf = (requirements: readonly Requirement[]): number =>
  requirements.reduce((sum, { key }) => sum + key.length, 0);

function keyOf(requirements: readonly Requirement[]): string | undefined {
  return lengthOf(requirements) > KEY_LENGTH_MAX
    ? undefined
    : requirements
        .map(({ key }) => key)
        .sort()
        .join('\n');
}

export function calendarNeedOf(requirements: readonly Requirement[], steps: Steps): CalendarNeed {
  const at = (field: number) => numbersAt(requirements, SOURCE.orderNumber, field, steps);
  return { days: at(ORDER_NUMBER.day), minutes: at(ORDER_NUMBER.time), dates: at(ORDER_NUMBER.date) };
}

/** Currencies from which an example is taken first. */
const EXAMPLE_CURRENCIES = ['usd', 'eur', 'gbp', 'jpy'];
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];

const CURRENCY = /^[a-z]{3}$/;
const CURRENCY_PART = /^[a-z]{0,3}$/;

/**
 * A text of the request, in comparable form, that satisfies requirements on that one text; null when there
 * is none. A currency is three letters, the request's or the shop's (contract section 10), so all of them are tried
 * that a requirement leaves.
 */
export function findRequestText(requirements: readonly Requirement[], steps: Steps): string | null {
  if (requirements[0]?.predicate.field !== REQUEST_TEXT.currency) {
    return findText(requirements, ANY_TEXT, steps);
  }
  const isFit = (text: string) => isTextFit(requirements, text, steps);
  const example = EXAMPLE_CURRENCIES.find(isFit);
  if (example !== undefined) return example;
  for (const currency of currenciesLeft(requirements)) if (isFit(currency)) return currency;
  return null;
}

/** In alphabetical order, those that a list names if one is required, else all that there can be. */
function currenciesLeft(requirements: readonly Requirement[]): Iterable<string> {
  const listed = onlyTexts(requirements);
  if (listed !== null) return listed.filter((text) => CURRENCY.test(text)).sort();
  // Nothing that it asks for has a place in three letters.
  const isHopeless = ({ negated, predicate: { texts, textSet, prefixes } }: Requirement) =>
    !negated && [...(textSet ?? texts), ...prefixes].every((part) => !CURRENCY_PART.test(part));
  return requirements.some(isHopeless) ? [] : everyCurrency();
}

function* everyCurrency(): Generator<string> {
  for (const a of LETTERS) {
    for (const b of LETTERS) for (const c of LETTERS) yield a + b + c;
  }
}
