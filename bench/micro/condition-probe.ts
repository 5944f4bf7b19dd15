/** One condition ready to be asked of one cart again and again: the whole path of a simulation but for the cart's own facts. */
import { type CompiledShop, compileShop } from '../../src/engine/compile/compiled-shop.ts';
import type { SimulateRequest } from '../../src/engine/domain/cart.ts';
import type { Condition } from '../../src/engine/domain/condition.ts';
import { CartFacts } from '../../src/engine/evaluate/cart-facts.ts';
import { ConditionBoard, PASSED } from '../../src/engine/evaluate/condition-board.ts';
import { NOW_MS, SETTINGS } from '../profiles/profile.ts';
import { DEFAULT_GROUP, makeMethod, makeZone } from '../profiles/shop-maker.ts';

const zoneId = 'zone_us';

const shopWith = (condition: Condition): CompiledShop => {
  const rule = { id: 'rule_probe', action: 'hide' as const, conditions: [condition], enabled: true };
  const config = {
    zones: [makeZone(zoneId, 'United States', ['US'])],
    productGroups: [DEFAULT_GROUP],
    methods: [makeMethod({ zoneId, at: 0, rules: [rule] })],
    blendedRates: [],
  };
  return compileShop(config, SETTINGS);
};

/** Asks the condition `count` times, each time as a new request would; returns how often it matched. */
export function makeConditionProbe(
  condition: Condition,
  requests: readonly SimulateRequest[],
): (count: number) => number {
  const shop = shopWith(condition);
  const carts = requests.map((request) => {
    const place = shop.placeOf(request.destination);
    const facts = new CartFacts(shop, request, NOW_MS, place);
    const group = facts.groups[0];
    const compiled = place?.plan.groups.get(group?.index ?? -1)?.methods[0]?.method.rules[0]?.conditions[0];
    if (place === null || group === undefined || compiled === undefined) {
      throw new Error(`no method for ${request.destination.country}`);
    }
    return { facts, group, compiled, predicates: place.zone.predicates };
  });
  const board = new ConditionBoard();
  return (count) => {
    let matched = 0;
    for (let i = 0; i < count; i++) {
      const { facts, group, compiled, predicates } = carts[i % carts.length] as (typeof carts)[number];
      board.begin(facts, predicates);
      if ((board.resultOf(compiled, group) & PASSED) !== 0) matched++;
    }
    return matched;
  };
}
