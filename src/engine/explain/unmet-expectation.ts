/**
 * Why an expectation of a check is not met, in one sentence: the price that differs, or what keeps the expected rate from
 * being offered, down to the rule that hides its method (contract section 10.1).
 */
import { differenceFrom, type Expectation, type Offer } from '../domain/expectation.ts';
import type { ShopConfig } from '../domain/shop-config.ts';
import type { MethodEvaluation, SimulateAnswer } from '../wire/answer.ts';

/** The parts of a cart and of its answer that the sentences name. */
interface AnsweredCart extends Offer {
  readonly config: ShopConfig;
  readonly country: string;
  /** Makes the whole answer; called only when a rate is missing. */
  readonly trace: () => SimulateAnswer;
}

type BlendedEvaluation = SimulateAnswer['blendedRates'][number];

/** Returns the sentence for an expectation that is not met; null when it is met. */
export function unmetReason(cart: AnsweredCart, expectation: Expectation): string | null {
  const difference = differenceFrom(expectation, cart);
  if (difference === null || typeof difference === 'string') return difference;
  const { missing } = difference;
  return missing === null
    ? `No rate is offered: ${emptyReason(cart)}.`
    : `${missing} is not offered: ${missingReason(cart, missing)}.`;
}

const quoted = (name: string): string => `"${name}"`;

/** Why no rate is offered. */
function emptyReason(cart: AnsweredCart): string {
  const { country } = cart;
  const answer = cart.trace();
  if (answer.zone === null) return `no zone has the country ${country}`;
  const [blended] = answer.blendedRates;
  if (blended !== undefined) return blendedReason(cart, blended);
  const [method] = answer.methodEvaluations.filter(({ visible }) => !visible);
  return method === undefined ? 'no method is considered for this cart' : hiddenReason(cart, method);
}

/** Why no rate with this service code is offered. */
function missingReason(cart: AnsweredCart, serviceCode: string): string {
  const { config, country } = cart;
  const methods = config.methods.filter((method) => method.serviceCode === serviceCode);
  const blends = config.blendedRates.filter((blended) => blended.serviceCode === serviceCode);
  const [first] = [...methods, ...blends];
  if (first === undefined) return 'no method or blended rate has this service code';
  const answer = cart.trace();
  if (answer.zone === null) return `no zone has the country ${country}`;
  const ids = new Set([...methods, ...blends].map(({ id }) => id));
  const blended = answer.blendedRates.find(({ blendedRateId }) => ids.has(blendedRateId));
  if (blended !== undefined) return blendedReason(cart, blended);
  const evaluated = answer.methodEvaluations.filter(({ methodId }) => ids.has(methodId));
  const hidden = evaluated.find(({ visible }) => !visible);
  if (hidden !== undefined) return hiddenReason(cart, hidden);
  if (evaluated.length > 0) {
    return 'the cart has several product groups, for which blended rates are offered instead';
  }
  return [...methods, ...blends].every(({ enabled }) => !enabled)
    ? `${quoted(first.name)} is disabled`
    : `${quoted(first.name)} is not in force for this destination and these items`;
}

function hiddenReason(
  { config }: AnsweredCart,
  { methodId, methodName, reason, ruleTraces }: MethodEvaluation,
) {
  const rules = config.methods.find(({ id }) => id === methodId)?.rules ?? [];
  const ruleText = (ruleId: string): string => {
    const name = rules.find(({ id }) => id === ruleId)?.name ?? '';
    return name === '' ? `rule ${ruleId}` : `rule ${quoted(name)} (${ruleId})`;
  };
  const ids = (action: string) => ruleTraces.filter((trace) => trace.action === action);
  if (reason === 'outside_rate_table') return `the cart is outside the rate table of ${quoted(methodName)}`;
  if (reason === 'not_shown_by_rule') {
    const shows = ids('show').map(({ ruleId }) => ruleText(ruleId));
    return `${quoted(methodName)} is shown only by ${shows.join(' or ')}, ${shows.length === 1 ? 'which does not match' : 'none of which matches'}`;
  }
  const [hiding] = ids('hide').filter(({ matched }) => matched);
  return `${ruleText(hiding?.ruleId ?? '')} hides ${quoted(methodName)}`;
}

function blendedReason(cart: AnsweredCart, { name, reason, components }: BlendedEvaluation): string {
  const { config } = cart;
  const answer = cart.trace();
  const failing = components.find(({ price }) => price === null);
  const group = config.productGroups.find(({ id }) => id === failing?.productGroupId)?.name ?? '';
  if (reason === 'group_without_rate') {
    const hidden = answer.methodEvaluations.find(
      ({ productGroupId, visible }) => productGroupId === failing?.productGroupId && !visible,
    );
    const why = hidden === undefined ? '' : `, where ${hiddenReason(cart, hidden)}`;
    return `${quoted(name)} has no rate for the product group ${quoted(group)}${why}`;
  }
  const preferred = answer.methodEvaluations.find(({ methodId }) => methodId === failing?.methodId);
  const why =
    preferred === undefined
      ? `is not in force for this destination and these items`
      : `is not visible: ${hiddenReason(cart, preferred)}`;
  const methodName = config.methods.find(({ id }) => id === failing?.methodId)?.name ?? '';
  return `the method ${quoted(methodName)}, which ${quoted(name)} prefers for ${quoted(group)}, ${why}`;
}
