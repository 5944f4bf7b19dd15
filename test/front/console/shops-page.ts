/** The shops of an operator in a real browser: the first run, from the operator's key to a rate, and other shops. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createOperator } from '../../../src/front/client/client.ts';
import { type ConsoleInBrowser, fromUserMenu, goTo } from '../../support/console-in-browser.ts';
import { answered, OPERATOR_KEY } from '../../support/server-process.ts';

export function shopsTests(console: ConsoleInBrowser): void {
  test('the operator makes a shop with the sample of a country, gives it a key, and opens another', async () => {
    const page = await console.opened('', null);
    await page.getByLabel('API key').fill(OPERATOR_KEY);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Shops' }).waitFor();
    // The key is no key of a shop, which only the refusal says.
    console.forgive();
    await page.getByRole('button', { name: 'New shop' }).click();
    const form = page.getByRole('form', { name: 'New shop' });
    await form.getByLabel('Name').fill('Kaffee Krone');
    await form.getByLabel(/^Country/).selectOption('DE');
    assert.equal(await form.getByLabel('Currency').inputValue(), 'EUR');
    await form.getByLabel('Time zone').selectOption('Europe/Berlin');
    await console.assertAccessible(page, 'new-shop');
    await form.getByRole('button', { name: 'Make the shop' }).dblclick();
    await page.getByText('Made the shop Kaffee Krone').waitFor();

    // Its keys are made where those of each shop are.
    await goTo(page, 'Settings');
    await page.getByLabel('Label of a new key').fill('Checkout');
    await page.getByRole('button', { name: 'Create the key' }).click();
    const secret = String(await page.getByRole('dialog').locator('code').textContent());
    await page.getByRole('button', { name: 'Done, I stored it' }).click();
    await goTo(page, 'Zones');
    await page.getByRole('link', { name: /^Germany/ }).waitFor();

    // The tab keeps key and shop, and no link has the key.
    await page.reload();
    await page.getByText('Kaffee Krone').first().waitFor();
    assert.ok(!page.url().includes(OPERATOR_KEY));
    assert.equal(await page.evaluate('localStorage.getItem("ratewright-key")'), null);
    const other = await page.context().newPage();
    await other.goto(`${console.server.url}/console`);
    await other.getByLabel('API key').fill(secret);
    await other.keyboard.press('Enter');
    await other.getByText('This key may only ask for rates').waitFor();
    await other.close();
    console.forgive();

    await fromUserMenu(page, 'Other shops');
    await page.getByRole('button', { name: 'Kaffee Krone', exact: true }).waitFor();
    await console.assertAccessible(page, 'shops');
    const { shop: demo } = answered(await console.client.getShop());
    await page.getByLabel('Find a shop').fill(demo.name.toUpperCase());
    await page.getByRole('button', { name: 'Kaffee Krone', exact: true }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: demo.name, exact: true }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.getByTitle(demo.name).waitFor();
    await fromUserMenu(page, 'Sign out');
    await page.getByLabel('API key').waitFor();
    assert.equal(await page.evaluate('sessionStorage.getItem("ratewright-operator-key")'), null);
    await page.context().close();

    const operator = createOperator({ url: console.server.url, operatorKey: OPERATOR_KEY });
    const { shops } = answered(await operator.shops.list({ query: { search: 'kaffee krone' } }));
    // A second press made no second shop.
    assert.equal(shops.length, 1);
    const made = operator.shop(shops[0]?.id ?? '');
    const items = [{ quantity: 1, grams: 500, price: 2_000 }];
    for (const [country, price] of [
      ['DE', 500],
      ['BR', 2_000],
    ] as const) {
      const { rates } = answered(await made.simulate({ destination: { country }, items }));
      assert.deepEqual(
        rates.map(({ totalPrice, currency }) => [totalPrice, currency]),
        [[price, 'EUR']],
      );
    }
    const { shop } = answered(await made.getShop());
    assert.deepEqual(shop.promotionGate, { checksPass: true });
    answered(await operator.shops.delete(shop.id));
    await operator.close();
  });

  console.longTest(
    'the operator changes the plan of a shop, connects it with Shopify, and deletes it by its name',
    async () => {
      const operator = createOperator({ url: console.server.url, operatorKey: OPERATOR_KEY });
      const { shop } = answered(await operator.shops.create({ name: 'Teehaus Mitte', plan: 'pro' }));
      const other = answered(await operator.shops.create({ name: 'Teehaus' }));
      const secrets: string[] = [];
      const page = await console.opened('', null);
      page.on('request', (sent) => {
        if (sent.url().endsWith('/secrets/shopify')) secrets.push(sent.postData() ?? '');
      });
      await page.getByLabel('API key').fill(OPERATOR_KEY);
      await page.keyboard.press('Enter');
      await page.getByLabel('Find a shop').fill('teehaus mitte');
      const row = page.getByRole('row', { name: /^Teehaus Mitte/ });
      await page.getByRole('row', { name: /^Larkspur/ }).waitFor({ state: 'detached' });
      console.forgive();
      const choose = async (item: string) => {
        await row.getByRole('button', { name: 'More about Teehaus Mitte' }).click();
        await page.getByRole('menuitem', { name: item }).click();
      };
      const dialog = page.getByRole('dialog');

      await choose('Change the plan…');
      await dialog.getByRole('option', { name: 'enterprise' }).waitFor({ state: 'attached' });
      await dialog.getByLabel('Plan', { exact: true }).selectOption('starter');
      await dialog.getByRole('button', { name: 'Change the plan' }).click();
      await page.getByText('Teehaus Mitte has the plan starter').waitFor();
      await row.getByRole('cell', { name: 'Starter' }).waitFor();

      await choose('Shopify secret…');
      await dialog.getByLabel('Client secret', { exact: true }).fill('too short');
      await dialog.getByRole('button', { name: 'Set the secret' }).click();
      await dialog.getByText('must be 16 to 256 visible ASCII characters, or empty').first().waitFor();
      console.forgive();
      await console.assertAccessible(page, 'shop-secret');
      const secret = 'shpss_0123456789abcdef';
      await dialog.getByLabel('Client secret', { exact: true }).fill(secret);
      await dialog.getByRole('button', { name: 'Set the secret' }).click();
      await row.getByText('connected').waitFor();
      assert.deepEqual(JSON.parse(secrets.at(-1) ?? ''), { secret });
      await choose('Shopify secret…');
      assert.equal(await dialog.getByLabel(/^New client secret/).inputValue(), '');
      assert.ok(!(await page.content()).includes(secret));
      await dialog.getByRole('button', { name: 'Remove it…' }).click();
      await dialog.getByRole('button', { name: 'Remove the secret' }).click();
      await row.getByText('connected').waitFor({ state: 'detached' });

      await choose('Delete…');
      await dialog.getByText('its history of 1 version, checks, drafts and audit').waitFor();
      await console.assertAccessible(page, 'shop-deletion');
      // The name of another shop deletes nothing.
      await dialog.getByRole('textbox').fill('Teehaus');
      await dialog.getByRole('button', { name: 'Delete the shop' }).click();
      await dialog.getByText('is not Teehaus Mitte').waitFor();
      assert.equal(answered(await operator.shops.list({ query: { search: 'teehaus' } })).shops.length, 2);
      await dialog.getByRole('textbox').fill('Teehaus Mitte');
      await dialog.getByRole('button', { name: 'Delete the shop' }).click();
      await page.getByText('No shop has “teehaus mitte” in its name').waitFor();
      const { shops } = answered(await operator.shops.list({ query: { search: 'teehaus' } }));
      assert.deepEqual(
        shops.map(({ id }) => id),
        [other.shop.id],
      );
      assert.notEqual(shop.id, other.shop.id);
      answered(await operator.shops.delete(other.shop.id));
      await operator.close();
      await page.context().close();
    },
  );
}
