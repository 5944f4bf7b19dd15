/** Why a cart is offered no rate, or may be offered fewer than its reader expects: sentences, each with links that help. */
import type { Schemas } from '../../client/call-table.ts';
import { uncapitalized } from '../labels.ts';
import type { Place } from '../place.ts';
import { countryName } from '../place-names.ts';
import { type Explained, type MethodEvaluation, reasonText } from './answers.ts';
import type { Cart } from './cart.ts';
import { groupsOfItems } from './item-groups.ts';

type Zone = Schemas['Zone'];
type Group = Schemas['ProductGroup'];

export interface Step extends Place {
  readonly text: string;
  /** It leads to the form of a new record, which only a key that may write can save. */
  readonly isNew?: true;
  /** What the form of a new zone begins with. */
  readonly zone?: { readonly name: string; readonly countries: readonly string[] };
}

export interface Obstacle {
  readonly text: string;
  readonly steps: readonly Step[];
}

/** The zones and product groups of the shop. */
export interface ShopRecords {
  readonly zones: readonly Zone[];
  readonly groups: readonly Group[];
}

/** Methods that a sentence names. */
const NAMED_MAX = 3;

const openStep = (page: string, id: string, name: string): Step => {
  return { text: `Open ${name}`, page, parameters: { open: id } };
};

/** Why the answer has no rate, and what would help. */
export function obstaclesOf(answer: Explained, cart: Cart, shop: ShopRecords): readonly Obstacle[] {
  const shipped = cart.items.filter(({ requiresShipping }) => requiresShipping !== false);
  if (shipped.length === 0)
    return [{ text: 'Nothing in this cart is shipped, so it is offered no rate.', steps: [] }];
  const { zone, methodEvaluations, notConsidered, blendedRates } = answer;
  if (zone === null) {
    const code = cart.destination.country.toUpperCase();
    const steps = [newZone(code), { text: 'Open the zones', page: 'zones', parameters: {} }];
    return [{ text: `${countryName(code)} is in no zone.`, steps }];
  }
  const priced = new Set(methodEvaluations.map(({ productGroupId }) => productGroupId));
  const inCart = new Set(groupsOfItems(shipped, shop.groups));
  const bare = shop.groups.filter(({ id }) => inCart.has(id) && !priced.has(id));
  const obstacles: Obstacle[] = bare.map(({ id, name }) => ({
    text: `${zone.name} has no method for ${name}.`,
    steps: [
      {
        text: `Make a method for ${name}`,
        page: 'methods',
        parameters: { zone: zone.id, group: id },
        isNew: true,
      },
    ],
  }));
  // A method of these groups may be there, and be off or of another subzone.
  const asleep =
    bare.length === 0 ? [] : notConsidered.filter(({ reason }) => reason !== 'group_not_in_cart');
  if (asleep.length > 0) {
    const named = asleep.slice(0, NAMED_MAX);
    obstacles.push({
      text: `Not considered: ${named.map(({ methodName, reason }) => `${methodName} (${uncapitalized(reasonText(reason))})`).join(', ')}${
        asleep.length > named.length ? ` and ${asleep.length - named.length} more` : ''
      }.`,
      steps: named.map(({ methodId, methodName }) => openStep('methods', methodId, methodName)),
    });
  }
  if (blendedRates.length > 0 && blendedRates.every(({ visible }) => !visible)) {
    obstacles.push({
      text: 'A cart of several groups is offered blended rates and nothing else, and none of them is available.',
      steps: blendedRates
        .slice(0, NAMED_MAX)
        .map(({ blendedRateId: id, name }) => openStep('blends', id, name)),
    });
  }
  const hidden = methodEvaluations.filter(({ visible }) => !visible);
  if (hidden.length > 0) {
    const [first] = hidden;
    const country = hidden.some(hidesCountry) ? newForCountry(cart, zone.id, shop, hidden) : [];
    obstacles.push({
      text:
        hidden.length === 1
          ? `${first?.methodName} is hidden. It says below why.`
          : `${hidden.length} methods for these items are hidden. Each says below why.`,
      steps: [...hidden.slice(0, NAMED_MAX).map(openRules), ...country],
    });
  }
  return obstacles;
}

const newZone = (code: string): Step => ({
  ...{ text: `Make a zone for ${countryName(code)}`, page: 'zones', parameters: {} },
  isNew: true,
  zone: { name: countryName(code), countries: [code] },
});

const openRules = ({ methodId, methodName, reason }: MethodEvaluation): Step =>
  reason === 'hidden_by_rule' || reason === 'not_shown_by_rule'
    ? {
        text: `Open the rules of ${methodName}`,
        page: 'methods',
        parameters: { open: methodId, tab: 'rules' },
      }
    : openStep('methods', methodId, methodName);

/** A rule hides it because of the country. */
const hidesCountry = ({ reason, ruleTraces }: MethodEvaluation): boolean =>
  ruleTraces.some(
    ({ action, matched, conditions }) =>
      conditions.some(
        (condition) =>
          condition.conditionType === 'destination_country' && condition.matched === (action === 'hide'),
      ) &&
      ((reason === 'hidden_by_rule' && action === 'hide' && matched) ||
        (reason === 'not_shown_by_rule' && action === 'show')),
  );

/** A zone of its own for a country of the rest of the world; else a further method of the zone that lists it. */
function newForCountry(
  cart: Cart,
  zoneId: string,
  { zones }: ShopRecords,
  [hidden]: readonly MethodEvaluation[],
): readonly Step[] {
  const code = cart.destination.country.toUpperCase();
  const zone = zones.find(({ id }) => id === zoneId);
  if (zone === undefined || hidden === undefined) return [];
  if (!zone.countries.includes(code)) return [newZone(code)];
  return [
    {
      text: `Make a method for ${zone.countries.length === 1 ? countryName(code) : zone.name}`,
      ...{ page: 'methods', parameters: { zone: zone.id, group: hidden.productGroupId } },
      isNew: true,
    },
  ];
}

/** What the place of a cart may surprise with: a postal code in no subzone, a country that a later zone lists too. */
export function placeHints({ zone }: Explained, cart: Cart, zones: readonly Zone[]): readonly Obstacle[] {
  const matched = zones.find(({ id }) => id === zone?.id);
  if (matched === undefined) return [];
  const hints: Obstacle[] = [];
  const { country, postalCode = '' } = cart.destination;
  if (zone?.subzone === null && matched.subzones.length > 0) {
    const typed = postalCode?.trim() ?? '';
    const [only, ...others] = matched.subzones;
    const missed = others.length === 0 ? `the subzone ${only?.name}` : 'any of its subzones';
    hints.push({
      text:
        typed === ''
          ? `Without a postal code the cart is not in ${missed}.`
          : `The postal code ${typed} is not in ${missed}.`,
      steps: [openStep('zones', matched.id, matched.name)],
    });
  }
  const code = country.toUpperCase();
  const later = zones.filter((other) => other !== matched && other.countries.includes(code));
  const [first] = later;
  if (first !== undefined && matched.countries.includes(code)) {
    hints.push({
      text: `${countryName(code)} is also in ${first.name}, which is not asked because it stands later.`,
      steps: [openStep('zones', first.id, first.name)],
    });
  }
  return hints;
}
