/**
 * Witness maker: requests that show a finding, each simulated before it is handed out. Simulating costs
 * time in proportion to the answer, so there is a budget; when it is spent, findings come without a
 * witness.
 */
import type { CompiledShop } from '../compile/compiled-shop.ts';
import { REQUEST_TEXT, SOURCE } from '../compile/predicate.ts';
import type { CartItem, SimulateRequest } from '../domain/cart.ts';
import type { Witness } from '../domain/finding.ts';
import { evaluate } from '../evaluate/evaluate.ts';
import type { SimulateAnswer } from '../wire/answer.ts';
import { findLocalMinute, instantOf } from './calendar-search.ts';
import { buildItems } from './cart-builder.ts';
import { cartNeedOf } from './cart-need.ts';
import type { GroupMap } from './group-map.ts';
import { findPlace } from './place-search.ts';
import type { PlaceIndex } from './places.ts';
import { Places } from './places.ts';
import { type Requirement, RequirementTable, variableOf } from './requirement.ts';
import { calendarNeedOf, findRequestText, type MethodPlace, topicOf } from './requirement-logic.ts';
import { Steps } from './steps.ts';
import type { ZoneFacts } from './zone-map.ts';

/** Characters that the answers to all requests tried for a report may have together: a second or two. */
const ANSWER_CHARACTERS_MAX = 100_000_000;

const ISO_TIME_LENGTH = '2026-01-07T12:00:00.000Z'.length;

const TEXT_FIELDS = {
  [REQUEST_TEXT.state]: 'province',
  [REQUEST_TEXT.city]: 'city',
  [REQUEST_TEXT.name]: 'name',
  [REQUEST_TEXT.company]: 'company',
  [REQUEST_TEXT.phone]: 'phone',
  [REQUEST_TEXT.address]: 'address1',
} as const;

export class WitnessMaker {
  readonly #shop: CompiledShop;
  readonly #groups: GroupMap;
  readonly #itemsMax: number;
  readonly #withinLimit: Requirement;
  /** The instant of requests for which the clock does not matter. */
  readonly #plainInstant: number;
  readonly #steps = new Steps();
  #charactersLeft = ANSWER_CHARACTERS_MAX;

  /** `itemsMax`: the operator's limit on items of one request. */
  constructor(shop: CompiledShop, groups: GroupMap, itemsMax: number) {
    this.#shop = shop;
    this.#groups = groups;
    this.#itemsMax = itemsMax;
    this.#withinLimit = new RequirementTable().of({
      conditionType: 'cart_unique_items',
      operator: 'less_than_or_equal',
      value: String(itemsMax),
      scope: 'any_product_in_order',
    });
    this.#plainInstant = this.#instantOf([]) ?? 0;
  }

  /** An instant at which the shop's clock satisfies the requirements on it; null when none was found. */
  #instantOf(onClock: readonly Requirement[]): number | null {
    const minute = findLocalMinute(calendarNeedOf(onClock, this.#steps));
    const instant = minute === null ? null : instantOf(this.#shop.calendar, minute);
    return instant === null || isWritable(instant) ? instant : null;
  }

  /**
   * The witness if the answer to it shows what it should; else null, as when the budget is spent or it has more
   * items than a request may have.
   */
  confirmed(witness: Witness | null, shows: (answer: SimulateAnswer) => boolean): Witness | null {
    if (witness === null || this.#charactersLeft <= 0) return null;
    if (witness.request.items.length > this.#itemsMax) return null;
    const answer = evaluate(this.#shop, witness.request, Date.parse(witness.at));
    if (!answer.ok) return null;
    this.#charactersLeft -= answer.value.length;
    return shows(JSON.parse(answer.value) as SimulateAnswer) ? witness : null;
  }

  /**
   * A request that may satisfy the requirements where the method is in force; not yet confirmed. null when
   * none was found.
   */
  satisfying(at: MethodPlace, requirements: readonly Requirement[]): Witness | null {
    return this.#steps.search(() => this.#find(at, requirements), null);
  }

  #find(at: MethodPlace, requirements: readonly Requirement[]): Witness | null {
    const need = cartNeedOf([...requirements, this.#withinLimit], at.group, this.#groups, this.#steps);
    const items = need === null ? null : buildItems(need, at.group, this.#groups, this.#steps);
    const place = findPlace(
      at.zone,
      at.places,
      requirements.filter((each) => topicOf(each) === 'place'),
      this.#steps,
    );
    if (items === null || place.kind !== 'found') return null;
    const onClock = requirements.filter((each) => topicOf(each) === 'calendar');
    const instant = onClock.length === 0 ? this.#plainInstant : this.#instantOf(onClock);
    const texts = textsOf(requirements, this.#steps);
    if (instant === null || texts === null) return null;
    const { country, postalCode } = place.place;
    const destination = { country, ...(postalCode === '' ? {} : { postalCode }), ...texts.destination };
    return {
      request: { destination, items: [...items], ...texts.request },
      at: new Date(instant).toISOString(),
    };
  }

  /** A request to a place with these items; null when no code of the place is known. */
  at(zone: ZoneFacts, place: PlaceIndex, items: readonly CartItem[]): Witness | null {
    const found = this.#steps.search(() => findPlace(zone, Places.of([place]), [], this.#steps), null);
    return found?.kind === 'found' ? this.to(found.place.country, found.place.postalCode, items) : null;
  }

  /** A plain request; the code is as a customer may write it, "" = left out. */
  to(country: string, postalCode: string, items: readonly CartItem[]): Witness {
    const destination = { country, ...(postalCode === '' ? {} : { postalCode }) };
    return { request: { destination, items: [...items] }, at: new Date(this.#plainInstant).toISOString() };
  }

  /** A plain item of a group; null when none is known. */
  itemOf(group: number): CartItem | null {
    const key = this.#groups.all[group]?.keys[0];
    return key === undefined ? null : { ...key, quantity: 1, grams: 500, price: 2_000 };
  }

  /** A plain item of whichever group. */
  anyItem(): CartItem | null {
    for (const group of this.#groups.fillable) {
      const item = this.itemOf(group);
      if (item !== null) return item;
    }
    return null;
  }
}

/** Whether a request can name the instant: its year has four digits in UTC. */
const isWritable = (instant: number): boolean => new Date(instant).toISOString().length === ISO_TIME_LENGTH;

interface RequestTexts {
  readonly destination: Readonly<Record<string, string>>;
  readonly request: Pick<SimulateRequest, 'currency' | 'locale'>;
}

function textsOf(requirements: readonly Requirement[], steps: Steps): RequestTexts | null {
  const textAt = (field: number): string | null => {
    const own = requirements.filter(({ variable }) => variable === variableOf(SOURCE.requestText, field));
    return own.length === 0 ? '' : findRequestText(own, steps);
  };
  const destination: Record<string, string> = {};
  for (const [field, name] of Object.entries(TEXT_FIELDS)) {
    const text = textAt(Number(field));
    if (text === null) return null;
    if (text !== '') destination[name] = text;
  }
  const currency = textAt(REQUEST_TEXT.currency);
  const locale = textAt(REQUEST_TEXT.locale);
  if (currency === null || locale === null) return null;
  return {
    destination,
    request: {
      ...(currency === '' ? {} : { currency: currency.toUpperCase() }),
      ...(locale === '' ? {} : { locale }),
    },
  };
}
