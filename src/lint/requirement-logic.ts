/**
 * Requirement logic: which sets of requirements contradict each other where a method is in force, and
 * which follow from others. Requirements on values that do not limit each other are decided apart; each
 * decision is kept, as the rules of a shop repeat themselves.
 *
 * Sound both ways it is used: "contradictory" and "implied" are certain, "not" may mean "not decided".
 */
import { ORDER_NUMBER, REQUEST_TEXT, SOURCE } from '../compile/predicate.ts';
import { testText } from '../evaluate/predicate-test.ts';
import { type CalendarNeed, findLocalMinute } from './calendar-search.ts';
import { cartNeedOf } from './cart-need.ts';
import type { GroupMap } from './group-map.ts';
import { intersection } from './interval-set.ts';
import { isNoPlace } from './place-search.ts';
import { numberBounds, type Requirement } from './requirement.ts';
import { ANY_TEXT, findText } from './text-search.ts';
import type { PlaceIndex, ZoneFacts } from './zone-map.ts';

/** Where a method is in force, and for which group. */
export interface MethodPlace {
  readonly zone: ZoneFacts;
  /** The reachable places at which it may be in force; empty when there are none. */
  readonly places: readonly PlaceIndex[];
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

/**
 * Characters of requirements that are decided about for one report. Measured: 10 MB of long lists in one
 * method's rules took 16 s without this bound; a shop of 100,000 ordinary rules spends a twentieth of it.
 */
const DECIDED_CHARACTERS_MAX = 50_000_000;

export class RequirementLogic {
  readonly #groups: GroupMap;
  #charactersLeft = DECIDED_CHARACTERS_MAX;
  readonly #decisions = new Map<string, boolean>();

  constructor(groups: GroupMap) {
    this.#groups = groups;
  }

  /** True only when no request to which a method of this place applies satisfies all of them. */
  isContradictory(at: MethodPlace, requirements: readonly Requirement[]): boolean {
    const first = requirements[0];
    if (first === undefined) return false;
    if (requirements.length === 1) return this.#isTopicContradictory(at, topicOf(first), requirements);
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
    if (this.#charactersLeft <= 0) return false;
    this.#charactersLeft -= lengthOf(requirements);
    switch (topic) {
      case 'place':
        return isNoPlace(at.zone, at.places, requirements);
      case 'cart':
        return cartNeedOf(requirements, at.group, this.#groups) === null;
      case 'calendar':
        return findLocalMinute(calendarNeedOf(requirements)) === null;
      default:
        return findRequestText(requirements) === null;
    }
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

export function calendarNeedOf(requirements: readonly Requirement[]): CalendarNeed {
  const at = (field: number) =>
    requirements
      .filter(({ predicate }) => predicate.source === SOURCE.orderNumber && predicate.field === field)
      .reduce(
        (numbers, each) => intersection(numbers, each.numbers()),
        numberBounds(SOURCE.orderNumber, field),
      );
  return { days: at(ORDER_NUMBER.day), minutes: at(ORDER_NUMBER.time), dates: at(ORDER_NUMBER.date) };
}

/** Currencies from which an example is taken first. */
const EXAMPLE_CURRENCIES = ['', 'usd', 'eur', 'gbp', 'jpy'];
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];

/**
 * A text of the request, in comparable form, that satisfies requirements on that one text; null when there
 * is none. A currency is none at all or three letters (contract section 5), so all of them are tried.
 */
export function findRequestText(requirements: readonly Requirement[]): string | null {
  if (requirements[0]?.predicate.field !== REQUEST_TEXT.currency) return findText(requirements, ANY_TEXT);
  const isFit = (text: string) =>
    requirements.every(({ predicate, negated }) => testText(predicate, text) !== negated);
  const example = EXAMPLE_CURRENCIES.find(isFit);
  if (example !== undefined) return example;
  for (const a of LETTERS) {
    for (const b of LETTERS) {
      for (const c of LETTERS) if (isFit(a + b + c)) return a + b + c;
    }
  }
  return null;
}
