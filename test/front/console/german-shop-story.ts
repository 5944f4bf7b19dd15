/**
 * The story of a German shop that is built from nothing in the console alone, in a German and in an American browser. Each
 * reader types as people of their language do; what is stored is the same.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { RULE_ACTIONS } from '../../../src/engine/domain/rule.ts';
import { createOperator, type RatewrightClient } from '../../../src/front/client/client.ts';
import { type ConsoleInBrowser, goTo } from '../../support/console-in-browser.ts';
import { answered, OPERATOR_KEY } from '../../support/server-process.ts';
import { ISLANDS, type MethodRow, OTHERS, PARCEL, RULES, STORED } from './german-shop.ts';

interface Reader {
  readonly locale: string;
  readonly germany: string;
  readonly switzerland: string;
  /** `1,234.50` as the reader writes it. */
  readonly number: (english: string) => string;
}

const READERS: readonly Reader[] = [
  {
    ...{ locale: 'de-DE', germany: 'Deutschland', switzerland: 'Schweiz' },
    number: (english) => english.replace(/[.,]/g, (mark) => (mark === '.' ? ',' : '.')),
  },
  { locale: 'en-US', germany: 'Germany', switzerland: 'Switzerland', number: (english) => english },
];

/** A new shop has a group for all items. */
async function makeGroups(page: Page): Promise<void> {
  const name = page.getByLabel('Name', { exact: true });
  await page.getByRole('link', { name: /^Default/ }).click();
  await name.fill('Everything else');
  await name.press('Enter');
  await page.getByRole('link', { name: /^Everything else/ }).waitFor();
  await page.getByRole('button', { name: 'New product group' }).click();
  await name.fill('Furniture');
  await page.getByLabel('Tags', { exact: true }).fill('furniture; Möbel');
  await page.getByRole('button', { name: 'Create the product group' }).click();
  await page.getByRole('region', { name: 'Furniture' }).waitFor();
}

/** A zone of a country as it is typed, or of a preset. */
async function makeZone(page: Page, name: string, country: string | RegExp, islands = ''): Promise<void> {
  await page.getByRole('button', { name: 'New zone', exact: true }).click();
  const editor = page.getByRole('region', { name: 'New zone' });
  await editor.getByLabel('Name', { exact: true }).fill(name);
  if (typeof country === 'string') await editor.getByLabel('Countries').fill(country);
  else {
    await editor.getByRole('button', { name: 'Add a region' }).click();
    await page.getByRole('menuitem', { name: country }).click();
  }
  if (islands !== '') {
    await editor.getByRole('button', { name: 'Add a subzone' }).click();
    await editor.getByLabel('Name of the subzone').fill('Islands');
    await pasteInto(editor.getByLabel('Postal codes'), islands);
    await editor.getByRole('button', { name: 'Remove 26548-26571: 24 codes' }).waitFor();
  }
  await editor.getByRole('button', { name: 'Create the zone' }).click();
  await page.getByRole('region', { name, exact: true }).waitFor();
}

/** Not by the clipboard, which both browsers share. */
async function pasteInto(field: Locator, text: string): Promise<void> {
  await field.focus();
  await field.page().evaluate(`{
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', ${JSON.stringify(text)});
    const pasted = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
    document.activeElement.dispatchEvent(pasted);
  }`);
}

async function fillMethod(page: Page, method: MethodRow, number: Reader['number']): Promise<Locator> {
  await page.getByRole('button', { name: 'New method' }).click();
  const form = page.getByRole('form', { name: 'New method' });
  await form.getByLabel('Name', { exact: true }).fill(method.name);
  await form.getByLabel('Zone or subzone').selectOption({ label: method.zone });
  await form.getByLabel('Product group').selectOption({ label: method.group });
  await form.getByLabel('Priced by').selectOption(method.type);
  for (const [label, text] of Object.entries(method.fields))
    await form.getByLabel(label, { exact: true }).fill(number(text));
  for (const [at, [end, price]] of method.tiers?.entries() ?? []) {
    if (at > 0) await form.getByRole('button', { name: 'Add a tier' }).click();
    await form.getByLabel(`Tier ${at + 1}, to below`).fill(number(end));
    await form.getByLabel(`Tier ${at + 1}, price`).fill(number(price));
  }
  return form;
}

async function createMethod(page: Page, name: string): Promise<void> {
  const form = page.getByRole('form');
  await form.getByRole('button', { name: 'Create the method' }).click();
  await page.getByText(`Saved ${name}`).waitFor();
  await form.getByText('All saved').waitFor();
}

