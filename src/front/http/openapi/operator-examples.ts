/** The examples of the routes of operators. */
import { EXAMPLE_KEY, EXAMPLE_KEY_END, EXAMPLE_SHOP } from './examples.ts';

const { id, currency, timezone, plan } = EXAMPLE_SHOP;

export const EXAMPLE_OPERATED_SHOP = {
  ...{ id, name: EXAMPLE_SHOP.name, plan, currency, timezone },
  ...{ version: 41, keys: 3, hasShopifySecret: false },
};

export const EXAMPLE_NEW_SHOP = {
  shop: {
    ...EXAMPLE_OPERATED_SHOP,
    ...{ name: 'Corner shop', currency: 'EUR', timezone: 'Europe/Berlin', version: 1, keys: 1 },
  },
  key: {
    ...EXAMPLE_KEY,
    ...{ label: 'Setup', permission: 'admin', expiresAt: EXAMPLE_KEY_END },
    secret: `${EXAMPLE_KEY.prefix}aPq2VvT7mL0sJhB4nYdR8wCfXuGeKi1oQzN5t`,
  },
};

export const EXAMPLE_STATUS = {
  ...{ version: '0.2.0', phase: 'ready', uptimeSeconds: 86_400 },
  ...{ dataFolder: '/var/lib/ratewright', fileBytes: 52_428_800, freeBytes: 8_000_000_000 },
  ...{ shops: 12, plans: ['starter', 'pro', 'enterprise'], isDatabaseReached: null, cluster: null },
};
