/** `/api/shop`: the settings of the shop, its plan, and the usage of the plan (contract section 2). */

import { DAY_MS } from '../../../engine/domain/calendar-day.ts';
import { limitsOf, type PlanLimits } from '../../../engine/domain/plan.ts';
import type { PlacedConfig, PlacedMethod, ShopState } from '../../../engine/domain/shop-event.ts';
import { shopAnswer } from '../../../engine/wire/answer-schemas.ts';
import { settingsView } from '../../../engine/wire/record-view.ts';
import { ShopUpdate } from '../../../engine/wire/write-bodies.ts';
import { answerValue, planWrite } from '../answer.ts';
import { EXAMPLE_SHOP } from '../openapi/examples.ts';
import { answerDoc, type Route, readRoute, type ShopRequest, writeRoute } from '../route.ts';

const tag = 'Shop';
const success = answerDoc('The shop with its plan, limits and usage', shopAnswer, { shop: EXAMPLE_SHOP });

/** The usage of the limits on records. */
const countsOf = ({ methods, productGroups, zones, blendedRates, checks }: PlacedConfig) => ({
  methods: methods.length,
  groups: productGroups.length,
  zones: zones.length,
  blendedRates: blendedRates.length,
  checks: checks.length,
  rulesPerMethod: mostRules(methods),
});

/** The usage of each limit of the plan, by the names of the limits. */
function usageOf(
  { config, staging, keys, settings: { plan } }: ShopState,
  { shop, grant, rateUsage, dependencies }: ShopRequest<unknown>,
) {
  const historyMs = dependencies.clock.nowMs() - Date.parse(shop.history.oldest().createdAt);
  const usage = {
    ...countsOf(config),
    keys: keys.length,
    requestsPerMinute: rateUsage('requests', grant.keyId, plan),
    simulationsPerSecond: rateUsage('simulations', shop.shopId, plan),
    historyDays: Math.max(0, Math.floor(historyMs / DAY_MS)),
  } satisfies Record<keyof PlanLimits, number | null>;
  return staging === null ? usage : { ...usage, staged: countsOf(staging.config) };
}

/** A loop, because a callback for each of thousands of methods is slow the first time. */
function mostRules(methods: readonly PlacedMethod[]): number {
  let most = 0;
  for (const { rules } of methods) if (rules.length > most) most = rules.length;
  return most;
}

function shopView(state: ShopState, request: ShopRequest<unknown>) {
  const { plans } = request.dependencies;
  const limits = limitsOf(plans, state.settings.plan);
  return { ...settingsView(state.settings), limits, usage: usageOf(state, request) };
}

export const SHOP_ROUTES: readonly Route[] = [
  readRoute({
    name: 'getShop',
    verb: 'GET',
    paths: ['/api/shop'],
    tag,
    summary: 'The shop of the key',
    permission: 'read',
    isConfiguration: false,
    success,
    handle: (request) => answerValue({ shop: shopView(request.shop.state, request) }),
  }),
  writeRoute({
    name: 'updateShop',
    verb: 'PUT',
    paths: ['/api/shop'],
    tag,
    summary: 'Change the settings of the shop',
    description:
      'Fields that are absent stay as they are. `promotionGate` says what must hold before a changeset is promoted; ' +
      'it is replaced whole, and null removes it. `fulfilment` is what delivery dates follow from; it is replaced whole, ' +
      'and null restores its defaults. `directWrites` false: a write of the configuration outside of a changeset is 409, and a ' +
      'rollback needs the permission admin.',
    permission: 'admin',
    isConfiguration: false,
    body: {
      schema: ShopUpdate,
      examples: {
        timezone: { timezone: 'Europe/Paris', currency: 'EUR' },
        fulfilment: {
          fulfilment: {
            cutoff: '14:00',
            cutoffByDay: { friday: '12:00' },
            handlingDays: 1,
            holidays: ['2026-12-25'],
          },
        },
        inChangesets: { directWrites: false },
        gate: { promotionGate: { checksPass: true, noLostCarts: true, evaluatedMin: 200 } },
      },
    },
    success,
    handle: (request) =>
      planWrite({ kind: 'updateShop', body: request.body }, 'shop', (_, state) => ({
        shop: shopView(state, request),
      })),
  }),
];
