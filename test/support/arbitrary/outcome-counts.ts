/** Counts the outcomes in a sample of simulations, so that a test can report outcomes that are too rare. */

import type { ShopConfig } from '../../../src/engine/domain/shop-config.ts';
import type { SimulateAnswer } from '../../../src/engine/wire/answer.ts';
import { referenceSimulate } from '../reference/simulate.ts';
import type { ShopCart, ShopCase } from '../shop-arbitraries.ts';

export type Counts = ReadonlyMap<string, number>;

type Count = (key: string, when?: boolean) => void;

export function countOutcomes(cases: readonly ShopCase[]): Counts {
  const counts = new Map<string, number>();
  const count: Count = (key, when = true) => {
    if (when) counts.set(key, (counts.get(key) ?? 0) + 1);
  };
  for (const { config, settings, carts } of cases) {
    for (const cart of carts) {
      const total = totalOf(cart);
      const result = referenceSimulate(config, settings, cart.request, cart.nowMs);
      count('over 32 items', cart.request.items.length > 32);
      count(
        'item without shipping',
        cart.request.items.some((item) => item.requiresShipping === false),
      );
      if (result.status === 400) {
        count('status 400');
        count(total > BigInt(Number.MAX_SAFE_INTEGER) ? 'total beyond the limit' : 'price beyond the limit');
        continue;
      }
      countTraces(result.answer, count);
      countMethods(config, result.answer, total, count);
      countPlace(config, result.answer, count);
      countBlended(config, result.answer, total, count);
      countCart(config, cart, result.answer, count);
    }
  }
  return counts;
}

const totalOf = ({ request }: ShopCart): bigint =>
  request.items.reduce((sum, item) => sum + BigInt(item.price) * BigInt(item.quantity), 0n);

function countTraces(answer: SimulateAnswer, count: Count): void {
  for (const trace of answer.methodEvaluations.flatMap((method) => method.ruleTraces)) {
    count(`action ${trace.action} ${trace.matched ? 'matched' : 'unmatched'}`);
    for (const { conditionType, operator, scope, matched } of trace.conditions) {
      const outcome = matched ? 'matched' : 'unmatched';
      count(`type ${conditionType} ${outcome}`);
      count(`operator ${operator} ${outcome}`);
      count(`scope ${scope} ${outcome}`, conditionType.startsWith('product_'));
    }
    if (trace.matchedItems === undefined) continue;
    count(trace.matchedItems.length > 0 ? 'matched items listed' : 'matched items empty');
    count('matched items of an unmatched rule', trace.matchedItems.length > 0 && !trace.matched);
  }
}

function countMethods(config: ShopConfig, answer: SimulateAnswer, total: bigint, count: Count): void {
  for (const { methodId, visible, reason, rate, ruleTraces } of answer.methodEvaluations) {
    const method = config.methods.find((each) => each.id === methodId);
    if (method === undefined) throw new Error(`${methodId} is not in the configuration`);
    count(visible ? `visible ${method.rateType}` : `method ${reason}`);
    const threshold = method.freeShippingThreshold;
    if (threshold === null) continue;
    const met = total >= BigInt(threshold);
    count(met ? 'threshold met' : 'threshold missed');
    count('threshold met exactly', total === BigInt(threshold));
    count('threshold missed by a cent', total + 1n === BigInt(threshold));
    const isActedOn = ruleTraces.some((trace) => trace.matched);
    count(
      'free by threshold alone',
      met && rate?.totalPrice === 0 && method.rateType !== 'free' && !isActedOn,
    );
  }
  const prices = answer.rates.map((rate) => rate.totalPrice);
  count('equal rates', new Set(prices).size < prices.length);
}

function countPlace(config: ShopConfig, answer: SimulateAnswer, count: Count): void {
  count('no zone', answer.zone === null);
  count('no subzone', answer.zone !== null && answer.zone.subzone === null);
  if (answer.zone === null || answer.zone.subzone === null) return;
  const { id: zoneId, subzone } = answer.zone;
  const own = answer.methodEvaluations.filter(
    ({ methodId }) => config.methods.find((method) => method.id === methodId)?.zoneId === subzone.id,
  );
  count('subzone without own methods', own.length === 0);
  const isReplaced = config.methods.some(
    (method) =>
      method.enabled &&
      method.zoneId === zoneId &&
      own.some((replacing) => replacing.productGroupId === method.productGroupId),
  );
  count('group replaced by subzone', isReplaced);
  count('group kept beside a replaced one', isReplaced && own.length < answer.methodEvaluations.length);
}

function countBlended(config: ShopConfig, answer: SimulateAnswer, total: bigint, count: Count): void {
  for (const { blendedRateId, visible, reason, components } of answer.blendedRates) {
    const blended = config.blendedRates.find((each) => each.id === blendedRateId);
    count(visible ? 'blended available' : `blended ${reason}`);
    const inSubzone = blended?.zoneId === answer.zone?.subzone?.id;
    count(inSubzone ? 'blended rates of the subzone' : 'blended rates of the zone');
    const threshold = blended?.freeShippingThreshold ?? null;
    const isCharged = components.some(({ price }) => (price ?? 0) > 0);
    count('blended threshold met', threshold !== null && visible && isCharged && total >= BigInt(threshold));
  }
}

function countCart(config: ShopConfig, { request }: ShopCart, answer: SimulateAnswer, count: Count): void {
  if (answer.zone === null) return;
  count(
    'nothing to ship',
    request.items.every((item) => item.requiresShipping === false),
  );
  const groups = new Set(answer.methodEvaluations.map((method) => method.productGroupId));
  count('one group', groups.size === 1 && answer.blendedRates.length === 0);
  count('several groups', groups.size > 1);
  count('several groups without blended rates', groups.size > 1 && answer.blendedRates.length === 0);
  const places = [answer.zone.id, answer.zone.subzone?.id];
  const bound = config.blendedRates.filter((blended) => blended.enabled && places.includes(blended.zoneId));
  count('blended rates bound but one group', bound.length > 0 && groups.size === 1);
}
