/** The settings in a real browser: a key from its secret to its end, the gate, and a field that is refused. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ConsoleInBrowser, goTo } from '../../support/console-in-browser.ts';
import { answered, DEMO_KEY } from '../../support/server-process.ts';

export function settingsTests(console: ConsoleInBrowser): void {
  test('a key is created, works within its permission, and is refused once it is revoked', async () => {
    const page = await console.opened('#/settings');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByLabel('Label of a new key').fill('Reader');
    await page.getByLabel('What it may do').selectOption('read');
    // Another editor saves a price between the reading of the version and the write, which is no reason to refuse a key.
    const { method } = answered(await console.client.getMethod('method_us_economy'));
    await page.route(
      '**/api/keys',
      async (route) => {
        answered(await console.client.updateMethod(method.id, { subtitle: 'Later' }));
        answered(await console.client.updateMethod(method.id, { subtitle: method.subtitle }));
        return route.continue();
      },
      { times: 1 },
    );
    // A second press before the answer makes no second key.
    await page.getByRole('button', { name: 'Create the key' }).dblclick();
    const dialog = page.getByRole('dialog', { name: 'The key Reader' });
    await dialog.getByRole('button', { name: 'Copy the key' }).click();
    await dialog.getByRole('button', { name: 'Copied' }).waitFor();
    console.forgive();
    const secret = String(await page.evaluate('navigator.clipboard.readText()'));
    assert.equal(await dialog.locator('code').textContent(), secret);
    await dialog.getByRole('button', { name: 'Done, I stored it' }).click();
    const { keys } = answered(await console.client.listKeys());
    assert.equal(keys.filter(({ label }) => label === 'Reader').length, 1);
    // It gets an end, for a key that is replaced by another.
    const end = new Date(Date.now() + 100 * 86_400_000).toISOString().slice(0, 16);
    await page.getByRole('button', { name: 'Change Reader…' }).click();
    await page.getByRole('dialog').getByLabel(/^Ends/).fill(end);
    await page.getByRole('button', { name: 'Change the key' }).click();
    await page.getByText(/^ends [A-Z][a-z]+ \d/).waitFor();
    const { keys: ended } = answered(await console.client.listKeys());
    assert.equal(ended.find(({ label }) => label === 'Reader')?.expiresAt, `${end}:00.000Z`);

    const reader = await console.opened('#/settings', secret);
    const zone = reader.getByRole('region', { name: 'Shop' }).getByLabel('Time zone');
    assert.equal(await zone.inputValue(), 'America/Los_Angeles');
    assert.ok(await zone.isDisabled());
    assert.equal(await reader.getByRole('button', { name: /Save|Create|Revoke/ }).count(), 0);
    await console.assertAccessible(reader, 'settings-read-only');

    await page.getByRole('button', { name: 'Revoke Reader…' }).click();
    await page.getByRole('dialog').getByText('It was last used').waitFor();
    await page.getByRole('button', { name: 'Revoke the key' }).click();
    await page.getByText('Revoked the key Reader').waitFor();
    await page.getByText('Reader', { exact: true }).waitFor({ state: 'detached' });
    await goTo(reader, 'History');
    await reader.getByText('What you typed is still there').waitFor();
    console.forgive();
    await Promise.all([page.context().close(), reader.context().close()]);
  });

  console.longTest('the last admin key stays, and the refusal says so', async () => {
    const page = await console.opened('#/settings', DEMO_KEY, true);
    await page.getByRole('button', { name: /^Revoke Demo admin/ }).click();
    // A reader can refuse the clipboard: the command is shown instead.
    await page.evaluate(`navigator.clipboard.writeText = () => Promise.reject(new Error('refused'))`);
    await page.getByRole('dialog').getByRole('button', { name: 'Copy as curl' }).click();
    await page.getByText(/^curl -sS -X DELETE /).waitFor();
    await page.getByRole('button', { name: 'Revoke the key' }).click();
    await page.getByRole('dialog').getByRole('alert').waitFor();
    console.forgive();
    await page.getByRole('button', { name: 'Keep it' }).click();
    await page.getByRole('button', { name: /^Revoke Demo admin/ }).waitFor();
    await page.context().close();
  });

  console.longTest(
    'criteria of the gate are set and removed, and nothing is sent where nothing was changed',
    async () => {
      const gate = async () => answered(await console.client.getShop()).shop.promotionGate;
      const page = await console.opened('#/settings');
      const form = page.getByRole('form', { name: 'Rules for publishing' });
      await form.getByLabel('No check fails').check();
      await form.getByLabel(/^Carts with other rates/).fill('12,5');
      await form.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Saved Rules for publishing').waitFor();
      assert.deepEqual(await gate(), { checksPass: true, differentPercentMax: 12.5 });
      await form.getByLabel(/^Changes may go live at once/).uncheck();
      await form.getByRole('button', { name: 'Save' }).click();
      await form.getByText('All saved').waitFor();
      const { shop } = answered(await console.client.getShop());
      assert.deepEqual([shop.directWrites, shop.promotionGate?.checksPass], [false, true]);
      await form.getByLabel(/^Changes may go live at once/).check();
      await form.getByRole('button', { name: 'Save' }).click();
      await form.getByText('All saved').waitFor();
      await form.getByRole('button', { name: 'Save' }).click();
      await page.getByText('There is nothing to save').waitFor();
      await form.getByLabel('No check fails').uncheck();
      await form.getByLabel(/^Carts with other rates/).fill('');
      const saved = page.waitForResponse((response) => response.request().method() === 'PUT');
      await form.getByRole('button', { name: 'Save' }).click();
      await saved;
      assert.equal(await gate(), null);
      await page.context().close();
    },
  );

  console.longTest('a refused field of the settings says why and keeps what was typed', async () => {
    const page = await console.opened('#/settings');
    await page.getByLabel('Currency').selectOption('JPY');
    await page.getByText('what costs $4.95 will cost ¥495.').waitFor();
    const form = page.getByRole('form', { name: 'Fulfilment' });
    await form.getByLabel('Cutoff on Friday').fill('12:30');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText('All saved').waitFor();
    const fulfilment = async () => answered(await console.client.getShop()).shop.fulfilment;
    assert.deepEqual((await fulfilment()).cutoffByDay, { friday: '12:30' });
    await form.getByLabel('Cutoff on Friday').fill('');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText('All saved').waitFor();
    assert.deepEqual((await fulfilment()).cutoffByDay ?? {}, {});
    await form.getByLabel(/^Cutoff \(/).fill('25:00');
    await form.getByLabel('Saturday', { exact: true }).check();
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText(/^must be a time of day/).waitFor();
    console.forgive();
    assert.equal(await form.getByLabel(/^Cutoff \(/).inputValue(), '25:00');
    assert.equal(await form.getByLabel('Saturday', { exact: true }).isChecked(), true);
    await page.context().close();
  });
}
