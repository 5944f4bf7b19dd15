/** `/api/shop`: the shop itself, its plan and how much of it is used (contract section 2). */

import { shopAnswer } from '../../domain/answer-schemas.ts';
import type { PlanTable } from '../../domain/plan.ts';
import type { ShopSettings } from '../../domain/shop.ts';
import type { ShopState } from '../../domain/shop-event.ts';
import { ShopUpdate } from '../../domain/write-bodies.ts';
import { EXAMPLE_SHOP } from '../examples.ts';
import { answerValue, planWrite, type Route, readRoute, writeRoute } from '../route.ts';

const tag = 'Shop';
const success = {
  status: 200,
  description: 'The shop with its plan, limits and usage',
  schema: shopAnswer,
  example: { shop: EXAMPLE_SHOP },
} as const;

const usageOf = ({ config, keys }: ShopState) => ({
  methods: config.methods.length,
  groups: config.productGroups.length,
  zones: config.zones.length,
  blendedRates: config.blendedRates.length,
  rulesPerMethod: config.methods.reduce((most, { rules }) => Math.max(most, rules.length), 0),
  keys: keys.length,
});

const shopView = (settings: ShopSettings, state: ShopState, plans: PlanTable) => ({
  id: settings.id,
  name: settings.name,
  currency: settings.currency,
  timezone: settings.timezone,
  plan: settings.plan,
  limits: Object.hasOwn(plans, settings.plan) ? (plans[settings.plan] ?? null) : null,
  usage: usageOf(state),
});

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
    handle: ({ shop: { state }, dependencies }) =>
      answerValue({ shop: shopView(state.settings, state, dependencies.plans) }),
  }),
  writeRoute({
    name: 'updateShop',
    verb: 'PUT',
    paths: ['/api/shop'],
    tag,
    summary: 'Change name, currency or time zone of the shop',
    permission: 'admin',
    isConfiguration: false,
    body: { schema: ShopUpdate, examples: { timezone: { timezone: 'Europe/Paris', currency: 'EUR' } } },
    success,
    handle: ({ shop, body, dependencies }) =>
      planWrite({ kind: 'updateShop', body }, 'shop', ({ settings }) => ({
        shop: shopView(settings, shop.state, dependencies.plans),
      })),
  }),
];
