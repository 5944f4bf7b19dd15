/**
 * Witness maker: requests that show a finding, each simulated before it is handed out. Simulating costs time in
 * proportion to the answer, so there is a budget; when it is spent, findings come without a witness.
 */
import { findLocalMinute, instantOf } from '../candidates/calendar-search.ts';
import { buildItems } from '../candidates/cart-builder.ts';
import { cartNeedOf } from '../candidates/cart-need.ts';
import type { GroupMap } from '../candidates/group-map.ts';
import { leastFrom } from '../candidates/interval-set.ts';
import { findDestination } from '../candidates/place-search.ts';
import { type Requirement, requirementOf, variableOf } from '../candidates/requirement.ts';
import {
  CUSTOMER_TAGS,
  calendarNeedOf,
  findRequestText,
  type MethodPlace,
  numbersOfRequest,
  ORDER_TOTAL,
  topicOf,
} from '../candidates/requirement-logic.ts';
import { Steps } from '../candidates/steps.ts';
import { findTags } from '../candidates/text-search.ts';
import { type PlaceIndex, placesOf, type ZoneFacts } from '../candidates/zone-facts.ts';
import type { CompiledShop } from '../compile/compiled-shop.ts';
import { SOURCE, sourceOf } from '../compile/predicate.ts';
import { type CartItem, ORDER_TOTAL_MAX, type SimulateRequest } from '../domain/cart.ts';
import { CONDITION_TYPE_NAMES, CONDITION_TYPES, FIELD, type Subject } from '../domain/condition.ts';
import type { Witness } from '../domain/finding.ts';
import { evaluate } from '../evaluate/evaluate.ts';
import type { SimulateAnswer } from '../wire/answer.ts';

/** Characters that the answers to all requests tried for a report may have together: a second or two. */
const ANSWER_CHARACTERS_MAX = 100_000_000;

const ISO_TIME_LENGTH = '2026-01-07T12:00:00.000Z'.length;

/** True when the answer to a request shows the finding. */
export type Shows = (answer: SimulateAnswer) => boolean;

export class WitnessMaker {
  readonly #shop: CompiledShop;
  readonly #groups: GroupMap;
  readonly #itemsMax: number;
  readonly #withinLimit: Requirement;
  readonly #steps = new Steps();
  #charactersLeft = ANSWER_CHARACTERS_MAX;

