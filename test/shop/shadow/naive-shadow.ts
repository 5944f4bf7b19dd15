/** The expected shadow results, computed from full answers of the reference evaluator, cart by cart. */

import type { SimulateRequest } from '../../../src/engine/domain/cart.ts';
import type { ShopConfig } from '../../../src/engine/domain/shop-config.ts';
import type { SimulateAnswer } from '../../../src/engine/wire/answer.ts';
import type { ShadowResults } from '../../../src/engine/wire/shadow-results.ts';
import { readOrder } from '../../support/reference/order.ts';
import { type ReferenceShop, referenceSimulate } from '../../support/reference/simulate.ts';
import type { ShopCart } from '../../support/shop-arbitraries.ts';

const NOTHING: Pick<SimulateAnswer, 'rates' | 'methodEvaluations' | 'zone'> = {
  rates: [],
  methodEvaluations: [],
  zone: null,
};

const offers = (answer: Pick<SimulateAnswer, 'rates'>): string =>
  JSON.stringify(
    answer.rates
      .map((rate) =>
        JSON.stringify([rate.serviceCode, rate.totalPrice, rate.minDeliveryDate, rate.maxDeliveryDate]),
      )
      .sort(),
  );

const prices = (answer: Pick<SimulateAnswer, 'methodEvaluations'>): Map<string, number> => {
  const shown = answer.methodEvaluations.filter(({ rate }) => rate !== null);
  return new Map(shown.map(({ methodId, rate }) => [methodId, rate?.totalPrice ?? 0]));
};

function pairsOf(config: ShopConfig, request: SimulateRequest, zoneId: string): string[] {
  const { items } = readOrder(request, config.productGroups);
  return items.filter((item) => item.isShippable).map(({ groupId }) => JSON.stringify([zoneId, groupId]));
}

/** True when the live configuration answers the cart; other carts are not evaluated against the changeset. */
export const isAnswered = (config: ShopConfig, shop: ReferenceShop, { request, nowMs }: ShopCart): boolean =>
  referenceSimulate(config, shop, request, nowMs).status === 200;

const nameIn = (records: readonly { readonly id: string; readonly name: string }[], id: string): string =>
  records.find((record) => record.id === id)?.name ?? '';

const groupsOf = (config: ShopConfig, request: SimulateRequest): ReadonlySet<string> =>
  new Set(
    readOrder(request, config.productGroups)
      .items.filter((item) => item.isShippable)
      .map((item) => item.groupId),
  );

function count(
  into: ShadowResults['byZone'],
  id: string,
  name: string,
  isDifferent: boolean,
  differenceCents: number,
): void {
  const old = Object.hasOwn(into, id) ? into[id] : undefined;
  Object.defineProperty(into, id, {
    value: {
      name,
      evaluated: (old?.evaluated ?? 0) + 1,
      different: (old?.different ?? 0) + (isDifferent ? 1 : 0),
      differenceCents: (old?.differenceCents ?? 0) + differenceCents,
    },
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

export interface NaiveShadow {
  /** All results except the samples, the dropped simulations and the replays. */
  readonly results: Pick<
    ShadowResults,
    | 'evaluated'
    | 'identical'
    | 'different'
    | 'lost'
    | 'gained'
    | 'coverage'
    | 'byMethod'
    | 'byZone'
    | 'byGroup'
  >;
  /** Methods, zones and groups with differences that no double can add up. */
  readonly beyondDouble: readonly string[];
}

export function naiveShadow(
  live: ShopConfig,
  staged: ShopConfig,
  shop: ReferenceShop,
  carts: readonly ShopCart[],
): NaiveShadow {
  let different = 0;
  let [lost, gained] = [0, 0];
  const byZone: ShadowResults['byZone'] = {};
  const byGroup: ShadowResults['byGroup'] = {};
  const seen = new Set<string>();
  const moved = new Map<string, number>();
  const byMethod: ShadowResults['byMethod'] = {};
  const nameOf = (id: string) =>
    [...staged.methods, ...live.methods].find((method) => method.id === id)?.name ?? '';
  for (const { request, nowMs } of carts) {
    const results = [live, staged].map((config) => referenceSimulate(config, shop, request, nowMs));
    const [before = NOTHING, after = NOTHING] = results.map((result) =>
      result.status === 200 ? result.answer : NOTHING,
    );
    // The groups of the changeset, or the live groups if the changeset refuses the cart.
    const answering = [staged, live].find((_, at) => results[1 - at]?.status === 200);
    const isDifferent = offers(before) !== offers(after);
    if (isDifferent) different++;
    if (before.rates.length > 0 && after.rates.length === 0) lost++;
    if (before.rates.length === 0 && after.rates.length > 0) gained++;
    const [from, to] = [before, after].map(({ rates }) =>
      Math.min(...rates.map(({ totalPrice }) => totalPrice)),
    );
    const cents = before.rates.length > 0 && after.rates.length > 0 ? (to ?? 0) - (from ?? 0) : 0;
    const zone = after.zone ?? before.zone;
    const move = (id: string, by: number) => moved.set(id, (moved.get(id) ?? 0) + Math.abs(by));
    if (zone !== null) {
      count(byZone, zone.id, nameIn([...staged.zones, ...live.zones], zone.id), isDifferent, cents);
      move(zone.id, cents);
    }
    for (const id of answering === undefined ? [] : groupsOf(answering, request)) {
      count(byGroup, id, nameIn([...staged.productGroups, ...live.productGroups], id), isDifferent, cents);
      move(id, cents);
    }
    if (after.zone !== null) for (const pair of pairsOf(staged, request, after.zone.id)) seen.add(pair);
    const [old, now] = [prices(before), prices(after)];
    for (const id of new Set([...old.keys(), ...now.keys()])) {
      const [from, to] = [old.get(id), now.get(id)];
      if (from === to) continue;
      const none = { priceUp: 0, priceDown: 0, appeared: 0, disappeared: 0, differenceCents: 0 };
      const shift = Object.hasOwn(byMethod, id) ? byMethod[id] : undefined;
      const sum = shift ?? { name: nameOf(id), ...none };
      Object.defineProperty(byMethod, id, {
        value: sum,
        enumerable: true,
        configurable: true,
        writable: true,
      });
      if (from === undefined) sum.appeared++;
      else if (to === undefined) sum.disappeared++;
      else {
        sum[to > from ? 'priceUp' : 'priceDown']++;
        sum.differenceCents += to - from;
        move(id, to - from);
      }
    }
  }
  const missing = staged.zones.flatMap((zone) =>
    staged.productGroups
      .filter((group) => !seen.has(JSON.stringify([zone.id, group.id])))
      .map((group) => ({
        zoneId: zone.id,
        zoneName: zone.name,
        productGroupId: group.id,
        productGroupName: group.name,
      })),
  );
  const possible = staged.zones.length * staged.productGroups.length;
  const percent = possible === 0 ? 0 : Math.floor(((possible - missing.length) * 1000) / possible) / 10;
  const results = {
    evaluated: carts.length,
    identical: carts.length - different,
    different,
    coverage: { seen: possible - missing.length, possible, percent, missing },
    byMethod,
    lost,
    gained,
    byZone,
    byGroup,
  };
  const beyondDouble = [...moved].filter(([, cents]) => cents > Number.MAX_SAFE_INTEGER).map(([id]) => id);
  return { results, beyondDouble };
}

/** Configurations in stored form, for code that does not read the placement. */
export const placed = <T>(config: ShopConfig): T => config as unknown as T;
