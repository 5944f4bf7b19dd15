/** The page of versions in a real browser: differences, batches, and a rollback beside another editor. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ConsoleInBrowser, place } from '../../support/console-in-browser.ts';
import { answered } from '../../support/server-process.ts';

export function historyTests(console: ConsoleInBrowser): void {
  test('a version is found in the history, tried in the tester, and rolled back to after its preview', async () => {
    const { method } = answered(await console.client.getMethod('method_us_economy'));
    const before = answered(await console.client.listVersions()).versions[0]?.number ?? 0;
    answered(await console.client.updateMethod(method.id, { rateType: 'flat', config: { price: 3 } }));
    const page = await console.opened('#/history');
    const row = page.getByRole('button', { name: new RegExp(`^Version ${before}\\b`) });
    await row.waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page
      .getByRole('region', { name: `Version ${before + 1}` })
      .getByText('$0.03')
      .waitFor();
    await page.keyboard.press('Escape');
    await row.click();
    const panel = page.getByRole('region', { name: `Version ${before}` });
    const then = await panel.getByRole('link', { name: /^Test a cart/ }).getAttribute('href');
    assert.equal(then, place('tester', { columns: `live,${before}` }));
    await panel.getByRole('button', { name: `Go back to version ${before}…` }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Go back', disabled: false }).waitFor();
    // Another editor saves while the preview is open.
    answered(await console.client.updateMethod(method.id, { rateType: 'flat', config: { price: 4 } }));
    await dialog.getByRole('button', { name: 'Go back' }).click();
    await dialog.getByText(/^The configuration was changed meanwhile/).waitFor();
    assert.equal(answered(await console.client.listVersions()).versions[0]?.number, before + 2);
    console.forgive();
    const theirs = dialog.getByRole('alert');
    await theirs.getByRole('deletion').filter({ hasText: '$0.03' }).waitFor();
    await theirs.getByRole('insertion').filter({ hasText: '$0.04' }).waitFor();
    await dialog.getByRole('deletion').filter({ hasText: '$0.04' }).waitFor();
    await dialog.getByRole('button', { name: 'Go back' }).click();
    await page.getByText(`Version ${before + 3} has the configuration of version ${before}`).waitFor();
    const restored = answered(await console.client.getMethod(method.id)).method;
    assert.deepEqual(restored.config, method.config);
    // The newest version is undone.
    await page.getByRole('button', { name: new RegExp(`^Version ${before + 3}\\b`) }).click();
    await page.getByRole('button', { name: 'Undo this version…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Go back' }).click();
    await page.getByText(`Version ${before + 4} has the configuration of version ${before + 2}`).waitFor();
    answered(
      await console.client.updateMethod(method.id, {
        rateType: method.rateType,
        config: method.config,
      } as never),
    );
    await page.context().close();
  });

  console.longTest(
    'who changed a setting or a key is listed with what it was before, for a key that may do everything',
    async () => {
      answered(await console.client.updateShop({ promotionGate: { checksPass: true, noLostCarts: true } }));
      const { key, secret } = answered(
        await console.client.createKey({ label: 'Reader', permission: 'read' }),
      );
      answered(await console.client.changeStaging({ action: 'enter', name: 'Winter', note: 'Dearer fuel' }));
      answered(await console.client.changeStaging({ action: 'discard' }));
      const page = await console.opened('#/history');
      await page.getByRole('tab', { name: 'Keys, settings, drafts' }).click();
      // Ids of it are for developers.
      const draft = page.getByRole('row').filter({ hasText: 'opened the draft “Winter”' }).first();
      await draft.getByText('Dearer fuel', { exact: true }).waitFor();
      await page.getByRole('row').filter({ hasText: 'Demo admin made the key “Reader”' }).waitFor();
      const change = page.getByRole('row').filter({ hasText: 'Demo admin changed the settings' }).first();
      await change.getByText('Rules for publishing, no cart loses all its rates: nothing → yes').waitFor();
      await console.assertAccessible(page, 'history-audit');
      const reader = await console.opened('#/history', secret);
      await reader
        .getByRole('button', { name: /^Version/ })
        .first()
        .waitFor();
      assert.equal(await reader.getByRole('tab').count(), 0);
      await reader.context().close();
      answered(await console.client.revokeKey(key.id));
      answered(await console.client.updateShop({ promotionGate: null }));
      await page.context().close();
    },
  );

  console.longTest('versions of a batch are one row, and any two versions are compared', async () => {
    const { method } = answered(await console.client.getMethod('method_us_economy'));
    const before = answered(await console.client.listVersions()).versions[0]?.number ?? 0;
    const batchId = 'summer-prices';
    for (const subtitle of ['Slow', method.subtitle]) {
      answered(await console.client.updateMethod(method.id, { subtitle }, { batchId }));
    }
    const page = await console.opened('#/history');
    await page.getByRole('button', { name: `Versions ${before + 1}–${before + 2} ` }).waitFor();
    await page.getByLabel('Compare version').fill(String(before));
    await page.getByLabel('with', { exact: true }).fill(String(before + 1));
    await page.getByRole('button', { name: 'Compare', exact: true }).click();
    await page.getByRole('insertion').filter({ hasText: 'Slow' }).waitFor();
    await page.getByLabel('Each version of a batch').check();
    await page.getByRole('button', { name: new RegExp(`^Version ${before + 1}\\b`) }).waitFor();
    // A link opens a version that is on another page of the list.
    const [newest] = answered(await console.client.listVersions()).versions;
    await page.goto(
      `${console.server.url}/console${place('history', { open: newest?.id ?? '', before: '3' })}`,
    );
    await page.getByRole('region', { name: `Version ${newest?.number}` }).waitFor();
    await page.getByLabel('Compare version').fill('999999');
    await page.getByRole('button', { name: 'Compare', exact: true }).click();
    await page.getByRole('alert').waitFor();
    console.forgive();
    await page.context().close();
  });
}