  /** `itemsMax`: the operator's limit on items of one request. */
  constructor(shop: CompiledShop, groups: GroupMap, itemsMax: number) {
    this.#shop = shop;
    this.#groups = groups;
    this.#itemsMax = itemsMax;
    this.#withinLimit = requirementOf({
      conditionType: 'cart_unique_items',
      operator: 'less_than_or_equal',
      value: String(itemsMax),
      scope: 'any_product_in_order',
    });
  }

  /**
   * Returns the witness if its answer shows the finding; null if not, when the budget is used up, or when it has more
   * items than a request may have.
   */
  confirmed(witness: Witness | null, shows: Shows): Witness | null {
    if (witness === null || this.#charactersLeft <= 0) return null;
    if (witness.request.items.length > this.#itemsMax) return null;
    const answer = evaluate(this.#shop, witness.request, Date.parse(witness.at));
    if (!answer.ok) return null;
    this.#charactersLeft -= answer.value.length;
    return shows(JSON.parse(answer.value) as SimulateAnswer) ? witness : null;
  }

  /** Returns the first confirmed witness; null when there is none. */
  firstConfirmed(witnesses: Iterable<Witness | null>, shows: Shows): Witness | null {
    for (const witness of witnesses) if (this.confirmed(witness, shows) !== null) return witness;
    return null;
  }

  /** A request that satisfies the requirements where the method is in force; null when none was confirmed. */
  satisfying(at: MethodPlace, requirements: readonly Requirement[], shows: Shows): Witness | null {
    return this.confirmed(this.proposed(at, requirements), shows);
  }

  /** Same as `satisfying`, but not confirmed. */
  proposed(at: MethodPlace, requirements: readonly Requirement[]): Witness | null {
    return this.#steps.search(() => this.#find(at, requirements), null);
  }

  #find(at: MethodPlace, requirements: readonly Requirement[]): Witness | null {
    const need = cartNeedOf([...requirements, this.#withinLimit], at.group, this.#groups, this.#steps);
    const items = need === null ? null : buildItems(need, at.group, this.#groups, this.#steps);
    const on = (topic: 'place' | 'calendar') => requirements.filter((each) => topicOf(each) === topic);
    const place = findDestination(at, on('place'), this.#steps);
    const time = this.#timeOf(on('calendar'));
    const destination = this.#textsOf('destination', requirements);
    const texts = this.#textsOf('request', requirements);
    const customer = this.#customerOf(requirements);
    const totals = this.#orderTotalsOf(requirements);
    if (items === null || place === null || time === null || destination === null || texts === null)
      return null;
    if (customer === null || totals === null) return null;
    const { country, postalCode } = place;
    const written = { country, ...(postalCode === '' ? {} : { postalCode }), ...destination };
    const request = { destination: written, items: [...items], ...texts, ...customer, ...totals };
    return { request, at: time };
  }

  /** A customer that satisfies the requirements, if any is on the customer; null when no customer does. */
  #customerOf(requirements: readonly Requirement[]): Pick<SimulateRequest, 'customer'> | null {
    const tags = findTags(
      requirements.filter(({ variable }) => variable === CUSTOMER_TAGS),
      this.#steps,
    );
    const texts = this.#textsOf('customer', requirements);
    if (tags === null || texts === null) return null;
    const customer = { ...texts, ...(tags.length > 0 && { tags: [...tags] }) };
    return Object.keys(customer).length === 0 ? {} : { customer };
  }

  /** Totals of the order that satisfy the requirements, if any is on them; null when no totals do. */
  #orderTotalsOf(requirements: readonly Requirement[]): Pick<SimulateRequest, 'orderTotals'> | null {
    const own = requirements.filter(({ variable }) => variable === ORDER_TOTAL);
    if (own.length === 0) return {};
    const totalPrice = leastFrom(numbersOfRequest(own, this.#steps), 0);
    return totalPrice === null || totalPrice > ORDER_TOTAL_MAX ? null : { orderTotals: { totalPrice } };
  }

  /** A time at which the shop's clock satisfies the requirements on it; null when no request can name one. */
  #timeOf(onClock: readonly Requirement[]): string | null {
    const minute = findLocalMinute(calendarNeedOf(onClock, this.#steps));
    const instant = minute === null ? null : instantOf(this.#shop.calendar, minute);
    const time = instant === null ? null : new Date(instant).toISOString();
    return time?.length === ISO_TIME_LENGTH ? time : null;
  }

  /** Texts of this object that satisfy the requirements; null when no text does. The country is part of the place. */
  #textsOf(subject: Subject, requirements: readonly Requirement[]): Readonly<Record<string, string>> | null {
    const texts: Record<string, string> = {};
    for (const type of CONDITION_TYPE_NAMES) {
      const [key = 'country'] = CONDITION_TYPES[type].reads;
      const variable = variableOf(SOURCE.requestText, FIELD[type]);
      if (
        CONDITION_TYPES[type].subject !== subject ||
        sourceOf(type) !== SOURCE.requestText ||
        key === 'country'
      )
        continue;
      const own = requirements.filter((each) => each.variable === variable);
      const text = own.length === 0 ? '' : findRequestText(own, this.#steps);
      if (text === null) return null;
      if (text !== '') texts[key] = key === 'currency' ? text.toUpperCase() : text;
    }
    return texts;
  }

  /** A request to a place with one plain item of each group; null when no code of the place or no item is known. */
  at(zone: ZoneFacts, place: PlaceIndex, groups: readonly number[]): Witness | null {
    const found = this.#steps.search(
      () => findDestination({ zone, places: placesOf(place) }, [], this.#steps),
      null,
    );
    return found === null ? null : this.to(found.country, found.postalCode, groups);
  }

  /** As `at`, to a country with a postal code as a customer may write it; "" for no code. */
  to(country: string, postalCode: string, groups: readonly number[]): Witness | null {
    const destination = { country, ...(postalCode === '' ? {} : { postalCode }) };
    const items = groups.flatMap((group) => this.itemOf(group) ?? []);
    const at = this.#steps.search(() => this.#timeOf([]), null);
    return items.length < Math.max(1, groups.length) || at === null
      ? null
      : { request: { destination, items }, at };
  }

  /** Returns a plain item of a group; null when none is known. */
  itemOf(group: number): CartItem | null {
    const key = this.#groups.all[group]?.keys[0];
    return key === undefined ? null : { ...key, quantity: 1, grams: 500, price: 2_000 };
  }

  /** Returns any group for which an item is known. */
  anyGroup(): readonly number[] {
    const group = this.#groups.fillable.find((each) => this.itemOf(each) !== null);
    return group === undefined ? [] : [group];
  }
}