async function makeRules(page: Page, number: Reader['number']): Promise<void> {
  const form = page.getByRole('form');
  await page.getByRole('tab', { name: /^Rules/ }).click();
  for (const [at, [action, type, value, amount, text]] of RULES.entries()) {
    await form.getByRole('button', { name: 'Add a rule' }).click();
    const rule = form.locator('.rules > li').nth(at);
    await rule.getByLabel('Action').selectOption(action);
    if (amount !== '') await rule.getByLabel('Amount (EUR)').fill(number(amount));
    await rule.getByRole('button', { name: 'Add a condition' }).click();
    await rule.getByRole('combobox', { name: 'condition 1, looks at' }).click();
    await page.getByRole('option', { name: type, exact: true }).click();
    if (type === 'Subzone') await rule.getByLabel(value).check();
    else await rule.getByLabel('condition 1, value').fill(number(value));
    const line = rule.getByRole('button', { name: `${at + 1}. ${text}`, exact: true });
    await line.click();
  }
}

/** A price that two readers would read in two ways is not saved before the reader has said which. */
async function askedWhich(page: Page, form: Locator): Promise<void> {
  const price = form.getByLabel('Tier 3, price');
  const meant = await price.inputValue();
  await price.fill('4,999');
  await form.getByRole('button', { name: 'Create the method' }).click();
  await page.getByText('Not saved: this field cannot be read').waitFor();
  await form.getByText('4.999 has three decimals').waitFor();
  await form.getByRole('button', { name: '€4,999.00' }).click();
  assert.equal(await price.inputValue(), '4999.00');
  await price.fill(meant);
}

