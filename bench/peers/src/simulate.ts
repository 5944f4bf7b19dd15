/** The answer to a request around the rules: who is considered before, prices and blends after. */
import { type Cart, type CartGroup, readCart } from './cart.ts';
import type {
  Answer,
  BlendedEvaluation,
  BlendedRate,
  Method,
  MethodEvaluation,
  Rate,
  Rule,
  RuleTrace,
  SimulateRequest,
} from './model.ts';
import { adjusted, basePrice } from './prices.ts';
import type { Place, Shop } from './shop.ts';
import { type RequestSubjects, requestSubjects } from './subjects.ts';

export interface ConsideredMethod {
  readonly method: Method;
  readonly group: CartGroup;
}

export interface Situation {
  readonly place: Place;
  readonly cart: Cart;
  readonly subjects: RequestSubjects;
  readonly methods: readonly ConsideredMethod[];
}

export function readSituation(shop: Shop, request: SimulateRequest, nowMs: number): Situation | null {
  const { country, postalCode } = request.destination;
  const place = shop.placeOf(country.toUpperCase(), postalCode ?? '');
  if (place === null) return null;
  const cart = readCart(request, shop.finder, shop.groupOrder);
  const methods = cart.groups.flatMap((group) =>
    shop.methodsOf(place, group.group.id).map((method): ConsideredMethod => ({ method, group })),
  );
  if (cart.groups.length > 1) {
    const order = (method: Method): number => shop.methodOrder.get(method) ?? 0;
    methods.sort((a, b) => order(a.method) - order(b.method));
  }
  const subjects = requestSubjects(request, cart, place.subzone?.id ?? '', shop.clock.at(nowMs));
  return { place, cart, subjects, methods };
}

/** A method with its rules decided; `traces` are of its enabled rules in order. */
export interface DecidedMethod extends ConsideredMethod {
  readonly traces: readonly RuleTrace[];
  /** The base price, null outside of every tier; absent where it is worked out here. */
  readonly basePrice?: number | null;
}

const rateOf = (
  { name, serviceCode, subtitle }: Pick<Method, 'name' | 'serviceCode' | 'subtitle'>,
  totalPrice: number,
  currency: string,
): Rate => ({ serviceName: name, serviceCode, description: subtitle, totalPrice, currency });

function evaluateMethod(
  { method, group, traces, ...decided }: DecidedMethod,
  rules: readonly Rule[],
  cartTotal: number,
  currency: string,
): MethodEvaluation {
  let price = decided.basePrice === undefined ? basePrice(method, group.totals) : decided.basePrice;
  if (price !== null && method.freeShippingThreshold !== null && cartTotal >= method.freeShippingThreshold) {
    price = 0;
  }
  let isHidden = false;
  let isShown = true;
  let hasShown = false;
  rules.forEach((rule, at) => {
    const matched = traces[at]?.matched === true;
    if (rule.action === 'show') {
      isShown = hasShown || matched;
      hasShown = isShown;
    } else if (matched && rule.action === 'hide') {
      isHidden = true;
    } else if (matched && price !== null) {
      price = adjusted(rule, price);
    }
  });
  const reason = isHidden
    ? 'hidden_by_rule'
    : !isShown
      ? 'not_shown_by_rule'
      : price === null
        ? 'outside_rate_table'
        : null;
  return {
    methodId: method.id,
    methodName: method.name,
    productGroupId: method.productGroupId,
    visible: reason === null,
    reason,
    rate: reason === null && price !== null ? rateOf(method, price, currency) : null,
    ruleTraces: traces,
  };
}

function evaluateBlended(
  blended: BlendedRate,
  { cart }: Situation,
  evaluations: readonly MethodEvaluation[],
  currency: string,
): BlendedEvaluation {
  let reason: string | null = null;
  let price = 0;
  const components = cart.groups.map(({ group }) => {
    const visible = evaluations.filter((one) => one.productGroupId === group.id && one.visible);
    const preferredId = blended.preferences.find(
      ({ productGroupId }) => productGroupId === group.id,
    )?.preferredMethodId;
    const chosen =
      typeof preferredId === 'string'
        ? visible.find(({ methodId }) => methodId === preferredId)
        : visible.reduce<MethodEvaluation | undefined>(
            (lowest, one) =>
              lowest === undefined || (one.rate?.totalPrice ?? 0) < (lowest.rate?.totalPrice ?? 0)
                ? one
                : lowest,
            undefined,
          );
    if (chosen === undefined) {
      reason ??= typeof preferredId === 'string' ? 'preferred_method_unavailable' : 'group_without_rate';
    }
    price += chosen?.rate?.totalPrice ?? 0;
    return {
      productGroupId: group.id,
      methodId: chosen?.methodId ?? preferredId ?? null,
      price: chosen?.rate?.totalPrice ?? null,
    };
  });
  if (blended.freeShippingThreshold !== null && cart.totals.price >= blended.freeShippingThreshold) price = 0;
  return {
    blendedRateId: blended.id,
    name: blended.name,
    visible: reason === null,
    reason,
    rate: reason === null ? rateOf(blended, price, currency) : null,
    components,
  };
}

/** The enabled rules of a method; kept, because asking each time costs more than some rules do. */
const enabledRules = new WeakMap<Method, readonly Rule[]>();

export function enabledRulesOf(method: Method): readonly Rule[] {
  let rules = enabledRules.get(method);
  if (rules === undefined) {
    rules = method.rules.filter((rule) => rule.enabled);
    enabledRules.set(method, rules);
  }
  return rules;
}

export const NO_ZONE: Answer = { rates: [], methodEvaluations: [], blendedRates: [], zone: null };

export function answerOf(
  shop: Shop,
  request: SimulateRequest,
  situation: Situation,
  decided: readonly DecidedMethod[],
): Answer {
  const { place, cart } = situation;
  const currency = request.currency ?? shop.file.settings.currency;
  const methodEvaluations = decided.map((method) =>
    evaluateMethod(method, enabledRulesOf(method.method), cart.totals.price, currency),
  );
  const blendedRates =
    cart.groups.length > 1
      ? shop
          .blendedRatesOf(place)
          .map((blended) => evaluateBlended(blended, situation, methodEvaluations, currency))
      : [];
  const offered = blendedRates.length > 0 ? blendedRates : methodEvaluations;
  const rates = offered.flatMap(({ rate }) => (rate === null ? [] : [rate]));
  rates.sort((a, b) => a.totalPrice - b.totalPrice);
  const { zone, subzone } = place;
  return {
    rates,
    methodEvaluations,
    blendedRates,
    zone: {
      id: zone.id,
      name: zone.name,
      subzone: subzone === null ? null : { id: subzone.id, name: subzone.name },
    },
  };
}
