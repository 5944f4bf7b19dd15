/** `shop create`, `shop list`, `shop set-plan`, `shop delete`. */
import type { ShopSettings } from '../../engine/domain/shop.ts';
import { type Command, columns, JSON_OPTION, print, printResult } from './command.ts';
import { confirm } from './confirmation.ts';
import { SHOP_OPTION, withShop, withShops } from './open-shops.ts';

const FIRST_PLAN = 'starter';

export const shopCreate: Command = {
  options: {
    name: { value: 'NAME', description: 'Name of the shop' },
    currency: { value: 'CODE', description: 'ISO 4217 currency code' },
    timezone: { value: 'ZONE', description: 'IANA time zone, such as Europe/Berlin (default: UTC)' },
    plan: { value: 'PLAN', description: `Plan (default: ${FIRST_PLAN})` },
    id: { value: 'ID', description: 'Id of the shop (default: a new one)' },
    json: JSON_OPTION,
  },
  notes: () => "A shop is reached with an API key: 'ratewright key create' makes the first one.\n",
  async run(input) {
    const id = input.option('id');
    const wanted = {
      name: input.requiredOption('name'),
      currency: input.requiredOption('currency'),
      timezone: input.option('timezone') ?? 'UTC',
      plan: input.option('plan') ?? FIRST_PLAN,
      ...(id === undefined ? {} : { id }),
    };
    await withShops(
      input.settings,
      async (shops) => {
        const { shopId, state } = shops.valueOf(await shops.directory.createShop(wanted));
        shops.noteChange(shopId);
        printResult(input, { shop: state.settings }, () => shopId);
      },
      true,
    );
  },
};

export const shopList: Command = {
  options: { json: JSON_OPTION },
  async run(input) {
    const shops = await withShops(input.settings, async (opened) => {
      const found: ShopSettings[] = [];
      for (const id of await opened.shopIds()) found.push((await opened.directory.load(id)).state.settings);
      return found;
    });
    const rows = shops.map((shop) => [shop.id, shop.plan, shop.currency, shop.timezone, shop.name]);
    printResult(input, { shops }, () => columns([['ID', 'PLAN', 'CURRENCY', 'TIME ZONE', 'NAME'], ...rows]));
  },
};

export const shopSetPlan: Command = {
  arguments: [{ name: 'PLAN', description: 'Name of the plan' }],
  options: { shop: SHOP_OPTION },
  async run(input) {
    const plan = input.requiredArgument(0);
    await withShop(input, async (shop, shops) => {
      await shops.write(shop, { kind: 'setPlan', plan });
      print(`${shop.shopId} is on plan ${plan}`);
    });
  },
};

export const shopDelete: Command = {
  arguments: [{ name: 'SHOP', description: 'Id of the shop' }],
  options: { yes: { description: 'Delete without asking' } },
  notes: () =>
    'Its versions, keys and changeset go with it, and its id is not used again. A running server\n' +
    'drops the shop at once; it is not deleted while the server has writes of it waiting.\n',
  async run(input) {
    const id = input.requiredArgument(0);
    await withShops(input.settings, async (shops) => {
      if (await shops.completeDeletion(id)) {
        print(`${id} was deleted before`);
        return;
      }
      const { settings, keys, version } = (await shops.shop(id)).state;
      const what = `${id} (${settings.name}), its ${version.number} versions and ${keys.length} keys`;
      if (!input.hasSwitch('yes')) await confirm(`Delete ${what} permanently?`, id);
      await shops.delete(id);
      print(`${id} is deleted`);
    });
  },
};
