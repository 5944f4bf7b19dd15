/** `shop create`, `shop list`, `shop set-plan`, `shop delete`. */

import { withoutUndefined } from '../client/caller.ts';
import type { RatewrightOperator } from '../client/client.ts';
import { type Command, columns, JSON_OPTION, printResult } from './command.ts';
import { confirm } from './confirmation.ts';
import { answered, SERVICE_OPTIONS, SHOP_OPTIONS, shopIdIn, withOperator } from './find-service.ts';

export const shopCreate: Command = {
  options: {
    name: { value: 'NAME', description: 'Name of the shop; required' },
    currency: { value: 'CODE', description: 'ISO 4217 currency code; required' },
    timezone: { value: 'ZONE', description: 'IANA time zone, such as Europe/Berlin (default: UTC)' },
    plan: { value: 'PLAN', description: 'Plan (default: starter)' },
    id: { value: 'ID', description: 'Id of the shop (default: a new one)' },
    ...SERVICE_OPTIONS,
    json: JSON_OPTION,
  },
  notes: () => "A shop is reached with an API key: 'ratewright key create' makes the first one.\n",
  async run(input) {
    const [name, currency] = [input.requiredOption('name'), input.requiredOption('currency')];
    const [id, timezone, plan] = ['id', 'timezone', 'plan'].map((option) => input.option(option));
    const body = { name, currency, ...withoutUndefined({ id, timezone, plan }) };
    await withOperator(
      input,
      async ({ shops }) => {
        const { shop } = answered(await shops.create(body));
        printResult(input, { shop }, () => shop.id);
      },
      { makesFolder: true },
    );
  },
};

export const shopList: Command = {
  options: { ...SERVICE_OPTIONS, json: JSON_OPTION },
  async run(input) {
    await withOperator(input, async (operator) => {
      const { shops, damaged } = await shopsOf(operator);
      const rows = shops.map((shop) => [shop.id, shop.plan, shop.currency, shop.timezone, shop.name]);
      printResult(input, { shops, damaged }, () => [
        ...columns([['ID', 'PLAN', 'CURRENCY', 'TIME ZONE', 'NAME'], ...rows]),
        ...damaged.map(({ message }) => message),
      ]);
    });
  },
};

export const shopSetPlan: Command = {
  arguments: [{ name: 'PLAN', description: 'Name of the plan' }],
  options: { ...SHOP_OPTIONS, json: JSON_OPTION },
  async run(input) {
    const plan = input.requiredArgument(0);
    await withOperator(input, async (operator) => {
      const id = await shopIdIn(operator, input);
      const { shop } = answered(await operator.shops.setPlan(id, { plan }));
      printResult(input, { shop }, () => `${id} is on plan ${plan}`);
    });
  },
};

export const shopDelete: Command = {
  arguments: [{ name: 'SHOP', description: 'Id of the shop' }],
  options: { yes: { description: 'Delete without asking' }, ...SERVICE_OPTIONS, json: JSON_OPTION },
  notes: () =>
    'Its versions, keys and changeset go with it, and its id is not used again. It is not deleted while\n' +
    'the server has writes of it waiting.\n',
  async run(input) {
    const id = input.requiredArgument(0);
    if (!input.hasSwitch('yes')) {
      const { shops, damaged } = await withOperator(input, (operator) => shopsOf(operator, { search: id }));
      const shop = [...shops, ...damaged].find((each) => each.id === id);
      // Whether there was one the server says.
      if (shop !== undefined) await confirm(`Delete ${contentText(shop)} permanently?`, id);
    }
    await withOperator(input, async (operator) => {
      answered(await operator.shops.delete(id));
      printResult(input, { deleted: id }, () => `${id} is deleted`);
    });
  },
};

const contentText = (shop: Listed['shops'][number] | Listed['damaged'][number]): string =>
  'message' in shop
    ? `${shop.id}, whose log is damaged,`
    : `${shop.id} (${shop.name}), its ${shop.version} versions and ${shop.keys} keys`;

type Listed = Awaited<ReturnType<typeof shopsOf>>;

/** All pages of the list. */
async function shopsOf({ shops }: RatewrightOperator, query: { readonly search?: string } = {}) {
  const all = answered(await shops.list({ query }));
  for (let cursor = all.nextCursor; cursor !== null; ) {
    const page = answered(await shops.list({ query: { ...query, cursor } }));
    all.shops.push(...page.shops);
    all.damaged.push(...page.damaged);
    cursor = page.nextCursor;
  }
  return all;
}