/** A lamp to an island; with a chair to Berlin the blended rate, and none where the chair is too heavy for the parcel. */
async function tryCart(page: Page, number: Reader['number']): Promise<void> {
  await goTo(page, 'Rate tester');
  const cart = page.getByRole('form', { name: 'Cart' });
  await cart.getByLabel('Postal code').fill('26548');
  const lamp = cart.getByRole('group', { name: 'Item 1' });
  await lamp.getByLabel('Weight').fill(number('2.5'));
  await lamp.getByLabel('Price (EUR)').fill(number('19.90'));
  const offered = page.getByRole('table', { name: /^Offered/ });
  await offered.getByRole('row', { name: 'Parcel' }).getByText('€13.40').waitFor();
  await page.getByText('Zone Germany › Islands').waitFor();
  await cart.getByLabel('Postal code').fill('10115');
  await cart.getByRole('button', { name: 'Add an item' }).click();
  const chair = cart.getByRole('group', { name: 'Item 2' });
  await chair.getByText('Tags, SKU, size…').click();
  await chair.getByLabel('Tags').fill('Möbel');
  await chair.getByLabel('Weight').fill(number('20.0'));
  await chair.getByLabel('Price (EUR)').fill(number('199'));
  await chair.locator('summary').getByText('Furniture').waitFor();
  await page
    .getByRole('table', { name: /^Hidden/ })
    .getByText('an item weighs 20 kg or more')
    .first()
    .waitFor();
  await chair.getByLabel('Weight').fill(number('19.5'));
  // 4.90 for the lamp, 1.00 less from 50.00, and 49.90 for the chair.
  await offered.getByRole('row', { name: 'In one delivery' }).getByText('€53.80').waitFor();
  await page.getByRole('button', { name: 'Save as check…' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Lamp and chair to Berlin');
  await page.getByRole('button', { name: 'Save the check' }).click();
  await page.getByText('Saved the check Lamp and chair to Berlin').waitFor();
}

async function publishDraft(page: Page, number: Reader['number']): Promise<void> {
  await goTo(page, 'Draft');
  // The page before it has fields of this name too.
  await page.getByRole('heading', { name: 'Draft', exact: true }).waitFor();
  await page.getByLabel('Name', { exact: true }).fill('Swiss customs');
  await page.getByRole('button', { name: 'Open a draft' }).click();
  await page.getByRole('heading', { name: 'Swiss customs' }).waitFor();
  await goTo(page, 'Methods');
  await page.getByRole('link', { name: 'Swiss parcel', exact: true }).click();
  const form = page.getByRole('form', { name: 'Swiss parcel' });
  await form.getByLabel('At least (EUR)').fill(number('12.90'));
  await form.getByRole('button', { name: 'Save to the draft' }).click();
  await form.getByText('All saved').waitFor();
  await goTo(page, 'Draft');
  const concerns = page.getByRole('list', { name: 'Before you publish' });
  await concerns.getByText('The check passes').waitFor();
  const changes = page.getByRole('region', { name: 'What changes' });
  await changes.getByRole('insertion').filter({ hasText: '€12.90' }).waitFor();
  await page.getByRole('button', { name: 'Publish…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Publish this draft?' });
  await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByText('The draft is published').waitFor();
}

async function build(page: Page, { germany, switzerland, number }: Reader): Promise<void> {
  await makeGroups(page);
  await goTo(page, 'Zones');
  await makeZone(page, 'Germany', germany, ISLANDS);
  await makeZone(page, 'European Union', /^European Union without Germany/);
  await makeZone(page, 'Switzerland', switzerland);
  await goTo(page, 'Methods');
  const parcel = await fillMethod(page, PARCEL, number);
  await askedWhich(page, parcel);
  await makeRules(page, number);
  await createMethod(page, PARCEL.name);
  for (const method of OTHERS) {
    await fillMethod(page, method, number);
    await createMethod(page, method.name);
  }
  await goTo(page, 'Blended rates');
  await page.getByRole('button', { name: 'New blended rate' }).click();
  await page.getByLabel('Name', { exact: true }).fill('In one delivery');
  await page.getByLabel('Zone or subzone').selectOption({ label: 'Germany' });
  await page.getByLabel('Everything else').selectOption({ label: 'Parcel' });
  await page.getByLabel('Furniture').selectOption({ label: 'Forwarder' });
  await page.getByRole('button', { name: 'Create the blended rate' }).click();
  await page.getByText('Saved In one delivery').waitFor();
  await tryCart(page, number);
  await publishDraft(page, number);
}

/** The live configuration with the place of each id in it for the id, which is made at random. */
async function stored(client: RatewrightClient) {
  const { versionId: _, ...config } = answered(await client.getConfig());
  const text = JSON.stringify(config);
  const ids = [...new Set([...text.matchAll(/"id":"([\w-]+)"/g)].map(([, id = '']) => id))];
  const plain = ids.reduce((left, id, at) => left.replaceAll(`"${id}"`, `"#${at}"`), text);
  return JSON.parse(plain) as typeof config;
}

export function germanShopStory(console: ConsoleInBrowser): void {
  let operator: ReturnType<typeof createOperator>;
  before(() => {
    operator = createOperator({ url: console.server.url, operatorKey: OPERATOR_KEY });
  });
  after(() => operator.close());

  const readers = console.isLong ? READERS : READERS.slice(0, 1);
  const browsers = readers.map(({ locale }) => locale).join(' and ');
  test(`a German shop is built from nothing in a browser in ${browsers}, and is right to the cent`, async () => {
    const built = await Promise.all(
      readers.map(async (reader) => {
        const settings = { name: 'Möbelhaus', currency: 'EUR', timezone: 'Europe/Berlin' };
        const { shop } = answered(await operator.shops.create(settings));
        // A test types faster than the smallest plan allows.
        answered(await operator.shops.setPlan(shop.id, { plan: 'enterprise' }));
        const client = operator.shop(shop.id);
        const { secret } = answered(await client.createKey({ label: reader.locale, permission: 'admin' }));
        const page = await console.opened('#/groups', secret, false, reader.locale);
        await build(page, reader);
        await page.context().close();
        const config = await stored(client);
        answered(await operator.shops.delete(shop.id));
        return config;
      }),
    );
    const [german, american = german] = built;
    assert.deepEqual(american, german);
    const { zones = [], productGroups = [], methods = [], checks = [] } = german ?? {};
    const rules = methods.flatMap((method) => method.rules);
    const islands = zones[0]?.subzones[0];
    assert.deepEqual(
      {
        zones: zones.map(({ name, countries, subzones }) => [
          name,
          countries.toSorted(),
          subzones.map((subzone) => [subzone.name, subzone.postalCodes]),
        ]),
        groups: productGroups.map(({ name, isDefault, tags }) => [name, isDefault, tags]),
        methods: methods.map(({ name, config, freeShippingThreshold }) => [
          name,
          config,
          freeShippingThreshold,
        ]),
        rules: rules.map(({ action, conditions: [condition], adjustmentValue = null }) => [
          action,
          condition?.conditionType,
          condition?.value === islands?.id ? islands?.name : condition?.value,
          adjustmentValue,
        ]),
      },
      STORED,
    );
    assert.deepEqual(
      rules.map(({ action }) => action),
      RULE_ACTIONS,
    );
    assert.deepEqual(
      checks.map(({ expectations }) => expectations),
      [[{ kind: 'rates', rates: [{ serviceCode: 'in-one-delivery', totalPrice: 5_380 }] }]],
    );
  });
}
