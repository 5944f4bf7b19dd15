/** The editor of zones in a real browser: postal codes tried as they are typed, and two editors at one record. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ConsoleInBrowser, place } from '../../support/console-in-browser.ts';
import { answered } from '../../support/server-process.ts';

export function zonesTests(console: ConsoleInBrowser): void {
  test('a zone is made with countries by name and a postal code tried before it is saved', async () => {
    const page = await console.opened('#/zones');
    await page.getByRole('button', { name: 'New zone', exact: true }).click();
    const editor = page.getByRole('region', { name: 'New zone' });
    await editor.getByLabel('Name', { exact: true }).fill('Alps');
    await editor.getByLabel('Add countries').fill('austria, Atlantis, li');
    await editor.getByRole('button', { name: 'Add', exact: true }).click();
    await editor.getByText('No country is called Atlantis').waitFor();
    await editor.getByLabel('Add countries').fill('');
    await editor.getByRole('button', { name: 'Add a subzone' }).click();
    await editor.getByLabel('Name of the subzone').fill('Tyrol');
    await editor.getByLabel('Postal codes').fill('6000-6699\n9782 6*1');
    await editor.getByText('has a * that is not at its end').waitFor();
    await editor.getByLabel('Postal codes').fill('6000-6699\n97*');
    await editor.getByLabel('Postal code', { exact: true }).fill('6020');
    await editor.getByText('6020 reaches Tyrol by a range, 6000-6699.').waitFor();
    await editor.getByRole('button', { name: 'Create the zone' }).click();
    await page.getByRole('region', { name: 'Alps' }).waitFor();
    const id = /open=(\w+)/.exec(page.url())?.[1] ?? '';
    const { zone } = answered(await console.client.getZone(id));
    assert.deepEqual(zone.countries, ['AT', 'LI']);
    assert.deepEqual(
      zone.subzones.map(({ name, postalCodes }) => [name, postalCodes]),
      [['Tyrol', '6000-6699, 97*']],
    );
    await page.getByRole('button', { name: 'Delete…' }).click();
    await page.getByRole('button', { name: 'Delete the zone' }).click();
    await page.getByText('Deleted Alps').waitFor();
    assert.equal((await console.client.getZone(id)).ok, false);
    await page.context().close();
  });

  test('the keyboard alone finds a zone, changes it and saves it, and a draft survives a look elsewhere', async () => {
    const { zone } = answered(await console.client.createZone({ name: 'Andorra only', countries: ['AD'] }));
    const page = await console.opened('#/zones');
    await page.getByRole('link', { name: zone.name }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('andorra');
    await page.keyboard.press('Escape');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    const name = page.getByLabel('Name', { exact: true });
    await name.focus();
    await page.keyboard.press('End');
    await page.keyboard.type(' and more');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await name.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: /not saved/ }).click();
    assert.equal(await name.inputValue(), 'Andorra only and more');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy as curl' }).press('Enter');
    await page.getByText('Copied the call').waitFor();
    const command = String(await page.evaluate('navigator.clipboard.readText()'));
    assert.ok(command.startsWith(`curl -sS -X PUT '${console.server.url}/api/zones/${zone.id}' `));
    assert.ok(command.endsWith(`-d '{"name":"Andorra only and more"}'`));
    await name.focus();
    await page.route(`**/api/zones/${zone.id}`, async (route) => {
      if (route.request().method() === 'PUT') await page.keyboard.type(' typed while it is saved');
      return route.continue();
    });
    await page.keyboard.press('Enter');
    await page.getByText('Saved Andorra only and more').waitFor();
    assert.equal(await name.inputValue(), 'Andorra only and more typed while it is saved');
    assert.equal(answered(await console.client.getZone(zone.id)).zone.name, 'Andorra only and more');
    // What the reader opens while it is deleted stays open.
    const other = place('zones', { open: 'zone_us' });
    await page.route(`**/api/zones/${zone.id}`, async (route) => {
      if (route.request().method() === 'DELETE') await page.evaluate(`location.hash = '${other}'`);
      return route.continue();
    });
    await page.getByRole('button', { name: 'Delete…' }).click();
    await page.getByRole('button', { name: 'Delete the zone' }).click();
    await page.getByText('Deleted Andorra only and more').waitFor();
    assert.ok(page.url().endsWith(other));
    await page.context().close();
  });

  test('what two editors change in one zone is merged and shown, and nothing that was typed is lost', async () => {
    const { zone } = answered(await console.client.createZone({ name: 'Shared', countries: ['AD'] }));
    const page = await console.opened(place('zones', { open: zone.id }));
    await page.getByLabel('Name', { exact: true }).fill('Mine');
    answered(await console.client.updateZone(zone.id, { name: 'Theirs', countries: ['AD', 'SM'] }));
    await page.getByRole('button', { name: 'Save' }).click();
    const notice = page.getByRole('alert').filter({ hasText: 'Another editor saved this zone meanwhile' });
    await notice.getByText('Countries: nothing → San Marino').waitFor();
    await notice.getByText('You both changed name').waitFor();
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Mine');
    await page.getByRole('button', { name: 'Remove San Marino' }).waitFor();
    assert.equal(answered(await console.client.getZone(zone.id)).zone.name, 'Theirs');
    await console.assertAccessible(page, 'zones-conflict');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved Mine').waitFor();
    const saved = answered(await console.client.getZone(zone.id)).zone;
    assert.deepEqual([saved.name, saved.countries], ['Mine', ['AD', 'SM']]);
    // Deleted below what is typed: it can be saved as a new zone.
    await page.getByLabel('Name', { exact: true }).fill('Mine again');
    answered(await console.client.deleteZone(zone.id));
    await page.getByRole('button', { name: 'Save' }).click();
    const asNew = page.getByRole('button', { name: 'Make a new zone of it' });
    await asNew.waitFor();
    // Not in place of another new one.
    await page.getByRole('button', { name: 'New zone', exact: true }).click();
    await page.getByLabel('Name', { exact: true }).fill('Another');
    await page.goBack();
    await asNew.click();
    await page.getByText('Save or discard the new zone first').waitFor();
    await page.goForward();
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await page.goBack();
    await asNew.click();
    console.forgive();
    await page.getByRole('button', { name: 'Create the zone' }).click();
    await page.getByText('Saved Mine again').waitFor();
    const { zones } = answered(await console.client.listZones());
    const made = zones.find(({ name }) => name === 'Mine again');
    assert.deepEqual(made?.countries, ['AD', 'SM']);
    answered(await console.client.deleteZone(made?.id ?? ''));
    await page.context().close();
  });

  test('a zone in use is not deleted, and the reason stands where it was asked for', async () => {
    const { methods } = answered(await console.client.listMethods());
    const { zones } = answered(await console.client.listZones());
    const used = zones.find(({ id }) => methods.some(({ zoneId }) => zoneId === id));
    const page = await console.opened(place('zones', { open: used?.id ?? '' }));
    const url = `${console.server.url}/api/zones/${used?.id}`;
    const headers = `-H "Authorization: Bearer $RATEWRIGHT_KEY"`;
    const copied = async (button: string): Promise<unknown> => {
      await page.getByRole('button', { name: button }).click();
      await page.getByText('Copied the call').waitFor();
      return page.evaluate('navigator.clipboard.readText()');
    };
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByText('Move as curl').click();
    assert.equal(
      await copied('Move down, as curl'),
      `curl -sS -X PUT '${url}' ${headers} -H 'content-type: application/json' -d '{"position":1}'`,
    );
    await page.getByRole('button', { name: 'Delete…' }).click();
    assert.equal(await copied('Copy as curl'), `curl -sS -X DELETE '${url}' ${headers}`);
    await page.getByRole('button', { name: 'Delete the zone' }).click();
    await page
      .getByRole('dialog')
      .getByText(/cannot be deleted: method .* is bound to/)
      .waitFor();
    console.forgive();
    await page.getByRole('button', { name: 'Keep it' }).click();
    await page.getByLabel('Name', { exact: true }).waitFor();
    await page.context().close();
  });

  test('a list of 2,000 zones shows a part of them, and finds any', async () => {
    const page = await console.opened('');
    await page.route('**/api/zones*', (route) => {
      const zones = Array.from({ length: 2_000 }, (_, index) => ({
        id: `zone_${index}`,
        name: `Zone ${index}`,
        countries: ['DE', 'AT', 'CH', 'LI', 'LU'],
        subzones: [],
      }));
      return route.fulfill({ json: { zones } });
    });
    await page.goto(`${console.server.url}/console#/zones`);
    await page.getByRole('button', { name: 'Show 50 more of 2000' }).waitFor();
    assert.equal(await page.locator('[data-row]').count(), 50);
    await page.getByLabel('Search zones').fill('zone 1999');
    await page.getByRole('link', { name: 'Zone 1999' }).waitFor();
    assert.equal(await page.locator('[data-row]').count(), 1);
    await page.context().close();
  });
}
