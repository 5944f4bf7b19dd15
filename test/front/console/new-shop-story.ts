/** The story of a shop that is built from nothing in the console alone. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { RATE_TYPE_NAMES } from '../../../src/engine/domain/rate-type.ts';
import { RULE_ACTIONS } from '../../../src/engine/domain/rule.ts';
import { type ConsoleInBrowser, goTo, place } from '../../support/console-in-browser.ts';
import { answered } from '../../support/server-process.ts';

const CART = {
  destination: { country: 'AT', postalCode: '6020' },
  items: [
    { quantity: 1, grams: 800, price: 2_000 },
    { quantity: 1, grams: 500, price: 3_000, properties: { tag: 'fragile' } },
  ],
};
const EMPTY = { zones: [], productGroups: [], methods: [], blendedRates: [], checks: [] };

async function makeGroup(page: Page, name: string, isDefault: boolean): Promise<void> {
  await goTo(page, 'Product groups');
  await page.getByRole('button', { name: 'New product group' }).click();
  await page.getByLabel('Name', { exact: true }).fill(name);
  if (!isDefault) await page.getByLabel('Tags').fill('fragile');
  else if (await page.getByLabel(/^Default group/).isVisible())
    await page.getByLabel(/^Default group/).check();
  await page.getByRole('button', { name: 'Create the product group' }).click();
  await page.getByRole('region', { name }).waitFor();
}

async function makeZone(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Zones', exact: true }).click();
  await page.getByRole('button', { name: 'New zone' }).click();
  const editor = page.getByRole('region', { name: 'New zone' });
  await editor.getByLabel('Name', { exact: true }).fill('Alps');
  await editor.getByLabel('Add countries').fill('Austria, Liechtenstein');
  await editor.getByRole('button', { name: 'Add', exact: true }).click();
  await editor.getByRole('button', { name: 'Add a subzone' }).click();
  await editor.getByLabel('Name of the subzone').fill('Tyrol');
  await editor.getByLabel('Postal codes').fill('6000-6699, 9782');
  await editor.getByRole('button', { name: 'Create the zone' }).click();
  await page.getByRole('region', { name: 'Alps' }).waitFor();
}

/** A method of the type with what the form begins with, but for a flat price of 5.00. */
async function makeMethod(page: Page, rateType: string, group: string): Promise<void> {
  await page.getByRole('button', { name: 'New method' }).click();
  const form = page.getByRole('form');
  await form.getByLabel('Name', { exact: true }).fill(`By ${rateType}`);
  await form.getByLabel('Zone or subzone').selectOption({ label: 'Alps' });
  await form.getByLabel('Product group').selectOption({ label: group });
  await form.getByLabel('Priced by').selectOption(rateType);
  if (rateType === 'flat') await form.getByLabel('Price (USD)').fill('5.00');
  await form.getByRole('button', { name: 'Create the method' }).click();
  await page.getByText(`Saved By ${rateType}`).waitFor();
  await form.getByText('All saved').waitFor();
}

/** The actions whose rules a cart of a kilogram meets; the others want a hundred. */
const MET: readonly string[] = ['show', 'adjust_add'];

/** A rule of each action in the open method. */
async function makeRules(page: Page): Promise<void> {
  const form = page.getByRole('form');
  for (const [at, action] of RULE_ACTIONS.entries()) {
    await form.getByRole('button', { name: 'Add a rule' }).click();
    await form.getByLabel('Action').last().selectOption(action);
    if (action.startsWith('adjust')) await form.getByLabel('Amount (USD)').last().fill('1.00');
    await form.getByRole('button', { name: 'Add a condition' }).last().click();
    const condition = `Rule ${at + 1}, condition 1`;
    await form.getByLabel(`${condition}, looks at`).selectOption('cart_weight');
    await form.getByLabel(`${condition}, value`).fill(MET.includes(action) ? '1 kg' : '100 kg');
  }
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByText('All saved').waitFor();
}

export function newShopStory(console: ConsoleInBrowser): void {
  test('a shop is built from nothing: groups, zones, a method of each rate type, rules of each action, a check', async () => {
    const { versions } = answered(await console.client.listVersions());
    answered(await console.client.replaceConfig({ action: 'execute', data: EMPTY }));
    const page = await console.opened('#/groups');
    await makeGroup(page, 'Everything', true);
    await makeGroup(page, 'Fragile', false);
    await makeZone(page);
    await goTo(page, 'Methods');
    for (const rateType of RATE_TYPE_NAMES) await makeMethod(page, rateType, 'Everything');
    await page.getByRole('link', { name: 'By flat', exact: true }).click();
    await makeRules(page);
    await makeMethod(page, 'flat', 'Fragile');

    await goTo(page, 'Blended rates');
    await page.getByRole('button', { name: 'New blended rate' }).click();
    await page.getByLabel('Name', { exact: true }).fill('In one parcel');
    await page.getByLabel('Zone or subzone').selectOption({ label: 'Alps' });
    await page.getByLabel('Everything').selectOption({ label: 'By flat' });
    await page.getByRole('button', { name: 'Create the blended rate' }).click();
    await page.getByText('Saved In one parcel').waitFor();

    await page.goto(`${console.server.url}/console${place('tester', { cart: JSON.stringify(CART) })}`);
    const offered = page.getByRole('table', { name: /^Offered/ });
    // 5.00 and 1.00 by a rule for what everything costs, 5.00 for what is fragile.
    await offered.getByRole('row', { name: 'In one parcel' }).getByText('$11.00').waitFor();
    await page.getByRole('button', { name: 'Save as check…' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('To Innsbruck');
    await page.getByRole('button', { name: 'Save the check' }).click();
    await page.getByText('Saved the check To Innsbruck').waitFor();
    await goTo(page, 'Checks');
    await page.getByRole('link', { name: 'To Innsbruck ✓ passes' }).waitFor();

    const { methods, zones } = answered(await console.client.getConfig());
    assert.deepEqual(
      methods.map(({ rateType }) => rateType),
      [...RATE_TYPE_NAMES, 'flat'],
    );
    assert.deepEqual(
      methods.flatMap(({ rules }) => rules.map(({ action }) => action)),
      RULE_ACTIONS,
    );
    assert.deepEqual(
      zones.flatMap(({ subzones }) => subzones.map(({ name, postalCodes }) => [name, postalCodes])),
      [['Tyrol', '6000-6699, 9782']],
    );
    const targetVersionId = versions[0]?.id ?? '';
    answered(await console.client.changeVersion({ action: 'rollback', targetVersionId }));
    await page.context().close();
  });
}
