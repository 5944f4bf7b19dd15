/** What another window, tab or person does in the middle of a call: each page stays true, and nothing is lost. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createOperator } from '../../../src/front/client/client.ts';
import { type ConsoleInBrowser, fromUserMenu, goTo, place } from '../../support/console-in-browser.ts';
import { held, isCall, isWriting } from '../../support/held-calls.ts';
import { answered, DEMO_KEY, OPERATOR_KEY } from '../../support/server-process.ts';

const STANDARD = 'method_us_standard';

export function twoWindowsTests(console: ConsoleInBrowser): void {
  test('the shop that was chosen last is open, however late the answer to the first', async () => {
    const operator = createOperator({ url: console.server.url, operatorKey: OPERATOR_KEY });
    const { shop } = answered(await operator.shops.create({ name: 'Slow shop' }));
    const { shop: demo } = answered(await console.client.getShop());
    const page = await console.opened('', null);
    await page.getByLabel('API key').fill(OPERATOR_KEY);
    await page.keyboard.press('Enter');
    const first = page.getByRole('button', { name: 'Slow shop', exact: true });
    await first.waitFor();
    console.forgive();
    const opening = await held(page, isCall('GET', `/operator/shops/${shop.id}/api/shop`));
    await first.click();
    await opening.made;
    await page.getByRole('button', { name: demo.name, exact: true }).click();
    await page.getByTitle(demo.name).waitFor();
    const late = page.waitForResponse((answer) => answer.url().includes(`${shop.id}/api/shop`));
    opening.release();
    await late;
    await goTo(page, 'Zones');
    await page.getByRole('link', { name: /^United States/ }).waitFor();
    assert.equal(await page.getByTitle('Slow shop').count(), 0);
    answered(await operator.shops.delete(shop.id));
    await operator.close();
    await page.context().close();
  });

  test('signing out ends a tab that is loading, and a refused key leaves the key of another tab', async () => {
    const { client } = console;
    const page = await console.opened('#/zones');
    await page.locator('[data-row]').first().waitFor();
    // A kept key is not kept longer because it is used.
    assert.ok(
      Number(await page.evaluate(`parseInt(localStorage['ratewright-key'])`)) < Date.now() + 2 * 3_600_000,
    );
    const other = await page.context().newPage();
    const loading = await held(other, isCall('GET', '/api/shop'));
    await other.goto(`${console.server.url}/console#/zones`);
    await loading.made;
    await fromUserMenu(page, 'Sign out');
    await page.getByLabel('API key').waitFor();
    loading.release();
    await other.getByLabel('API key').waitFor();
    assert.equal(await page.evaluate(`localStorage['ratewright-key']`), undefined);

    const { key, secret } = answered(await client.createKey({ label: 'Two', permission: 'write' }));
    for (const [tab, typed] of [
      [page, secret],
      [other, DEMO_KEY],
    ] as const) {
      await tab.getByLabel('API key').fill(typed);
      await tab.keyboard.press('Enter');
      await tab.locator('[data-row]').first().waitFor();
    }
    answered(await client.revokeKey(key.id));
    await goTo(page, 'Methods');
    await page.getByText('The key is no longer accepted').first().waitFor();
    console.forgive();
    await goTo(other, 'Methods');
    await other.locator('[data-row]').first().waitFor();
    assert.match(String(await other.evaluate(`localStorage['ratewright-key']`)), new RegExp(`${DEMO_KEY}$`));
    await page.context().close();
  });

  test('a new label of a key keeps the end that another admin gave it, and no secret goes unseen', async () => {
    const { client } = console;
    const { key } = answered(await client.createKey({ label: 'Temp', permission: 'read' }));
    const page = await console.opened('#/settings');
    await page.getByRole('button', { name: 'Change Temp…' }).click();
    await page.getByRole('dialog').getByLabel('Label').fill('Temporary');
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
    answered(await client.updateKey(key.id, { expiresAt }));
    await page.getByRole('button', { name: 'Change the key' }).click();
    await page.getByText('Changed the key Temporary').waitFor();
    const { keys } = answered(await client.listKeys());
    assert.equal(keys.find(({ id }) => id === key.id)?.expiresAt, expiresAt);
    const label = page.getByLabel('Label of a new key');
    const making = await held(page, isCall('POST', '/api/keys'));
    await label.fill('First');
    await label.press('Enter');
    await making.made;
    await label.fill('Second');
    await label.press('Enter');
    await page.getByRole('dialog', { name: 'The key Second' }).waitFor();
    making.release();
    for (const made of ['Second', 'First']) {
      await page.getByRole('dialog', { name: `The key ${made}` }).waitFor();
      // Neither a key nor a press beside it loses a secret.
      await page.keyboard.press('Escape');
      await page.mouse.click(5, 400);
      await page.getByRole('button', { name: 'Done, I stored it' }).click();
    }
    for (const { id, label: name } of answered(await client.listKeys()).keys)
      if (['First', 'Second', 'Temporary'].includes(name)) answered(await client.revokeKey(id));
    await page.context().close();
  });

  test('a rollback closes nothing on the page that is open when it is done, and a comparison shows its own', async () => {
    const { client } = console;
    const { method } = answered(await client.getMethod(STANDARD));
    answered(await client.updateMethod(STANDARD, { subtitle: 'Some days' }));
    const page = await console.opened('#/history');
    await page.locator('[data-row]').first().click();
    await page.getByRole('button', { name: 'Undo this version…' }).click();
    const write = await held(page, isWriting('/api/versions', 'rollback'));
    await page.getByRole('button', { name: 'Go back', exact: true }).click();
    await write.made;
    await page.keyboard.press('Escape');
    await goTo(page, 'Zones');
    await page.getByRole('link', { name: /^Canada/ }).click();
    const name = page.getByLabel('Name', { exact: true });
    await name.fill('Canada too');
    write.release();
    await page.getByText(/has the configuration of version/).waitFor();
    assert.equal(await name.inputValue(), 'Canada too');
    await page.getByRole('button', { name: 'Discard changes' }).click();
    assert.equal(answered(await client.getMethod(STANDARD)).method.subtitle, method.subtitle);

    await goTo(page, 'History');
    const [newest] = answered(await client.listVersions()).versions;
    const compare = page.getByRole('form', { name: 'Compare two versions' });
    await compare.getByLabel('Compare version').fill(String((newest?.number ?? 0) - 1));
    await compare.getByRole('button', { name: 'Compare' }).click();
    const pane = page.locator('.detail');
    await pane.getByText('Some days').first().waitFor();
    const reading = await held(page, isWriting('/api/versions', 'compare'));
    await compare.getByLabel('with').fill('1');
    await compare.getByRole('button', { name: 'Compare' }).click();
    await reading.made;
    await pane.getByText('to 1').waitFor();
    assert.equal(await pane.getByText('Some days').count(), 0);
    reading.release();
    await page.context().close();
  });

  test('a draft that others open or end is seen once the page is looked at, or asks about it', async () => {
    const { client } = console;
    const page = await console.opened('#/zones');
    await page.locator('[data-row]').first().waitFor();
    // What is still being read may be from before the draft.
    await page.waitForLoadState('networkidle');
    answered(await client.changeStaging({ action: 'enter' }));
    // As when the reader looks at the tab again.
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))");
    await page.getByText('A draft is open').waitFor();
    answered(await client.changeStaging({ action: 'discard' }));
    await goTo(page, 'Checks');
    await page.getByText('A draft is open').waitFor({ state: 'detached' });
    await page.getByText(/^\d+ passed, \d+ failed$/).waitFor();
    console.forgive();
    await page.context().close();
  });

  test('two editors who save the same field of one draft at the same moment are told of each other', async () => {
    const { client } = console;
    answered(await client.changeStaging({ action: 'enter' }));
    const page = await console.opened(place('methods', { open: STANDARD }));
    const description = page.getByRole('form', { name: 'Standard' }).getByLabel('Description');
    await description.fill('Mine');
    const write = await held(page, isCall('PUT', `/api/methods/${STANDARD}`));
    const save = page.getByRole('button', { name: 'Save to the draft' });
    await save.click();
    await write.made;
    answered(await client.updateMethod(STANDARD, { subtitle: 'Theirs' }));
    write.release();
    await page.getByText('You both changed description: the form has yours').waitFor();
    console.forgive();
    assert.equal(await description.inputValue(), 'Mine');
    assert.equal(answered(await client.getMethod(STANDARD)).method.subtitle, 'Theirs');
    // What others save elsewhere in the draft keeps nobody from saving.
    const again = await held(page, isCall('PUT', `/api/methods/${STANDARD}`));
    await save.click();
    await again.made;
    const { zone } = answered(await client.createZone({ name: 'Elsewhere', countries: [] }));
    again.release();
    await page.getByText(/^Saved Standard/).waitFor();
    console.forgive();
    assert.equal(answered(await client.getMethod(STANDARD)).method.subtitle, 'Mine');

    await goTo(page, 'Draft');
    await page.getByRole('button', { name: 'Publish…' }).click();
    const promotion = await held(page, isWriting('/api/staging', 'promote'));
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: /^Publish/ }).click();
    await promotion.made;
    answered(await client.deleteZone(zone.id));
    promotion.release();
    await dialog
      .getByRole('alert')
      .getByText(/^As it is live again: .*Elsewhere/)
      .waitFor();
    console.forgive();
    assert.notEqual(answered(await client.getStaging()).staging, null);
    answered(await client.changeStaging({ action: 'discard' }));
    await page.context().close();
  });

  test('what was meant for a draft that is discarded meanwhile goes nowhere, and the page says so', async () => {
    const { client } = console;
    const ended = 'Nothing was saved: the draft has ended. What you save now is live';
    const before = answered(await client.getConfig());
    const page = await console.opened(null);
    const open = async (fragment: string): Promise<void> => {
      answered(await client.changeStaging({ action: 'enter' }));
      await page.goto(`${console.server.url}/console${fragment}`);
      await page.reload();
    };
    const lose = async (button: string, isMeant: ReturnType<typeof isCall>): Promise<void> => {
      const write = await held(page, isMeant);
      await page.getByRole('button', { name: button }).click();
      await write.made;
      answered(await client.changeStaging({ action: 'discard' }));
      write.release();
      await page.getByText(ended).waitFor();
      console.forgive();
      await page.getByText('A draft is open').waitFor({ state: 'detached' });
      assert.deepEqual(answered(await client.getConfig()), before);
    };
    await open(place('methods', { open: STANDARD }));
    const description = page.getByRole('form', { name: 'Standard' }).getByLabel('Description');
    await description.fill('Some days');
    await lose('Save to the draft', isCall('PUT', `/api/methods/${STANDARD}`));
    assert.equal(await description.inputValue(), 'Some days');
    await page.getByRole('button', { name: 'Discard changes' }).click();

    await open(place('zones', { open: 'new' }));
    await page.getByLabel('Name', { exact: true }).fill('Nowhere');
    await lose('Create the zone', isCall('POST', '/api/zones'));
    await page.getByRole('button', { name: 'Discard changes' }).click();

    await open('#/methods');
    await page.getByRole('button', { name: 'Change the price of Portland courier,' }).click();
    await page.getByLabel('Price of Portland courier (USD)').fill('19.96');
    await page.keyboard.press('Tab');
    await page.getByRole('button', { name: 'Review and save…' }).click();
    await lose('Save to the draft', isWriting('/api/config', 'execute'));
    await page.context().close();
  });

  test('a draft that ends in the middle of its publishing leaves the reader in no doubt', async () => {
    const { client } = console;
    const { method } = answered(await client.getMethod(STANDARD));
    const page = await console.opened('#/zones');
    answered(await client.changeStaging({ action: 'enter' }));
    answered(await client.updateMethod(STANDARD, { subtitle: 'Published' }));
    const { promotionGate } = answered(await client.getShop()).shop;
    answered(await client.updateShop({ promotionGate: null }));
    await goTo(page, 'Draft');
    const ask = page.getByRole('button', { name: 'Ask that no check fails' });
    await ask.waitFor();
    answered(await client.updateShop({ promotionGate: { noLostCarts: true } }));
    await ask.click();
    await page.getByText('From now on a draft with a failing check is not published').waitFor();
    assert.deepEqual(answered(await client.getShop()).shop.promotionGate, {
      checksPass: true,
      noLostCarts: true,
    });
    answered(await client.updateShop({ promotionGate }));
    await page.getByRole('button', { name: 'Publish…' }).click();
    await page.route('**/api/staging', async (route) => {
      if (!isWriting('/api/staging', 'promote')(route.request())) return route.fallback();
      await route.fetch();
      return route.abort('connectionreset');
    });
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Publish/ })
      .click();
    await page.getByText('says whether it was published').waitFor();
    console.forgive();
    answered(await client.updateMethod(STANDARD, { subtitle: method.subtitle }));
    await page.context().close();
  });
}
