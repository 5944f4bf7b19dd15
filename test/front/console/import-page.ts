/** Import and export in a real browser: a file out, its rows with errors corrected, and in again beside another editor. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import type { Schemas } from '../../../src/front/client/call-table.ts';
import type { ConsoleInBrowser } from '../../support/console-in-browser.ts';
import { answered } from '../../support/server-process.ts';

const choose = (page: Page, name: string, text: string): Promise<void> =>
  page
    .getByLabel('Configuration (JSON, as exported)')
    .setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(text) });

export function importTests(console: ConsoleInBrowser): void {
  test('a file is exported, corrected at the row of its error, previewed beside another editor, and replaced', async () => {
    const before = answered(await console.client.getConfig());
    const page = await console.opened('#/import');
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download the live configuration' }).click();
    const file = await saved;
    assert.match(file.suggestedFilename(), /^larkspur-pine-outfitters-version_\w+\.json$/);
    const text = await readFile(await file.path(), 'utf8');
    const config = JSON.parse(text) as Schemas['ConfigSnapshot'];
    assert.deepEqual(config, before);

    await choose(page, 'same.json', text);
    await page.getByText('There is no difference').waitFor();
    assert.equal(await page.getByRole('button', { name: /^Replace/ }).count(), 0);

    const at = config.methods.findIndex(({ id }) => id === 'method_us_economy');
    const method = config.methods[at];
    assert.ok(method !== undefined);
    const priced = (price: number) => ({ ...method, rateType: 'flat', config: { price } });
    const methods = config.methods.map((other, place) => (place === at ? priced(-1) : other));
    await choose(page, 'autumn.json', JSON.stringify({ methods }));
    const row = page.getByRole('group', { name: `Methods, row ${at + 1}: Economy` });
    await row.getByText(/^Price must be/).waitFor();
    await console.assertAccessible(page, 'import-refused');
    console.forgive();
    await row.getByText('Correct it').click();
    await row.getByLabel(/as JSON$/).fill(JSON.stringify(priced(6)));
    await page.getByRole('button', { name: 'Check again' }).click();
    const preview = page.getByRole('region', { name: 'Preview' });
    await preview.getByText('Records: 1 changed.', { exact: true }).waitFor();
    await preview.getByText(/checks? would fail/).waitFor();
    await preview.getByText(/carts tried would get other rates/).waitFor();
    // Once among the rates that differ, once among the records.
    assert.equal(await preview.getByRole('insertion').filter({ hasText: '$0.06' }).count(), 2);

    answered(await console.client.updateMethod('method_us_standard', { subtitle: 'Later' }));
    await preview.getByRole('button', { name: 'Replace the live configuration' }).click();
    await preview.getByText(/^The configuration was changed meanwhile/).waitFor();
    console.forgive();
    await preview.getByRole('alert').getByRole('insertion').filter({ hasText: 'Later' }).waitFor();
    await preview.getByRole('deletion').filter({ hasText: 'Later' }).waitFor();
    await preview.getByRole('button', { name: 'Replace the live configuration' }).click();
    await page.getByText(/^Version \d+ has the configuration of autumn.json/).waitFor();
    const { config: replaced } = answered(await console.client.getMethod('method_us_economy')).method;
    assert.deepEqual(replaced, { price: 6 });
    answered(await console.client.replaceConfig({ action: 'execute', data: before }));
    await page.context().close();
  });

  console.longTest(
    'a file that was to go to a changeset is not written to the live configuration after its end',
    async () => {
      const before = answered(await console.client.getConfig());
      answered(await console.client.changeStaging({ action: 'enter' }));
      const page = await console.opened('#/import');
      await choose(page, 'empty.json', '{"checks": []}');
      await page.getByText(/^Records: \d+ removed\.$/).waitFor();
      answered(await console.client.changeStaging({ action: 'discard' }));
      await page.getByRole('button', { name: 'Write it to the draft' }).click();
      await page.getByText('Nothing was saved: the draft has ended').waitFor();
      await page.getByRole('button', { name: 'Replace the live configuration' }).waitFor();
      assert.deepEqual(answered(await console.client.getConfig()), before);
      await page.context().close();
    },
  );

  test('a file that is no configuration says so, and a key that reads sees the preview only', async () => {
    const { secret, key } = answered(await console.client.createKey({ label: 'Reader', permission: 'read' }));
    const page = await console.opened('#/import', secret);
    await page.getByText('This key may see the preview').waitFor();
    await choose(page, 'cart.json', '{"items": []}');
    await page.getByText('cart.json: The file holds no configuration').waitFor();
    // A file of another system is told from a configuration, with the command that translates it.
    const table =
      '"Country","Region/State","Zip/Postal Code From","Zip/Postal Code To","Weight From"\nGBR,*,*,*,0\n';
    await choose(page, 'my rates.csv', table);
    await page.getByText('my rates.csv is a file of WebShopApps Matrixrate, not a configuration').waitFor();
    await page.getByText("ratewright import --from matrixrate 'my rates.csv' --out shop.json").waitFor();
    await console.assertAccessible(page, 'import-foreign');
    await choose(page, 'empty.json', '{"checks": []}');
    await page.getByText(/^Records: \d+ removed\.$/).waitFor();
    assert.equal(await page.getByRole('button', { name: /^Replace/ }).count(), 0);
    answered(await console.client.revokeKey(key.id));
    await page.context().close();
  });
}
