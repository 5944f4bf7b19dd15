/**
 * The reference evaluator: the simulation step by step (contract sections 4 and 5), with linear scans and BigInt. It
 * shares no line with src; the compiled evaluator must give the same answers.
 */

import type { SimulateRequest } from '../../../src/engine/domain/cart.ts';
import type { ShippingMethod } from '../../../src/engine/domain/shipping-method.ts';
import type { ShopConfig } from '../../../src/engine/domain/shop-config.ts';
import type { SimulateAnswer } from '../../../src/engine/wire/answer.ts';
import { AmountBeyondLimit } from './amount.ts';
import { evaluateBlended } from './blended.ts';
import { localTime } from './clock.ts';
import { referenceActual } from './condition.ts';
import { type DeliveryDates, deliveryDates, latestOf, type ReferenceFulfilment } from './delivery.ts';
import { evaluateMethod, type MethodOutcome } from './method.ts';
import { readOrder } from './order.ts';
import { blendedRatesInForce, findPlace, methodsInForce } from './place.ts';

export interface ReferenceShop {
  readonly currency: string;
  readonly timezone: string;
  readonly fulfilment?: ReferenceFulfilment;
}

export type ReferenceResult =
  | { readonly status: 200; readonly answer: SimulateAnswer }
  | { readonly status: 400 };

type Rate = SimulateAnswer['rates'][number];

/**
 * Answers a request that passed the schema, for a configuration that passed validation. `nowMs` is the
 * clock of the time conditions. 400 only for an amount beyond 2^53-1 (which amounts those are is listed in amount.ts) and
 * for a date whose year has five digits.
 */
export function referenceSimulate(
  config: ShopConfig,
  shop: ReferenceShop,
  request: SimulateRequest,
  nowMs: number,
): ReferenceResult {
  try {
    return { status: 200, answer: consider(config, shop, request, nowMs).answer };
  } catch (error) {
    if (error instanceof AmountBeyondLimit || error instanceof DateBeyondLimit) return { status: 400 };
    throw error;
  }
}

interface Considered {
  readonly answer: SimulateAnswer;
  readonly methods: readonly MethodOutcome[];
}

/** Method id -> the values that the conditions of its enabled rules compared. The request must not be refused. */
export function referenceActuals(
  config: ShopConfig,
  shop: ReferenceShop,
  request: SimulateRequest,
  nowMs: number,
): ReadonlyMap<string, unknown> {
  const { methods } = consider(config, shop, request, nowMs);
  return new Map(
    methods.map(({ method, situation }) => [
      method.id,
      method.rules
        .filter((rule) => rule.enabled)
        .map((rule) => rule.conditions.map((condition) => referenceActual(condition, situation))),
    ]),
  );
}

function consider(
  config: ShopConfig,
  shop: ReferenceShop,
  request: SimulateRequest,
  nowMs: number,
): Considered {
  const order = readOrder(request, config.productGroups);
  const { destination } = request;
  // "orderTotals.totalPrice, else the cart total" (contract section 11).
  const orderTotal = BigInt(request.orderTotals?.totalPrice ?? order.totals.price);
  const now = localTime(nowMs, shop.timezone);
  dated(now.date);
  const place = findPlace(config, destination.country.toUpperCase(), destination.postalCode ?? '');
  if (place === null) {
    return { answer: { rates: [], methodEvaluations: [], blendedRates: [], zone: null }, methods: [] };
  }

  // "Only shippable items put their group in the cart" (5.1); groups in list order.
  const shippable = order.items.filter((item) => item.isShippable);
  const groupsInCart = config.productGroups.filter((group) =>
    shippable.some((item) => item.groupId === group.id),
  );

  // "Considered are the methods in force whose group is in the cart, in position order" (5.2).
  const methods = methodsInForce(config, place)
    .filter((method) => groupsInCart.some((group) => group.id === method.productGroupId))
    .map((method) =>
      evaluateMethod(method, {
        order,
        request,
        currency: shop.currency,
        orderTotal,
        subzoneId: place.subzone?.id ?? '',
        now,
        groupItems: shippable.filter((item) => item.groupId === method.productGroupId),
      }),
    );

  // "One group in the cart: its visible methods. Several: the blended rates" (5.6).
  const blendedRates =
    groupsInCart.length > 1
      ? blendedRatesInForce(config, place).map((blended) =>
          evaluateBlended(blended, groupsInCart, methods, order.totals.price, orderTotal),
        )
      : [];

  const currency = request.currency ?? shop.currency;
  const datesOf = (delivery: ShippingMethod['delivery']) => deliveryDates(delivery, now, shop.fulfilment);
  const methodRates = methods.map(({ method, price }) =>
    rateOf(method, price, currency, datesOf(method.delivery)),
  );
  const blendedRateRates = blendedRates.map(({ blended, price, components }) => {
    const chosen = components.map(({ methodId }) => methods.find(({ method }) => method.id === methodId));
    const dates = latestOf(chosen.map((each) => datesOf(each?.method.delivery)));
    return rateOf(blended, price, currency, dates);
  });
  const offered = blendedRates.length > 0 ? blendedRateRates : methodRates;

  const answer: SimulateAnswer = {
    rates: cheapestFirst(offered.filter((rate) => rate !== null)),
    methodEvaluations: methods.map(({ method, reason, ruleTraces }, index) => ({
      methodId: method.id,
      methodName: method.name,
      productGroupId: method.productGroupId,
      visible: reason === null,
      reason,
      rate: methodRates[index] ?? null,
      ruleTraces,
    })),
    blendedRates: blendedRates.map(({ blended, reason, components }, index) => ({
      blendedRateId: blended.id,
      name: blended.name,
      visible: reason === null,
      reason,
      rate: blendedRateRates[index] ?? null,
      components: components.map(({ groupId, methodId, price }) => ({
        productGroupId: groupId,
        methodId,
        price: price === null ? null : Number(price),
      })),
    })),
    zone: {
      id: place.zone.id,
      name: place.zone.name,
      subzone: place.subzone === null ? null : { id: place.subzone.id, name: place.subzone.name },
    },
  };
  return { answer, methods };
}

interface Named {
  readonly name: string;
  readonly serviceCode: string;
  readonly subtitle: string;
}

class DateBeyondLimit extends Error {}

/** The date or dates of an answer, unless one has a year of five digits (contract section 12.8). */
function dated<D extends string | DeliveryDates>(dates: D): D {
  const all = typeof dates === 'string' ? [dates] : Object.values(dates);
  if (all.some((date) => /^[0-9]{5}/.test(date))) throw new DateBeyondLimit();
  return dates;
}

/** "`currency` = the request's, else the shop's. `description` = subtitle" (5.8). */
const rateOf = (
  { name, serviceCode, subtitle }: Named,
  price: bigint | null,
  currency: string,
  dates: DeliveryDates,
): Rate | null =>
  price === null
    ? null
    : {
        serviceName: name,
        serviceCode,
        description: subtitle,
        totalPrice: Number(price),
        currency,
        ...dated(dates),
      };

/** "Sorted by totalPrice, then position" (5.8): the list comes in position order and the sort is stable. */
const cheapestFirst = (rates: readonly Rate[]): Rate[] =>
  [...rates].sort((a, b) => a.totalPrice - b.totalPrice);
