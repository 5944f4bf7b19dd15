/** The editors of product groups and blended rates in a real browser. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ConsoleInBrowser, fromMenu, place } from '../../support/console-in-browser.ts';
import { answered } from '../../support/server-process.ts';

export function groupsTests(console: ConsoleInBrowser): void {
  test('a group is made of pasted lines, and a refused entry is named at its list', async () => {
    const page = await console.opened(place('groups', { open: 'new' }));
    await page.getByLabel('Name', { exact: true }).fill('Glass');
    // Pasted lines become chips at once, and what still stands in a box when the form is saved belongs to it.
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.evaluate(`navigator.clipboard.writeText('GLASS-*\\nMIRROR-1\\t MIRROR-2\\n')`);
    await page.getByLabel('SKUs').press('Control+v');
    await page.getByRole('button', { name: 'Remove MIRROR-2' }).waitFor();
    await page.getByLabel('Tags', { exact: true }).fill(`fragile; ${'x'.repeat(300)}`);
    await page.getByRole('button', { name: 'Create the product group' }).click();
    await page.getByText(/^entry 2 must/).waitFor();
    assert.equal(await page.locator('input:focus').getAttribute('data-path'), '/tags');
    console.forgive();
    await page.getByLabel('Tags', { exact: true }).press('Backspace');
    await page.getByText('The tag “fragile” belongs to Fragile').waitFor();
    for (const [sku, name] of [
      ['GLASS-7', 'Fragile'],
      ['MIRROR-1', 'Glass'],
    ] as const) {
      await page.getByLabel('SKU', { exact: true }).fill(sku);
      await page.getByText(`It falls into ${name} by its SKU.`).waitFor();
    }
    await page.getByRole('button', { name: 'Create the product group' }).press('Enter');
    await page.getByRole('region', { name: 'Glass' }).waitFor();
    const { groups } = answered(await console.client.listGroups());
    const made = groups.find(({ name }) => name === 'Glass');
    assert.deepEqual([made?.skus, made?.tags], [['GLASS-*', 'MIRROR-1', 'MIRROR-2'], ['fragile']]);
    await fromMenu(page, 'Move up');
    await page.getByText('Moved Glass up').waitFor();
    assert.equal(answered(await console.client.listGroups()).groups.at(-2)?.id, made?.id);
    answered(await console.client.deleteGroup(made?.id ?? ''));
    await page.context().close();
  });

  test('a group in use and the default group are not deleted, and the reason is said', async () => {
    const { groups } = answered(await console.client.listGroups());
    const page = await console.opened(
      place('groups', { open: groups.find((group) => group.isDefault)?.id ?? '' }),
    );
    await page.getByText('This is the default group').waitFor();
    await fromMenu(page, 'Delete…');
    await page.getByRole('button', { name: 'Delete the product group' }).click();
    await page.getByRole('dialog').getByText('is the default').waitFor();
    console.forgive();
    await page.context().close();
  });

  console.longTest(
    'a blended rate is made with a preferred method of its zone, and changed by the keyboard alone',
    async () => {
      const { methods } = answered(await console.client.listMethods({ query: { zoneId: 'zone_us' } }));
      const preferred = methods[0];
      assert.ok(preferred !== undefined);
      const { group } = answered(await console.client.getGroup(preferred.productGroupId));
      const page = await console.opened('#/blends');
      await page.getByRole('button', { name: 'New blended rate' }).click();
      await page.getByLabel('Name', { exact: true }).fill('All in one parcel');
      await page.getByLabel('Zone or subzone').selectOption('zone_us');
      await page.getByLabel('Free from (USD)').fill('free');
      await page.getByRole('button', { name: 'Create the blended rate' }).click();
      await page.getByText('is not an amount of USD').waitFor();
      await page.getByLabel('Free from (USD)').fill('99.50');
      await page.getByLabel(group.name).selectOption(preferred.id);
      await page.getByRole('button', { name: 'Create the blended rate' }).click();
      await page.getByText('Saved All in one parcel').waitFor();
      const { blendedRates } = answered(await console.client.listBlendedRates());
      const made = blendedRates.find(({ name }) => name === 'All in one parcel');
      assert.deepEqual(
        [made?.zoneId, made?.freeShippingThreshold, made?.preferences],
        ['zone_us', 9_950, [{ productGroupId: group.id, preferredMethodId: preferred.id }]],
      );
      await page.getByLabel('Active').focus();
      await page.keyboard.press('Space');
      await page.getByLabel('Name', { exact: true }).focus();
      await page.keyboard.press('Enter');
      await page.getByText('All saved').waitFor();
      assert.equal(answered(await console.client.getBlendedRate(made?.id ?? '')).blendedRate.enabled, false);
      answered(await console.client.deleteBlendedRate(made?.id ?? ''));
      await page.context().close();
    },
  );
}
